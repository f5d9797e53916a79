import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../../src/kit/context.ts'
import { getCampaign, getCampaignDocument, listCampaigns } from '../../../src/modules/campaigns/campaigns.ts'
import { createCampaign, deleteCampaign, replaceCampaign, updateCampaign } from '../../../src/modules/campaigns/changes.ts'
import { createTemplate } from '../../../src/modules/templates/templates.ts'
import { drafted } from '../../help/campaigns.ts'
import { holder } from '../../help/holder.ts'
import { sendingProject } from '../../help/mails.ts'
import { meanwhile } from '../../help/meanwhile.ts'
import { testWorld } from '../../help/world.ts'

const world = await testWorld()

/** Does changes of a campaign that all have read it before the first one writes, which they do in their order; returns what it is then. */
async function atOnce({ projectId }: Ctx, id: string, changes: (() => Promise<unknown>)[]) {
  const lock = await holder(world)
  await lock.run('select 1 from campaigns where project_id = $1 and id = $2 for update', [projectId, id])
  const changing: Promise<unknown>[] = []
  for (const change of changes) {
    changing.push(change())
    await lock.waitedForOrEnded(changing.length, Promise.all(changing))
  }
  await lock.commit()
  return Promise.all(changing)
}

const said = (text: string) => ({
  type: 'doc' as const,
  content: [{ type: 'paragraph' as const, content: [{ type: 'text' as const, text }] }],
})
const visual = { name: 'News', subject: 'S', from: 'news@demo.test', audienceType: 'ALL' as const, document: said('First') }

describe('of changes at once the last one holds as a whole', () => {
  const one = { subject: 'SA', body: '<p>BA</p>' }
  const other = { subject: 'SB', body: '<p>B0</p>' }

  test.each([
    ['with another body and with the body that it has', [one, other]],
    ['with the body that it has and with another', [other, one]],
  ])('%s', async (_what, contents) => {
    const { ctx } = await sendingProject(world)
    for (const change of [replaceCampaign, updateCampaign]) {
      const { id } = await drafted(ctx, { body: other.body })
      const whole = { id, name: 'K', from: 'news@demo.test', audienceType: 'ALL' as const }
      const changes = contents.map((content) => () => change(ctx, { ...whole, ...content }))
      const last = contents.at(-1)
      expect((await atOnce(ctx, id, changes)).at(-1)).toMatchObject({ ...last })
      expect(await getCampaign(ctx, { id })).toMatchObject({ ...last })
    }
  })

  test('with the content of a template, and with the body that it has', async () => {
    const { ctx } = await sendingProject(world)
    const { id: templateId } = await createTemplate(ctx, { ...one, name: 'T', from: 'news@demo.test', type: 'MARKETING' })
    const { id } = await drafted(ctx, { body: other.body })
    await atOnce(ctx, id, [() => updateCampaign(ctx, { id, templateId }), () => updateCampaign(ctx, { id, ...other })])
    expect(await getCampaign(ctx, { id })).toMatchObject({ ...other, templateId })
  })
})

describe('a visual campaign', () => {
  test('that gets another body at once with the one that it has, has that as HTML', async () => {
    const { ctx } = await sendingProject(world)
    const { id, body } = await createCampaign(ctx, visual)
    await atOnce(ctx, id, [() => updateCampaign(ctx, { id, body: '<p>Other</p>' }), () => updateCampaign(ctx, { id, body })])
    expect(await getCampaign(ctx, { id })).toMatchObject({ body, mode: 'HTML' })
    expect(await getCampaignDocument(ctx, { id, mode: 'VISUAL' })).toBeNull()
  })

  test('that gets a document at once with the body of it stays visual', async () => {
    const { ctx } = await sendingProject(world)
    const { id } = await createCampaign(ctx, visual)
    const { body } = await createCampaign(ctx, { ...visual, document: said('Second') })
    await atOnce(ctx, id, [() => updateCampaign(ctx, { id, document: said('Second') }), () => updateCampaign(ctx, { id, body })])
    expect(await getCampaign(ctx, { id })).toMatchObject({ body, mode: 'VISUAL' })
    expect((await getCampaignDocument(ctx, { id, mode: 'VISUAL' }))?.toJSON()).toEqual(said('Second'))
  })
})

test('a page has no campaign with an empty body: one that is deleted while the bodies are read is left out, and those that have grown are too many', async () => {
  const { ctx } = await sendingProject(world)
  const large = 'x'.repeat(1_300_000)
  const ids: string[] = []
  while (ids.length < 3) ids.push((await drafted(ctx, { body: large })).id)
  const [first = '', second = ''] = ids
  const deleted = await listCampaigns(
    meanwhile(ctx, () => deleteCampaign(ctx, { id: first })),
    { limit: 20 },
  )
  expect(deleted.data.map(({ id, body }) => [id, body])).toEqual(
    ids
      .slice(1)
      .toReversed()
      .map((id) => [id, large]),
  )
  await drafted(ctx, { body: large })
  const growing = meanwhile(ctx, () => updateCampaign(ctx, { id: second, body: 'y'.repeat(1_700_000) }))
  await expect(listCampaigns(growing, { limit: 20 })).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
})
