import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from './log.ts'
import type { Database } from './postgres/db.ts'
import { statement } from './postgres/db.ts'

const declared: unique symbol = Symbol('declared')

/** What notices can be about; made by `topic()` alone, so that a name cannot be misspelled. */
export interface Topic {
  readonly name: string
  readonly [declared]: true
}

const names = new Set<string>()

/** Declares a topic, once, in the module that owns it; throws when another one has the name. */
export function topic(name: string): Topic {
  if (names.has(name)) throw new Error(`The topic ${name} is declared twice`)
  names.add(name)
  return { name, [declared]: true }
}

/** Called with the changed keys, or with null for "anything may have changed". */
export type Listener = (keys: readonly string[] | null) => void

/**
 * Hints between processes over LISTEN/NOTIFY: something of a topic changed, look at the table. A notice may come
 * twice or, while the connection is lost, not at all; then every listener is called once to look at everything.
 */
export interface Notices {
  /** Notifies all processes, this one too, after the work has committed; many calls become few notices. */
  publish(topic: Topic, key: string): void
  /** Calls back with every notice of a topic. Returns the way to stop. */
  listen(topic: Topic, listener: Listener): () => void
  /** Whether notices arrive at present; caches that rely on them must not be trusted otherwise. */
  connected(): boolean
  start(): Promise<void>
  close(): Promise<void>
}

/** How a lost connection is noticed, in milliseconds. */
export interface Heartbeat {
  /** Between two beats. */
  everyMs: number
  /** Without an answer for so long the connection counts as lost. */
  timeoutMs: number
}

const channel = 'postwire'
const maxKeys = 100
// Postgres refuses a payload of 8,000 bytes (documentation of NOTIFY).
const maxPayloadBytes = 7_999
const reconnectMs = 500
const connectTimeoutMs = 5_000
const usualHeartbeat: Heartbeat = { everyMs: 10_000, timeoutMs: 5_000 }
// Between two rounds of notices, so that a busy process sends few and an idle one sends at once.
const roundMs = 40
// A notice is a hint: it need not wait for the disk, which every commit with a NOTIFY otherwise does.
const notify = statement<object>('notices_publish', `select set_config('synchronous_commit', 'off', true), pg_notify('${channel}', $1)`, {
  allProjects: 'a notice carries ids only, and every process listens to every topic',
})

/** Notices over one dedicated connection, which must not go through a pooler in transaction mode. */
export function createNotices(url: string, db: Database, log: Log, { everyMs, timeoutMs } = usualHeartbeat): Notices {
  const listeners = new Map<string, Set<Listener>>()
  const outbox = new Map<string, Set<string>>()
  let client: pg.Client | undefined
  let heartbeat: NodeJS.Timeout | undefined
  let retry: NodeJS.Timeout | undefined
  let flushing = false
  let closed = false

  function call(name: string, keys: string[] | null): void {
    for (const listener of listeners.get(name) ?? []) listener(keys)
  }

  function callAll(): void {
    for (const name of listeners.keys()) call(name, null)
  }

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: connectTimeoutMs,
      // On a half-open link (the other machine is gone, nobody said so) a statement is never answered.
      query_timeout: timeoutMs,
      application_name: 'postwire notices',
    })
    next.on('error', (error) => lost(next, error))
    next.on('end', () => lost(next))
    next.on('notification', ({ payload }) => {
      const notice = JSON.parse(payload ?? '{}') as { topic: string; keys: string[] | null }
      call(notice.topic, notice.keys)
    })
    try {
      await next.connect()
      await next.query(`listen ${channel}`)
    } catch (error) {
      discard(next)
      throw error
    }
    if (closed) return discard(next)
    client = next
    beatLater(next)
    callAll()
  }

  function beatLater(on: pg.Client): void {
    heartbeat = setTimeout(() => {
      on.query('select 1').then(
        () => void (client === on && !closed && beatLater(on)),
        (error: Error) => lost(on, error),
      )
    }, everyMs).unref()
  }

  function lost(which: pg.Client, error?: Error): void {
    if (closed || client !== which) return
    log.warn({ err: error }, 'notices: connection lost, reconnecting')
    client = undefined
    clearTimeout(heartbeat)
    discard(which)
    callAll()
    reconnect()
  }

  function reconnect(): void {
    retry = setTimeout(() => {
      connect().catch((reason: Error) => {
        log.debug({ err: reason }, 'notices: still disconnected')
        if (!closed) reconnect()
      })
    }, reconnectMs)
  }

  function discard(which: pg.Client): void {
    void which.end().catch((reason: Error) => log.debug({ err: reason }, 'notices: closing a lost connection'))
  }

  async function flush(): Promise<void> {
    flushing = true
    await new Promise<void>((resolve) => setImmediate(resolve))
    while (outbox.size > 0) {
      const sending = [...outbox]
      outbox.clear()
      for (const [name, keys] of sending) {
        await db.run(notify, [payloadOf(name, keys)]).catch((error: Error) => log.debug({ err: error }, 'notices: not sent'))
      }
      await pause(roundMs, undefined, { ref: false })
    }
    flushing = false
  }

  return {
    publish({ name }, key) {
      const keys = outbox.get(name) ?? new Set()
      outbox.set(name, keys.add(key))
      if (!flushing) void flush()
    },
    listen({ name }, listener) {
      const set = listeners.get(name) ?? new Set()
      listeners.set(name, set.add(listener))
      return () => set.delete(listener)
    },
    connected: () => client !== undefined,
    start: connect,
    async close() {
      closed = true
      clearTimeout(heartbeat)
      clearTimeout(retry)
      await client?.end()
    },
  }
}

// What does not fit into one notice is "anything may have changed".
function payloadOf(name: string, keys: Set<string>): string {
  const payload = JSON.stringify({ topic: name, keys: [...keys] })
  if (keys.size <= maxKeys && Buffer.byteLength(payload) <= maxPayloadBytes) return payload
  return JSON.stringify({ topic: name, keys: null })
}
