/** What is to be known of a connection that may be used again. */
export interface Reusable {
  /** Whether it cannot be used any more. */
  dead(): boolean
  end(): void
}

/** Connections that nobody uses at present. */
export interface Idle<Connection> {
  /** Keeps a connection for its next use, or ends it. */
  keep(connection: Connection): void
  /** The one that was used last; undefined when there is none that still works. */
  reuse(): Connection | undefined
  /** Ends those that are unused, and from now on all others instead of keeping them. */
  close(): void
}

/** Keeps unused connections for `idleMs`. */
export function createIdle<Connection extends Reusable>(idleMs: number): Idle<Connection> {
  const idle: { connection: Connection; timer: NodeJS.Timeout }[] = []
  let closed = false
  return {
    keep(connection) {
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
    },
    reuse() {
      for (let next = idle.pop(); next; next = idle.pop()) {
        clearTimeout(next.timer)
        if (!next.connection.dead()) return next.connection
        next.connection.end()
      }
      return undefined
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
