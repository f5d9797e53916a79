import { describe, expect, test } from 'vitest'
import { statement } from '../../../../src/kit/postgres/db.ts'
import { eraseMembers } from '../../../../src/modules/segments/members/erase.ts'
import { listSegmentContacts } from '../../../../src/modules/segments/members/list.ts'
import { slugOf } from '../../../../src/modules/segments/members/log.ts'
import { selectMembers } from '../../../../src/modules/segments/members/sql.ts'
import { holder } from '../../../help/holder.ts'
import { runsOf } from '../../../help/runs.ts'
import { testServer } from '../../../help/server.ts'
import { freshProject } from '../../../help/world.ts'

const { call, world } = await testServer()

interface Plan {
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Relation Name'?: string
  Plans?: Plan[]
}

function contactsRead(plan: Plan): number {
  const rows =
    plan['Relation Name'] === 'contacts' ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'] : 0
  return (plan.Plans ?? []).reduce((sum, one) => sum + contactsRead(one), rows)
}

async function staticSegment(emails: string[] = []) {
  const project = await freshProject(world)
  const { secret: key, projectId } = project
  for (const email of ['ada@example.com', 'bob@example.com', 'eve@example.com']) await call('POST /contacts', { email }, { key })
  const { body: segment } = await call('POST /segments', { name: 'VIP Customers', type: 'STATIC' }, { key })
  const add = (body: object) => call(`POST /segments/${segment.id}/members`, body, { key })
  const remove = (body: object) => call(`DELETE /segments/${segment.id}/members`, body, { key })
  const read = async () => (await call(`GET /segments/${segment.id}`, undefined, { key })).body
  const lines = async () => {
    const rows = await world.db.prisma.event.findMany({
      where: { projectId, name: { startsWith: 'segment.' } },
      orderBy: { id: 'asc' },
      include: { contact: true },
    })
    return rows.map(({ name, data, contact }) => ({ name, data, email: contact?.email }))
  }
  const page = async (query = '') => (await call(`GET /segments/${segment.id}/contacts${query}`, undefined, { key })).body
  if (emails.length > 0) await add({ emails })
  return { ...project, key, segment, add, remove, read, lines, page }
}

describe('POST /segments/:id/members', () => {
  test('200 adds contacts, counts them, and logs an entry for each', async () => {
    const { segment, add, read, lines } = await staticSegment()
    const { status, body } = await add({ emails: ['ada@example.com', 'BOB@example.com', ' Nobody@Example.com', 'ADA@example.com'] })
    expect([status, body]).toEqual([200, { added: 2, created: 0, alreadyMembers: 0, notFound: [' Nobody@Example.com'] }])
    expect(await read()).toMatchObject({ memberCount: 2, updatedAt: segment.updatedAt })
    const data = { segmentId: segment.id, segmentName: 'VIP Customers' }
    expect((await lines()).toSorted((a, b) => String(a.email).localeCompare(String(b.email)))).toEqual([
      { name: 'segment.vip-customers.entry', data, email: 'ada@example.com' },
      { name: 'segment.vip-customers.entry', data, email: 'bob@example.com' },
    ])
  })

  test('a member that is added again is neither counted nor logged', async () => {
    const { add, read, lines } = await staticSegment(['ada@example.com'])
    expect((await add({ emails: ['ada@example.com', 'eve@example.com'] })).body).toEqual({
      added: 1,
      created: 0,
      alreadyMembers: 1,
      notFound: [],
    })
    expect([(await read()).memberCount, (await lines()).length]).toEqual([2, 2])
  })

  test('createMissing creates contacts, subscribed unless the call says otherwise, and leaves existing ones as they are', async () => {
    const { key, add, page } = await staticSegment()
    expect((await add({ emails: ['new@example.com', 'ada@example.com'], createMissing: true })).body).toEqual({
      added: 2,
      created: 1,
      alreadyMembers: 0,
      notFound: [],
    })
    await add({ emails: ['quiet@example.com', 'bob@example.com'], createMissing: true, subscribed: false })
    const subscribed = Object.fromEntries(
      (await page()).data.map((one: { email: string; subscribed: boolean }) => [one.email, one.subscribed]),
    )
    expect(subscribed).toEqual({ 'new@example.com': true, 'ada@example.com': true, 'quiet@example.com': false, 'bob@example.com': true })
    expect((await call('GET /contacts', undefined, { key })).body.total).toBe(5)
  })

  test('calls at once count and log each contact once', async () => {
    const { add, remove, read, lines } = await staticSegment()
    const emails = Array.from({ length: 300 }, (_, at) => `user${at}@example.com`)
    const answers = await Promise.all(Array.from({ length: 6 }, () => add({ emails, createMissing: true })))
    const sum = (field: string) => answers.reduce((all, { body }) => all + body[field], 0)
    expect([sum('added'), sum('alreadyMembers')]).toEqual([300, 1_500])
    for (const { body } of answers) expect(body.created).toBeLessThanOrEqual(body.added)
    expect([(await read()).memberCount, (await lines()).length]).toEqual([300, 300])
    const removals = await Promise.all(Array.from({ length: 4 }, () => remove({ emails })))
    expect(removals.reduce((all, { body }) => all + body.removed, 0)).toBe(300)
    expect([(await read()).memberCount, (await lines()).length]).toEqual([0, 600])
  })

  test('counts as created only whom it added as well: a contact that another call added meanwhile is a member already', async () => {
    const { segment, projectId, add, lines } = await staticSegment()
    const other = await holder(world)
    await other.run('select from segments where project_id = $1 and id = $2 for no key update', [projectId, segment.id])
    const answer = add({ emails: ['first@example.com', 'second@example.com'], createMissing: true })
    await other.waitedFor()
    const addFirst = `insert into segment_members (project_id, segment_id, contact_id, entered_at)
      select project_id, $2, id, now() from contacts where project_id = $1 and email = 'first@example.com' returning contact_id`
    expect(await other.run(addFirst, [projectId, segment.id])).toHaveLength(1)
    await other.commit()
    expect((await answer).body).toEqual({ added: 1, created: 1, alreadyMembers: 1, notFound: [] })
    expect((await lines()).map(({ email }) => email)).toEqual(['second@example.com'])
  })

  test.each([
    ['no emails', {}],
    ['an empty list', { emails: [] }],
    ['1,001 emails', { emails: Array.from({ length: 1_001 }, (_, at) => `u${at}@example.com`) }],
    ['something that is no address', { emails: ['ada@example.com', 'nobody'] }],
  ])('422 for %s, and nothing changes', async (_what, body) => {
    const { add, remove, read } = await staticSegment()
    expect([(await add(body)).status, (await remove(body)).status, (await read()).memberCount]).toEqual([422, 422, 0])
  })

  test('409 for a dynamic segment, whose members are those that match', async () => {
    const { key } = await staticSegment()
    const condition = { field: 'subscribed', operator: 'equals', value: true }
    const { body } = await call('POST /segments', { name: 'All', condition }, { key })
    for (const method of ['POST', 'DELETE']) {
      const answer = await call(`${method} /segments/${body.id}/members`, { emails: ['ada@example.com'] }, { key })
      expect([answer.status, answer.body.error.code]).toEqual([409, 'CONFLICT'])
    }
  })
})

describe('DELETE /segments/:id/members', () => {
  test('200 takes a body, removes who was a member, and logs an exit for each', async () => {
    const { remove, read, lines } = await staticSegment(['ada@example.com', 'bob@example.com'])
    const { status, body } = await remove({ emails: ['Ada@example.com', 'eve@example.com', 'nobody@example.com'] })
    expect([status, body, (await read()).memberCount]).toEqual([200, { removed: 1 }, 1])
    expect((await lines()).slice(2).map(({ name, email }) => [name, email])).toEqual([['segment.vip-customers.exit', 'ada@example.com']])
  })
})

describe('GET /segments/:id/contacts', () => {
  test('200 pages the members of a static segment, newest member first', async () => {
    const { add, page } = await staticSegment(['eve@example.com'])
    world.clock.turn(1_000)
    await add({ emails: ['ada@example.com'] })
    const { data, ...rest } = await page('?page=1&pageSize=1')
    expect([data[0].email, rest]).toEqual(['ada@example.com', { total: 2, page: 1, pageSize: 1, totalPages: 2 }])
    expect((await page('?page=2&pageSize=1')).data.map(({ email }: { email: string }) => email)).toEqual(['eve@example.com'])
  })

  test('a deep page reads the contacts of that page only, and takes the turns of lists', async () => {
    const { ctx, projectId, segment } = await staticSegment(['eve@example.com'])
    await world.db.prisma.$executeRaw`with made as (
        insert into contacts (project_id, id, email, data, created_at, updated_at)
        select ${projectId}, 'cnt_' || n, 'c' || n || '@example.com', '{}', now(), now() from generate_series(1, 500) n returning id)
      insert into segment_members (project_id, segment_id, contact_id, entered_at) select ${projectId}, ${segment.id}, id, now() from made`
    await world.db.prisma.$executeRawUnsafe('analyze contacts, segment_members')
    const explain = statement<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      'test_explain_members',
      `explain (analyze, format json) ${selectMembers.text}`,
    )
    const [row] = await world.db.run(explain, [projectId, segment.id, 10, 480])
    expect(row && contactsRead(row['QUERY PLAN'][0].Plan)).toBe(10)
    const ran = runsOf(ctx)
    await listSegmentContacts(ran.ctx, { id: segment.id, page: 49, pageSize: 10 })
    expect(ran.seen).toContain('lists segments_select_members')
  })

  test('200 pages those that match a dynamic segment at the moment, newest contact first', async () => {
    const { key } = await staticSegment()
    const condition = { field: 'email', operator: 'contains', value: 'example' }
    const { body: segment } = await call('POST /segments', { name: 'All', condition }, { key })
    await call('POST /contacts', { email: 'new@example.com' }, { key })
    const emails = async (query: string) =>
      (await call(`GET /segments/${segment.id}/contacts?${query}`, undefined, { key })).body.data.map((one: { email: string }) => one.email)
    expect(await emails('pageSize=2')).toEqual(['new@example.com', 'eve@example.com'])
    expect(await emails('pageSize=2&page=2')).toEqual(['bob@example.com', 'ada@example.com'])
    expect(await emails('pageSize=2&page=3')).toEqual([])
    const { body } = await call(`GET /segments/${segment.id}/contacts?page=3&pageSize=2`, undefined, { key })
    expect(body).toEqual({ data: [], total: 4, page: 3, pageSize: 2, totalPages: 2 })
  })

  test('a deleted contact is gone at once with its count, without a line of the log', async () => {
    const { key, page, read, lines } = await staticSegment(['ada@example.com', 'bob@example.com'])
    const gone = (await page()).data.find(({ email }: { email: string }) => email === 'ada@example.com')
    await call(`DELETE /contacts/${gone.id}`, undefined, { key })
    const left = await page()
    expect([left.data.map(({ email }: { email: string }) => email), left.total]).toEqual([['bob@example.com'], 1])
    expect((await read()).memberCount).toBe(1)
    expect((await lines()).filter(({ name }) => name.endsWith('.exit'))).toEqual([])
  })
})

test('the members of a deleted segment are removed behind it, and nothing is logged', async () => {
  const { key, projectId, segment, lines } = await staticSegment(['ada@example.com', 'bob@example.com'])
  await call(`DELETE /segments/${segment.id}`, undefined, { key })
  await eraseMembers(world, { projectId, segmentId: segment.id })
  expect(await world.db.prisma.segmentMember.count({ where: { projectId } })).toBe(0)
  expect(await lines()).toHaveLength(2)
})

test.each([
  ['VIP Customers', 'vip-customers'],
  ['  Über  50 -- % _x ', 'über-50-_x'],
  ['Покупатели 2024', 'покупатели-2024'],
  ['日本 VIP', '日本-vip'],
  ['🎉', 'seg_1'],
])('the events of "%s" are named after %s', (name, slug) => {
  expect(slugOf({ id: 'seg_1', name })).toBe(slug)
})
