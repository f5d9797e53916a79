import { expect, test } from 'vitest'
import type { Ctx } from '../../../src/kit/context.ts'
import { getCampaignBody } from '../../../src/modules/campaigns/campaigns.ts'
import { createTemplate, getTemplate, getTemplateBody, updateTemplate } from '../../../src/modules/templates/templates.ts'
import { getVersionBody, listTemplateVersions } from '../../../src/modules/templates/versions/versions.ts'
import { drafted } from '../../help/campaigns.ts'
import { sendingProject } from '../../help/mails.ts'
import { meanwhile } from '../../help/meanwhile.ts'
import { testWorld } from '../../help/world.ts'

const world = await testWorld()
const { ctx } = await sendingProject(world)
const body = 'x'.repeat(1.5 * 1024 * 1024)

type Get = (call: Ctx, id: string) => Promise<string>
const kinds: Record<string, { create: () => Promise<{ id: string }>; get: Get }> = {
  templates: {
    create: () => createTemplate(ctx, { name: 'Large', subject: 'Hi', body, from: 'news@demo.test' }),
    get: (call, id) => getTemplateBody(call, { id }),
  },
  campaigns: { create: () => drafted(ctx, { body }), get: (call, id) => getCampaignBody(call, { id }) },
  'versions of templates': {
    create: () => createTemplate(ctx, { name: 'Large', subject: 'Hi', body, from: 'news@demo.test' }),
    get: async (call, id) => {
      const [version] = await listTemplateVersions(call, { id })
      return version ? getVersionBody(call, version) : ''
    },
  },
}

test.each(Object.keys(kinds))('bodies of %s: 4 MB are those of one call, and another one in the same moment has its own', async (kind) => {
  const { create, get } = kinds[kind] ?? expect.fail('no such kind')
  const ids: string[] = []
  for (let at = 0; at < 3; at++) ids.push((await create()).id)
  const of = (call: Ctx, some: string[]) => some.map((id) => get(call, id))
  const [one, other, greedy] = [1, 2, 3].map(() => ({ ...ctx, answer: {} })) as [Ctx, Ctx, Ctx]
  const fits = await Promise.all([...of(one, ids.slice(0, 2)), ...of(other, ids.slice(1))])
  expect(fits.map(({ length }) => length)).toEqual(Array(4).fill(body.length))
  const settled = await Promise.allSettled(of(greedy, ids))
  const refused = settled.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(refused).toEqual([expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' })])
})

test('a template that grows while it waits to be read is there, and its body is read', async () => {
  const { id } = await createTemplate(ctx, { name: 'Large', subject: 'Hi', body: 'x'.repeat(4_100_000), from: 'news@demo.test' })
  const longer = (bytes: number) => meanwhile({ ...ctx, answer: {} }, () => updateTemplate(ctx, { id, body: 'y'.repeat(bytes) }))
  expect((await getTemplate(longer(4_300_000), { id })).body).toHaveLength(4_300_000)
  expect(await getTemplateBody(longer(4_400_000), { id })).toHaveLength(4_400_000)
})
