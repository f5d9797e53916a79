import { PgBoss } from 'pg-boss'
import type { z } from 'zod'
import type { Log } from './log.ts'
import { type Notices, topic } from './notices.ts'
import type { Transaction } from './postgres/db.ts'

/** A queue: its name, the shape of a job's payload, and how its jobs are processed. */
export interface Queue<Payload> {
  readonly name: string
  readonly shape: z.ZodType<Payload>
  /** For queues that grow long: a table of its own, and 50 jobs per fetch. */
  readonly hot?: boolean
  /** Jobs that one process handles at the same time. Default 1. */
  readonly concurrency?: number
  /** Seconds after which a job that has not ended is given to another handler. Default 300. */
  readonly expireSeconds?: number
  /**
   * Seconds, 10 at least, after which a job is given to another handler when its process has stopped: the process reports twice in that
   * time that it works on it. For jobs that may run long. Default: that is noticed after `expireSeconds`.
   */
  readonly heartbeatSeconds?: number
  /** Retries after the first try; 0 where the work schedules its own next attempt. Default 5, with backoff. */
  readonly retries?: number
}

/** Background jobs, stored in Postgres by pg-boss. */
export interface Jobs {
  /** Queues a job; with `tx` it is queued if and only if the transaction commits. */
  enqueue<Payload extends object>(queue: Queue<Payload>, payload: Payload, tx?: Transaction): Promise<void>
  /** Queues a job that is not handled before `seconds` have passed. */
  enqueueIn<Payload extends object>(seconds: number, queue: Queue<Payload>, payload: Payload): Promise<void>
  /** Processes a queue: `handle` receives the payload of one job; the try fails when it throws. */
  work<Payload extends object>(queue: Queue<Payload>, handle: (payload: Payload) => Promise<void>): Promise<void>
  /** Runs `handle` on a schedule (cron, UTC), in one process at a time. */
  every(name: string, cron: string, handle: () => Promise<void>): Promise<void>
  /** Makes the workers of a queue fetch now; for statements that inserted their jobs themselves (jobInsert). */
  wake(queue: Queue<unknown>): void
  /** How many jobs of each queue waited and ran when they were last counted, which pg-boss does once a minute. */
  counts(): Promise<{ queue: string; waiting: number; running: number }[]>
  start(): Promise<void>
  /** Waits up to 8 s for running jobs, and stops. */
  close(): Promise<void>
}

// The keys are the names of queues that have new jobs.
const jobsTopic = topic('jobs')
const schema = 'pgboss'
const stopMs = 8_000
const hotBatch = 50
// On a half-open connection no answer ever comes. Maintenance of long queues may take minutes.
const answerMs = 300_000

/**
 * SQL that inserts jobs as part of a statement on a hot path, as a CTE: one job for every row of `source`, whose column
 * `payload` is jsonb. The tables of pg-boss are private, so its version is pinned and a test checks this insert.
 */
export function jobInsert(queue: Queue<unknown>, source: string): string {
  return `insert into ${schema}.job (name, data, expire_seconds, heartbeat_seconds, deletion_seconds, keep_until, retry_limit, retry_delay, retry_backoff, policy)
    select q.name, s.payload, q.expire_seconds, q.heartbeat_seconds, q.deletion_seconds, now() + q.retention_seconds * interval '1s',
           q.retry_limit, q.retry_delay, q.retry_backoff, q.policy
    from ${source} s, ${schema}.queue q where q.name = '${queue.name}'`
}

/**
 * SQL that is true while a job waits in a queue that may be handled now; it reads the private tables of pg-boss as well. Compared
 * with the beginning of the statement: that of the transaction may lie before a job that was queued while it waited for a lock.
 */
export function hasQueued(queue: Queue<unknown>): string {
  return `exists (select from ${schema}.job where name = '${queue.name}' and state < 'active' and start_after <= statement_timestamp())`
}

/** SQL of how many jobs wait in some queues, for whatever time, counted up to `max`; it reads the private tables of pg-boss as well. */
export function countWaiting(queues: readonly Queue<unknown>[], max: number): string {
  const names = queues.map(({ name }) => `'${name}'`)
  return `(select count(*) from (select from ${schema}.job where name in (${names}) and state < 'active' limit ${max}) waiting)`
}

/**
 * SQL that is true while a job of a queue waits or runs whose payload has `value`, a piece of SQL, at a key; it reads the private tables
 * of pg-boss as well, all jobs of the queue.
 */
export function hasUnended(queue: Queue<unknown>, key: string, value: string): string {
  return `exists (select from ${schema}.job where name = '${queue.name}' and state < 'completed' and data ->> '${key}' = ${value})`
}

/** The job queues of a database; `queues` are all queues of the program, created at start. */
export function createJobs(url: string, queues: Queue<unknown>[], notices: Notices, log: Log): Jobs {
  const boss = new PgBoss({
    connectionString: url,
    schema,
    application_name: 'postwire jobs',
    max: 4,
    monitorVacuum: false,
    // How often it looks for jobs whose process was silent for too long: usually every minute, which a reset would stand still for.
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 10,
    // Not among the types of pg-boss, which passes it on to the driver.
    ...{ query_timeout: answerMs },
  })
  const workers = new Map<string, string[]>()
  let open = false
  boss.on('error', (error) => log.warn({ err: error }, 'jobs: the queue had an error'))

  return {
    async enqueue(queue, payload, tx) {
      const options = tx ? { db: { executeSql: (text: string, values?: unknown[]) => tx.client.query(text, values) } } : {}
      await boss.send(queue.name, payload, options)
      const wake = (): void => notices.publish(jobsTopic, queue.name)
      if (tx) tx.afterCommit(wake)
      else wake()
    },
    async enqueueIn(seconds, queue, payload) {
      await boss.send(queue.name, payload, { startAfter: seconds })
    },
    async work(queue, handle) {
      const options = { batchSize: queue.hot ? hotBatch : 1, burstWhenBatchFull: true, pollingIntervalSeconds: 2 }
      const ids: string[] = []
      for (let worker = 0; worker < (queue.concurrency ?? 1); worker++) {
        const id = await boss.work<unknown>(queue.name, options, async (jobs) => {
          // Where one job was found there may be more: without this the next is fetched after the polling interval.
          for (const one of ids) boss.notifyWorker(one)
          for (const job of jobs) await handle(queue.shape.parse(job.data))
        })
        ids.push(id)
      }
      workers.set(queue.name, ids)
    },
    async every(name, cron, handle) {
      await boss.createQueue(name)
      await boss.schedule(name, cron, null, { tz: 'UTC' })
      await boss.work(name, handle)
    },
    async counts() {
      const found = await boss.getQueues()
      return found.map(({ name, readyCount, activeCount }) => ({ queue: name, waiting: Number(readyCount), running: Number(activeCount) }))
    },
    wake: (queue) => notices.publish(jobsTopic, queue.name),
    async start() {
      await boss.start()
      open = true
      await createQueues(boss, queues)
      notices.listen(jobsTopic, (names) => {
        for (const name of names ?? workers.keys()) for (const id of workers.get(name) ?? []) boss.notifyWorker(id)
      })
    },
    async close() {
      if (!open) return
      open = false
      await boss.stop({ graceful: true, timeout: stopMs })
    },
  }
}

const changeable = ['expireInSeconds', 'heartbeatSeconds', 'retryLimit', 'retryBackoff', 'retryDelay', 'deleteAfterSeconds'] as const

// Creating a queue that exists changes nothing: options that are different in this version are set here, for the jobs from
// now on. Whether a queue has a table of its own cannot be changed.
async function createQueues(boss: PgBoss, queues: Queue<unknown>[]): Promise<void> {
  const existing = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  for (const queue of queues) {
    const { partition, ...options } = optionsOf(queue)
    const found = existing.get(queue.name)
    if (!found) await boss.createQueue(queue.name, { partition, ...options })
    else if (changeable.some((option) => found[option] !== options[option])) await boss.updateQueue(queue.name, options)
  }
}

function optionsOf({ hot = false, expireSeconds = 300, heartbeatSeconds, retries = 5 }: Queue<unknown>) {
  return {
    partition: hot,
    expireInSeconds: expireSeconds,
    // Null removes that of an earlier version, which the types of pg-boss leave out.
    heartbeatSeconds: (heartbeatSeconds ?? null) as number,
    retryLimit: retries,
    retryBackoff: true,
    retryDelay: 2,
    deleteAfterSeconds: hot ? 60 : 86_400,
  }
}
