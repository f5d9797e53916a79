import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { statement } from '../../../../src/kit/postgres/db.ts'
import type { World } from '../../../../src/kit/world.ts'
import { appendEvents } from '../../../../src/modules/events/log.ts'
import {
  advanceReader,
  forgetReaders,
  type LogReader,
  maxLineFailures,
  rangeParameters,
} from '../../../../src/modules/events/reader/reader.ts'
import { inRange } from '../../../../src/modules/events/reader/sql.ts'
import { logEvents } from '../../../help/lines.ts'
import { freshProject, logSettled, testWorld } from '../../../help/world.ts'

const across = { allProjects: 'a test reads its own database' }
const world = await testWorld()
const other = await testWorld({ databaseUrl: world.databaseUrl })
await world.db.run(statement('create_seen', 'create table if not exists seen (reader text, id text, name text)', across), [])

// Fails in Postgres for a line named "poison", as invalid data would.
const seeRange = statement<object>(
  'see_range',
  `insert into seen (reader, id, name) select $6::text, id, case when name = 'poison' then (1 / (length(name) - length(name)))::text else name end from events e where ${inRange('e')}`,
  across,
)
const selectSeen = statement<{ name: string; times: number }>(
  'seen',
  'select name, count(*)::int as times from seen where reader = $1 group by id, name order by name',
  across,
)

// Each test has a reader of its own that begins after the lines of earlier tests.
const placeAtEnd = statement<object>(
  'place_at_end',
  `insert into log_readers (reader, epoch, xid, id) select $1, epoch, xid, id from events order by epoch desc, xid desc, id desc limit 1`,
  across,
)

// A timeout of the transaction that comes within it, as the one of a minute would.
const takeTooLong = statement<object>(
  'take_too_long',
  `select set_config('transaction_timeout', '0', true), set_config('transaction_timeout', '20', true), pg_sleep(5)`,
  across,
)

let nth = 0
let reader: LogReader
let project: Awaited<ReturnType<typeof freshProject>>
beforeEach(async () => {
  const name = `test ${++nth}`
  reader = { name, maxLines: 8, handle: async (tx, range) => void (await tx.run(seeRange, [...rangeParameters(range), name])) }
  project = await freshProject(world)
  await logSettled(world)
  await world.db.run(placeAtEnd, [name])
})
afterEach(() => world.db.run(statement('clear_seen', 'truncate seen', across), []))

async function readAll(on: World): Promise<number> {
  await logSettled(world)
  let calls = 1
  while (await advanceReader(on, reader)) calls++
  return calls
}

async function append(...names: string[]): Promise<void> {
  await logEvents(
    world,
    project.projectId,
    names.map((name) => ({ name })),
  )
}

async function seen(): Promise<[string, number][]> {
  return (await world.db.run(selectSeen, [reader.name])).map(({ name, times }) => [name, times])
}

const once = (...names: string[]): [string, number][] => names.map((name) => [name, 1])
const numbered = (count: number) => Array.from({ length: count }, (_, n) => `n${String(n).padStart(3, '0')}`)

test('every line is handled once, whichever process reads it', async () => {
  const names = numbered(50)
  await append(...names)
  await Promise.all([readAll(world), readAll(other), readAll(other)])
  await readAll(world)
  expect((await seen()).filter(([name]) => name.startsWith('n'))).toEqual(once(...names))
})

test('work that fails is rolled back with its position, and done again', async () => {
  await append('a', 'b')
  const { handle } = reader
  let fails = true
  reader.handle = async (tx, range, it) => {
    await handle(tx, range, it)
    if (fails) throw new Error('after the work')
  }
  await logSettled(world)
  await advanceReader(world, reader)
  expect((await seen()).filter(([name]) => name.length === 1)).toEqual([])
  fails = false
  await readAll(world)
  expect((await seen()).filter(([name]) => name.length === 1)).toEqual(once('a', 'b'))
})

test('a line that can never be handled is tried again, then set aside where an operator sees it, and blocks nothing', async () => {
  const names = numbered(20)
  await append(...names.slice(0, 11), 'poison', ...names.slice(11))
  await logSettled(world)
  const aside = () => world.db.prisma.logLineSetAside.findMany({ where: { projectId: project.projectId } })
  for (let turn = 0; turn < 40 && (await aside()).length === 0; turn++) await advanceReader(other, reader)
  expect(await aside()).toMatchObject([{ reader: reader.name, name: 'poison', error: 'division by zero' }])
  await readAll(world)
  expect((await seen()).filter(([name]) => name.startsWith('n'))).toEqual(once(...names))
  expect(await other.metrics.registry.getSingleMetricAsString('postwire_log_lines_set_aside_total')).toContain(
    `{reader="${reader.name}"} 1`,
  )
  await append('later')
  await readAll(world)
  expect(await seen()).toContainEqual(['later', 1])
})

test('a line is tried several times in a batch of its own before it is set aside', async () => {
  await append('poison')
  await logSettled(world)
  let tries = 0
  const { handle } = reader
  reader.handle = (tx, range, it) => {
    if (range.count === 1) tries++
    return handle(tx, range, it)
  }
  for (let turn = 0; turn < 40; turn++) await advanceReader(world, reader)
  expect(tries).toBeGreaterThanOrEqual(maxLineFailures)
  expect(tries).toBeLessThan(2 * maxLineFailures)
})

test.each([
  ['the database system is shutting down', '57P01'],
  ['Connection terminated unexpectedly', undefined],
  ['Query read timeout', undefined],
])('an unavailable database ("%s") is not a failure of a line: nothing is set aside however often it happens', async (message, code) => {
  await append('fine')
  await logSettled(world)
  const { handle } = reader
  reader.handle = async () => {
    throw Object.assign(new Error(message), code !== undefined && { code })
  }
  // After a timeout the connection is replaced: until Postgres has noticed, it holds the place of the reader, and nobody takes a turn.
  for (let failures = 0; failures < 30; ) {
    const outcome = await advanceReader(world, reader).catch((error: Error) => error.message)
    expect([message, false]).toContain(outcome)
    if (outcome === message) failures++
  }
  reader.handle = handle
  await readAll(world)
  expect(await seen()).toContainEqual(['fine', 1])
})

test('a batch that takes longer than a transaction may is tried with fewer lines, and a single line is never set aside for it', async () => {
  await append(...numbered(16))
  await logSettled(world)
  const { handle } = reader
  const sizes: number[] = []
  reader.handle = async (tx, range, it) => {
    sizes.push(range.count)
    if (range.count > 2) await tx.run(takeTooLong, [])
    await handle(tx, range, it)
  }
  await readAll(world)
  expect(sizes.slice(0, 2)).toEqual([8, 2])
  while ((await seen()).length < 16) await advanceReader(world, reader)
  expect((await seen()).filter(([name]) => name.startsWith('n'))).toEqual(once(...numbered(16)))
  reader.handle = async () => {
    throw Object.assign(new pg.DatabaseError('terminating connection due to transaction timeout', 0, 'error'), { code: '25P04' })
  }
  await append('single')
  await logSettled(world)
  for (let turn = 0; turn < 4; turn++) await advanceReader(world, reader).catch(() => false)
  for (let turn = 0; turn < 12; turn++) await expect(advanceReader(world, reader)).rejects.toThrow('transaction timeout')
  reader.handle = handle
  await readAll(world)
  expect(await seen()).toContainEqual(['single', 1])
})

test('a range whose work does not fit into one transaction is halved until it does, or is a single line', async () => {
  await append(...numbered(8))
  await logSettled(world)
  const { handle } = reader
  const sizes: number[] = []
  reader.fits = async ({ count }) => count <= 2
  reader.handle = async (tx, range, it) => {
    sizes.push(range.count)
    await handle(tx, range, it)
  }
  await readAll(world)
  expect(Math.max(...sizes)).toBe(2)
  expect((await seen()).filter(([name]) => name.startsWith('n'))).toEqual(once(...numbered(8)))
  await append('a', 'b')
  reader.fits = async () => false
  sizes.length = 0
  await readAll(world)
  expect(sizes.every((size) => size === 1)).toBe(true)
  expect((await seen()).filter(([name]) => name.length === 1)).toEqual(once('a', 'b'))
})

test('lines of an open transaction are handled later, and so are the lines after them', async () => {
  let commit = (): void => undefined
  const held = new Promise<void>((resolve) => {
    commit = resolve
  })
  let written = (): void => undefined
  const wrote = new Promise<void>((resolve) => {
    written = resolve
  })
  const open = world.db.transaction(async (tx) => {
    await appendEvents(tx, world, { projectId: project.projectId, at: world.clock.now(), lines: [{ name: 'slow' }] })
    written()
    await held
  })
  await wrote
  await append('quick')
  await advanceReader(world, reader)
  expect((await seen()).filter(([name]) => ['slow', 'quick'].includes(name))).toEqual([])
  commit()
  await open
  await readAll(world)
  expect((await seen()).filter(([name]) => ['slow', 'quick'].includes(name))).toEqual(once('quick', 'slow'))
})

test('a new reader that starts at the end handles only the lines from then on, also those of transactions that are still open', async () => {
  await append('old')
  await logSettled(world)
  const name = `${reader.name} from the end`
  const fromEnd: LogReader = {
    ...reader,
    name,
    startsAt: 'end',
    handle: async (tx, range) => void (await tx.run(seeRange, [...rangeParameters(range), name])),
  }
  const wrote = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const open = world.db.transaction(async (tx) => {
    await appendEvents(tx, world, { projectId: project.projectId, at: world.clock.now(), lines: [{ name: 'open' }] })
    wrote.resolve()
    await held.promise
  })
  await wrote.promise
  await advanceReader(world, fromEnd)
  held.resolve()
  await open
  await append('new')
  await logSettled(world)
  while (await advanceReader(other, fromEnd));
  expect((await world.db.run(selectSeen, [name])).map((row) => row.name)).toEqual(['new', 'open'])
})

test('a reader that no version has any more is forgotten a day after a process last asked for its lines', async () => {
  const kept: LogReader = { ...reader, name: `${reader.name} kept` }
  const dropped: LogReader = { ...reader, name: `${reader.name} dropped` }
  const names = async () => {
    const rows = await world.db.prisma.logReader.findMany({ where: { reader: { in: [kept.name, dropped.name] } } })
    return rows.map((row) => row.reader).toSorted()
  }
  await advanceReader(world, kept)
  await advanceReader(world, dropped)
  world.clock.turn(23 * 3_600_000)
  // An older version that still runs, and has nothing to read.
  await advanceReader(world, dropped)
  world.clock.turn(23 * 3_600_000)
  await forgetReaders(world, [kept])
  expect(await names()).toEqual([dropped.name, kept.name])
  world.clock.turn(2 * 3_600_000)
  await forgetReaders(world, [kept])
  expect(await names()).toEqual([kept.name])
})

test('the lines of an older epoch are handled before those of the present one, in ranges of their own, and nothing waits for new lines', async () => {
  const old = statement<object>(
    'insert_old_line',
    `insert into events (project_id, id, epoch, xid, name, created_at) values ($1, $2, 0, '9000000', 'from before', $3)`,
  )
  await world.db.run(statement('clear_log', 'delete from events', across), [])
  await world.db.run(old, [project.projectId, 'evt_00000000000000000000000000', world.clock.now()])
  await world.db.run(statement('place_first', `update log_readers set epoch = 0, xid = '0', id = '' where reader = $1`, across), [
    reader.name,
  ])
  await append('now')
  const names: string[] = []
  const handle = reader.handle
  reader.handle = async (tx, range, on) => {
    await handle(tx, range, on)
    names.push(`${range.after.epoch} to ${range.upTo.epoch}`)
  }
  await readAll(world)
  expect(names).toEqual(['0 to 0', '0 to 1'])
  const seen = await world.db.run(selectSeen, [reader.name])
  expect(seen).toContainEqual({ name: 'from before', times: 1 })
  expect(seen).toContainEqual({ name: 'now', times: 1 })
})
