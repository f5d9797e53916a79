import type { Ctx } from '../../kit/context.ts'
import { countRows } from '../../kit/postgres/list.ts'
import { perWorld } from '../../kit/world.ts'
import { type ContactSearchSql, contacts } from './sql.ts'

const exactUpTo = 100_000
const cachedMs = 5_000
const maxCached = 1_000

const cache = perWorld(() => new Map<string, { count: Promise<number>; until: number }>())

/** How many contacts that are: exact to 100,000, above that at most 5 s old. */
export async function countContacts(
  { world, db, clock, projectId }: Pick<Ctx, 'world' | 'db' | 'clock' | 'projectId'>,
  filter: ContactSearchSql,
): Promise<number> {
  const counts = cache(world)
  const key = JSON.stringify([projectId, filter.search, filter.subscribed])
  const now = clock.now().getTime()
  const cached = counts.get(key)
  if (cached && cached.until > now) return cached.count
  const exact = await countRows(db, contacts, projectId, filter, exactUpTo + 1)
  if (exact <= exactUpTo) return exact
  if (counts.size >= maxCached) counts.clear()
  const count = countRows(db, contacts, projectId, filter, Number.MAX_SAFE_INTEGER)
  counts.set(key, { count, until: now + cachedMs })
  return count
}
