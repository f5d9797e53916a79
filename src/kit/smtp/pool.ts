import { createRotation, type Rotation } from '../rotation.ts'

/** Whose messages use a connection, in this order: those a person waits for, and two that leave some connections to them. */
export type Priority = 'urgent' | 'normal' | 'bulk'
const priorities: Priority[] = ['urgent', 'normal', 'bulk']

/** What a pool needs to know of a connection. */
export interface Poolable {
  /** Whether it cannot be used any more. */
  dead(): boolean
  end(): void
}

/** A connection of a pool in use by one caller. */
export interface Lease<Connection> {
  connection: Connection
  /** Ends its connection and continues with a new one. */
  renew(): void
  /** Returns it to the pool. Calling it again changes nothing. */
  release(): void
}

/** A bounded number of connections, shared by callers of different priority. */
export interface Pool<Connection> {
  /**
   * Waits for a connection, by priority; owners of the same priority, such as projects, take turns. Fails when `signal`
   * is aborted before.
   */
  take(priority: Priority, plan?: { signal?: AbortSignal; owner?: string }): Promise<Lease<Connection>>
  /** Closes unused connections, and the others when they are released. */
  close(): void
}

interface Waiter<Connection> {
  grant(lease: Lease<Connection>): void
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
  const used: Record<Priority, number> = { urgent: 0, normal: 0, bulk: 0 }
  let closed = false

  function isFree(priority: Priority): boolean {
    const notUrgent = used.normal + used.bulk
    return used.urgent + notUrgent < max && (priority === 'urgent' || notUrgent < maxNotUrgent(max))
  }

  function lease(priority: Priority): Lease<Connection> {
    used[priority]++
    let released = false
    const made: Lease<Connection> = {
      connection: reuse() ?? create(),
      renew() {
        made.connection.end()
        made.connection = create()
      },
      release() {
        if (released) return
        released = true
        used[priority]--
        keep(made.connection)
        grantNext()
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
      while (!waiting[priority].isEmpty() && isFree(priority)) waiting[priority].take()?.grant(lease(priority))
  }

  function wait(priority: Priority, owner: string, signal?: AbortSignal): Promise<Lease<Connection>> {
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
    })
  }

  return {
    async take(priority, { signal, owner = '' } = {}) {
      signal?.throwIfAborted()
      return isFree(priority) ? lease(priority) : wait(priority, owner, signal)
    },
    close() {
      closed = true
      for (const { connection, timer } of idle.splice(0)) {
        clearTimeout(timer)
        connection.end()
      }
    },
  }
}
