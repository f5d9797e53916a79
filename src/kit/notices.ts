import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { within } from './deadline.ts'
import type { Log } from './log.ts'
import type { Database } from './postgres/db.ts'
import { statement } from './postgres/db.ts'

const declared: unique symbol = Symbol('declared')

/** A topic of notices; created by `topic()` only, so that a name cannot be misspelled. */
export interface Topic {
  readonly name: string
  readonly [declared]: true
}

const names = new Set<string>()

/** Declares a topic, once, in the module that owns it; throws when the name is taken. */
export function topic(name: string): Topic {
  if (names.has(name)) throw new Error(`The topic ${name} is declared twice`)
  names.add(name)
  return { name, [declared]: true }
}

/** Called with the changed keys, or with null for "anything may have changed". */
export type Listener = (keys: readonly string[] | null) => void

/**
 * Notices between processes over LISTEN/NOTIFY: something of a topic has changed, read the table again. A notice may arrive
 * twice or, while the connection is lost, not at all; every listener is then called once with null. One of a process that is killed
 * before it has sent it does not arrive at all: whoever depends on notices looks again from time to time.
 */
export interface Notices {
  /** Notifies all processes, including this one; many calls become few notices. Call it after the commit. */
  publish(topic: Topic, key: string): void
  /** Calls `listener` for every notice of a topic. Returns a function that stops it. */
  listen(topic: Topic, listener: Listener): () => void
  /** Whether notices currently arrive; if not, caches that depend on them must not be used. */
  connected(): boolean
  start(): Promise<void>
  close(): Promise<void>
}

/** How a lost connection is detected, in milliseconds. */
export interface Heartbeat {
  /** Time between two heartbeats. */
  everyMs: number
  /** A heartbeat without an answer for this long means that the connection is lost. */
  timeoutMs: number
}

const channel = 'postwire'
const maxKeys = 100
// Postgres refuses a payload of 8,000 bytes (documentation of NOTIFY).
const maxPayloadBytes = 7_999
const reconnectMs = 500
const connectTimeoutMs = 5_000
const defaultHeartbeat: Heartbeat = { everyMs: 10_000, timeoutMs: 5_000 }
// Time between two rounds of notices, so that a busy process sends few and an idle one sends immediately.
const roundMs = 40
const resendMs = 500
const lastRoundMs = 1_000
// A notice is a hint: its commit need not wait for the disk.
const notify = statement<object>('notices_publish', `select set_config('synchronous_commit', 'off', true), pg_notify('${channel}', $1)`, {
  allProjects: 'a notice contains ids only, and every process listens to every topic',
})

/** Notices over one dedicated connection, which must not go through a pooler in transaction mode. */
export function createNotices(url: string, db: Database, log: Log, { everyMs, timeoutMs } = defaultHeartbeat): Notices {
  const listeners = new Map<string, Set<Listener>>()
  const outbox: Outbox = new Map()
  let client: pg.Client | undefined
  let socket: Socket | undefined
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
    const nextSocket = new Socket()
    const next = new pg.Client({
      connectionString: url,
      stream: () => nextSocket,
      keepAlive: true,
      connectionTimeoutMillis: connectTimeoutMs,
      // On a half-open connection (the other machine has disappeared) a statement would never be answered.
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
    socket = nextSocket
    scheduleHeartbeat(next)
    callAll()
  }

  function scheduleHeartbeat(on: pg.Client): void {
    heartbeat = setTimeout(() => {
      on.query('select 1').then(
        () => void (client === on && !closed && scheduleHeartbeat(on)),
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
    while (outbox.size > 0 && !closed) await sleep((await sendAll()) ? roundMs : resendMs, undefined, { ref: false })
    flushing = false
  }

  // What could not be sent is sent with the next round: others may go on with what has changed until they are notified.
  async function sendAll(): Promise<boolean> {
    const sending = [...outbox]
    outbox.clear()
    let sent = true
    for (const [name, keys] of sending) {
      await db.run(notify, [payloadOf(name, keys)]).catch((error: Error) => {
        log.debug({ err: error }, 'notices: not sent, will be again')
        for (const key of keys) put(outbox, name, key)
        sent = false
      })
    }
    return sent
  }

  return {
    publish({ name }, key) {
      put(outbox, name, key)
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
      await within(lastRoundMs, sendAll(), () => false)
      clearTimeout(heartbeat)
      clearTimeout(retry)
      // On a half-open connection the goodbye is never answered either.
      const late = setTimeout(() => socket?.destroy(), timeoutMs)
      await client?.end()
      clearTimeout(late)
    },
  }
}

/** The keys that are to be sent, by topic. */
type Outbox = Map<string, Set<string>>

// Beyond what fits into a notice, only that there are more matters: they pile up while Postgres is away.
function put(outbox: Outbox, name: string, key: string): void {
  const keys = outbox.get(name) ?? new Set()
  if (keys.size <= maxKeys) outbox.set(name, keys.add(key))
}

// More keys than fit into one notice become null: anything may have changed.
function payloadOf(name: string, keys: Set<string>): string {
  const payload = JSON.stringify({ topic: name, keys: [...keys] })
  if (keys.size <= maxKeys && Buffer.byteLength(payload) <= maxPayloadBytes) return payload
  return JSON.stringify({ topic: name, keys: null })
}
