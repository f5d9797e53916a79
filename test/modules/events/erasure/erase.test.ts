import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { newId } from '../../../../src/kit/ids.ts'
import { deleteContact, upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { recordEvent, trackEvent } from '../../../../src/modules/contacts/track.ts'
import { eraseContact } from '../../../../src/modules/emails/erasure/erase.ts'
import { countLog } from '../../../../src/modules/events/counter/counter.ts'
import { countEvents } from '../../../../src/modules/events/counter/names.ts'
import { eraseEventName, eraseEventsOfContacts } from '../../../../src/modules/events/erasure/erase.ts'
import { connectEvents, deleteEventName, listEvents } from '../../../../src/modules/events/events.ts'
import { countWholeLog } from '../../../help/counted.ts'
import { logEvents } from '../../../help/lines.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld()
const { prisma } = world.db

type Project = Awaited<ReturnType<typeof freshProject>>

const names = async ({ ctx }: Project) => (await listEvents(ctx, { limit: 100 })).data.map(({ name }) => name)
const linesOf = ({ projectId }: Project) => prisma.event.count({ where: { projectId } })
const contactsOf = ({ projectId }: Project) => prisma.contact.count({ where: { projectId } })
const track = async ({ ctx }: Project, email: string, event: string) => (await trackEvent(ctx, { email, event })).contact

/** The pending erasures, as their jobs identify them. */
async function erasures({ projectId }: Project) {
  const rows = await prisma.eventErasure.findMany({ where: { projectId } })
  return rows.map(({ id, contactId }) => ({ projectId, erasureId: id, contactId: contactId ?? '' }))
}

/** Opens a transaction outside the world, as another process would. */
async function openTransaction(isolation = 'read committed'): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: world.databaseUrl })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(`begin isolation level ${isolation}`)
  return client
}

const insert = 'insert into events (project_id, id, name, contact_id, created_at) values ($1, $2, $3, $4, $5)'

/** Inserts many lines with one name. */
async function fill({ projectId }: Project, name: string, count: number): Promise<void> {
  const lines = Array.from({ length: count }, () => ({ name }))
  await logEvents(world, projectId, lines)
}

describe('a line that commits while its contact is deleted', () => {
  test('is erased too when it was written before the deletion', async () => {
    const project = await freshProject(world)
    const contactId = await track(project, 'ada@example.com', 'seen')
    const late = await openTransaction()
    await late.query(insert, [project.projectId, newId('event', new Date()), 'late', contactId, new Date()])
    await deleteContact(project.ctx, { id: contactId })
    const [job] = await erasures(project)
    if (!job) throw new Error('No erasure is noted')
    await eraseContact(world, job)
    await late.query('commit')
    expect(await names(project)).toEqual([])
    await countWholeLog(world)
    await eraseContact(world, job)
    expect([await linesOf(project), await contactsOf(project), await erasures(project)]).toEqual([0, 0, []])
  })

  test('is erased too when its transaction had only read the contact before', async () => {
    const project = await freshProject(world)
    const contactId = await track(project, 'ada@example.com', 'seen')
    const late = await openTransaction('repeatable read')
    await late.query('select from contacts where project_id = $1 and id = $2 and deleted_at is null', [project.projectId, contactId])
    await deleteContact(project.ctx, { id: contactId })
    const [job] = await erasures(project)
    if (!job) throw new Error('No erasure is noted')
    await eraseContact(world, job)
    await late.query(insert, [project.projectId, newId('event', new Date()), 'late', contactId, new Date()])
    await late.query('commit')
    expect(await names(project)).toEqual([])
    await countWholeLog(world)
    await eraseContact(world, job)
    expect([await linesOf(project), await contactsOf(project), await erasures(project)]).toEqual([0, 0, []])
  })

  test('is not written once the contact is deleted', async () => {
    const project = await freshProject(world)
    const { id } = await upsertContact(project.ctx, { email: 'ada@example.com' })
    await deleteContact(project.ctx, { id })
    await expect(recordEvent(project.ctx, { name: 'late', contactId: id })).rejects.toMatchObject({ code: 'CONTACT_NOT_FOUND' })
    expect(await linesOf(project)).toBe(0)
  })

  test('waits for the transaction to end in the queue, not in a worker', async () => {
    const project = await freshProject(world)
    const contactId = await track(project, 'ada@example.com', 'seen')
    const late = await openTransaction()
    await late.query(insert, [project.projectId, newId('event', new Date()), 'late', contactId, new Date()])
    await deleteContact(project.ctx, { id: contactId })
    const [job] = await erasures(project)
    if (!job) throw new Error('No erasure is noted')
    await eraseContact(world, job)
    const waiting = `select count(*)::int as count from pgboss.job where name = 'contacts-erase' and data ->> 'contactId' = $1 and start_after > clock_timestamp()`
    expect((await late.query<{ count: number }>(waiting, [contactId])).rows).toEqual([{ count: 1 }])
  })
})

describe('a line that commits while its name is deleted', () => {
  test('is erased too, and later lines are kept', async () => {
    const project = await freshProject(world)
    const late = await openTransaction()
    await late.query(insert, [project.projectId, newId('event', world.clock.now()), 'gone', null, world.clock.now()])
    await fill(project, 'gone', 2)
    expect(await deleteEventName(project.ctx, { eventName: 'gone' })).toEqual({ deletedCount: 2 })
    const [job] = await erasures(project)
    if (!job) throw new Error('No erasure is noted')
    await eraseEventName(world, job)
    await fill(project, 'gone', 1)
    expect(await names(project)).toEqual(['gone'])
    await late.query('commit')
    await countWholeLog(world)
    expect([await names(project), await countEvents(project.ctx, {})]).toEqual([['gone'], []])
    await eraseEventName(world, job)
    expect([await linesOf(project), await erasures(project), await countEvents(project.ctx, {})]).toEqual([
      1,
      [],
      [{ name: 'gone', count: 1 }],
    ])
  })

  test('does not hide the counts of its name while its transaction is open', async () => {
    const project = await freshProject(world)
    await fill(project, 'gone', 2)
    await deleteEventName(project.ctx, { eventName: 'gone' })
    await fill(project, 'gone', 1)
    await fill(project, 'other', 1)
    await countWholeLog(world)
    const dump = await openTransaction('repeatable read')
    await dump.query('select from events limit 1')
    await deleteEventName(project.ctx, { eventName: 'other' })
    for (const job of await erasures(project)) await eraseEventName(world, job)
    expect(await erasures(project)).toHaveLength(1)
    await fill(project, 'other', 1)
    await countWholeLog(world)
    expect(await countEvents(project.ctx, {})).toEqual([
      { name: 'gone', count: 1 },
      { name: 'other', count: 1 },
    ])
  })

  test('deleting the name again makes one erasure, up to the newest line', async () => {
    const project = await freshProject(world)
    await fill(project, 'gone', 2)
    await deleteEventName(project.ctx, { eventName: 'gone' })
    await fill(project, 'gone', 3)
    expect(await deleteEventName(project.ctx, { eventName: 'gone' })).toEqual({ deletedCount: 3 })
    const [job, ...more] = await erasures(project)
    if (!job) throw new Error('No erasure is noted')
    expect([more, await names(project)]).toEqual([[], []])
    await countWholeLog(world)
    await eraseEventName(world, job)
    expect(await erasures(project)).toEqual([])
    expect(await linesOf(project)).toBe(0)
  })
})

describe('a deleted contact', () => {
  test('takes its newest lines from the log and the counters at once', async () => {
    const project = await freshProject(world)
    const id = await track(project, 'ada@example.com', 'seen')
    await track(project, 'bob@example.com', 'seen')
    await countWholeLog(world)
    await deleteContact(project.ctx, { id })
    expect(await linesOf(project)).toBe(1)
    expect(await countEvents(project.ctx, {})).toEqual([{ name: 'seen', count: 1 }])
  })

  test('keeps lines that are not counted yet until they are', async () => {
    const project = await freshProject(world)
    await countWholeLog(world)
    const id = await track(project, 'ada@example.com', 'seen')
    await deleteContact(project.ctx, { id })
    await track(project, 'bob@example.com', 'seen')
    await countWholeLog(world)
    expect([await names(project), await linesOf(project)]).toEqual([['seen'], 2])
    for (const job of await erasures(project)) await eraseContact(world, job)
    expect([await countEvents(project.ctx, {}), await linesOf(project)]).toEqual([[{ name: 'seen', count: 1 }], 1])
  })

  test('keeps lines in the log until every reader has handled them, hidden from everybody else', async () => {
    const project = await freshProject(world)
    const id = await track(project, 'ada@example.com', 'seen')
    await countWholeLog(world)
    const slow = await openTransaction()
    await slow.query(
      `insert into log_readers (reader, epoch, xid, id) select 'slow', epoch, xid, id from log_readers where reader = 'counts'`,
    )
    await slow.query('commit')
    onTestFinished(async () => void (await prisma.$executeRaw`delete from log_readers where reader = 'slow'`))
    await track(project, 'ada@example.com', 'seen')
    await countWholeLog(world)
    await deleteContact(project.ctx, { id })
    const [job] = await erasures(project)
    if (!job) throw new Error('No erasure is noted')
    expect(await eraseEventsOfContacts(world, job.projectId, [job])).toEqual({ ended: [], seconds: 2 })
    expect([await linesOf(project), await names(project), await erasures(project)]).toEqual([1, [], [job]])
    await slow.query(
      `update log_readers set (epoch, xid, id) = (select epoch, xid, id from log_readers where reader = 'counts') where reader = 'slow'`,
    )
    expect(await eraseEventsOfContacts(world, job.projectId, [job])).toMatchObject({ ended: [id] })
    expect([await linesOf(project), await countEvents(project.ctx, {})]).toEqual([0, []])
  })

  test('does not wait for the counter, and no reader of the log misses a line', async () => {
    const project = await freshProject(world)
    const ids = await Promise.all(['ada', 'bob', 'eve'].map((who) => track(project, `${who}@example.com`, 'seen')))
    await countWholeLog(world)
    const reader = await openTransaction()
    await reader.query(`select from log_readers where reader = 'counts' for update`)
    await Promise.all(ids.slice(1).map((id) => deleteContact(project.ctx, { id })))
    expect(await linesOf(project)).toBe(1)
    await reader.query('rollback')
    await reader.query(`insert into log_readers (reader, epoch, xid, id) values ('slow', 0, '0', '')`)
    await deleteContact(project.ctx, { id: ids[0] ?? '' })
    await reader.query(`delete from log_readers where reader = 'slow'`)
    expect([await linesOf(project), await names(project)]).toEqual([1, []])
  })
})

describe('counters', () => {
  test('are exact after many contacts were deleted at once while the log grew, was counted, and jobs removed lines', async () => {
    const project = await freshProject(world)
    const ids = await Promise.all(Array.from({ length: 16 }, (_, n) => track(project, `c${n}@example.com`, `name-${n % 3}`)))
    for (let n = 0; n < 48; n++) await track(project, `c${n % 16}@example.com`, `name-${n % 4}`)
    await countWholeLog(world)
    const removed = ids.slice(0, 12).map(async (id, n) => {
      await track(project, `c${n}@example.com`, 'name-0')
      await deleteContact(project.ctx, { id })
      await countLog(world)
      for (const job of await erasures(project)) await eraseContact(world, job)
    })
    await Promise.all([...removed, ...ids.slice(12).map((_, n) => track(project, `c${12 + n}@example.com`, 'name-1'))])
    for (const job of await erasures(project)) await eraseContact(world, job)
    await countWholeLog(world)
    const left = await prisma.event.groupBy({ by: ['name'], where: { projectId: project.projectId }, _count: true })
    const byName = (rows: { name: string; count: number }[]) => rows.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    expect(byName(await countEvents(project.ctx, {}))).toEqual(byName(left.map(({ name, _count }) => ({ name, count: _count }))))
    expect([await contactsOf(project), await erasures(project), left.reduce((sum, { _count }) => sum + _count, 0)]).toEqual([4, [], 20])
  })
})

describe('a page of lines that are being removed', () => {
  test('ends after 2,000 of them, and its cursor leads to the next page', async () => {
    const project = await freshProject(world)
    await fill(project, 'kept', 3)
    await fill(project, 'gone', 2_100)
    await fill(project, 'new', 1)
    await deleteEventName(project.ctx, { eventName: 'gone' })
    const first = await listEvents(project.ctx, { limit: 3 })
    expect(first).toMatchObject({ data: [{ name: 'new' }], hasMore: true, total: 4 })
    const second = await listEvents(project.ctx, { limit: 3, cursor: first.cursor ?? '' })
    expect(second.data.map(({ name }) => name)).toEqual(['kept', 'kept', 'kept'])
    expect(second).toMatchObject({ hasMore: false, cursor: null })
  })

  test('ends likewise from the other end of a connection', async () => {
    const project = await freshProject(world)
    await fill(project, 'gone', 2_100)
    await fill(project, 'new', 2)
    await deleteEventName(project.ctx, { eventName: 'gone' })
    const last = await connectEvents(project.ctx, {}, { last: 3 }, { select: { id: true, name: true } })
    expect([last.edges, last.pageInfo.hasPreviousPage]).toEqual([[], true])
    const before = await connectEvents(
      project.ctx,
      {},
      { last: 3, before: last.pageInfo.startCursor },
      { select: { id: true, name: true } },
    )
    expect([before.edges.map(({ node }) => node.name), before.pageInfo.hasPreviousPage]).toEqual([['new', 'new'], false])
  })

  test('of one name or contact does not read them', async () => {
    const project = await freshProject(world)
    await fill(project, 'gone', 2_100)
    await deleteEventName(project.ctx, { eventName: 'gone' })
    await fill(project, 'gone', 1)
    expect(await listEvents(project.ctx, { limit: 3, eventName: 'gone' })).toMatchObject({
      data: [{ name: 'gone' }],
      hasMore: false,
      total: 1,
    })
    const id = await track(project, 'ada@example.com', 'seen')
    await deleteContact(project.ctx, { id })
    expect(await listEvents(project.ctx, { limit: 3, contactId: id })).toMatchObject({ data: [], hasMore: false, total: 0 })
  })
})
