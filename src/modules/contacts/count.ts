import type { Ctx } from '../../kit/context.ts'
import { perWorld } from '../../kit/world.ts'
import { type ContactFilter, countUpTo } from './sql.ts'

const exactUpTo = 100_000
const keptMs = 5_000
const mostKept = 1_000

const kept = perWorld(() => new Map<string, { count: Promise<number>; until: number }>())

/** How many contacts that are: exact to 100,000, above that at most 5 s old (decisions.md 3). */
export async function countContacts(
  { world, db, clock, projectId }: Pick<Ctx, 'world' | 'db' | 'clock' | 'projectId'>,
  filter: ContactFilter,
): Promise<number> {
  const counts = kept(world)
  const key = JSON.stringify([projectId, filter.search, filter.subscribed])
  const now = clock.now().getTime()
  const there = counts.get(key)
  if (there && there.until > now) return there.count
  const [exact] = await db.run(...countUpTo(projectId, filter, exactUpTo + 1))
  if ((exact?.count ?? 0) <= exactUpTo) return exact?.count ?? 0
  if (counts.size >= mostKept) counts.clear()
  const count = db.run(...countUpTo(projectId, filter, Number.MAX_SAFE_INTEGER)).then(([all]) => all?.count ?? 0)
  counts.set(key, { count, until: now + keptMs })
  return count
}
