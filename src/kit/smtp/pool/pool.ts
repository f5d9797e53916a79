import { createRotation, type Rotation } from '../../rotation.ts'
import { createShares, type Group, type Priority, type User } from './shares.ts'
import { createTraffic, type Traffic } from './traffic.ts'

const priorities: Priority[] = ['urgent', 'normal', 'bulk']

/** What a pool needs to know of a connection. */
export interface Poolable {
  /** Whether it cannot be used any more. */
  dead(): boolean
  /** Whether a second message may follow the one it is used for, before that one is answered. */
  takesNext(): boolean
  end(): void
}

/** A connection of a pool in use by one caller. */
export interface Lease<Connection> {
  connection: Connection
  /**
   * To be called when a message begins to be sent; what it returns, when that has ended. `withdraw` is called when the message has to
   * leave its place, because it, or the one before it, takes long: one that cannot have left yet ends then. Null: the connection is
   * used by a message that takes long, so that nothing may be sent behind it. `renew` it then.
   */
  begin(withdraw: () => void): (() => void) | null
  /** Ends its connection and continues with a new one, in turn with others where it had shared it. Fails as `take` does. */
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
   * it has one of the connections for those that take long, which are bounded in all and per owner, or is withdrawn. Further ones of its
   * owner get such a connection at once. Fails when `signal` is aborted before, and with OwnerSlow where the plan says so.
   */
  take(priority: Priority, plan?: TakePlan): Promise<Lease<Connection>>
  /** How many messages of an owner can be under way at the same time if it is slow; Infinity if it is not. */
  maxUnderWay(user: User): number
  /** Closes unused connections, and the others when they are released. */
  close(): void
}

/** How a connection is taken. */
export interface TakePlan {
  signal?: AbortSignal
  owner?: string
  /** Fails with OwnerSlow as soon as its owner is slow, instead of waiting for a connection for messages that take long. */
  onlyQuick?: boolean
}

/** Limits in milliseconds: from when on a message takes long, and after which an unused connection is closed. */
interface Limits {
  slowMs: number
  idleMs: number
}

/** A connection in use, by one caller or by two whose messages follow each other. */
interface Place<Connection> {
  connection: Connection
  users: number
  group: Group
  /** Whose it is; in the quick group, where owners take turns, nobody's. */
  user: User
  traffic: Traffic
}

interface Waiter<Connection> {
  onlyQuick: boolean
  grant(place: Place<Connection>): void
  fail(error: unknown): void
}

type Waiting<Connection> = Record<Priority, Rotation<Waiter<Connection>>>

/** A pool of at most `max` connections, and of those for messages that take long. */
export function createPool<Connection extends Poolable>(
  max: number,
  { slowMs, idleMs }: Limits,
  create: () => Connection,
): Pool<Connection> {
  const idle: { connection: Connection; timer: NodeJS.Timeout }[] = []
  const waiting: Record<Group, Waiting<Connection>> = { quick: rotations(), slow: rotations() }
  // Those of the quick group, where messages may follow others.
  const used: Record<Priority, Set<Place<Connection>>> = { urgent: new Set(), normal: new Set(), bulk: new Set() }
  // Those whose message takes long while there is no other place for it.
  const late = new Set<Place<Connection>>()
  const shares = createShares(max)
  let closed = false

  function open(group: Group, user: User): Place<Connection> {
    const traffic = createTraffic(slowMs, (owner) => leaveToOthers(place, { ...place.user, owner }))
    const place: Place<Connection> = { connection: reuse() ?? create(), users: 1, group, user, traffic }
    put(place, group)
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

  // One behind another message is as good as none while that one hangs, so that only what nobody waits for is sent so.
  function findPlace(priority: Priority): Place<Connection> | undefined {
    const user = { priority, owner: '' }
    if (shares.hasRoom('quick', user)) return open('quick', user)
    if (priority === 'urgent') return undefined
    for (const place of used[priority]) {
      if (place.users > 1 || late.has(place) || !place.connection.takesNext()) continue
      place.users++
      return place
    }
    return undefined
  }

  function leave(place: Place<Connection>): void {
    place.users--
    if (place.users === 0) {
      remove(place)
      keep(place.connection)
    }
    grantNext()
  }

  // The one that takes long is the only one that stays.
  function leaveToOthers(place: Place<Connection>, user: User): void {
    shares.learnSlow(user)
    if (place.group === 'quick') late.add(place)
    for (const waiter of waiting.quick[user.priority].removeAll(user.owner))
      if (waiter.onlyQuick) waiter.fail(new OwnerSlow())
      else waiting.slow[user.priority].add(user.owner, waiter)
    grantNext()
  }

  function moveLate(): void {
    for (const place of late) {
      const owner = place.traffic.slowOwner()
      const user = { ...place.user, owner: owner ?? '' }
      if (owner === null) late.delete(place)
      else if (shares.hasRoom('slow', user)) {
        remove(place)
        place.user = user
        put(place, 'slow')
      }
    }
  }

  function isWanted({ user }: Place<Connection>): boolean {
    return priorities.some((priority) => !waiting.quick[priority].isEmpty() && shares.hasRoom('quick', { priority, owner: '' }, user))
  }

  function lease(user: User, first: Place<Connection>, plan: TakePlan): Lease<Connection> {
    let place: Place<Connection> | undefined = first
    const made: Lease<Connection> = {
      connection: first.connection,
      begin: (withdraw) => place?.traffic.begin(user.owner, withdraw) ?? null,
      async renew() {
        if (!place) return
        const held = place
        if (held.users === 1) {
          held.connection.end()
          held.connection = create()
        }
        if (held.users > 1 || held.group !== shares.groupOf(user)) {
          place = undefined
          leave(held)
          place = await wait(user, plan)
        }
        made.connection = place.connection
      },
      release() {
        if (!place) return
        const left = place
        place = undefined
        leave(left)
      },
    }
    return made
  }

  function reuse(): Connection | undefined {
    for (let next = idle.pop(); next; next = idle.pop()) {
      clearTimeout(next.timer)
      if (!next.connection.dead()) return next.connection
      next.connection.end()
    }
    return undefined
  }

  function keep(connection: Connection): void {
    if (closed || connection.dead()) {
      connection.end()
      return
    }
    const entry = {
      connection,
      timer: setTimeout(() => {
        idle.splice(idle.indexOf(entry), 1)
        connection.end()
      }, idleMs),
    }
    idle.push(entry)
  }

  function grantNext(): void {
    moveLate()
    for (const priority of priorities) {
      grantQuick(priority)
      grantSlow(priority)
    }
    for (const place of late) if (isWanted(place)) place.traffic.withdraw()
  }

  function grantQuick(priority: Priority): void {
    const requests = waiting.quick[priority]
    while (!requests.isEmpty()) {
      const place = findPlace(priority)
      if (!place) return
      requests.take()?.grant(place)
    }
  }

  function grantSlow(priority: Priority): void {
    const user: User = { priority, owner: '' }
    const fits = (owner: string): boolean => shares.hasRoom('slow', Object.assign(user, { owner }))
    for (;;) {
      const next = waiting.slow[priority].take(fits)
      if (!next) return
      next.grant(open('slow', { ...user }))
    }
  }

  async function wait(user: User, { signal, onlyQuick = false }: TakePlan): Promise<Place<Connection>> {
    signal?.throwIfAborted()
    const group = shares.groupOf(user)
    if (onlyQuick && group === 'slow') throw new OwnerSlow()
    const { promise, resolve, reject } = Promise.withResolvers<Place<Connection>>()
    const giveUp = (): void => {
      for (const rotation of [waiting.quick[user.priority], waiting.slow[user.priority]]) rotation.remove(user.owner, waiter)
      reject(signal?.reason)
    }
    const waiter: Waiter<Connection> = {
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
    maxUnderWay: (user) => (shares.groupOf(user) === 'slow' ? shares.maxSlowPerOwner : Number.POSITIVE_INFINITY),
    close() {
      closed = true
      for (const { connection, timer } of idle.splice(0)) {
        clearTimeout(timer)
        connection.end()
      }
    },
  }
}

function rotations<Connection>(): Waiting<Connection> {
  const rotation = createRotation<Waiter<Connection>>
  return { urgent: rotation(), normal: rotation(), bulk: rotation() }
}
