import pg from 'pg'
import { type Backend, giveWay } from './priority.ts'
import { endOnUnreadable } from './unreadable.ts'

/** How the connections of one pool are used at the moment. */
export interface PoolUse {
  pool: string
  used: number
  idle: number
  /** Callers that wait for a connection. */
  waiting: number
}

/** How the connections of some pools are used, by their names. */
export function countConnections(pools: Record<string, pg.Pool>): PoolUse[] {
  return Object.entries(pools).map(([pool, { totalCount, idleCount, waitingCount }]) => ({
    pool,
    used: totalCount - idleCount,
    idle: idleCount,
    waiting: waitingCount,
  }))
}

/**
 * Reports the loss of an idle connection to `onError`. A pool listens to no others: a loss right after one is handed out would have
 * no listener and end the process.
 */
function survive(pool: pg.Pool, onError: (error: Error) => void): void {
  pool.on('error', onError)
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    endOnUnreadable(client)
  })
}

const maxLockWaitMs = 15
const maxLookupLockWaitMs = 100
const onlyIndexes = '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off'
const maxLookupConnections = 4
const maxScanMs = 15_000
const forScans = `-c plan_cache_mode=force_custom_plan -c work_mem=32MB -c statement_timeout=${maxScanMs}`
const maxScanConnections = 4

// A moment is written in UTC. By default it is in the time zone of the process, so that the first of a month, west of Greenwich, was the
// last day of the month before where a statement takes its date.
pg.defaults.parseInputDatesAsUTC = true

// int8 becomes a number: counts stay far below 2^53.
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === 20 ? Number : pg.types.getTypeParser(oid, format as 'text')) as pg.CustomTypesConfig['getTypeParser'],
}

/** Postgres ends a transaction, and so a statement, after this many milliseconds. */
export const maxTransactionMs = 60_000
/**
 * Postgres ends a transaction in which nothing was said for so many milliseconds: its process stands still, or is gone without a word, and
 * others wait for what it has locked.
 */
export const maxIdleMs = 20_000
/** An answer of Postgres that has not come after so many milliseconds never comes: the connection is half-open. */
export const maxAnswerMs = maxTransactionMs + 5_000

/** Opens the connection pools of a process. They connect when they are first used; `onError` is told of idle connections that are lost. */
export function openPools(url: string, size: number, onError: (error: Error) => void, answerMs: number) {
  const settings = settingsOf(url, answerMs)
  const open = (max: number, options = '') => new pg.Pool({ ...settings, options: `${settings.options} ${options}`, max, types })
  const half = Math.max(2, Math.ceil(size / 2))
  const pools = {
    main: open(size),
    // One that waits for a row takes no connection from statements, which are short.
    transactions: open(size),
    impatient: open(half, `-c lock_timeout=${maxLockWaitMs}`),
    lookups: open(maxLookupConnections, `${onlyIndexes} -c lock_timeout=${maxLookupLockWaitMs}`),
    scans: open(maxScanConnections, forScans),
    prisma: new pg.Pool({ ...settings, max: half }),
  }
  for (const each of Object.values(pools)) survive(each, onError)
  pools.scans.on('connect', (client: pg.PoolClient & Backend) => giveWay(client))
  return pools
}

const settingsOf = (url: string, answerMs: number) => ({
  connectionString: url,
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
  query_timeout: answerMs,
  application_name: 'postwire',
  // The live stream reads the log only up to the oldest open write transaction: one left open would delay every project's.
  options: `-c transaction_timeout=${maxTransactionMs} -c idle_in_transaction_session_timeout=${maxIdleMs} -c TimeZone=UTC`,
})
