import { statement } from '../../src/kit/postgres/db.ts'
import type { World } from '../../src/kit/world.ts'
import { countAnalytics } from '../../src/modules/analytics/count.ts'
import { countLog } from '../../src/modules/events/counter/counter.ts'
import { summariseLog } from '../../src/modules/events/summary/summary.ts'
import { until } from './until.ts'

const unsettled = statement<{ count: number }>(
  'test_unsettled',
  'select count(*)::int as count from events where xid >= pg_snapshot_xmin(pg_current_snapshot())',
  { allProjects: 'a test waits for its whole database' },
)

/** Counts the whole log into the counters. Waits for open transactions of other tests on the same server, which delay it. */
export async function countWholeLog(world: World): Promise<void> {
  await settled(world)
  while (await countLog(world));
}

/** Summarises the whole log for filters, likewise. */
export async function summariseWholeLog(world: World): Promise<void> {
  await settled(world)
  while (await summariseLog(world));
}

/** Counts what became of emails over time, likewise. */
export async function countWholeAnalytics(world: World): Promise<void> {
  await settled(world)
  while (await countAnalytics(world));
}

async function settled({ db }: World): Promise<void> {
  await until(async () => (await db.run(unsettled, []))[0]?.count === 0)
}
