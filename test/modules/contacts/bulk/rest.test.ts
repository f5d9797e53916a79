import { describe, expect, test } from 'vitest'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { asker } from '../../../help/ask.ts'
import { graphql } from '../../../help/graphql/gql.ts'
import { contactsOf, ended } from '../../../help/imports.ts'
import { testServer } from '../../../help/server.ts'
import { freshProject } from '../../../help/world.ts'

const BulkDelete = graphql(`mutation BulkDelete($input: BulkDeleteContactsInput!) { bulkDeleteContacts(input: $input) { jobId } }`)
const BulkJob = graphql(
  `query BulkJob($id: ID!) { job(id: $id) { bulkResult { totalRequested successCount failureCount errors { contactId } errorsOmitted } } }`,
)
const everybody = { field: 'email', operator: 'contains', value: '@' }
const { call, url, world } = await testServer({ worker: true })
/** Without a worker, jobs wait. */
const idle = await testServer()

describe('POST /contacts/bulk-…', () => {
  test.each([
    ['contactIds', (id: string) => ({ contactIds: [id] })],
    ['ids', (id: string) => ({ ids: [id] })],
    ['mode "ids"', (id: string) => ({ mode: 'ids', contactIds: [id] })],
    ['mode "query"', () => ({ mode: 'query', filter: { search: 'ada', subscribed: true }, excludeIds: [] })],
    ['a condition', () => ({ filter: { condition: { field: 'email', operator: 'equals', value: 'ada@example.com' } } })],
  ])('202 queues the contacts given by %s', async (_how, body) => {
    const { ctx, secret: key } = await freshProject(world)
    const { id } = await upsertContact(ctx, { email: 'ada@example.com' })
    const answer = await call('POST /contacts/bulk-unsubscribe', body(id), { key })
    expect([answer.status, answer.body]).toEqual([
      202,
      { message: 'Bulk unsubscribe queued successfully', jobId: expect.stringMatching(/^job_/) },
    ])
    await ended(ctx, answer.body.jobId)
    const job = await call(`GET /contacts/bulk/${answer.body.jobId}`, undefined, { key })
    expect(job.body).toMatchObject({ state: 'completed', result: { operation: 'unsubscribe', successCount: 1, errors: [] } })
    expect(await contactsOf(ctx)).toMatchObject({ 'ada@example.com': { subscribed: false } })
  })

  test('202 subscribes', async () => {
    const { ctx, secret: key } = await freshProject(world)
    const { id } = await upsertContact(ctx, { email: 'ada@example.com', subscribed: false })
    const answer = await call('POST /contacts/bulk-subscribe', { ids: [id] }, { key })
    expect([answer.status, answer.body.message]).toEqual([202, 'Bulk subscribe queued successfully'])
    await ended(ctx, answer.body.jobId)
    expect(await contactsOf(ctx)).toMatchObject({ 'ada@example.com': { subscribed: true } })
  })

  test('404 for a segment that does not exist, and nothing is queued', async () => {
    const { projectId, secret: key } = await freshProject(world)
    const answer = await call('POST /contacts/bulk-delete', { filter: { segmentId: 'seg_x' } }, { key })
    expect([answer.status, answer.body.error.code]).toEqual([404, 'SEGMENT_NOT_FOUND'])
    expect(await world.db.prisma.job.count({ where: { projectId } })).toBe(0)
  })

  test.each([
    ['nothing', {}, 'contactIds'],
    ['no ids', { contactIds: [] }, 'contactIds'],
    ['1,001 ids', { contactIds: Array(1_001).fill('cnt_x') }, 'contactIds'],
    ['a query without a filter', { mode: 'query' }, 'filter'],
    ['ids and a filter', { contactIds: ['x'], filter: {} }, 'filter'],
    ['ids under both names', { contactIds: ['x'], ids: ['y'] }, 'ids'],
    ['10,001 exclusions', { filter: {}, excludeIds: Array(10_001).fill('x') }, 'excludeIds'],
    ['a misspelt exclusion, which must not widen the call either', { filter: {}, excludedContactIds: ['x'] }, 'excludedContactIds'],
    ['a part of the filter that is not known, which must not widen the call', { mode: 'query', filter: { tag: 'x' } }, 'filter.tag'],
    [
      'a part of the condition that is not known, likewise',
      {
        filter: { condition: { logic: 'AND', groups: [{ filters: [everybody], condition: { field: 'data.plan', operator: 'exists' } }] } },
      },
      'filter.condition.groups.0.condition',
    ],
    ['a condition that is wrong', { filter: { condition: { field: 'plan', operator: 'exists' } } }, 'filter.condition.field'],
    [
      'a condition that names a segment that does not exist',
      { filter: { condition: { field: 'segment.seg_x', operator: 'memberOfSegment' } } },
      'filter.condition.field',
    ],
    ['a condition of a wrong type', { filter: { subscribed: 'yes' } }, 'filter.subscribed'],
  ])('422 for %s, and nothing is queued', async (_what, body, field) => {
    const { projectId, ctx, secret: key } = await freshProject(world)
    await upsertContact(ctx, { email: 'ada@example.com' })
    const answer = await call('POST /contacts/bulk-delete', body, { key })
    expect([answer.status, answer.body.error.errors[0].field]).toEqual([422, field])
    expect(await world.db.prisma.job.count({ where: { projectId } })).toBe(0)
  })
})

test('a job lists the first 100 ids with an error and counts the others, in REST and GraphQL', async () => {
  const { ctx, secret: key } = await freshProject(world)
  const { id } = await upsertContact(ctx, { email: 'ada@example.com' })
  const missing = Array.from({ length: 999 }, (_, nth) => `cnt_${String(nth).padStart(26, '0')}`)
  const { body } = await call('POST /contacts/bulk-unsubscribe', { ids: [...missing, id] }, { key })
  await ended(ctx, body.jobId)
  const counted = { totalRequested: 1_000, successCount: 1, failureCount: 999, errorsOmitted: 899 }
  const { result } = (await call(`GET /contacts/bulk/${body.jobId}`, undefined, { key })).body
  expect(result).toMatchObject({ ...counted, errors: missing.slice(0, 100).map((contactId) => ({ contactId })) })
  const { data } = await asker(url, key)(BulkJob, { id: body.jobId })
  expect(data?.job?.bulkResult).toEqual({ ...counted, errors: missing.slice(0, 100).map((contactId) => ({ contactId })) })
})

test('DELETE /contacts/bulk/:jobId answers 200 with the job, cancelled, and 409 when it has ended', async () => {
  const { ctx, secret: key } = await freshProject(idle.world)
  const { id } = await upsertContact(ctx, { email: 'ada@example.com' })
  const { body } = await idle.call('POST /contacts/bulk-delete', { ids: [id] }, { key })
  const cancel = () => idle.call(`DELETE /contacts/bulk/${body.jobId}`, undefined, { key })
  const [first, second] = [await cancel(), await cancel()]
  expect([first.status, first.body]).toMatchObject([200, { id: body.jobId, state: 'cancelled' }])
  expect([second.status, second.body.error.code]).toEqual([409, 'CONFLICT'])
})

describe('bulkDeleteContacts in GraphQL', () => {
  test('takes a condition as an input object, and fails with SEGMENT_NOT_FOUND as REST does', async () => {
    const { ctx, secret } = await freshProject(world)
    for (const email of ['ada@example.com', 'bob@example.com']) await upsertContact(ctx, { email })
    const ask = asker(url, secret)
    const filter = { condition: { field: 'email', operator: 'EQUALS', value: 'ada@example.com' } } as const
    const { data, errors } = await ask(BulkDelete, { input: { filter } })
    expect(errors).toEqual([])
    await ended(ctx, data?.bulkDeleteContacts.jobId ?? '')
    expect(Object.keys(await contactsOf(ctx))).toEqual(['bob@example.com'])
    const refused = await ask(BulkDelete, { input: { filter: { segmentId: 'seg_x' } } })
    expect(refused.errors[0]?.extensions.code).toBe('SEGMENT_NOT_FOUND')
  })
})
