import { expect, test } from 'vitest'
import { upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { asker } from '../../help/ask.ts'
import { graphql } from '../../help/graphql/index.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { url, world, call } = await testServer()

const Create = graphql(
  `mutation CreateCounted($input: CreateSegmentInput!) { createSegment(input: $input) { segment { id memberCount countedAt } } }`,
)
const Change = graphql(
  `mutation ChangeCounted($input: UpdateSegmentInput!) { updateSegment(input: $input) { segment { memberCount countedAt } } }`,
)
const Count = graphql(
  `mutation CountAgain($id: ID!) { refreshSegment(input: { id: $id }) { segment { memberCount countedAt updatedAt } } }`,
)
const Compute = graphql(`mutation ComputeCounted($id: ID!) { computeSegment(input: { id: $id }) { segment { memberCount countedAt } } }`)

const pro = { field: 'data.plan', operator: 'EQUALS' as const, value: 'pro' }

async function project() {
  const { ctx, secret } = await freshProject(world)
  await upsertContact(ctx, { email: 'ada@example.com', data: { plan: 'pro' } })
  const ask = asker(url, secret)
  const create = async (input: object) => (await ask(Create, { input: { name: 'Pro', ...input } })).data?.createSegment.segment
  const now = (afterMs: number) => {
    world.clock.turn(afterMs)
    return world.clock.now().toISOString()
  }
  return { ask, create, secret, now }
}

test('a segment says when its members were counted, also when there are as many as before', async () => {
  const { ask, create, now } = await project()
  const created = await create({ condition: pro })
  const id = created?.id ?? ''
  expect(created).toEqual({ id, memberCount: 1, countedAt: world.clock.now().toISOString() })
  const later = now(60_000)
  const { data } = await ask(Count, { id })
  expect(data?.refreshSegment.segment).toMatchObject({ memberCount: 1, countedAt: later })
  expect(data?.refreshSegment.segment.updatedAt).not.toBe(later)
  now(60_000)
  const named = await ask(Change, { input: { id, name: 'Paying' } })
  expect(named.data?.updateSegment.segment).toEqual({ memberCount: 1, countedAt: later })
  const again = now(60_000)
  const same = await ask(Change, { input: { id, condition: pro } })
  expect(same.data?.updateSegment.segment).toEqual({ memberCount: 1, countedAt: again })
  const last = now(60_000)
  const changed = await ask(Change, { input: { id, condition: { ...pro, value: 'free' } } })
  expect(changed.data?.updateSegment.segment).toEqual({ memberCount: 0, countedAt: last })
})

test('a tracked segment says when its members were computed; a static one, which is always right, says nothing; nor does REST', async () => {
  const { ask, create, secret, now } = await project()
  const tracked = await create({ condition: pro, trackMembership: true })
  const later = now(60_000)
  const { data } = await ask(Compute, { id: tracked?.id ?? '' })
  expect(data?.computeSegment.segment).toEqual({ memberCount: 1, countedAt: later })
  expect((await create({ type: 'STATIC' }))?.countedAt).toBeNull()
  const { body } = await call(`GET /segments/${tracked?.id}`, undefined, { key: secret })
  expect(Object.keys(body)).not.toContain('countedAt')
})
