import { createCache } from '../../../kit/cache.ts'
import type { Ctx } from '../../../kit/context.ts'
import { scanned } from '../../../kit/postgres/scanned.ts'
import { perWorld } from '../../../kit/world.ts'
import { countContacts } from '../contacts.ts'
import { countKeys } from './sql.ts'

/** Up to how many contacts what is counted of them is exact. */
export const exactUpTo = 10_000

/** How many contacts a project has, and how many of them have each key. */
export interface Coverage {
  contacts: number
  byKey: Map<string, number>
  countedAt: Date
}

/** How old a count may be that is too large to be repeated for each request. */
export const maxAgeMs = 60_000
const refreshedAfterMs = maxAgeMs / 2

type Call = Pick<Ctx, 'world' | 'db' | 'projectId'>

const coverages = perWorld(({ clock }) => ({
  cache: createCache({ max: 1_000, ttlMs: maxAgeMs, clock, nameOf: ({ projectId }: Call) => projectId, load: count }),
  refreshing: new Set<string>(),
}))

/**
 * How many contacts have each key: exact for up to 10,000 contacts, above that at most 60 s old, from one scan at a time that is
 * repeated in time for a project that is asked about again and again.
 */
export async function coverageOf({ world, db, projectId }: Call): Promise<Coverage> {
  const { cache } = coverages(world)
  const call = { world, db, projectId }
  if (cache.get(call) === undefined && (await countContacts(call, {})) <= exactUpTo) return count(call)
  // For everybody who asks meanwhile, and ahead of those who ask later.
  const lasting = { world, db: db.lasting(), projectId }
  const coverage = await cache.find(lasting)
  if (world.clock.now().getTime() - coverage.countedAt.getTime() > refreshedAfterMs) refreshAhead(lasting)
  return coverage
}

function refreshAhead(call: Call): void {
  const { world, projectId } = call
  const { cache, refreshing } = coverages(world)
  if (refreshing.has(projectId)) return
  refreshing.add(projectId)
  cache
    .refresh(call)
    .catch((error: unknown) => world.log.warn({ err: error, projectId }, 'contacts: the coverage of fields was not counted'))
    .finally(() => refreshing.delete(projectId))
}

const tooLong = 'Counting the contacts that have each field took longer than 15 s.'

async function count({ world, db, projectId }: Call): Promise<Coverage> {
  const countedAt = world.clock.now()
  const byKey = new Map<string, number>()
  let contacts = 0
  for (const { key, count } of await scanned(db.scans.run(countKeys, [projectId]), tooLong)) {
    if (key === null) contacts = count
    else byKey.set(key, count)
  }
  return { contacts, byKey, countedAt }
}
