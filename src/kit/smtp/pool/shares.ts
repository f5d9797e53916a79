import { recent } from '../../recent.ts'

/** Whose messages use a connection, in this order: those a person waits for, and two that leave some connections to them. */
export type Priority = 'urgent' | 'normal' | 'bulk'

/** The priorities, in order. */
export const priorities: readonly Priority[] = ['urgent', 'normal', 'bulk']

/** What uses a connection: messages that the server takes quickly, or one that takes long. */
export type Group = 'quick' | 'slow'

/** Whose connection it is. */
export interface User {
  priority: Priority
  owner: string
}

/** How many connections there may be for messages that take long, for each of those for the others. */
export const slowPerQuick = 2

/** How many of `max` connections may be used by what is not urgent: at least four stay free, or half below eight. */
export function maxNotUrgent(max: number): number {
  return max - (max >= 8 ? 4 : Math.floor(max / 2))
}

/** Fewer than so many are in use when a message gets another one while so many lower priorities wait and have none. */
export function maxBeside(max: number, owed: number): number {
  return max - Math.min(owed, Math.floor(max / 4))
}

/**
 * Who may use how many connections. Anybody can have recipients for whom the server takes long: their messages have connections of their
 * own. As it is not known which messages those will be, what an owner uses in both groups counts together: at most half of what the
 * others leave of the slow group, so that all of it fits there. An owner is slow, for each priority by itself, for 30 s after it was
 * last seen that one of its messages takes long.
 */
export interface Shares {
  groupOf(user: User): Group
  /** Whether a group has one more for anybody; `without`: if that one left it. */
  isOpen(group: Group, priority: Priority, without?: User): boolean
  /** Whether an owner may use one more. */
  hasShare(user: User): boolean
  /** Whether one that is used in the quick group fits into the slow one. */
  mayMove(user: User): boolean
  /** Whether those of its messages that take long have all that an owner may use. */
  isExhausted(user: User): boolean
  add(group: Group, user: User): void
  remove(group: Group, user: User): void
  /** An owner has begun to use one, in either group. */
  join(user: User): void
  leave(user: User): void
  /** Remembers that a message took long. */
  learnSlow(user: User): void
  /** How many connections an owner has at most in the slow group. */
  readonly maxSlowPerOwner: number
}

interface Count {
  all: number
  notUrgent: number
}

const slowForMs = 30_000
const maxRemembered = 20_000

/** The shares of `max` connections, and of those for messages that take long. */
export function createShares(max: number): Shares {
  const maxSlow = max * slowPerQuick
  const maxSlowPerOwner = Math.ceil(maxSlow / 2)
  const counts: Record<Group, Count> = { quick: none(), slow: none() }
  const slow = createCounts()
  const used = createCounts()
  const known = recent<string, true>({ max: maxRemembered, ttlMs: slowForMs })

  const all = (): Count => ({ all: counts.quick.all + counts.slow.all, notUrgent: counts.quick.notUrgent + counts.slow.notUrgent })

  // A person never waits for what else the owner has under way.
  function fitsShare(count: Count, user: User): boolean {
    const own = used.of(user.owner).all
    const free = Math.max(0, maxSlow - all().all)
    const share = Math.min(maxSlowPerOwner, Math.max(1, Math.floor((free + own) / 2)))
    return fits(count, share, user) || (user.priority === 'urgent' && count.all === count.notUrgent)
  }

  return {
    maxSlowPerOwner,
    groupOf: (user) => (known.get(nameOf(user)) ? 'slow' : 'quick'),
    // Any of the quick group may turn out to take long: they count as if they did, so that there is room for them.
    isOpen(group, priority, without) {
      const user = { priority, owner: '' }
      if (group === 'slow') return fits(all(), maxSlow, user)
      const [quick, both] = without ? [changed(counts.quick, without, -1), changed(all(), without, -1)] : [counts.quick, all()]
      return fits(quick, max, user) && fits(both, max + maxSlow, user)
    },
    hasShare: (user) => fitsShare(used.of(user.owner), user),
    mayMove: (user) => fits(counts.slow, maxSlow, user) && fitsShare(slow.of(user.owner), user),
    isExhausted: (user) => slow.of(user.owner).all > 0 && !fitsShare(slow.of(user.owner), user),
    add(group, user) {
      counts[group] = changed(counts[group], user, 1)
      if (group === 'slow') slow.add(user, 1)
    },
    remove(group, user) {
      counts[group] = changed(counts[group], user, -1)
      if (group === 'slow') slow.add(user, -1)
    },
    join: (user) => used.add(user, 1),
    leave: (user) => used.add(user, -1),
    learnSlow: (user) => known.set(nameOf(user), true),
  }
}

interface Counts {
  of(owner: string): Count
  add(user: User, change: 1 | -1): void
}

function createCounts(): Counts {
  const counts = new Map<string, Count>()
  const of = (owner: string): Count => counts.get(owner) ?? none()
  return {
    of,
    add(user, change) {
      const left = changed(of(user.owner), user, change)
      if (left.all > 0) counts.set(user.owner, left)
      else counts.delete(user.owner)
    },
  }
}

const none = (): Count => ({ all: 0, notUrgent: 0 })
const nameOf = ({ priority, owner }: User): string => `${priority} ${owner}`

function changed({ all, notUrgent }: Count, { priority }: User, change: 1 | -1): Count {
  return { all: all + change, notUrgent: priority === 'urgent' ? notUrgent : notUrgent + change }
}

function fits({ all, notUrgent }: Count, max: number, { priority }: User): boolean {
  return all < max && (priority === 'urgent' || notUrgent < maxNotUrgent(max))
}
