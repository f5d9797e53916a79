import { createCache } from '../cache.ts'
import { perWorld, type World } from '../world.ts'
import { countRows, type ListSql } from './list.ts'

/** How many slots the count of a project is spread over: parallel writers of one project rarely share one. */
export const countSlots = 64

const exactUpTo = 100_000
const maxAgeMs = 60_000

// `name` identifies what is counted.
interface Counted {
  name: string
  count(upTo: number): Promise<number>
}

// Holds large counts only. Users can see how old they are, so their age is measured by the world's clock.
const largeCounts = perWorld((world) =>
  createCache({
    max: 1_000,
    ttlMs: maxAgeMs,
    clock: world.clock,
    nameOf: ({ name }: Counted & { counted: number }) => name,
    load: async ({ count, counted }) => (counted > exactUpTo + 1 ? counted : count(Number.MAX_SAFE_INTEGER)),
  }),
)

/** How many rows a filter selects: exact up to 100,000, above that at most 60 s old. */
export async function countFiltered<Filter extends object>(
  world: World,
  list: ListSql<Filter>,
  projectId: string,
  filter: Filter,
): Promise<number> {
  return countOnce(world, {
    name: JSON.stringify([list.name, projectId, filter]),
    count: (upTo) => countRows(world.db, list, projectId, filter, upTo),
  })
}

/** The same for rows that are counted in a way of their own, up to a number or all of them. */
export async function countOnce(world: World, { name, count }: Counted): Promise<number> {
  const cached = largeCounts(world).get({ name, count, counted: 0 })
  if (cached !== undefined) return cached
  const counted = await count(exactUpTo + 1)
  return counted <= exactUpTo ? counted : largeCounts(world).find({ name, count, counted })
}

/** Whether a filter selects a part of its list only. */
export function isFiltered(filter: object): boolean {
  return Object.values(filter).some((value) => value !== undefined)
}
