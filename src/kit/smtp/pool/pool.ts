import { createIdle, type Reusable } from './idle.ts'
import { isWaitedFor, nextChange, type Place, rotations, type Waiter, type Waiting } from './place.ts'
import { createShares, type Group, maxBeside, type Priority, priorities, type User } from './shares.ts'
import { createTraffic, type Ends } from './traffic.ts'

/** What a pool needs to know of a connection. */
export interface Poolable extends Reusable {
  /** Whether a second message may follow the one it is used for, before that one is answered. */
  takesNext(): boolean
}

/** A connection of a pool in use by one caller. */
export interface Lease<Connection> {
  connection: Connection
  /** To be called when the connection begins to be opened; what it returns, when that has ended. One that takes long leaves its place. */
  opening(): () => void
  /**
   * To be called when a message begins to be sent; what it returns, when that has ended. It is withdrawn when it has to
   * leave its place, because it, or the one before it, takes long, and given up when it keeps others waiting for too long. Null: the
   * connection is used by a message that takes long, so that nothing may be sent behind it. `renew` it then.
   */
  begin(ends: Omit<Ends, 'patienceMs'>): (() => void) | null
  /**
   * Ends its connection and continues with a new one, in turn with others where it had shared it. Of two that shared one that has ended
   * one continues at once, and the other when that one is done; nothing is sent before either over its new one. Fails as `take` does.
   */
  renew(): Promise<void>
  /** Returns it to the pool. Calling it again changes nothing. */
  release(): void
}

/** An owner whose messages take long has no connection among those of the others. */
export class OwnerSlow extends Error {}

/** A bounded number of connections, shared by callers of different priority. */
export interface Pool<Connection> {
  /**
   * Waits for a connection, by priority; owners of the same priority, such as accounts, take turns. What is not urgent gets one
   * behind a message of the same priority when no other is free. A message that takes longer than `slowMs` leaves its place to others:
   * it has one of the connections for those that take long, which are bounded in all and per owner, or is withdrawn while it can be; after
   * `patienceMs` it is given up while others wait for such a connection.
   * Further ones of its owner get such a connection at once. Fails when `signal` is aborted before, and with OwnerSlow where the plan
   * says so.
   */
  take(priority: Priority, plan?: TakePlan): Promise<Lease<Connection>>
  /**
   * How many messages of an owner can be under way at the same time if it is slow, or those that take long have all its connections;
   * otherwise Infinity.
   */
  maxUnderWay(user: User): number
  /** Closes unused connections, and the others when they are released. */
  close(): void
}

/** How a connection is taken. */
export interface TakePlan {
  signal?: AbortSignal
  owner?: string
  /** Fails with OwnerSlow as soon as its owner is slow, instead of waiting for messages that take long. */
  onlyQuick?: boolean
  /** How many times as long as others its message may take before it is given up: what was given up before needs longer, or never ends. */
  patience?: number
}

/** Milliseconds after which a message takes long, is given up while others wait for its place, and an unused connection is closed. */
interface Limits {
  slowMs: number
  patienceMs: number
  idleMs: number
}

/** A pool of at most `max` connections, and of those for messages that take long. */
export function createPool<Connection extends Poolable>(
  max: number,
  { slowMs, patienceMs, idleMs }: Limits,
  create: () => Connection,
): Pool<Connection> {
  const idle = createIdle<Connection>(idleMs)
  const waiting: Record<Group, Waiting<Connection>> = { quick: rotations(), slow: rotations() }
  // Those of the quick group, where messages may follow others.
  const used: Record<Priority, Set<Place<Connection>>> = { urgent: new Set(), normal: new Set(), bulk: new Set() }
  // Those whose message takes long while there is no other place for it.
  const late = new Set<Place<Connection>>()
  const shares = createShares(max)

  function open(group: Group, { priority, owner }: User): Place<Connection> {
    const traffic = createTraffic({ slowMs, againMs: patienceMs / 3 }, (slowOwner) => leaveToOthers(place, { priority, owner: slowOwner }))
    const user = { priority, owner: group === 'slow' ? owner : '' }
    const place: Place<Connection> = { connection: idle.reuse() ?? create(), owners: [], group, user, traffic }
    put(place, group)
    return join(place, owner)
  }

  function join(place: Place<Connection>, owner: string): Place<Connection> {
    if (!place.owners.includes(owner)) shares.join({ ...place.user, owner })
    place.owners.push(owner)
    return place
  }

  function put(place: Place<Connection>, group: Group): void {
    place.group = group
    shares.add(group, place.user)
    if (group === 'quick') used[place.user.priority].add(place)
  }

  function remove(place: Place<Connection>): void {
    shares.remove(place.group, place.user)
    used[place.user.priority].delete(place)
    late.delete(place)
  }

  function leave(place: Place<Connection>, owner: string): void {
    place.owners.splice(place.owners.indexOf(owner), 1)
    place.changed?.()
    if (!place.owners.includes(owner)) shares.leave({ ...place.user, owner })
    if (place.owners.length === 0) {
      remove(place)
      idle.keep(place.connection)
    }
    grantNext()
  }

  // The one that takes long is the only one that stays.
  function leaveToOthers(place: Place<Connection>, user: User): void {
    shares.learnSlow(user)
    if (place.group === 'quick') late.add(place)
    place.changed?.()
    moveLate()
    for (const priority of priorities) keepApart({ ...user, priority })
    if (isWaitedFor({ waiting, shares }, user.owner)) place.traffic.giveUpIfOverdue()
    grantNext()
  }

  // Whoever waits where others do would have memory meanwhile.
  function keepApart(user: User): void {
    const isSlow = shares.groupOf(user) === 'slow'
    if (!isSlow && !shares.isExhausted(user)) return
    const { [user.priority]: quick } = waiting.quick
    for (const waiter of quick.removeAll(user.owner))
      if (waiter.onlyQuick) waiter.fail(new OwnerSlow())
      else (isSlow ? waiting.slow[user.priority] : quick).add(user.owner, waiter)
  }

  // What cannot be taken back takes no place of others, whatever else its owner has under way.
  function moveLate(): void {
    for (const place of late) {
      const owner = place.traffic.slowOwner()
      const user = { ...place.user, owner: owner ?? '' }
      if (owner === null) late.delete(place)
      else if (shares.mayMove(user) || (isWanted(place) && !place.traffic.withdraw())) move(place, user)
    }
  }

  // Which says nothing about the messages of its owner.
  function leaveToOpen(place: Place<Connection> | undefined, user: User): void {
    if (place?.group !== 'quick' || !shares.mayMove(user)) return
    move(place, user)
    grantNext()
  }

  function move(place: Place<Connection>, user: User): void {
    remove(place)
    place.user = user
    put(place, 'slow')
    place.changed?.()
  }

  function isWanted({ user }: Place<Connection>): boolean {
    return priorities.some((priority) => !waiting.quick[priority].isEmpty() && shares.isOpen('quick', priority, user))
  }

  // Gives a place a new connection for one of its callers, and returns whether it can: behind another message, that of a server that ends
  // sessions after a few would be ended before it again.
  async function takeOver(held: Place<Connection>, own: Connection, { signal }: TakePlan): Promise<boolean> {
    const isQuick = (): boolean => held.group === 'quick' && !late.has(held)
    const hasEnded = own.dead()
    while (hasEnded && held.connection !== own && held.owners.length > 1 && isQuick() && !signal?.aborted) await nextChange(held, signal)
    if (held.owners.length > 1 && !(hasEnded && held.connection === own && isQuick())) return false
    held.connection.end()
    held.connection = create()
    return true
  }

  function lease(user: User, first: Place<Connection>, plan: TakePlan): Lease<Connection> {
    let place: Place<Connection> | undefined = first
    const made: Lease<Connection> = {
      connection: first.connection,
      opening() {
        const timer = setTimeout(() => leaveToOpen(place, user), slowMs)
        return () => clearTimeout(timer)
      },
      begin: (ends) => place?.traffic.begin(user.owner, { ...ends, patienceMs: patienceMs * (plan.patience ?? 1) }) ?? null,
      async renew() {
        if (!place) return
        const held = place
        if (!(await takeOver(held, made.connection, plan)) || held.group !== shares.groupOf(user)) {
          place = undefined
          leave(held, user.owner)
          place = await wait(user, plan)
        }
        made.connection = place.connection
      },
      release() {
        if (!place) return
        const left = place
        place = undefined
        leave(left, user.owner)
      },
    }
    return made
  }

  function grantNext(): void {
    moveLate()
    for (const priority of priorities) {
      grantQuick(priority)
      if (priority !== 'urgent') grantBehind(priority)
      grantSlow(priority)
    }
  }

  // Messages of a higher priority may never end: one is left for each of the others that waits and has none.
  function isLeft(priority: Priority): boolean {
    const lower = priorities.slice(priorities.indexOf(priority) + 1)
    const owed = lower.filter((other) => used[other].size === 0 && !waiting.quick[other].isEmpty()).length
    return shares.isOpen('quick', priority) && used.urgent.size + used.normal.size + used.bulk.size < maxBeside(max, owed)
  }

  function grantQuick(priority: Priority): void {
    const requests = waiting.quick[priority]
    while (!requests.isEmpty() && isLeft(priority)) {
      const next = requests.take(undefined, (owner) => shares.hasShare({ priority, owner }))
      if (!next) return
      next.grant(open('quick', { priority, owner: next.owner }))
    }
  }

  // One behind another message is as good as none while that one hangs, so that only what nobody waits for is sent so.
  function grantBehind(priority: Priority): void {
    const requests = waiting.quick[priority]
    for (const place of used[priority]) {
      if (requests.isEmpty()) return
      if (place.owners.length > 1 || place.changed || late.has(place) || !place.connection.takesNext()) continue
      const next = requests.take(undefined, (owner) => place.owners.includes(owner) || shares.hasShare({ priority, owner }))
      next?.grant(join(place, next.owner))
    }
  }

  function grantSlow(priority: Priority): void {
    const requests = waiting.slow[priority]
    while (!requests.isEmpty() && shares.isOpen('slow', priority)) {
      const next = requests.take(undefined, (owner) => shares.hasShare({ priority, owner }))
      if (!next) return
      next.grant(open('slow', { priority, owner: next.owner }))
    }
  }

  async function wait(user: User, { signal, onlyQuick = false }: TakePlan): Promise<Place<Connection>> {
    signal?.throwIfAborted()
    const group = shares.groupOf(user)
    if (onlyQuick && (group === 'slow' || shares.isExhausted(user))) throw new OwnerSlow()
    const { promise, resolve, reject } = Promise.withResolvers<Place<Connection>>()
    const giveUp = (): void => {
      for (const rotation of [waiting.quick[user.priority], waiting.slow[user.priority]]) rotation.remove(user.owner, waiter)
      reject(signal?.reason)
    }
    const waiter: Waiter<Connection> = {
      owner: user.owner,
      onlyQuick,
      grant(granted) {
        signal?.removeEventListener('abort', giveUp)
        resolve(granted)
      },
      fail(error) {
        signal?.removeEventListener('abort', giveUp)
        reject(error)
      },
    }
    waiting[group][user.priority].add(user.owner, waiter)
    signal?.addEventListener('abort', giveUp, { once: true })
    grantNext()
    return promise
  }

  return {
    async take(priority, plan = {}) {
      const user = { priority, owner: plan.owner ?? '' }
      return lease(user, await wait(user, plan), plan)
    },
    maxUnderWay: (user) =>
      shares.groupOf(user) === 'slow' || shares.isExhausted(user) ? shares.maxSlowPerOwner : Number.POSITIVE_INFINITY,
    close: idle.close,
  }
}
