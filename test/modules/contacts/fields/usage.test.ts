import { describe, expect, test } from 'vitest'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { findFieldUses } from '../../../../src/modules/contacts/fields/usage.ts'
import type { Condition } from '../../../../src/modules/filters/shapes.ts'
import { createSegment } from '../../../../src/modules/segments/segments.ts'
import { asker } from '../../../help/ask.ts'
import { graphql } from '../../../help/graphql/gql.ts'
import { fewestQueriesOf } from '../../../help/queries.ts'
import { testServer } from '../../../help/server.ts'
import { freshProject } from '../../../help/world.ts'

const FieldUses = graphql(
  `query FieldUses { contactFields(first: 50) { nodes { field usage { isUsed segments(first: 5) { totalCount nodes { name } } } } } }`,
)
const FieldUseCounts = graphql(`query FieldUseCounts { contactFields { nodes { field usage { segments { totalCount } } } } }`)
const { call, url, world } = await testServer()

const asks = (field: string): Condition => ({ field, operator: 'exists' })
const all = (...conditions: Condition[]): Condition => ({
  logic: 'AND',
  groups: conditions.map((conditions) => ({ filters: [], conditions })),
})

async function filled() {
  const project = await freshProject(world)
  const { ctx, secret: key } = project
  await upsertContact(ctx, { email: 'ada@example.com', data: { plan: 'pro', address: { city: 'Paris' }, note: 'data.plan' } })
  await upsertContact(ctx, { email: 'bob@example.com', data: { plan: 'free', createdAt: 'x' } })
  const segment = async (name: string, condition?: Condition) =>
    createSegment(ctx, { name, ...(condition ? { condition } : { type: 'STATIC' }) })
  const single = await segment('Single', asks('data.plan'))
  const deep = await segment(
    'Deep',
    all({ field: 'email', operator: 'contains', value: 'a' }, all(asks('data.address.city'), asks('data.plan'))),
  )
  await segment('Static')
  await segment('Other', { field: 'data.planet', operator: 'equals', value: 'data.plan' })
  const usage = async (field: string) => (await call(`GET /contacts/fields/${field}/usage`, undefined, { key })).body
  const named = ({ id, name }: { id: string; name: string }) => ({ id, name })
  return { ...project, usage, single: named(single), deep: named(deep) }
}

const nothing = { usedInSegments: [], usedInCampaigns: [], usedInWorkflows: [] }

describe('GET /contacts/fields/:field/usage', () => {
  test('200 lists the segments whose conditions ask the field at any depth, newest first, with and without the prefix data.', async () => {
    const { usage, single, deep } = await filled()
    const expected = { ...nothing, usedInSegments: [deep, single], contactCount: 2, canDelete: false }
    expect(await usage('plan')).toEqual(expected)
    expect(await usage('data.plan')).toEqual(expected)
  })

  test('counts a path into an object as a use of it, and no field that only begins alike', async () => {
    const { usage, deep } = await filled()
    expect(await usage('address')).toEqual({ ...nothing, usedInSegments: [deep], contactCount: 1, canDelete: false })
    expect(await usage('pla')).toEqual({ ...nothing, contactCount: 0, canDelete: true })
  })

  test('lists the segments that ask the field themselves, and not those that refer to one of them', async () => {
    const { ctx, usage, single, deep } = await filled()
    await createSegment(ctx, { name: 'Indirect', condition: { field: `segment.${single.id}`, operator: 'memberOfSegment' } })
    expect((await usage('plan')).usedInSegments).toEqual([deep, single])
  })

  test('a field that nothing asks can be deleted', async () => {
    const { usage } = await filled()
    expect(await usage('note')).toEqual({ ...nothing, contactCount: 1, canDelete: true })
  })

  test('a standard field never can, and is not mistaken for custom data of its name', async () => {
    const { usage, deep } = await filled()
    expect(await usage('email')).toEqual({ ...nothing, usedInSegments: [deep], contactCount: 2, canDelete: false })
    expect(await usage('updatedAt')).toEqual({ ...nothing, contactCount: 2, canDelete: false })
    expect(await usage('data.createdAt')).toEqual({ ...nothing, contactCount: 1, canDelete: true })
  })

  test('shows nothing of another project', async () => {
    const { usage } = await filled()
    const other = await freshProject(world)
    await createSegment(other.ctx, { name: 'Theirs', condition: asks('data.note') })
    expect((await usage('note')).usedInSegments).toEqual([])
  })
})

describe('ContactField.usage', () => {
  test('answers the same for all fields, in queries that do not grow with their number', async () => {
    const { ctx, secret, deep, single } = await filled()
    const ask = asker(url, secret)
    const { reply, queries } = await fewestQueriesOf(() => ask(FieldUses), /segment|campaign|workflow/)
    expect(reply.errors).toEqual([])
    const uses = Object.fromEntries((reply.data?.contactFields.nodes ?? []).map(({ field, usage }) => [field, usage]))
    expect(uses['data.plan']).toEqual({
      isUsed: true,
      segments: { totalCount: 2, nodes: [{ name: deep.name }, { name: single.name }] },
    })
    expect(uses['data.note']).toEqual({ isUsed: false, segments: { totalCount: 0, nodes: [] } })
    await upsertContact(ctx, { email: 'ada@example.com', data: Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`k${at}`, at])) })
    expect((await fewestQueriesOf(() => ask(FieldUses), /segment|campaign|workflow/)).queries).toBeLessThanOrEqual(queries)
  })

  test('of as many fields as a project can have is one statement', async () => {
    const { ctx, deep, single } = await filled()
    const fields = ['plan', ...Array.from({ length: 1_999 }, (_, at) => `k${at}`)]
    const { reply, queries } = await fewestQueriesOf(() => Promise.all(fields.map((field) => findFieldUses(ctx, { field }))), /segments/)
    expect(queries).toBe(1)
    expect(reply[0]?.usedInSegments).toEqual([deep, single])
    expect(reply.slice(1).every(({ canDelete }) => canDelete)).toBe(true)
  })

  test('counts the segments without their nodes', async () => {
    const { secret } = await filled()
    const { data, errors } = await asker(url, secret)(FieldUseCounts)
    expect(errors).toEqual([])
    expect(data?.contactFields.nodes.find(({ field }) => field === 'data.plan')).toMatchObject({ usage: { segments: { totalCount: 2 } } })
  })
})
