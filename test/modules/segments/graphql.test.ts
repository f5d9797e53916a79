import { describe, expect, test } from 'vitest'
import { type FieldFilter, FilterOperator } from '../../../src/modules/filters/shapes.ts'
import { asker } from '../../help/ask.ts'
import type { ConditionInput } from '../../help/graphql/graphql.ts'
import { graphql } from '../../help/graphql/index.ts'
import { queriesOf } from '../../help/queries.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { call, url, world } = await testServer()
const createSegment = graphql(
  `mutation CreateSegment($input: CreateSegmentInput!) { createSegment(input: $input) { segment { id name type condition trackMembership memberCount description } } }`,
)
const updateSegment = graphql(
  `mutation UpdateSegment($input: UpdateSegmentInput!) { updateSegment(input: $input) { segment { id name condition memberCount updatedAt } } }`,
)
const deleteSegment = graphql(`mutation DeleteSegment($id: ID!) { deleteSegment(input: { id: $id }) { deletedSegmentId } }`)
const addMembers = graphql(
  `mutation AddMembers($input: AddSegmentMembersInput!) { addSegmentMembers(input: $input) { added created alreadyMembers notFound segment { memberCount } } }`,
)
const removeMembers = graphql(
  `mutation RemoveMembers($input: RemoveSegmentMembersInput!) { removeSegmentMembers(input: $input) { removed segment { memberCount } } }`,
)
const compute = graphql(
  `mutation ComputeSegment($id: ID!) { computeSegment(input: { id: $id }) { added removed total segment { memberCount } } refreshSegment(input: { id: $id }) { segment { memberCount } } }`,
)
const readCondition = graphql(`query ReadCondition($id: ID!) { segment(id: $id) { condition } }`)
const getSegment = graphql(`
  query GetSegment($id: ID!, $contactId: ID!) {
    segment(id: $id) { name issues { path message } explanation(contactId: $contactId) { matches leaves { path field operator value unit actual matches } } }
    node(id: $id) { __typename id }
  }
`)
const contactsOf = graphql(`
  query ContactsOfSegment($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
    segment(id: $id) {
      contacts(first: $first, after: $after, last: $last, before: $before) {
        totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } nodes { email events(first: 1) { nodes { name } } }
      }
    }
  }
`)
const segmentsOf = graphql(`query SegmentsOf { contacts { nodes { email segments(first: 5) { totalCount nodes { name memberCount } } } } }`)
const listSegments = graphql(
  `query ListSegments { segments(first: 2) { totalCount nodes { name contacts(first: 1) { nodes { email } } } } }`,
)

const pro = { field: 'data.plan', operator: 'EQUALS' as const, value: 'pro' }

async function projectWithContacts() {
  const project = await freshProject(world)
  const ids: Record<string, string> = {}
  for (const [name, plan] of [
    ['ada', 'pro'],
    ['bob', 'free'],
    ['eve', 'pro'],
    ['joe', 'pro'],
  ] as const)
    ids[name] = (await call('POST /contacts', { email: `${name}@example.com`, data: { plan } }, { key: project.secret })).body.id
  const ask = asker(url, project.secret)
  const create = async (input: object) => {
    const { data, errors } = await ask(createSegment, { input: { name: 'Pro', condition: pro, ...input } })
    expect(errors).toEqual([])
    return data?.createSegment.segment ?? { id: '' }
  }
  return { ...project, ids, ask, create }
}

test('segments are created, changed, computed and deleted as in REST', async () => {
  const { ask, create } = await projectWithContacts()
  const segment = await create({ trackMembership: true })
  expect(segment).toEqual({
    id: segment.id,
    name: 'Pro',
    type: 'DYNAMIC',
    condition: pro,
    trackMembership: true,
    memberCount: 3,
    description: null,
  })
  const free = { logic: 'AND' as const, groups: [{ filters: [{ ...pro, value: 'free' }] }] }
  const changed = await ask(updateSegment, { input: { id: segment.id, name: 'Free', condition: free } })
  expect(changed.data?.updateSegment.segment).toMatchObject({ name: 'Free', memberCount: 1, condition: { logic: 'AND' } })
  const computed = await ask(compute, { id: segment.id })
  expect(computed.data).toEqual({
    computeSegment: { added: 1, removed: 0, total: 1, segment: { memberCount: 1 } },
    refreshSegment: { segment: { memberCount: 1 } },
  })
  expect((await ask(deleteSegment, { id: segment.id })).data?.deleteSegment).toEqual({ deletedSegmentId: segment.id })
  expect((await ask(deleteSegment, { id: segment.id })).errors[0]?.extensions.code).toBe('RESOURCE_NOT_FOUND')
})

test('of two people who change a segment they have read, the second is told, and the segment stays as the first has saved it', async () => {
  const { ask, create } = await projectWithContacts()
  const { id } = await create({})
  const save = async (input: object) => {
    world.clock.turn(1_000)
    const { data, errors } = await ask(updateSegment, { input: { id, ...input } })
    return { segment: data?.updateSegment.segment, code: errors[0]?.extensions.code }
  }
  const { segment: read } = await save({ description: 'Who pays' })
  const ifUpdatedAt = read?.updatedAt
  const free = { ...pro, value: 'free' }
  expect(await save({ condition: free, ifUpdatedAt })).toMatchObject({ segment: { condition: free } })
  expect(await save({ name: 'Mine', ifUpdatedAt })).toEqual({ segment: undefined, code: 'CONFLICT' })
  const { segment: last } = await save({ description: 'Who will pay' })
  const racing = ['One', 'Two'].map((name) => save({ name, ifUpdatedAt: last?.updatedAt }))
  const codes = (await Promise.all(racing)).map(({ code }) => code)
  expect(codes.sort()).toEqual(['CONFLICT', undefined])
})

describe('Segment.condition can be sent again as it was read', () => {
  const filterFor = (operator: FilterOperator): FieldFilter => {
    const span = /within|olderThan/i.test(operator) ? { value: 2, unit: 'hours' as const } : {}
    if (/triggered/i.test(operator)) return { field: 'event.seen', operator, ...span }
    if (/segment/i.test(operator)) return { field: 'segment.seg_other', operator }
    // Values that look like an operator or a condition stay as they are.
    return { field: 'data.plan', operator, value: /contains/i.test(operator) ? 'notEquals' : ['equals', 'days'], ...span }
  }

  test.each(FilterOperator.options)('%s', async (operator) => {
    const { ask, create, secret: key } = await projectWithContacts()
    const other = await create({})
    const isOrder = /greater|less/.test(operator)
    const filter = { ...filterFor(operator), ...(isOrder && { value: 'OR' }) }
    if (filter.field.startsWith('segment')) filter.field = `segment.${other.id}`
    const condition = { logic: 'OR', groups: [{ filters: [filter], conditions: filter }] }
    const { body: stored } = await call('POST /segments', { name: 'Pro', condition }, { key })
    const again = async (sent: ConditionInput) => {
      const { data, errors } = await ask(updateSegment, { input: { id: stored.id, condition: sent } })
      expect(errors).toEqual([])
      return data?.updateSegment.segment.condition
    }
    const read = (await ask(readCondition, { id: stored.id })).data?.segment?.condition as ConditionInput
    expect(JSON.stringify(read)).toContain(`"operator":"${operator.replace(/[A-Z]/g, '_$&').toUpperCase()}"`)
    expect(await again(read)).toEqual(read)
    expect((await call(`GET /segments/${stored.id}`, undefined, { key })).body.condition).toEqual(condition)
    const single = read.groups?.[0]?.conditions
    expect(single && (await again(single))).toEqual(single)
    expect((await call(`GET /segments/${stored.id}`, undefined, { key })).body.condition).toEqual(filter)
  })
})

test('members are added to and removed from a static segment', async () => {
  const { ask, create } = await projectWithContacts()
  const { id } = await create({ type: 'STATIC', condition: null })
  const added = await ask(addMembers, { input: { id, emails: ['ada@example.com', 'Nobody@example.com'] } })
  expect(added.data?.addSegmentMembers).toEqual({
    added: 1,
    created: 0,
    alreadyMembers: 0,
    notFound: ['Nobody@example.com'],
    segment: { memberCount: 1 },
  })
  const removed = await ask(removeMembers, { input: { id, emails: ['ada@example.com'] } })
  expect(removed.data?.removeSegmentMembers).toEqual({ removed: 1, segment: { memberCount: 0 } })
})

describe('Segment.contacts', () => {
  test.each(['DYNAMIC', 'STATIC'] as const)(
    'of a segment of type %s is a connection in both directions, newest contact first',
    async (type) => {
      const { ask, create } = await projectWithContacts()
      const { id } = await create({ type, condition: type === 'STATIC' ? null : pro })
      if (type === 'STATIC') await ask(addMembers, { input: { id, emails: ['joe@example.com', 'ada@example.com', 'eve@example.com'] } })
      const page = async (args: object) => {
        const { data, errors } = await ask(contactsOf, { id, ...args })
        expect(errors).toEqual([])
        return data?.segment?.contacts
      }
      const emails = (found: Awaited<ReturnType<typeof page>>) => found?.nodes.map(({ email }) => email.slice(0, 3))
      const first = await page({ first: 2 })
      expect([emails(first), first?.totalCount, first?.pageInfo.hasNextPage]).toEqual([['joe', 'eve'], 3, true])
      const second = await page({ first: 2, after: first?.pageInfo.endCursor })
      expect([emails(second), second?.pageInfo.hasNextPage, second?.pageInfo.hasPreviousPage]).toEqual([['ada'], false, true])
      const last = await page({ last: 2 })
      expect([emails(last), last?.pageInfo.hasPreviousPage]).toEqual([['eve', 'ada'], true])
      expect(emails(await page({ last: 2, before: last?.pageInfo.startCursor }))).toEqual(['joe'])
      expect(emails(await page({ first: 5, after: first?.pageInfo.startCursor, before: second?.pageInfo.startCursor }))).toEqual(['eve'])
    },
  )

  test('costs more than another connection, because every contact is compared', async () => {
    const { ask } = await projectWithContacts()
    const { extensions } = await ask(listSegments)
    expect(extensions.cost?.requested).toBeGreaterThan(200)
    const tooMany = '{ segments(first: 100) { nodes { contacts(first: 1) { nodes { email } } } } }'
    expect((await ask(tooMany)).errors[0]?.message).toMatch(/points of cost/)
  })
})

test('Contact.segments are the static and tracked segments it is a member of, in a bounded number of statements', async () => {
  const { ask, create } = await projectWithContacts()
  const tracked = await create({ name: 'Tracked', trackMembership: true })
  await create({ name: 'Untracked' })
  const chosen = await create({ name: 'Chosen', type: 'STATIC', condition: null })
  await ask(addMembers, { input: { id: chosen.id, emails: ['ada@example.com', 'bob@example.com'] } })
  await ask(compute, { id: tracked.id })
  const { reply, queries } = await queriesOf(() => ask(segmentsOf), /segment/)
  expect(
    reply.data?.contacts.nodes.map(({ email, segments }) => [
      email.slice(0, 3),
      segments.totalCount,
      segments.nodes.map(({ name }) => name),
    ]),
  ).toEqual([
    ['joe', 1, ['Tracked']],
    ['eve', 1, ['Tracked']],
    ['bob', 1, ['Chosen']],
    ['ada', 2, ['Chosen', 'Tracked']],
  ])
  expect(queries).toBe(2)
})

test('the explanation says of each filter what the contact has and whether it matches', async () => {
  const { ask, create, ids, secret: key } = await projectWithContacts()
  const within = { field: 'createdAt', operator: 'WITHIN' as const, value: 7, unit: 'DAYS' as const }
  const { id } = await create({ condition: { logic: 'AND', groups: [{ filters: [pro, within] }] } })
  const { data } = await ask(getSegment, { id, contactId: ids.bob ?? '' })
  const leaves = data?.segment?.explanation?.leaves ?? []
  expect([data?.segment?.explanation?.matches, data?.node]).toEqual([false, { __typename: 'Segment', id }])
  expect(leaves).toMatchObject([
    { path: 'groups.0.filters.0', field: 'data.plan', operator: 'EQUALS', value: 'pro', unit: null, actual: 'free', matches: false },
    { path: 'groups.0.filters.1', field: 'createdAt', operator: 'WITHIN', value: 7, unit: 'DAYS', matches: true },
  ])
  const { status, body } = await call(`GET /segments/${id}/contacts/${ids.bob}/explanation`, undefined, { key })
  expect([status, body]).toEqual([
    200,
    { matches: false, leaves: leaves.map((leaf, at) => ({ ...leaf, operator: ['equals', 'within'][at], unit: [null, 'days'][at] })) },
  ])
  expect((await call(`GET /segments/${id}/contacts/cnt_x/explanation`, undefined, { key })).body.error.code).toBe('CONTACT_NOT_FOUND')
  const chosen = await create({ type: 'STATIC', condition: null })
  expect((await call(`GET /segments/${chosen.id}/contacts/${ids.bob}/explanation`, undefined, { key })).body).toEqual({
    matches: false,
    leaves: [
      { path: '', field: `segment.${chosen.id}`, operator: 'memberOfSegment', value: null, unit: null, actual: false, matches: false },
    ],
  })
})

test('a condition is explained before a segment has it', async () => {
  const { ask, ids } = await projectWithContacts()
  const explain = graphql(`
    query ExplainCondition($condition: ConditionInput!, $contactId: ID!) {
      conditionExplanation(condition: $condition, contactId: $contactId) { matches leaves { path field operator actual matches } }
    }
  `)
  const of = (contactId: string | undefined, condition: ConditionInput) => ask(explain, { condition, contactId: contactId ?? '' })
  const both = { logic: 'AND' as const, groups: [{ filters: [pro, { field: 'email', operator: 'CONTAINS' as const, value: 'a' }] }] }
  expect((await of(ids.bob, both)).data?.conditionExplanation).toEqual({
    matches: false,
    leaves: [
      { path: 'groups.0.filters.0', field: 'data.plan', operator: 'EQUALS', actual: 'free', matches: false },
      { path: 'groups.0.filters.1', field: 'email', operator: 'CONTAINS', actual: 'bob@example.com', matches: true },
    ],
  })
  expect((await of(ids.ada, both)).data?.conditionExplanation.matches).toBe(true)
  expect((await of('cnt_x', pro)).errors[0]?.extensions.code).toBe('CONTACT_NOT_FOUND')
  expect((await of(ids.ada, { field: 'plan', operator: 'EXISTS' })).errors[0]?.extensions).toMatchObject({
    code: 'VALIDATION_ERROR',
    errors: [{ field: 'condition.field' }],
  })
  const { code } = (await of(ids.ada, { field: 'segment.seg_x', operator: 'MEMBER_OF_SEGMENT' })).errors[0]?.extensions ?? {}
  expect(code).toBe('VALIDATION_ERROR')
})

test('a reference to a segment that was deleted is one of the issues', async () => {
  const { ask, create, ids } = await projectWithContacts()
  const base = await create({})
  const { id } = await create({
    condition: { logic: 'OR', groups: [{ filters: [pro, { field: `segment.${base.id}`, operator: 'MEMBER_OF_SEGMENT' }] }] },
  })
  const issues = async () => (await ask(getSegment, { id, contactId: ids.ada ?? '' })).data?.segment?.issues
  expect(await issues()).toEqual([])
  await ask(deleteSegment, { id: base.id })
  expect(await issues()).toEqual([{ path: 'groups.0.filters.1', message: 'refers to a segment that was deleted: it has no members' }])
})

test('another project sees nothing of a segment, and the public key is refused', async () => {
  const mine = await projectWithContacts()
  const { id } = await mine.create({ trackMembership: true })
  const theirs = await projectWithContacts()
  const codes = await Promise.all([
    theirs.ask(contactsOf, { id }),
    theirs.ask(updateSegment, { input: { id, name: 'Mine' } }),
    theirs.ask(addMembers, { input: { id, emails: ['ada@example.com'] } }),
    theirs.ask(removeMembers, { input: { id, emails: ['ada@example.com'] } }),
    theirs.ask(compute, { id }),
    theirs.ask(deleteSegment, { id }),
  ])
  expect(codes.map(({ errors }) => errors[0]?.extensions.code)).toEqual(Array(6).fill('RESOURCE_NOT_FOUND'))
  const refused = await asker(url, mine.public)(listSegments)
  expect([refused.status, refused.errors[0]?.extensions.code]).toEqual([401, 'INVALID_API_KEY'])
  const condition = { field: `segment.${id}`, operator: 'MEMBER_OF_SEGMENT' as const }
  const referring = await theirs.ask(createSegment, { input: { name: 'Theirs', condition } })
  expect(referring.errors[0]?.extensions).toMatchObject({ code: 'VALIDATION_ERROR' })
})
