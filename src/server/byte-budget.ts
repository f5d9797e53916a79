import { createTally } from '../kit/tally.ts'

/** The bytes that one connection takes of a budget. */
export interface Taken {
  /** Whose bytes leave no room for so many more, see `createByteBudget`; undefined where there is room. */
  full(bytes: number): 'owner' | 'all' | undefined
  /** Adds to them, or with a negative number gives back; counts in any case, until it is released. */
  add(bytes: number): void
  /** From now on the connection is cut off when others need its room. */
  yields(cutOff: () => void): void
  /** Gives everything back, once and for all. */
  release(): void
}

/** How much may be taken, and how old it is before others take its room. */
export interface BudgetPlan {
  /** Above this only those who have taken (nearly) nothing get more, and what is old is cut off. */
  max: number
  /** Above this also what is not old is cut off. */
  maxAtOnce: number
  maxPerOwner: number
  /** What is added in any case may take more: above this others of the owner are cut off. */
  maxPerOwnerAtOnce: number
  /** What of an owner counts as nothing: small events on their way, a picture, a few lists or bodies at the same time. */
  littlePerOwner: number
  oldMs: number
}

interface Connection {
  owners: readonly string[]
  bytes: number
  since: number
  cutOff?: () => void
}

/** The bytes that all connections share, such as those that were sent and are not read, by their owners: keys, client addresses. */
export interface ByteBudget {
  /** A new connection, which counts for each of its owners. */
  of(owners: readonly string[]): Taken
  /** How much all of them have taken at the moment, and how much they may. */
  use(): { taken: number; max: number }
}

/**
 * Counts bytes so that nobody is refused for those of others: an owner who has taken more than `maxPerOwner` is, and above `max` each
 * who has more than a little. What the others take makes the total larger still: so above `max` what was taken longest ago is
 * cut off, of the owner with the most, when it is old, and above `maxAtOnce` in any case. What an owner has above `maxPerOwnerAtOnce` is
 * cut off as well, the oldest of those who have most of it: of an address, of the key with the most.
 */
export function createByteBudget(
  { max, maxAtOnce, maxPerOwner, maxPerOwnerAtOnce, littlePerOwner, oldMs }: BudgetPlan,
  now: () => number,
): ByteBudget {
  const taken = createTally()
  const connections = new Set<Connection>()
  // Many small events may come meanwhile, and each would look at every connection.
  let nextLook = Number.NEGATIVE_INFINITY
  function change(connection: Connection, bytes: number): void {
    connection.bytes += bytes
    taken.add(connection.owners, bytes)
    if (connection.bytes > 0) connections.add(connection)
    else connections.delete(connection)
  }
  function cutOffFor(bytes: number): void {
    while (taken.total + bytes > max) {
      const isUrgent = taken.total + bytes > maxAtOnce
      if (!isUrgent && now() < nextLook) return
      const longest = longestOfMost(connections, ({ owners }) => Math.max(...owners.map(taken.of)), now() - (isUrgent ? 0 : oldMs))
      if (!longest) {
        nextLook = now() + oldMs / 10
        return
      }
      cutOff(longest)
    }
  }
  function cutOffOf(owner: string): void {
    while (taken.of(owner) > maxPerOwnerAtOnce) {
      const own = [...connections].filter(({ owners }) => owners.includes(owner))
      const longest = longestOfMost(own, ({ owners }) => Math.min(...owners.map(taken.of)), now())
      if (!longest) return
      cutOff(longest)
    }
  }
  function cutOff(connection: Connection): void {
    change(connection, -connection.bytes)
    connection.cutOff?.()
  }
  function of(owners: readonly string[]): Taken {
    const connection: Connection = { owners, bytes: 0, since: now() }
    let released = false
    return {
      full(bytes) {
        if (owners.some((owner) => taken.of(owner) + bytes > maxPerOwner)) return 'owner'
        cutOffFor(bytes)
        return taken.total + bytes > max && owners.some((owner) => taken.of(owner) > littlePerOwner) ? 'all' : undefined
      },
      add(bytes) {
        if (released) return
        if (connection.bytes === 0) connection.since = now()
        change(connection, bytes)
        if (bytes <= 0) return
        for (const owner of owners) cutOffOf(owner)
        cutOffFor(0)
      },
      yields(cutOff) {
        connection.since = now()
        connection.cutOff = () => {
          released = true
          cutOff()
        }
      },
      release() {
        if (!released) change(connection, -connection.bytes)
        released = true
      },
    }
  }
  return { of, use: () => ({ taken: taken.total, max }) }
}

// Of the owner with the most among those who have something that was taken before, what was taken first.
function longestOfMost(
  connections: Iterable<Connection>,
  bytesOf: (connection: Connection) => number,
  before: number,
): Connection | undefined {
  let longest: Connection | undefined
  let most = 0
  for (const connection of connections) {
    if (!connection.cutOff || connection.since > before) continue
    const bytes = bytesOf(connection)
    if (longest && (bytes < most || (bytes === most && connection.since >= longest.since))) continue
    longest = connection
    most = bytes
  }
  return longest
}
