import pg from 'pg'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { newId } from '../../../../src/kit/ids.ts'
import { announceEvents } from '../../../../src/modules/events/log.ts'
import { readLog } from '../../../../src/modules/events/tail/read.ts'
import { readProject } from '../../../../src/modules/events/tail/sql.ts'
import { maxUnreadBytes, StreamInterrupted } from '../../../../src/modules/events/tail/subscriber.ts'
import { watchLog } from '../../../../src/modules/events/tail/tail.ts'
import { until } from '../../../help/until.ts'
import { freshProject, logSettled, testWorld } from '../../../help/world.ts'

const world = await testWorld({ running: true })
const { projectId } = await freshProject(world)
const start = { epoch: 1, xid: 1n, id: '' }
const lines = 8
const length = 900_000

/** Adds lines whose data is long, but is stored in a hundredth of that, because Postgres compresses it. */
async function addLong(to: string, count: number): Promise<void> {
  const ids = Array.from({ length: count }, () => newId('event', new Date()))
  await world.db.prisma.$executeRawUnsafe(
    `insert into events (project_id, id, name, created_at, data) select $1, id, 'long', now(), jsonb_build_object('text', repeat('x', $3)) from unnest($2::text[]) id`,
    to,
    ids,
    length,
  )
}

beforeAll(async () => {
  await addLong(projectId, lines)
  await logSettled(world)
})

test('a page of long lines ends after about 2 MB and says that there are more', async () => {
  const first = await readLog(world, start, projectId)
  expect([first.lines.length, first.more]).toEqual([3, true])
  const shared = await readLog(world, first.upTo, [projectId])
  expect([shared.lines.length, shared.more]).toEqual([3, true])
})

interface Plan {
  'Node Type': string
  'Actual Rows': number
  Plans?: Plan[]
}

test('the sizes of the lines beyond a page are not looked at', async () => {
  const client = new pg.Client({ connectionString: world.databaseUrl })
  await client.connect()
  onTestFinished(() => client.end())
  const { rows } = await client.query(`explain (analyze, format json) ${readProject.text}`, [projectId, 1, '1', ''])
  const sums = (plan: Plan): number[] => [
    ...(plan['Node Type'] === 'WindowAgg' ? [plan['Actual Rows']] : []),
    ...(plan.Plans ?? []).flatMap(sums),
  ]
  const looked = sums(rows[0]?.['QUERY PLAN'][0].Plan as Plan)
  expect(looked).toHaveLength(2)
  expect(Math.max(...looked)).toBeLessThanOrEqual(6)
})

test('a subscriber that leaves more than 8 MB unread is closed, with the cursor to continue after', async () => {
  const mine = await freshProject(world)
  const stream = await watchLog(mine.ctx, {})
  const count = Math.ceil(maxUnreadBytes / length) + 1
  await addLong(mine.projectId, 1)
  announceEvents(world, mine.projectId)
  const before = await stream.next()
  await addLong(mine.projectId, count)
  announceEvents(world, mine.projectId)
  await until(async () => (await world.metrics.subscribers.get()).values[0]?.value === 0)
  const error: unknown = await stream.next().catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(StreamInterrupted)
  expect((error as StreamInterrupted).cursor).toBe(before.value?.cursor)
})
