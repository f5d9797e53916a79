/** Whose messages use a connection: those a person waits for, or bulk, which leaves some connections to the others. */
export type Lane = 'transactional' | 'bulk'

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

/** A bounded number of connections, shared by callers of two lanes. */
export interface Pool<Connection> {
  /**
   * Waits for a connection: transactional before bulk; within a lane owners, such as projects, take turns. Fails when `signal`
   * is aborted before.
   */
  take(lane: Lane, plan?: { signal?: AbortSignal; owner?: string }): Promise<Lease<Connection>>
  /** Closes unused connections, and the others when they are released. */
  close(): void
}

interface Waiter<Connection> {
  grant(lease: Lease<Connection>): void
}

/** How many of `max` connections bulk may use: at least four stay free for transactional messages, or half below eight. */
export function maxBulk(max: number): number {
  return max - (max >= 8 ? 4 : Math.floor(max / 2))
}

/** A pool of at most `max` connections; an unused one is closed after `idleMs`. */
export function createPool<Connection extends Poolable>(max: number, idleMs: number, create: () => Connection): Pool<Connection> {
  const idle: { connection: Connection; timer: NodeJS.Timeout }[] = []
  const waiting: Record<Lane, Map<string, Waiter<Connection>[]>> = { transactional: new Map(), bulk: new Map() }
  const used: Record<Lane, number> = { transactional: 0, bulk: 0 }
  let closed = false

  function isFree(lane: Lane): boolean {
    return used.transactional + used.bulk < max && (lane === 'transactional' || used.bulk < maxBulk(max))
  }

  function lease(lane: Lane): Lease<Connection> {
    used[lane]++
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
        used[lane]--
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
    for (const lane of ['transactional', 'bulk'] as const)
      while (waiting[lane].size > 0 && isFree(lane)) nextOf(waiting[lane])?.grant(lease(lane))
  }

  // The owner whose turn it was goes to the end of the map.
  function nextOf(owners: Map<string, Waiter<Connection>[]>): Waiter<Connection> | undefined {
    for (const [owner, [next, ...others]] of owners) {
      owners.delete(owner)
      if (others.length > 0) owners.set(owner, others)
      if (next) return next
    }
    return undefined
  }

  function wait(lane: Lane, owner: string, signal?: AbortSignal): Promise<Lease<Connection>> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        const others = waiting[lane].get(owner)?.filter((one) => one !== waiter) ?? []
        if (others.length > 0) waiting[lane].set(owner, others)
        else waiting[lane].delete(owner)
        reject(signal?.reason)
      }
      const waiter: Waiter<Connection> = {
        grant(granted) {
          signal?.removeEventListener('abort', giveUp)
          resolve(granted)
        },
      }
      waiting[lane].set(owner, [...(waiting[lane].get(owner) ?? []), waiter])
      signal?.addEventListener('abort', giveUp, { once: true })
    })
  }

  return {
    async take(lane, { signal, owner = '' } = {}) {
      signal?.throwIfAborted()
      return isFree(lane) ? lease(lane) : wait(lane, owner, signal)
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
