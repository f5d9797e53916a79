import { recent } from '../../cache.ts'

/** Whose messages use a connection, in this order: those a person waits for, and two that leave some connections to them. */
export type Priority = 'urgent' | 'normal' | 'bulk'

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

/**
 * Who may use how many connections. Anybody can have recipients for whom the server takes long: their messages have connections of their
 * own, of which one owner has up to half while more than half are free, and an eighth otherwise. An owner is slow, for each priority by
 * itself, for 30 s after it was last seen that one of its messages takes long.
 */
export interface Shares {
  groupOf(user: User): Group
  /** Whether one more fits into a group; `without`: if that one left it. */
  hasRoom(group: Group, user: User, without?: User): boolean
  add(group: Group, user: User): void
  remove(group: Group, user: User): void
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
  // In the slow group.
  const ofOwner = new Map<string, Count>()
  const known = recent<string, true>({ max: maxRemembered, ttlMs: slowForMs })

  function count(group: Group, user: User, change: 1 | -1): void {
    counts[group] = changed(counts[group], user, change)
    if (group === 'quick') return
    const left = changed(ofOwner.get(user.owner) ?? none(), user, change)
    if (left.all > 0) ofOwner.set(user.owner, left)
    else ofOwner.delete(user.owner)
  }

  function hasSlowRoom(user: User): boolean {
    const free = maxSlow - counts.slow.all
    const share = free > maxSlow / 2 ? maxSlowPerOwner : Math.max(1, Math.floor(maxSlow / 8))
    return fits(counts.slow, maxSlow, user) && fits(ofOwner.get(user.owner) ?? none(), share, user)
  }

  return {
    maxSlowPerOwner,
    groupOf: (user) => (known.get(nameOf(user)) ? 'slow' : 'quick'),
    hasRoom(group, user, without) {
      if (group === 'slow') return hasSlowRoom(user)
      return fits(without ? changed(counts.quick, without, -1) : counts.quick, max, user)
    },
    add: (group, user) => count(group, user, 1),
    remove: (group, user) => count(group, user, -1),
    learnSlow: (user) => known.set(nameOf(user), true),
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
