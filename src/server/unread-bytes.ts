import { createTally } from '../kit/tally.ts'

/** What one connection has been sent and has not read. */
export interface Unread {
  /** Whose bytes leave no room for so many more, see `createUnreadBytes`; undefined where there is room. */
  full(bytes: number): 'owner' | 'all' | undefined
  /** Adds to it, or with a negative number gives back; counts in any case, until it is released. */
  add(bytes: number): void
  /** It is being sent from now on, and is cut off when others need its room. */
  sent(cutOff: () => void): void
  /** Gives everything back, once and for all. */
  release(): void
}

/** How much may be unread, and how old it is before others take its room. */
export interface UnreadPlan {
  /** Above this only those who have (nearly) nothing unread are sent more, and what is old is cut off. */
  max: number
  /** Above this also what is not old is cut off. */
  maxAtOnce: number
  maxPerOwner: number
  /** Answers that are sent in any case may take more: above this others of the owner are cut off. */
  maxPerOwnerAtOnce: number
  /** What of an owner counts as nothing: small events on their way, a picture, a few lists at the same time. */
  littlePerOwner: number
  oldMs: number
}

interface Connection {
  owners: readonly string[]
  bytes: number
  since: number
  cutOff?: () => void
}

/** What the owners of connections, such as keys and client addresses, have been sent and have not read. */
export interface UnreadBytes {
  /** A new connection, which counts for each of its owners. */
  of(owners: readonly string[]): Unread
  /** How much all of them have at the moment, and how much they may. */
  use(): { taken: number; max: number }
}

/**
 * Counts unread bytes so that nobody is refused for those of others: an owner who has more than `maxPerOwner` is, and above `max` each
 * who has more than a little. What is sent to the others makes the total larger still: so above `max` what has been unread longest is
 * cut off, of the owner with the most, when it is old, and above `maxAtOnce` in any case. What an owner has above `maxPerOwnerAtOnce` is
 * cut off as well, the oldest of those who have most of it: of an address, of the key with the most.
 */
export function createUnreadBytes(
  { max, maxAtOnce, maxPerOwner, maxPerOwnerAtOnce, littlePerOwner, oldMs }: UnreadPlan,
  now: () => number,
): UnreadBytes {
  const unread = createTally()
  const connections = new Set<Connection>()
  // Many small events may come meanwhile, and each would look at every connection.
  let nextLook = Number.NEGATIVE_INFINITY
  function change(connection: Connection, bytes: number): void {
    connection.bytes += bytes
    unread.add(connection.owners, bytes)
    if (connection.bytes > 0) connections.add(connection)
    else connections.delete(connection)
  }
  function cutOffFor(bytes: number): void {
    while (unread.total + bytes > max) {
      const isUrgent = unread.total + bytes > maxAtOnce
      if (!isUrgent && now() < nextLook) return
      const longest = longestOfMost(connections, ({ owners }) => Math.max(...owners.map(unread.of)), now() - (isUrgent ? 0 : oldMs))
      if (!longest) {
        nextLook = now() + oldMs / 10
        return
      }
      cutOff(longest)
    }
  }
  function cutOffOf(owner: string): void {
    while (unread.of(owner) > maxPerOwnerAtOnce) {
      const own = [...connections].filter(({ owners }) => owners.includes(owner))
      const longest = longestOfMost(own, ({ owners }) => Math.min(...owners.map(unread.of)), now())
      if (!longest) return
      cutOff(longest)
    }
  }
  function cutOff(connection: Connection): void {
    change(connection, -connection.bytes)
    connection.cutOff?.()
  }
  function of(owners: readonly string[]): Unread {
    const connection: Connection = { owners, bytes: 0, since: now() }
    let released = false
    return {
      full(bytes) {
        if (owners.some((owner) => unread.of(owner) + bytes > maxPerOwner)) return 'owner'
        cutOffFor(bytes)
        return unread.total + bytes > max && owners.some((owner) => unread.of(owner) > littlePerOwner) ? 'all' : undefined
      },
      add(bytes) {
        if (released) return
        if (connection.bytes === 0) connection.since = now()
        change(connection, bytes)
        if (bytes <= 0) return
        for (const owner of owners) cutOffOf(owner)
        cutOffFor(0)
      },
      sent(cutOff) {
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
  return { of, use: () => ({ taken: unread.total, max }) }
}

// Of the owner with the most among those who have something that was unread before, what was unread first.
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
