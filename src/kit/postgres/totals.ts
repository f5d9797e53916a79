import { createCache } from '../cache.ts'
import { perWorld, type World } from '../world.ts'
import type { Database } from './db.ts'
import { countRows, type ListSql } from './list.ts'

/** How many slots the count of a project is spread over: parallel writers of one project rarely share one. */
export const countSlots = 64

const exactUpTo = 100_000
const maxAgeMs = 60_000

// `name` identifies what is counted.
interface Counted {
  name: string
  count(db: Database, upTo: number): Promise<number>
}

/** For whom rows are counted: whose turns of the database they take. */
interface Asker {
  world: World
  db: Database
}

// Holds large counts only. Users can see how old they are, so their age is measured by the world's clock.
const largeCounts = perWorld((world) =>
  createCache({
    max: 1_000,
    ttlMs: maxAgeMs,
    clock: world.clock,
    nameOf: ({ name }: Pick<Counted, 'name'> & { load: () => Promise<number> }) => name,
    load: ({ load }) => load(),
  }),
)

/** How many rows a filter selects: exact up to 100,000, above that at most 60 s old. */
export async function countFiltered<Filter extends object>(
  asker: Asker,
  list: ListSql<Filter>,
  projectId: string,
  filter: Filter,
): Promise<number> {
  return countOnce(asker, {
    name: JSON.stringify([list.name, projectId, filter]),
    count: (db, upTo) => countRows(db, list, projectId, filter, upTo),
  })
}

/**
 * The same for rows that are counted in a way of their own, up to a number or all of them. One count of all of them is for everybody who
 * asks meanwhile, and is finished when the first of them has left.
 */
export async function countOnce({ world, db }: Asker, { name, count }: Counted): Promise<number> {
  const load = async (): Promise<number> => count(db.lasting(), Number.MAX_SAFE_INTEGER)
  const cached = largeCounts(world).get({ name, load })
  if (cached !== undefined) return cached
  const counted = await count(db, exactUpTo + 1)
  if (counted <= exactUpTo) return counted
  return largeCounts(world).find({ name, load: counted > exactUpTo + 1 ? async () => counted : load })
}

/** Whether a filter selects a part of its list only. */
export function isFiltered(filter: object): boolean {
  return Object.values(filter).some((value) => value !== undefined)
}
