import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from './log.ts'
import type { Database } from './postgres/db.ts'
import { statement } from './postgres/db.ts'

/**
 * Hints between processes over LISTEN/NOTIFY: something of a topic changed, look at the table. A notice may come
 * twice or, while the connection is away, not at all; then every listener is told once to look at everything.
 */
export interface Notices {
  /** Tells all processes, this one too, after the work has committed; many calls become few notices. */
  publish(topic: string, key: string): void
  /** Calls back with the changed keys, or null for "anything may have changed". Returns the way to stop. */
  listen(topic: string, heard: (keys: string[] | null) => void): () => void
  /** Whether notices arrive at present; caches that rely on them must not be trusted otherwise. */
  connected(): boolean
  start(): Promise<void>
  close(): Promise<void>
}

const channel = 'postwire'
const mostKeys = 100
const reconnectMs = 500
const heartbeatMs = 10_000
// Between two rounds of notices, so that a busy process sends few and an idle one sends at once.
const roundMs = 40
// A notice is a hint: it need not wait for the disk, which every commit with a NOTIFY otherwise does.
const notify = statement<object>('notices_publish', `select set_config('synchronous_commit', 'off', true), pg_notify('${channel}', $1)`, {
  allProjects: 'a notice carries ids only, and every process hears every topic',
})

/** Notices over one dedicated connection, which must not go through a pooler in transaction mode. */
export function createNotices(url: string, db: Database, log: Log): Notices {
  const listeners = new Map<string, Set<(keys: string[] | null) => void>>()
  const outbox = new Map<string, Set<string>>()
  let client: pg.Client | undefined
  let heartbeat: NodeJS.Timeout | undefined
  let retry: NodeJS.Timeout | undefined
  let flushing = false
  let closed = false

  function hear(topic: string, keys: string[] | null): void {
    for (const heard of listeners.get(topic) ?? []) heard(keys)
  }

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      application_name: 'postwire notices',
    })
    next.on('error', (error) => lost(next, error))
    next.on('end', () => lost(next))
    next.on('notification', ({ payload }) => {
      const { topic, keys } = JSON.parse(payload ?? '{}') as { topic: string; keys: string[] | null }
      hear(topic, keys)
    })
    await next.connect()
    await next.query(`listen ${channel}`)
    client = next
    heartbeat = setInterval(() => void next.query('select 1').catch((error: Error) => lost(next, error)), heartbeatMs)
    heartbeat.unref()
    for (const topic of listeners.keys()) hear(topic, null)
  }

  function lost(which: pg.Client, error?: Error): void {
    if (closed || (client !== which && client !== undefined)) return
    if (client === which) {
      log.warn({ err: error }, 'notices: connection lost, reconnecting')
      client = undefined
      clearInterval(heartbeat)
      void which.end().catch((reason: Error) => log.debug({ err: reason }, 'notices: closing a lost connection'))
      for (const topic of listeners.keys()) hear(topic, null)
    }
    if (retry) return
    retry = setTimeout(() => {
      retry = undefined
      connect().catch((reason: Error) => {
        log.debug({ err: reason }, 'notices: still away')
        if (!retry && !closed && !client) lost(which, reason)
      })
    }, reconnectMs)
  }

  async function flush(): Promise<void> {
    flushing = true
    await new Promise<void>((resolve) => setImmediate(resolve))
    while (outbox.size > 0) {
      const sending = [...outbox]
      outbox.clear()
      for (const [topic, keys] of sending) {
        const list = keys.size > mostKeys ? null : [...keys]
        await db
          .run(notify, [JSON.stringify({ topic, keys: list })])
          .catch((error: Error) => log.debug({ err: error }, 'notices: not sent'))
      }
      await pause(roundMs, undefined, { ref: false })
    }
    flushing = false
  }

  return {
    publish(topic, key) {
      const keys = outbox.get(topic) ?? new Set()
      outbox.set(topic, keys.add(key))
      if (!flushing) void flush()
    },
    listen(topic, heard) {
      const set = listeners.get(topic) ?? new Set()
      listeners.set(topic, set.add(heard))
      return () => set.delete(heard)
    },
    connected: () => client !== undefined,
    start: connect,
    async close() {
      closed = true
      clearInterval(heartbeat)
      clearTimeout(retry)
      await client?.end()
    },
  }
}
