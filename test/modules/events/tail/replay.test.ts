import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { newId } from '../../../../src/kit/ids.ts'
import { createPages, type PageOwners } from '../../../../src/modules/events/tail/room.ts'
import { readProject } from '../../../../src/modules/events/tail/sql.ts'
import { StreamInterrupted } from '../../../../src/modules/events/tail/subscriber.ts'
import { watchLog } from '../../../../src/modules/events/tail/tail.ts'
import { until } from '../../../help/until.ts'
import { freshProject, logSettled, testWorld } from '../../../help/world.ts'

const world = await testWorld({ running: true })
const beginning = Buffer.from('1.1.').toString('base64url')
const lines = 8
const length = 900_000
const megabyte = 1024 * 1024

/** A project with lines whose data is long, of which a page has three. */
async function longProject(): Promise<string> {
  const { projectId } = await freshProject(world)
  const ids = Array.from({ length: lines }, () => newId('event', new Date()))
  await world.db.prisma.$executeRawUnsafe(
    `insert into events (project_id, id, name, created_at, data) select $1, id, 'long', now(), jsonb_build_object('text', repeat('x', $3)) from unnest($2::text[]) id`,
    projectId,
    ids,
    length,
  )
  await logSettled(world)
  return projectId
}

/** The world, and how many pages of a project were read in it after a cursor. */
function countingReads(projectId: string) {
  const counted = { reads: 0 }
  const run: typeof world.db.run = (statement, values) => {
    if (statement.name === readProject.name && values[0] === projectId && values[1] === 1) counted.reads++
    return world.db.run(statement, values)
  }
  return { counted, counting: { ...world, db: { ...world.db, run } } }
}

// Nothing is interrupted until a test turns the time.
function stopTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

test('readers of other accounts that take nothing keep nobody from continuing after a cursor', async () => {
  const [mine, ...others] = [await longProject(), await longProject(), await longProject(), await longProject(), await longProject()]
  const { counted, counting } = countingReads(others.at(-1) ?? '')
  stopTimers()
  const slow = await Promise.all(
    others.map((projectId, at) => watchLog({ world: counting, projectId, account: `usr_${at}` }, { after: beginning })),
  )
  while (counted.reads === 0) await nextTurn()
  const stream = await watchLog({ world: counting, projectId: mine, account: 'usr_mine' }, { after: beginning })
  expect((await stream.next()).value?.name).toBe('long')
  for (const one of [stream, ...slow]) await one.return?.()
})

test('streams of one project have pages of 16 MB at a time, and each has every line once', async () => {
  const projectId = await longProject()
  const { counted, counting } = countingReads(projectId)
  const streams = await Promise.all(Array.from({ length: 10 }, () => watchLog({ world: counting, projectId }, { after: beginning })))
  await until(async () => counted.reads === 7)
  const other = await watchLog({ world: counting, projectId: await longProject() }, { after: beginning })
  expect((await other.next()).value?.name).toBe('long')
  await other.return?.()
  expect(counted.reads).toBe(7)
  const seen = await Promise.all(
    streams.map(async (stream) => {
      const ids: unknown[] = []
      while (ids.length < lines) ids.push((await stream.next()).value?.id)
      await stream.return?.()
      return ids
    }),
  )
  for (const ids of seen) expect([ids, new Set(ids).size]).toEqual([seen[0], lines])
})

test('a stream that does not take a page in 15 s is interrupted for others of its project that wait, and says where to continue', async () => {
  const projectId = await longProject()
  const { counted, counting } = countingReads(projectId)
  stopTimers()
  const watch = () => watchLog({ world: counting, projectId }, { after: beginning })
  const stalled = await watch()
  const first = await stalled.next()
  const others = await Promise.all(Array.from({ length: 7 }, watch))
  const waits = async (reads: number) => {
    while (counted.reads < reads) await nextTurn()
  }
  await waits(7)
  vi.advanceTimersByTime(15_000)
  await waits(8)
  const error: unknown = await stalled.next().catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(StreamInterrupted)
  expect((error as StreamInterrupted).cursor).toBe(first.value?.cursor)
  for (const one of others) await one.return?.()
})

/** A reader of a page that takes it when told so. */
function reader() {
  const drained = Promise.withResolvers<void>()
  const one = {
    ended: false,
    interrupt() {
      one.ended = true
    },
    drained: () => drained.promise,
    take: () => drained.resolve(),
  }
  return one
}

async function held(pages: ReturnType<typeof createPages>, owner: string, bytes: number) {
  const one = reader()
  const owners: PageOwners = [owner]
  await pages.withRoom(owners, one, async () => pages.hold(owners, one, bytes))
  return one
}

test('while all have too much, the owner with the most gives room after a second, and an owner with nothing never waits', async () => {
  stopTimers()
  const pages = createPages()
  const large = [await held(pages, 'large', 15 * megabyte), await held(pages, 'large', 15 * megabyte)]
  for (const owner of ['b', 'c', 'd']) await held(pages, owner, 11 * megabyte)
  const small = await held(pages, 'small', megabyte)
  expect(pages.use()).toEqual({ taken: 64 * megabyte, max: 64 * megabyte })
  const more = held(pages, 'small', megabyte)
  await held(pages, 'nothing', 10 * megabyte)
  expect([pages.use().taken, large.some(({ ended }) => ended)]).toEqual([74 * megabyte, false])
  vi.advanceTimersByTime(1_000)
  await more
  expect(large.map(({ ended }) => ended)).toEqual([true, false])
  expect([small.ended, pages.use().taken]).toEqual([false, 60 * megabyte])
})

test('a page counts until it is taken, and those that are taken slowly while there is room are not interrupted', async () => {
  stopTimers()
  const pages = createPages()
  const [one, other] = [await held(pages, 'a', megabyte), await held(pages, 'a', 2 * megabyte)]
  vi.advanceTimersByTime(60_000)
  expect([one.ended, other.ended]).toEqual([false, false])
  one.take()
  await one.drained()
  expect(pages.use().taken).toBe(2 * megabyte)
})
