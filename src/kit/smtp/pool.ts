import { createRotation, type Rotation } from '../rotation.ts'

/** Whose messages use a connection, in this order: those a person waits for, and two that leave some connections to them. */
export type Priority = 'urgent' | 'normal' | 'bulk'
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
  /** Ends its connection and continues with a new one, in turn with others where it had shared it. Fails as `take` does. */
  renew(): Promise<void>
  /** Returns it to the pool. Calling it again changes nothing. */
  release(): void
}

/** A bounded number of connections, shared by callers of different priority. */
export interface Pool<Connection> {
  /**
   * Waits for a connection, by priority; owners of the same priority, such as projects, take turns. What is not urgent gets one
   * behind a message of the same priority when no other is free. Fails when `signal` is aborted before.
   */
  take(priority: Priority, plan?: TakePlan): Promise<Lease<Connection>>
  /** Closes unused connections, and the others when they are released. */
  close(): void
}

interface TakePlan {
  signal?: AbortSignal
  owner?: string
}

/** A connection in use, by one caller or by two whose messages follow each other. */
interface Place<Connection> {
  connection: Connection
  users: number
}

interface Waiter<Connection> {
  grant(place: Place<Connection>): void
}

/** How many of `max` connections may be used by what is not urgent: at least four stay free, or half below eight. */
export function maxNotUrgent(max: number): number {
  return max - (max >= 8 ? 4 : Math.floor(max / 2))
}

/** A pool of at most `max` connections; an unused one is closed after `idleMs`. */
export function createPool<Connection extends Poolable>(max: number, idleMs: number, create: () => Connection): Pool<Connection> {
  const idle: { connection: Connection; timer: NodeJS.Timeout }[] = []
  const rotation = createRotation<Waiter<Connection>>
  const waiting: Record<Priority, Rotation<Waiter<Connection>>> = { urgent: rotation(), normal: rotation(), bulk: rotation() }
  const used: Record<Priority, Set<Place<Connection>>> = { urgent: new Set(), normal: new Set(), bulk: new Set() }
  let closed = false

  function isFree(priority: Priority): boolean {
    const notUrgent = used.normal.size + used.bulk.size
    return used.urgent.size + notUrgent < max && (priority === 'urgent' || notUrgent < maxNotUrgent(max))
  }

  // One behind another message is as good as none while that one hangs, so that only what nobody waits for is sent so.
  function findPlace(priority: Priority): Place<Connection> | undefined {
    if (isFree(priority)) {
      const place = { connection: reuse() ?? create(), users: 1 }
      used[priority].add(place)
      return place
    }
    if (priority === 'urgent') return undefined
    for (const place of used[priority]) {
      if (place.users > 1 || !place.connection.takesNext()) continue
      place.users++
      return place
    }
    return undefined
  }

  function leave(priority: Priority, place: Place<Connection>): void {
    place.users--
    if (place.users === 0) {
      used[priority].delete(place)
      keep(place.connection)
    }
    grantNext()
  }

  function lease(priority: Priority, first: Place<Connection>, plan: TakePlan): Lease<Connection> {
    let place: Place<Connection> | undefined = first
    const made: Lease<Connection> = {
      connection: first.connection,
      async renew() {
        if (!place) return
        const shared = place
        if (shared.users === 1) {
          shared.connection.end()
          shared.connection = create()
        } else {
          place = undefined
          leave(priority, shared)
          place = await wait(priority, plan)
        }
        made.connection = place.connection
      },
      release() {
        if (!place) return
        const left = place
        place = undefined
        leave(priority, left)
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
    for (const priority of priorities)
      while (!waiting[priority].isEmpty()) {
        const place = findPlace(priority)
        if (!place) break
        waiting[priority].take()?.grant(place)
      }
  }

  async function wait(priority: Priority, { owner = '', signal }: TakePlan): Promise<Place<Connection>> {
    signal?.throwIfAborted()
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        waiting[priority].remove(owner, waiter)
        reject(signal?.reason)
      }
      const waiter: Waiter<Connection> = {
        grant(granted) {
          signal?.removeEventListener('abort', giveUp)
          resolve(granted)
        },
      }
      waiting[priority].add(owner, waiter)
      signal?.addEventListener('abort', giveUp, { once: true })
      grantNext()
    })
  }

  return {
    take: async (priority, plan = {}) => lease(priority, await wait(priority, plan), plan),
    close() {
      closed = true
      for (const { connection, timer } of idle.splice(0)) {
        clearTimeout(timer)
        connection.end()
      }
    },
  }
}
