import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { Prisma, PrismaClient } from '../../generated/prisma/client.ts'
import { guardTenancy } from './tenancy.ts'

/** A hand-written SQL statement: named, so that Postgres prepares it once per connection. */
export interface Statement<_Row> {
  readonly name: string
  readonly text: string
}

/**
 * Declares a statement. It must carry the project (`project_id`), or say why it serves all projects at once:
 * the reason stands beside it.
 */
export function statement<Row>(name: string, text: string, across?: { allProjects: string }): Statement<Row> {
  if (!text.includes('project_id') && !across) throw new Error(`The statement ${name} does not carry project_id`)
  return { name, text }
}

/** What runs statements: the pool, or one transaction. */
export interface Executor {
  /** Runs one prepared statement; jsonb is passed as text, timestamps as Date. */
  run<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]>
}

/** One open transaction; `client` is for the queue, which has SQL of its own. */
export interface Transaction extends Executor {
  client: pg.ClientBase
  /** Does something once the transaction has committed, such as telling others; not at all when it does not. */
  afterCommit(act: () => void): void
}

/** The client Prisma generated, refusing every tenant query without a projectId. */
export type Prismatic = ReturnType<typeof guardTenancy>

/** Postgres as operations see it: Prisma for lists and relations, prepared statements for hot paths. */
export interface Database extends Executor {
  prisma: Prismatic
  /** Runs work in one transaction; deadlocks and serialization failures are tried again up to 3 times. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  close(): Promise<void>
}

// int8 as number: counts stay far below 2^53.
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === 20 ? Number : pg.types.getTypeParser(oid, format as 'text')) as pg.CustomTypesConfig['getTypeParser'],
}

/** Connects lazily: opening never fails, the first query does. */
export function openDatabase(url: string, size: number, onError: (error: Error) => void): Database {
  const settings = {
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    application_name: 'postwire',
    // A write transaction left open would hold the live stream of every project back (architecture, "The live stream").
    options: '-c transaction_timeout=60000 -c TimeZone=UTC',
  }
  const pool = new pg.Pool({ ...settings, max: size, types })
  pool.on('error', onError)
  const prismaPool = new pg.Pool({ ...settings, max: Math.max(2, Math.ceil(size / 2)) })
  prismaPool.on('error', onError)
  const prisma = new PrismaClient({ adapter: new PrismaPg(prismaPool) })
  return {
    prisma: guardTenancy(prisma),
    run: (statement, values) => retrying(() => runOn(pool, statement, values)),
    transaction: (work) => retrying(() => inTransaction(pool, work)),
    async close() {
      await prisma.$disconnect()
      await Promise.all([pool.end(), prismaPool.end()])
    },
  }
}

async function runOn<Row>(on: pg.Pool | pg.ClientBase, { name, text }: Statement<Row>, values: readonly unknown[]): Promise<Row[]> {
  const result = await on.query<Row & pg.QueryResultRow>({ name, text, values: values as unknown[] })
  return result.rows
}

async function inTransaction<T>(pool: pg.Pool, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  // A connection that is lost between two statements tells only who listens; the next statement fails by itself.
  const lost = (error: Error): void => {
    broken = error
  }
  client.on('error', lost)
  try {
    await client.query('begin')
    const acts: (() => void)[] = []
    const run: Executor['run'] = (statement, values) => runOn(client, statement, values)
    const result = await work({ client, run, afterCommit: (act) => void acts.push(act) })
    await client.query('commit')
    for (const act of acts) act()
    return result
  } catch (error) {
    await client.query('rollback').catch((reason: Error) => {
      broken = reason
    })
    throw error
  } finally {
    client.off('error', lost)
    client.release(broken)
  }
}

const attempts = 3

async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt >= attempts || !isContention(error)) throw error
    }
  }
}

/** Whether Postgres gave up on a transaction because of others: a deadlock or a serialization failure. */
function isContention(error: unknown): boolean {
  return isPostgresError(error) && (error.code === '40P01' || error.code === '40001')
}

/** Whether Postgres itself answered with an error (then nothing of the statement was kept). */
export function isPostgresError(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError
}

/** Whether this is a unique constraint that was hit, from a statement or from Prisma. */
export function isDuplicate(error: unknown): boolean {
  if (isPostgresError(error)) return error.code === '23505'
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002'
}

// Refused, reset, starting up, shutting down, out of connections, or no free connection in time.
const awayCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'ENOTFOUND',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08000',
  '08003',
  '08006',
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
])
const awayWords =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|server closed the connection|Can't reach database server/i

/** Whether an error means that Postgres cannot be reached at the moment, whoever raised it. */
export function isDatabaseAway(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const { code } = at as { code?: unknown }
    if (typeof code === 'string' && awayCodes.has(code)) return true
    if (awayWords.test(at.message)) return true
    if (at instanceof AggregateError && at.errors.some(isDatabaseAway)) return true
  }
  return false
}
