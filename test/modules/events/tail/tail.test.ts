import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { newId } from '../../../../src/kit/ids.ts'
import { openDatabase } from '../../../../src/kit/postgres/db.ts'
import { deleteContact, upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { deleteEventName } from '../../../../src/modules/events/events.ts'
import { announceEvents } from '../../../../src/modules/events/log.ts'
import { maxUnread, type StreamedLine, StreamInterrupted } from '../../../../src/modules/events/tail/subscriber.ts'
import { watchLog } from '../../../../src/modules/events/tail/tail.ts'
import { appendLines, logEvents } from '../../../help/lines.ts'
import { proxyTo } from '../../../help/proxy.ts'
import { until } from '../../../help/until.ts'
import { freshProject, logSettled, testWorld } from '../../../help/world.ts'

const world = await testWorld({ running: true })
const other = await testWorld({ running: true, databaseUrl: world.databaseUrl })

// A position before every line.
const beginning = Buffer.from('1.1.').toString('base64url')
const insert = 'insert into events (project_id, id, name, created_at) values ($1, $2, $3, $4)'

/** Reads until `enough` returns true, then closes the stream. */
async function take(
  lines: AsyncIterableIterator<StreamedLine, undefined>,
  enough: (read: StreamedLine[]) => boolean,
): Promise<StreamedLine[]> {
  const read: StreamedLine[] = []
  while (!enough(read)) {
    const { done, value } = await lines.next()
    if (done) break
    read.push(value)
  }
  await lines.return?.()
  return read
}

/** The number of subscribers of this process. */
async function watching(): Promise<number> {
  return (await world.metrics.subscribers.get()).values[0]?.value ?? 0
}

/** A connection of a slow writer. */
async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: world.databaseUrl })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

describe('watchLog', () => {
  test('streams lines committed after it began, in order', async () => {
    const { ctx, projectId } = await freshProject(world)
    await appendLines(world, projectId, 'before')
    await logSettled(world)
    const lines = await watchLog(ctx, {})
    await appendLines(world, projectId, 'first', 'second')
    expect((await take(lines, (read) => read.length === 2)).map(({ name }) => name)).toEqual(['first', 'second'])
  })

  test('continues right after a cursor, in another process', async () => {
    const { ctx, projectId } = await freshProject(world)
    const lines = await watchLog(ctx, {})
    await appendLines(world, projectId, 'a', 'b', 'c')
    const [first] = await take(lines, (read) => read.length === 1)
    const resumed = await watchLog({ world: other, projectId }, { after: first?.cursor })
    await appendLines(world, projectId, 'd')
    expect((await take(resumed, (read) => read.length === 3)).map(({ name }) => name)).toEqual(['b', 'c', 'd'])
  })

  test('sees a line that commits late, although its transaction began before those of lines already seen', async () => {
    const { ctx, projectId } = await freshProject(world)
    const slow = await connect()
    await slow.query('begin')
    await slow.query(insert, [projectId, newId('event', new Date()), 'slow', new Date()])
    const lines = await watchLog(ctx, {})
    await appendLines(world, projectId, 'quick')
    const reading = take(lines, (read) => read.length === 2)
    await slow.query('commit')
    announceEvents(world, projectId)
    expect((await reading).map(({ name }) => name)).toEqual(['slow', 'quick'])
  })

  test('shows nothing of other projects', async () => {
    const [mine, theirs] = [await freshProject(world), await freshProject(world)]
    const lines = await watchLog(mine.ctx, {})
    await appendLines(world, theirs.projectId, 'theirs')
    await appendLines(world, mine.projectId, 'mine')
    expect((await take(lines, (read) => read.length === 1)).map(({ name }) => name)).toEqual(['mine'])
  })

  test.each(['x', '', 'MS4yLjM', Buffer.from('1.18446744073709551616.').toString('base64url')])(
    'refuses the forged cursor %j',
    async (after) => {
      const { ctx } = await freshProject(world)
      await expect(watchLog(ctx, { after })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    },
  )

  test.each(['1.18446744073709551615.', '9.1.'])(
    'fails with CURSOR_EXPIRED for the cursor %j, which is ahead of the log',
    async (position) => {
      const { ctx } = await freshProject(world)
      const watched = watchLog(ctx, { after: Buffer.from(position).toString('base64url') })
      await expect(watched).rejects.toMatchObject({ code: 'CURSOR_EXPIRED', status: 410 })
      expect(await watching()).toBe(0)
    },
  )

  test('closes a subscriber that is too slow, with the cursor to continue after', async () => {
    const { ctx, projectId } = await freshProject(world)
    const lines = await watchLog(ctx, {})
    await appendLines(world, projectId, 'read')
    const first = await lines.next()
    const names = Array.from({ length: maxUnread + 1 }, (_, at) => `unread ${at}`)
    await appendLines(world, projectId, ...names)
    await until(async () => (await watching()) === 0)
    const interrupted: unknown = await lines.next().catch((error: unknown) => error)
    expect(interrupted).toBeInstanceOf(StreamInterrupted)
    expect(await lines.next()).toEqual({ done: true, value: undefined })
    expect(first.value?.name).toBe('read')
    const resumed = await watchLog(ctx, { after: (interrupted as StreamInterrupted).cursor })
    expect((await take(resumed, (read) => read.length === names.length)).map(({ name }) => name)).toEqual(names)
  })

  test('continues by itself after Postgres has closed every connection', async () => {
    const { ctx, projectId } = await freshProject(world)
    const lines = await watchLog(ctx, {})
    await appendLines(world, projectId, 'before')
    const first = await lines.next()
    const admin = await connect()
    await admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    await admin.query(insert, [projectId, newId('event', new Date()), 'after', new Date()])
    expect([first.value?.name, (await lines.next()).value?.name]).toEqual(['before', 'after'])
    await lines.return?.()
  })

  test('continues by itself after its connections have become half-open', async () => {
    const { projectId } = await freshProject(world)
    const proxy = await proxyTo(world.databaseUrl)
    const db = openDatabase(proxy.url, 2, () => undefined, 500)
    onTestFinished(() => db.close())
    const lines = await watchLog({ world: { ...world, db }, projectId }, {})
    await appendLines(world, projectId, 'before')
    const first = await lines.next()
    proxy.silence()
    await appendLines(world, projectId, 'after')
    expect([first.value?.name, (await lines.next()).value?.name]).toEqual(['before', 'after'])
    await lines.return?.()
  })

  test('shows nothing of a deleted contact or a deleted name', async () => {
    const { ctx, projectId } = await freshProject(world)
    const contact = await upsertContact(ctx, { email: 'ada@example.com' })
    await logEvents(world, projectId, [{ name: 'theirs', contactId: contact.id }, { name: 'unwanted' }, { name: 'kept' }])
    await deleteContact(ctx, { id: contact.id })
    await deleteEventName(ctx, { eventName: 'unwanted' })
    const lines = await watchLog(ctx, { after: beginning })
    expect((await take(lines, (read) => read.length === 1)).map(({ name }) => name)).toEqual(['kept'])
  })

  test('is closed at once while it waits, and releases everything', async () => {
    const { ctx } = await freshProject(world)
    const lines = await watchLog(ctx, {})
    const waiting = lines.next()
    await lines.return?.()
    expect(await waiting).toEqual({ done: true, value: undefined })
    expect(await watching()).toBe(0)
  })
})

describe('a subscriber that reconnects to two processes in turn', () => {
  const writers = 4
  const transactions = 50

  /** Transactions of 1 to 3 lines, some held open, some rolled back. */
  async function write(projectId: string): Promise<void> {
    const client = await connect()
    for (let at = 0; at < transactions; at++) {
      await client.query('begin')
      for (let line = randomInt(1, 4); line > 0; line--)
        await client.query(insert, [projectId, newId('event', new Date()), 'tick', new Date()])
      await pause(randomInt(0, 12))
      await client.query(randomInt(5) === 0 ? 'rollback' : 'commit')
      if (randomInt(2) === 0) announceEvents(world, projectId)
    }
  }

  async function idsInTable(projectId: string): Promise<string[]> {
    const rows = await world.db.prisma.event.findMany({ where: { projectId }, select: { id: true } })
    return rows.map(({ id }) => id)
  }

  test('sees every event of 4 concurrent writers exactly once', async () => {
    const { projectId } = await freshProject(world)
    const seen: StreamedLine[] = []
    let writing = true
    const written = Promise.all(Array.from({ length: writers }, () => write(projectId))).then(() => {
      writing = false
    })
    let after: string | undefined = beginning
    for (let turn = 0; writing || seen.length < (await idsInTable(projectId)).length; turn++) {
      const lines = await watchLog({ world: turn % 2 === 0 ? world : other, projectId }, { after })
      const patience = setTimeout(() => void lines.return?.(), 300)
      const most = randomInt(1, 40)
      seen.push(...(await take(lines, (read) => read.length >= most)))
      clearTimeout(patience)
      after = seen.at(-1)?.cursor ?? after
    }
    await written
    const ids = seen.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.toSorted()).toEqual((await idsInTable(projectId)).toSorted())
  })

  test('sees them exactly once on a single open stream, too', async () => {
    const { projectId } = await freshProject(world)
    const streams = await Promise.all([world, other].map((process) => watchLog({ world: process, projectId }, {})))
    const seen: StreamedLine[][] = [[], []]
    const reading = streams.map(async (lines, at) => {
      for await (const line of lines) seen[at]?.push(line)
    })
    await Promise.all(Array.from({ length: writers }, () => write(projectId)))
    const ids = (await idsInTable(projectId)).toSorted()
    await until(async () => seen.every((lines) => lines.length >= ids.length))
    await Promise.all(streams.map((lines) => lines.return?.()))
    await Promise.all(reading)
    for (const lines of seen) expect(lines.map(({ id }) => id).toSorted()).toEqual(ids)
    expect(seen[0]?.map(({ cursor }) => cursor)).toEqual(seen[1]?.map(({ cursor }) => cursor))
  })
})
