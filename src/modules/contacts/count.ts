import { createCache } from '../../kit/cache.ts'
import type { Ctx } from '../../kit/context.ts'
import { countRows } from '../../kit/postgres/list.ts'
import { perWorld, type World } from '../../kit/world.ts'
import { type ContactSearchSql, contacts } from './sql.ts'

const exactUpTo = 100_000

interface Which {
  projectId: string
  filter: ContactSearchSql
}

// Holds large counts only. Users can see how old they are, so their age is measured by the world's clock.
const largeCounts = perWorld((world) =>
  createCache({
    max: 1_000,
    ttlMs: 5_000,
    clock: world.clock,
    nameOf: ({ projectId, filter }: Which) => JSON.stringify([projectId, filter.search, filter.subscribed]),
    load: (which) => count(world, which, Number.MAX_SAFE_INTEGER),
  }),
)

/** The number of contacts that match: exact up to 100,000, above that at most 5 s old. */
export async function countContacts({ world, projectId }: Pick<Ctx, 'world' | 'projectId'>, filter: ContactSearchSql): Promise<number> {
  const which = { projectId, filter }
  const cached = largeCounts(world).get(which)
  if (cached !== undefined) return cached
  const exact = await count(world, which, exactUpTo + 1)
  return exact <= exactUpTo ? exact : largeCounts(world).find(which)
}

async function count({ db }: World, { projectId, filter }: Which, upTo: number): Promise<number> {
  return countRows(db, contacts, projectId, filter, upTo)
}
