import { recent } from '../../../kit/recent.ts'
import { createTally } from '../../../kit/tally.ts'
import type { World } from '../../../kit/world.ts'

/** How many webhooks a process calls at the same time: those whose receivers answer quickly, and all others. */
export const maxPlaces = { quick: 64, slow: 256 }
/** How long a webhook may take to keep a quick place, in ms. */
export const quickMs = 1_000

// Of one project and of one account, over both groups; of one that begins while the group is half full fewer of that group.
const maxPerProject = 8
const maxPerOwner = 16
const busy = { maxPerProject: 2, maxPerOwner: 4 }
// How many quick places an account has of which nothing is known, beside one more for each quick answer.
const maxAtFirst = 2
// How long an account has no quick places after one of its receivers was slow.
const slowForMs = 10 * 60_000
const maxRemembered = 20_000

type Group = keyof typeof maxPlaces

/** Whose webhook it is. */
export interface Caller {
  projectId: string
  owner: string
}

/** A place of a webhook that is called. */
export interface Place {
  readonly group: Group
  /** The account whose webhook it is. */
  readonly owner: string
  /** Resolves when it is no quick place any more, because its webhook takes long. */
  readonly moved: Promise<void>
  /** To be called when the work for its webhook begins. */
  begin(): void
  /** To be called right before the receiver is; what this returns when that has answered, or has not in time. */
  call(): () => void
  /** Gives it back. */
  end(): void
}

/**
 * The places of webhooks in a process. Anybody can let webhooks call receivers that never answer: these take no places of those that do.
 * A webhook that takes longer than a second leaves its quick place to others, and all further ones of its account begin at slow places,
 * for ten minutes after the last slow answer. All others begin at quick ones: of an account of which nothing is known two at a time, and
 * one more with each quick answer.
 */
export interface Places {
  /** A place for a webhook; null when its project, its account or everybody has as many as there may be. */
  take(caller: Caller): Place | null
  isFull(): boolean
  /** Moves those that take long from their quick places. */
  review(): void
}

interface Taken extends Caller {
  group: Group
  /** When it was taken, and when its receiver was called, in ms. */
  at: number
  calledAt: number | null
  leave(): void
}

/** How the receivers of an account were. */
interface Known {
  slowAt: number
  quickAnswers: number
}

/** The places of a process. */
export function createPlaces({ clock }: Pick<World, 'clock'>): Places {
  const taken: Record<Group, Set<Taken>> = { quick: new Set(), slow: new Set() }
  const counts = createTally()
  const known = recent<string, Known>({ max: maxRemembered })
  const countOf = (group: Group, kind: keyof Caller, one: Caller): number => counts.of(`${group} ${kind} ${one[kind]}`)
  const now = (): number => clock.now().getTime()

  function count(one: Taken, change: 1 | -1): void {
    counts.add(
      (['projectId', 'owner'] as const).map((kind) => `${one.group} ${kind} ${one[kind]}`),
      change,
    )
  }

  const groupOf = ({ owner }: Caller): Group =>
    (known.get(owner)?.slowAt ?? Number.NEGATIVE_INFINITY) + slowForMs > now() ? 'slow' : 'quick'

  function hasRoom(one: Caller): boolean {
    const inAll = (kind: keyof Caller): number => countOf('quick', kind, one) + countOf('slow', kind, one)
    if (inAll('projectId') >= maxPerProject || inAll('owner') >= maxPerOwner) return false
    const group = groupOf(one)
    const free = maxPlaces[group] - taken[group].size
    const ofOwner = countOf(group, 'owner', one)
    if (free <= 0 || (group === 'quick' && ofOwner >= maxAtFirst + (known.get(one.owner)?.quickAnswers ?? 0))) return false
    return free > maxPlaces[group] / 2 || (ofOwner < busy.maxPerOwner && countOf(group, 'projectId', one) < busy.maxPerProject)
  }

  function learn(owner: string, tookMs: number): void {
    const { slowAt, quickAnswers } = known.get(owner) ?? unknown
    known.set(
      owner,
      tookMs >= quickMs ? { slowAt: now(), quickAnswers: 0 } : { slowAt, quickAnswers: Math.min(quickAnswers + 1, maxPerOwner) },
    )
  }

  function put(one: Taken, group: Group): void {
    one.group = group
    taken[group].add(one)
    count(one, 1)
  }

  function remove(one: Taken): void {
    if (taken[one.group].delete(one)) count(one, -1)
  }

  return {
    isFull: () => groups.every((group) => taken[group].size >= maxPlaces[group]),
    take(caller) {
      if (!hasRoom(caller)) return null
      const left = Promise.withResolvers<void>()
      const one: Taken = { ...caller, group: groupOf(caller), at: now(), calledAt: null, leave: left.resolve }
      put(one, one.group)
      return {
        get group() {
          return one.group
        },
        owner: caller.owner,
        moved: left.promise,
        begin() {
          one.at = now()
        },
        call() {
          const since = now()
          one.calledAt = since
          return () => {
            one.calledAt = null
            learn(caller.owner, now() - since)
          }
        },
        end: () => remove(one),
      }
    },
    review() {
      for (const one of taken.quick) {
        if (now() - one.at < quickMs) continue
        if (one.calledAt !== null && now() - one.calledAt >= quickMs) learn(one.owner, quickMs)
        if (taken.slow.size >= maxPlaces.slow) continue
        remove(one)
        put(one, 'slow')
        one.leave()
      }
    },
  }
}

const groups: Group[] = ['quick', 'slow']
const unknown: Known = { slowAt: Number.NEGATIVE_INFINITY, quickAnswers: 0 }
