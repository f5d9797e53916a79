import { expect, test } from 'vitest'
import { createDomain } from '../../../src/modules/domains/domains.ts'
import { createTemplate } from '../../../src/modules/templates/templates.ts'
import { asker } from '../../help/ask.ts'
import { drafted } from '../../help/campaigns.ts'
import { graphql } from '../../help/graphql/index.ts'
import { fewestQueriesOf } from '../../help/queries.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

// What refers to a thing, and so why it cannot be deleted.
const { call, url, world } = await testServer()
const Segments = graphql(`
  query UsesOfSegments {
    segments {
      nodes {
        name
        usage { canDelete segments { nodes { name } } campaigns { totalCount nodes { name } } workflows { nodes { name } } }
      }
    }
  }
`)
const Domains = graphql(`
  query UsesOfDomains { domains { nodes { domain usage { canDelete templates { totalCount nodes { name } } campaigns { nodes { name } } } } } }
`)

async function project() {
  const { ctx, secret: key } = await freshProject(world)
  await createDomain(ctx, { domain: 'demo.test' })
  const segment = async (name: string, condition?: object): Promise<string> =>
    (await call('POST /segments', { name, ...(condition ? { condition } : { type: 'STATIC' }) }, { key })).body.id
  const codeOf = async (path: string) => (await call(`DELETE ${path}`, undefined, { key })).body.error?.code
  return { ctx, key, ask: asker(url, key), segment, codeOf }
}

test('Segment.usage says what refers to it, and whether it can be deleted', async () => {
  const { ctx, key, ask, segment, codeOf } = await project()
  const [chosen, meant] = [await segment('Chosen'), await segment('Meant')]
  await segment('Asking', { field: `segment.${chosen}`, operator: 'memberOfSegment' })
  await drafted(ctx, { name: 'Draft', audienceType: 'SEGMENT', segmentId: chosen })
  const planned = await drafted(ctx, { name: 'Planned', audienceType: 'SEGMENT', segmentId: meant })
  await drafted(ctx, {
    name: 'By condition',
    audienceType: 'FILTERED',
    audienceFilter: { field: `segment.${meant}`, operator: 'memberOfSegment' },
  })
  const scheduledFor = new Date(world.clock.now().getTime() + 86_400_000).toISOString()
  expect((await call(`POST /campaigns/${planned.id}/send`, { scheduledFor }, { key })).status).toBe(200)
  const usage = async () => {
    const { data, errors } = await ask(Segments)
    expect(errors).toEqual([])
    return Object.fromEntries((data?.segments.nodes ?? []).map((node) => [node.name, node.usage]))
  }
  const nobody = { totalCount: 0, nodes: [] }
  expect(await usage()).toEqual({
    Asking: { canDelete: true, segments: { nodes: [] }, campaigns: nobody, workflows: { nodes: [] } },
    Chosen: {
      canDelete: true,
      segments: { nodes: [{ name: 'Asking' }] },
      campaigns: { totalCount: 1, nodes: [{ name: 'Draft' }] },
      workflows: { nodes: [] },
    },
    Meant: {
      canDelete: false,
      segments: { nodes: [] },
      campaigns: { totalCount: 2, nodes: [{ name: 'By condition' }, { name: 'Planned' }] },
      workflows: { nodes: [] },
    },
  })
  expect([await codeOf(`/segments/${meant}`), await codeOf(`/segments/${chosen}`)]).toEqual(['SEGMENT_IN_USE', undefined])
})

test('Domain.usage says what sends from it, and whether it can be deleted', async () => {
  const { ctx, ask, codeOf } = await project()
  const { id } = await createDomain(ctx, { domain: 'other.test' })
  const free = await createDomain(ctx, { domain: 'free.other.test' })
  const draft = { subject: 'Hi', body: '<p></p>', type: 'MARKETING' as const }
  for (const name of ['One', 'Two']) await createTemplate(ctx, { ...draft, name, from: 'a@other.test' })
  const { data, errors } = await ask(Domains)
  expect(errors).toEqual([])
  const none = { templates: { totalCount: 0, nodes: [] }, campaigns: { nodes: [] } }
  expect(data?.domains.nodes).toEqual([
    { domain: 'free.other.test', usage: { canDelete: true, ...none } },
    {
      domain: 'other.test',
      usage: { canDelete: false, templates: { totalCount: 2, nodes: [{ name: 'Two' }, { name: 'One' }] }, campaigns: { nodes: [] } },
    },
    { domain: 'demo.test', usage: { canDelete: true, ...none } },
  ])
  expect([await codeOf(`/domains/${id}`), await codeOf(`/domains/${free.id}`)]).toEqual(['DOMAIN_IN_USE', undefined])
})

test('the uses of a list are read in as many statements for one item as for many', async () => {
  const { ctx, ask, segment } = await project()
  const about = /segment|campaign|workflow|template/
  const count = async (asked: () => Promise<unknown>) => (await fewestQueriesOf(asked, about)).queries
  const counts = async () => [await count(() => ask(Segments)), await count(() => ask(Domains))]
  await segment('One')
  const ofOne = await counts()
  for (const name of ['Two', 'Three']) {
    await segment(name)
    await createDomain(ctx, { domain: `${name.toLowerCase()}.test` })
  }
  expect(await counts()).toEqual(ofOne)
})
