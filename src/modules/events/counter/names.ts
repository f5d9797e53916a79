import { createCache } from '../../../kit/cache.ts'
import type { Ctx } from '../../../kit/context.ts'
import { scanned } from '../../../kit/postgres/scanned.ts'
import { perWorld } from '../../../kit/world.ts'
import { type CountedName, countNames } from './sql.ts'

type Call = Pick<Ctx, 'world' | 'db' | 'projectId'>
type Span = Pick<Ctx, 'db' | 'projectId'> & { from: Date | null; to: Date | null }

// Counts of this many daily counters are made again each time.
const exactUpTo = 10_000
const maxAgeMs = 10_000
const maxRows = 100_000

const countsOf = perWorld(({ clock }) =>
  createCache({
    max: 1_000,
    weight: { max: maxRows, weigh: ({ answer }: { answer: CountedName[] }) => answer.length },
    ttlMs: maxAgeMs,
    clock,
    nameOf: ({ projectId, from, to }: Span) => JSON.stringify([projectId, from, to]),
    load: ({ db, projectId, from, to }) =>
      scanned(db.scans.run(countNames, [projectId, from, to]), 'Counting the events by name took longer than 15 s.'),
    stores: ([first]) => (first?.counters ?? 0) > exactUpTo,
  }),
)

/**
 * How often each event happened from `startDate` to `endDate` (UTC days, both included), the 1,000 most frequent names: at most 2 s
 * behind the log, and of more than 10,000 daily counters at most 10 s. Calls at the same time share one scan, which takes turns.
 */
export async function countEvents(
  { world, db, projectId }: Call,
  { startDate, endDate }: { startDate?: Date | undefined; endDate?: Date | undefined },
): Promise<{ name: string; count: number }[]> {
  const rows = await countsOf(world).find({ db, projectId, from: startDate ?? null, to: endDate ?? null })
  return rows.map(({ name, count }) => ({ name, count }))
}

const defaultDays = 30
const dayMs = 86_400_000

/** The same of the 30 days that end with `endDate`, today by default, unless `startDate` is given. */
export async function countRecentEvents(
  ctx: Call & Pick<Ctx, 'clock'>,
  { startDate, endDate = ctx.clock.now() }: { startDate?: Date | undefined; endDate?: Date | undefined },
): Promise<{ name: string; count: number }[]> {
  return countEvents(ctx, { startDate: startDate ?? new Date(endDate.getTime() - (defaultDays - 1) * dayMs), endDate })
}

/** Counts the events of a project again for the next call, so that a deleted name is gone at once. */
export function forgetCounts({ world, projectId }: Pick<Ctx, 'world' | 'projectId'>): void {
  countsOf(world).forget(({ key }) => key.projectId === projectId)
}

/** The names of all events that happened in the project, most frequent first, at most 1,000; as far behind as countEvents. */
export async function listEventNames(ctx: Call) {
  const eventNames = (await countEvents(ctx, {})).map(({ name }) => name)
  return { eventNames, data: eventNames }
}
