import { describe, expect, test } from 'vitest'
import { getBulkJob } from '../../../../src/modules/contacts/bulk/bulk.ts'
import { continueBulk } from '../../../../src/modules/contacts/bulk/continue.ts'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import type { ContactFilter as ContactFilterShape } from '../../../../src/modules/contacts/shapes.ts'
import { asker } from '../../../help/ask.ts'
import type { ConditionInput, ContactFilter } from '../../../help/graphql/graphql.ts'
import { graphql } from '../../../help/graphql/index.ts'
import { fewestQueriesOf } from '../../../help/queries.ts'
import { testServer } from '../../../help/server.ts'
import { freshProject } from '../../../help/world.ts'

const { call, url, world } = await testServer()
const people = graphql(`
  query PeopleOfFilter($filter: ContactFilter, $orderBy: ContactOrder, $first: Int, $after: String, $last: Int) {
    contacts(filter: $filter, orderBy: $orderBy, first: $first, after: $after, last: $last) {
      totalCount pageInfo { hasNextPage endCursor } nodes { email }
    }
  }
`)
const ofSegment = graphql(`
  query PeopleOfSegment($id: ID!, $filter: ContactFilter) {
    segment(id: $id) { contacts(filter: $filter) { totalCount nodes { email } } }
  }
`)
const unsubscribeMany = graphql(
  `mutation UnsubscribeMany($filter: ContactFilter) { bulkUnsubscribeContacts(input: { filter: $filter }) { jobId } }`,
)
const deleteMany = graphql(`mutation DeleteMany($filter: ContactFilter) { bulkDeleteContacts(input: { filter: $filter }) { jobId } }`)

const pro: ConditionInput = { field: 'data.plan', operator: 'EQUALS', value: 'pro' }
const day = 86_400_000

async function projectWithContacts() {
  const project = await freshProject(world)
  const at: Date[] = []
  for (const [name, plan] of [
    ['joe', 'pro'],
    ['bob', 'free'],
    ['ada', 'pro'],
    ['eve', 'pro'],
  ] as const) {
    world.clock.turn(day)
    at.push(world.clock.now())
    await call('POST /contacts', { email: `${name}@example.com`, subscribed: name !== 'eve', data: { plan } }, { key: project.secret })
  }
  const ask = asker(url, project.secret)
  const find = async (filter: ContactFilter, args: object = {}) => {
    const { data, errors } = await ask(people, { filter, ...args })
    expect(errors).toEqual([])
    return { ...data?.contacts, names: data?.contacts.nodes.map(({ email }) => email.slice(0, 3)) }
  }
  const segment = async (body: object): Promise<string> => (await call('POST /segments', body, { key: project.secret })).body.id
  return { ...project, ask, find, segment, at: at.map((one) => one.toISOString()) }
}

describe('Query.contacts', () => {
  test('with a condition are those that match at the moment, with their number', async () => {
    const { find, secret: key } = await projectWithContacts()
    expect(await find({ condition: pro })).toMatchObject({ names: ['eve', 'ada', 'joe'], totalCount: 3 })
    expect(await find({ condition: pro, subscribed: true, search: 'A' })).toMatchObject({ names: ['ada', 'joe'], totalCount: 2 })
    await call('POST /contacts', { email: 'bob@example.com', data: { plan: 'pro' } }, { key })
    expect(await find({ condition: pro }, { first: 1 })).toMatchObject({ names: ['eve'], totalCount: 4, pageInfo: { hasNextPage: true } })
  })

  test('with a condition come page by page in every order', async () => {
    const { find } = await projectWithContacts()
    const all = async (orderBy: object, filter: ContactFilter) => {
      const names: (string | undefined)[] = []
      for (let after: string | null | undefined, more: boolean | undefined = true; more; ) {
        const page = await find(filter, { orderBy, first: 2, ...(after && { after }) })
        names.push(...(page.names ?? []))
        after = page.pageInfo?.endCursor
        more = page.pageInfo?.hasNextPage
      }
      return names
    }
    expect(await all({}, { condition: pro })).toEqual(['eve', 'ada', 'joe'])
    expect(await all({ by: 'CREATED_AT', direction: 'ASC' }, { condition: pro })).toEqual(['joe', 'ada', 'eve'])
    expect(await all({ by: 'EMAIL' }, { condition: pro })).toEqual(['ada', 'eve', 'joe'])
    expect(await all({ by: 'EMAIL', direction: 'DESC' }, { condition: pro })).toEqual(['joe', 'eve', 'ada'])
    expect((await find({ condition: pro }, { orderBy: { by: 'EMAIL' }, last: 2 })).names).toEqual(['eve', 'joe'])
  })

  test('with a condition end their page after about 4 MB of data, and go on behind it', async () => {
    const { find, ctx } = await projectWithContacts()
    const data = { plan: 'large', text: 'x'.repeat(100_000) }
    await Promise.all(Array.from({ length: 50 }, (_, at) => upsertContact(ctx, { email: `large${at}@example.com`, data })))
    const condition = { ...pro, value: 'large' }
    const first = await find({ condition }, { first: 100 })
    expect([first.names?.length, first.totalCount, first.pageInfo?.hasNextPage]).toEqual([42, 50, true])
    expect((await find({ condition }, { first: 100, after: first.pageInfo?.endCursor })).names).toHaveLength(8)
  })

  test('of a segment are its members, dynamic or static, as in REST', async () => {
    const { find, segment, secret: key } = await projectWithContacts()
    const dynamic = await segment({ name: 'Pro', condition: { field: 'data.plan', operator: 'equals', value: 'pro' } })
    const chosen = await segment({ name: 'Chosen', type: 'STATIC' })
    await call(`POST /segments/${chosen}/members`, { emails: ['bob@example.com', 'ada@example.com'] }, { key })
    expect(await find({ segmentId: dynamic })).toMatchObject({ names: ['eve', 'ada', 'joe'], totalCount: 3 })
    expect(await find({ segmentId: chosen })).toMatchObject({ names: ['ada', 'bob'], totalCount: 2 })
    expect((await find({ segmentId: chosen, condition: pro })).names).toEqual(['ada'])
    const { body } = await call(`GET /contacts?segmentId=${chosen}&sort=email`, undefined, { key })
    expect([body.total, body.data.map(({ email }: { email: string }) => email)]).toEqual([2, ['ada@example.com', 'bob@example.com']])
  })

  test('that were created in a range of time, with and without a condition', async () => {
    const { find, at } = await projectWithContacts()
    expect(await find({ createdFrom: at[1] ?? '' })).toMatchObject({ names: ['eve', 'ada', 'bob'], totalCount: 3 })
    expect((await find({ createdFrom: at[1] ?? '', createdTo: at[3] ?? '' })).names).toEqual(['ada', 'bob'])
    expect((await find({ createdFrom: at[1] ?? '', createdTo: at[3] ?? '', condition: pro })).names).toEqual(['ada'])
  })

  test('are read in as many statements whether a page has one contact or three', async () => {
    const { find } = await projectWithContacts()
    const count = async (first: number) => (await fewestQueriesOf(() => find({ condition: pro }, { first }), /contacts/)).queries
    expect(await count(1)).toBe(await count(3))
  })

  test('are refused for a condition that is wrong, naming the part, and for segments of nobody or of others', async () => {
    const mine = await projectWithContacts()
    const theirs = await projectWithContacts()
    const segmentId = await theirs.segment({ name: 'Theirs', type: 'STATIC' })
    const codes = async (filter: ContactFilter) => (await mine.ask(people, { filter })).errors[0]?.extensions
    expect(await codes({ condition: { field: 'plan', operator: 'EXISTS' } })).toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ field: 'condition.field' }],
    })
    expect(await codes({ segmentId })).toMatchObject({ code: 'SEGMENT_NOT_FOUND' })
    const member = { field: `segment.${segmentId}`, operator: 'MEMBER_OF_SEGMENT' as const }
    expect(await codes({ condition: member })).toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ field: 'filter.condition.field' }] })
    const late = await mine.ask(people, { filter: { createdFrom: '9999-12-31T00:00:00Z' } })
    expect(late.errors[0]?.message).toContain('at "createdFrom": A DateTime must be after 0001-01-01 and before 9998-12-31')
    expect((await call(`GET /contacts?segmentId=${segmentId}`, undefined, { key: mine.secret })).body.error.code).toBe('SEGMENT_NOT_FOUND')
  })
})

test('Segment.contacts takes the same filter', async () => {
  const { ask, segment } = await projectWithContacts()
  const id = await segment({ name: 'Pro', condition: { field: 'data.plan', operator: 'equals', value: 'pro' } })
  const found = async (filter: ContactFilter | null) => (await ask(ofSegment, { id, filter })).data?.segment?.contacts
  expect(await found(null)).toMatchObject({ totalCount: 3 })
  expect(await found({ subscribed: false })).toEqual({ totalCount: 1, nodes: [{ email: 'eve@example.com' }] })
  const notJoe = { field: 'email', operator: 'NOT_CONTAINS' as const, value: 'joe' }
  expect(await found({ subscribed: true, condition: notJoe })).toEqual({ totalCount: 1, nodes: [{ email: 'ada@example.com' }] })
})

test('each part of the filter means the same contacts in a list and in a bulk operation, alone and with a condition', async () => {
  const { ask, at, find, segment, ctx } = await projectWithContacts()
  const fixed = await segment({ name: 'Pro', condition: { field: 'data.plan', operator: 'equals', value: 'pro' } })
  // A part that is missing here does not compile.
  const parts: Record<keyof typeof ContactFilterShape.shape, ContactFilter> = {
    search: { search: 'b' },
    subscribed: { subscribed: false },
    segmentId: { segmentId: fixed },
    condition: { condition: pro },
    createdFrom: { createdFrom: at[2] ?? '' },
    createdTo: { createdTo: at[1] ?? '' },
  }
  const everybody = 4
  for (const [part, filter] of Object.entries(parts))
    for (const asked of [filter, { condition: { field: 'email', operator: 'CONTAINS', value: '@' } as const, ...filter }]) {
      const { names = [] } = await find(asked)
      expect([part, names.length > 0 && names.length < everybody]).toEqual([part, true])
      const { data } = await ask(unsubscribeMany, { filter: asked })
      await continueBulk(world)
      const job = await getBulkJob(ctx, { jobId: data?.bulkUnsubscribeContacts.jobId ?? '' })
      expect([part, job.result?.totalRequested]).toEqual([part, names.length])
    }
})

test('bulk mutations take the filter of the list, and mean the same contacts', async () => {
  const { ask, at, ctx } = await projectWithContacts()
  const { data } = await ask(deleteMany, { filter: { createdFrom: at[1] ?? '', createdTo: at[3] ?? '', condition: pro } })
  const job = await world.db.prisma.job.findUnique({
    where: { projectId_id: { projectId: ctx.projectId, id: data?.bulkDeleteContacts.jobId ?? '' } },
  })
  expect(job?.input).toMatchObject({ select: { filter: { createdFrom: at[1], createdTo: at[3], condition: { operator: 'equals' } } } })
  await continueBulk(world)
  expect((await ask(people, {})).data?.contacts.nodes.map(({ email }) => email.slice(0, 3))).toEqual(['eve', 'bob', 'joe'])
})
