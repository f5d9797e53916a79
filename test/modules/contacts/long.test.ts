import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../../src/kit/ids.ts'
import { bulkUnsubscribeContacts } from '../../../src/modules/contacts/bulk/bulk.ts'
import { startJobs } from '../../../src/modules/contacts/jobs.ts'
import { asker } from '../../help/ask.ts'
import { ended } from '../../help/imports.ts'
import { queriesOf } from '../../help/queries.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { call, url, world } = await testServer()
const { projectId, ctx, secret: key } = await freshProject(world)
const count = 45
const ids = Array.from({ length: count }, () => newId('contact', world.clock.now()))
let staticId = ''
let dynamicId = ''

beforeAll(async () => {
  await world.db.prisma.$executeRawUnsafe(
    `insert into contacts (project_id, id, email, subscribed, created_at, updated_at, data)
     select $1, id, id || '@example.com', true, now(), now(), jsonb_build_object('text', repeat('x', 120000)) from unnest($2::text[]) id`,
    projectId,
    ids,
  )
  staticId = (await call('POST /segments', { name: 'Some', type: 'STATIC' }, { key })).body.id
  await call(`POST /segments/${staticId}/members`, { emails: ids.map((id) => `${id}@example.com`) }, { key })
  dynamicId = (await call('POST /segments', { name: 'All', condition: { field: 'subscribed', operator: 'equals', value: true } }, { key }))
    .body.id
})

const distinct = (pages: { email: string }[][]) => new Set(pages.flat().map(({ email }) => email)).size

test.each(['', '&sort=email'])('a page of long contacts ends after about 4 MB, and the next one continues (%s)', async (order) => {
  const first = (await call(`GET /contacts?limit=100${order}`, undefined, { key })).body
  expect([first.data.length, first.hasMore]).toEqual([35, true])
  const second = (await call(`GET /contacts?limit=100${order}&cursor=${first.cursor}`, undefined, { key })).body
  expect([second.data.length, second.hasMore, second.cursor, distinct([first.data, second.data])]).toEqual([10, false, null, count])
  expect(Object.keys(first.data[0]).toSorted()).toEqual(['createdAt', 'data', 'email', 'id', 'subscribed', 'updatedAt'])
})

const connections = {
  contacts: (window: string) => `{ list: contacts(${window}) { nodes { email data } pageInfo { hasNextPage endCursor } } }`,
  'those of a dynamic segment': (window: string) => ofSegment(dynamicId, window),
  'those of a static segment': (window: string) => ofSegment(staticId, window),
}
const ofSegment = (id: string, window: string) =>
  `{ segment(id: "${id}") { list: contacts(${window}) { nodes { email data } pageInfo { hasNextPage endCursor } } } }`

test.each(Object.entries(connections))('the same of connections: %s', async (_what, query) => {
  interface List {
    nodes: { email: string }[]
    pageInfo: { hasNextPage: boolean; endCursor: string }
  }
  const page = async (window: string): Promise<List> => {
    const { data, errors } = await asker(url, key)<{ list?: List; segment?: { list: List } }>(query(window))
    expect(errors).toEqual([])
    return (data?.list ?? data?.segment?.list) as List
  }
  const first = await page('first: 100')
  expect([first.nodes.length, first.pageInfo.hasNextPage]).toEqual([35, true])
  const second = await page(`first: 100, after: "${first.pageInfo.endCursor}"`)
  expect([second.nodes.length, second.pageInfo.hasNextPage, distinct([first.nodes, second.nodes])]).toEqual([10, false, count])
})

interface Emails {
  emails: { nodes: { contact: { data: { text: string } } }[] }
}

test('the data of the contacts of emails is read apart from them, in pieces of about 4 MB', async () => {
  const to = ids.map((id) => `${id}@example.com`)
  const from = 'hello@long.test'
  await call('POST /domains', { domain: 'long.test' }, { key })
  expect((await call('POST /v1/send', { to, from, subject: 'Hi', body: '<p>Hi</p>' }, { key })).status).toBe(200)
  const ask = () => asker(url, key)<Emails>(`{ emails(first: ${count}) { nodes { contact { email data } } } }`)
  const { reply, queries } = await queriesOf(ask, /'data'|"data"/)
  expect([reply.errors, queries]).toEqual([[], 0])
  expect(reply.data?.emails.nodes.map(({ contact }) => contact.data.text.length)).toEqual(Array(count).fill(120_000))
  // Their sizes, and two pieces.
  expect((await queriesOf(ask, /as body\s+from .* from contacts t/s)).queries).toBe(3)
})

test.each(['static', 'dynamic'])(
  'a page of the contacts of a %s segment with more than 4 MB is refused, a smaller one is answered',
  async (type) => {
    const id = type === 'static' ? staticId : dynamicId
    const { status, body } = await call(`GET /segments/${id}/contacts?pageSize=100`, undefined, { key })
    expect([status, body.error.code, body.error.message]).toEqual([
      413,
      'PAYLOAD_TOO_LARGE',
      'These items have more than 4 MB of content together.',
    ])
    const pages = await Promise.all([1, 2].map((page) => call(`GET /segments/${id}/contacts?pageSize=30&page=${page}`, undefined, { key })))
    expect([pages.map(({ body }) => body.data.length), distinct(pages.map(({ body }) => body.data))]).toEqual([[30, 15], count])
  },
)

test('a bulk operation reaches all of them', async () => {
  await startJobs(world)
  const { jobId } = await bulkUnsubscribeContacts(ctx, { mode: 'query', filter: { search: '@example.com' } })
  expect((await ended(ctx, jobId)).result).toMatchObject({ totalRequested: count, successCount: count })
})
