import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { Prisma, PrismaClient } from '../../generated/prisma/client.ts'
import type { InShare } from '../share.ts'
import { resumed } from '../thread-time.ts'
import { isContention, untilUncontended } from './contention.ts'
import { type CallPatience, isChange, untilLeft } from './patience.ts'
import { countConnections, maxAnswerMs, openPools, type PoolUse } from './pools.ts'
import { sharedPrisma } from './shared-prisma.ts'
import { createShares } from './shares.ts'
import { guardTenancy, type TenantPrisma } from './tenancy.ts'

/** A hand-written SQL statement. */
export interface Statement<_Row> {
  /** Makes Postgres prepare it once per connection, unless it is planned each time; empty for one whose text is made for a single call. */
  readonly name: string
  readonly text: string
  /** Whether Postgres plans it each time, instead of keeping a plan. */
  readonly planned?: 'each time'
  /** Why it is about more than the projects it is given. */
  readonly allProjects?: string | undefined
}

/**
 * Declares a statement. It must be limited to projects that a parameter names, or give as `allProjects` the reason why it is
 * not: throws if it does not even mention `project_id`, and a test reads the text of every statement of a module.
 */
export function statement<Row>(name: string, text: string, across?: { allProjects: string }): Statement<Row> {
  if (!text.includes('project_id') && !across) throw new Error(`The statement ${name} does not carry project_id`)
  return { name, text, allProjects: across?.allProjects }
}

/** What runs statements: the pool, or one transaction. */
export interface Executor {
  /** Runs one statement; jsonb is passed as text, timestamps as Date. */
  run<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]>
}

/** What runs statements in turns; `begin` is called when it is the turn of one, and what it throws is thrown in its place. */
export interface LargeExecutor {
  run<Row>(statement: Statement<Row>, values: readonly unknown[], begin?: () => void): Promise<Row[]>
}

/** One open transaction; `client` is for the job queue, which runs its own SQL. */
export interface Transaction extends Executor {
  client: pg.ClientBase
  /** Calls `act` after the transaction has committed, such as to publish a notice; never when it is rolled back. */
  afterCommit(act: () => void): void
}

/** Postgres as operations see it: Prisma for lists and relations, prepared statements for hot paths. */
export interface Database extends Executor {
  prisma: TenantPrisma
  /** Runs statements that would hold up others, once each: after waiting 15 ms for a lock they fail (`isLockTimeout`). */
  impatient: Executor
  /**
   * Runs statements on queues, whose rows are looked up in indexes whatever the statistics say: a plan made while a queue was
   * empty, which reads whole tables, would be used again when it is full. After waiting 100 ms for a lock they fail.
   */
  lookups: Executor
  /**
   * Runs statements that may read whole tables, such as counts with the conditions of users: few at a time, each with a plan
   * for its own values (a plan for any values is not a parallel one) and with memory for its hash tables (without it a
   * subquery would be run again for each row). Projects take turns, as for lists. After 15 s they are cancelled
   * (`isStatementTimeout`).
   */
  scans: Executor
  /**
   * Runs statements of lists, some of which read a whole table, such as a search for one letter. Projects, which the first value
   * names, take turns, so that others find connections however often one asks. Fails with SERVICE_UNAVAILABLE after waiting 15 s.
   */
  lists: Executor
  /**
   * Runs statements whose rows may have megabytes, such as bodies: taking them in keeps the thread busy, and others are answered
   * between them. Two run at a time, and of a project one. For the rest as with lists.
   */
  large: LargeExecutor
  /**
   * The same database for the calls of an owner, which is an account, whose projects take the turns of one, or a client address; empty
   * for none. Its statements, transactions and queries of Prisma take turns with those of other owners, and fail with
   * SERVICE_UNAVAILABLE after waiting 15 s. Who has left waits for no turn, unless something has been changed for them: that is finished.
   */
  of(owner: string, left?: () => AbortSignal): Database
  /** The same database, owned alike, for work that goes on when the caller has left: others wait for it too, or it follows the answer. */
  lasting(): Database
  /** Runs `work` in one transaction; after a deadlock or a serialization failure again, up to 10 times in all, or as often as is given. */
  transaction<T>(work: (tx: Transaction) => Promise<T>, tries?: number): Promise<T>
  /** The connections of each pool, and the callers that wait for one. */
  connections(): PoolUse[]
  close(): Promise<void>
}

/**
 * Opens connection pools. They connect lazily: opening never fails, the first query may. A statement without an answer for
 * `answerMs` fails as unavailable, and its connection is replaced.
 */
export function openDatabase(url: string, size: number, onError: (error: Error) => void, answerMs = maxAnswerMs): Database {
  const pools = openPools(url, size, onError, answerMs)
  const prisma = new PrismaClient({ adapter: new PrismaPg(pools.prisma) })
  const run: Executor['run'] = (statement, values) => untilUncontended(() => runOn(pools.main, statement, values))
  const guarded = guardTenancy(prisma)
  const shares = createShares({ size, scans: pools.scans.options.max, prisma: pools.prisma.options.max })
  const sharedBy = (owner: string, patience: CallPatience) => ({
    scans: inTurns(shares.scans, (statement, values) => runOn(pools.scans, statement, values), owner, patience),
    lists: inTurns(shares.lists, run, owner, patience),
    large: inTurns(shares.large, run, owner, patience),
  })
  const ofOwner = inTurnsOfOwner(pools, shares, guarded)
  const database: Database = {
    ...sharedBy('', untilLeft(undefined)),
    of(owner, left) {
      if (owner === '' && !left) return database
      const patience = untilLeft(left)
      const own: Database = {
        ...database,
        ...sharedBy(owner, patience),
        ...(owner !== '' && ofOwner(owner, patience)),
        lasting: () => (left ? database.of(owner) : own),
      }
      return own
    },
    lasting: () => database,
    prisma: guarded,
    impatient: { run: (statement, values) => runOn(pools.impatient, statement, values) },
    lookups: { run: (statement, values) => untilUncontended(() => runOn(pools.lookups, statement, values)) },
    run,
    connections: () => countConnections(pools),
    transaction: (work, tries) => untilUncontended(() => inTransaction(pools.transactions, work), tries),
    async close() {
      await prisma.$disconnect()
      await Promise.all(Object.values(pools).map((each) => each.end()))
    },
  }
  return database
}

// Statements, transactions and queries of Prisma in the turns of an owner.
function inTurnsOfOwner(
  { main, transactions }: Record<'main' | 'transactions', pg.Pool>,
  shares: ReturnType<typeof createShares>,
  prisma: TenantPrisma,
) {
  return (owner: string, patience: CallPatience): Pick<Database, 'run' | 'transaction' | 'prisma'> => ({
    run(statement, values) {
      const work = async () => {
        if (isChange(statement.text)) patience.changes()
        return runOn(main, statement, values)
      }
      return untilUncontended(() => shares.statements(owner, work, patience.next()))
    },
    transaction(work, tries) {
      const begun = async () => {
        patience.changes()
        return inTransaction(transactions, work)
      }
      return untilUncontended(() => shares.transactions(owner, begun, patience.next()), tries)
    },
    prisma: sharedPrisma(prisma, shares, owner, patience),
  })
}

const inTurns = (inShare: InShare, run: Executor['run'], owner: string, patience: CallPatience): LargeExecutor => ({
  run(statement, values, begin) {
    const work = async () => {
      begin?.()
      if (isChange(statement.text)) patience.changes()
      return run(statement, values)
    }
    return inShare(owner === '' ? String(values[0]) : [owner, String(values[0])], work, patience.next())
  },
})

async function runOn<Row>(on: pg.Pool | pg.ClientBase, one: Statement<Row>, values: readonly unknown[]): Promise<Row[]> {
  const name = one.planned ? '' : one.name
  const result = await on.query<Row & pg.QueryResultRow>({ name, text: one.text, values: values as unknown[] })
  resumed()
  return result.rows
}

async function inTransaction<T>(pool: pg.Pool, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  // Without a listener the loss of the connection between two statements would end the process; the next statement fails.
  const lost = (error: Error): void => {
    broken = error
  }
  client.on('error', lost)
  try {
    await client.query('begin')
    const acts: (() => void)[] = []
    const run: Executor['run'] = (statement, values) => runOn(client, statement, values)
    const result = await work({ client, run, afterCommit: (act) => void acts.push(act) })
    // Postgres answers the commit of a transaction with a failed statement without an error: it has rolled it back.
    const { command } = await client.query('commit')
    if (command !== 'COMMIT') throw new Error('A transaction was rolled back, because the failure of a statement was caught in it')
    for (const act of acts) act()
    return result
  } catch (error) {
    if (isUnanswered(error)) broken = error
    else {
      await client.query('rollback').catch((reason: Error) => {
        broken = reason
      })
    }
    throw error
  } finally {
    client.off('error', lost)
    client.release(broken)
  }
}

/** Whether a statement waited too long for a lock that somebody else holds. */
export function isLockTimeout(error: unknown): boolean {
  return isPostgresError(error) && error.code === '55P03'
}

/** Whether a statement was cancelled because it ran too long. */
export function isStatementTimeout(error: unknown): boolean {
  return isPostgresError(error) && error.code === '57014'
}

/**
 * Whether Postgres refused a statement for what it holds, so that a part of it may succeed: data that is no value of its
 * type (class 22), a constraint (23), a value too large or nested too deeply (54), or a row locked by somebody else.
 */
export function isInputRefusal(error: unknown): error is pg.DatabaseError {
  return isPostgresError(error) && (/^(22|23|54)/.test(error.code ?? '') || isLockTimeout(error))
}

// On its connection nothing can be said any more, not even a rollback.
function isUnanswered(error: unknown): error is Error {
  return error instanceof Error && error.message === 'Query read timeout'
}

/**
 * Whether a statement failed for reasons that pass: Postgres cannot be reached or has no room, a lock or a deadlock. What Postgres refused for
 * what it holds would be refused again, and other errors are bugs.
 */
export function isTransient(error: unknown): boolean {
  return isDatabaseUnavailable(error) || isContention(error) || isLockTimeout(error)
}

/** Whether Postgres itself answered with an error (then nothing of the statement was stored). */
export function isPostgresError(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError
}

/** Whether an error, of a statement or of Prisma, is a violated unique constraint. */
export function isDuplicate(error: unknown): boolean {
  if (isPostgresError(error)) return error.code === '23505'
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002'
}

/** Whether an error, of a statement or of Prisma, is that a row is there, or not, which another one refers to. */
export function isReferenceViolation(error: unknown): boolean {
  if (isPostgresError(error)) return error.code === '23503'
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2003'
}

// Connection refused or reset, server starting or shutting down, too many connections, no free connection in time, no more files for
// one, or a transaction that took a minute, or in which nothing was said for a while.
const unreachableCodes = new Set<unknown>(
  (
    '25P03 25P04 ECONNREFUSED ECONNRESET EPIPE ENOENT ETIMEDOUT ENOTFOUND EMFILE ENFILE 57P01 57P02 57P03 53300 08000 08003 08006 ' +
    'P1001 P1002 P1008 P1017 P2024'
  ).split(' '),
)
// No room on its disk or in its memory: nothing of the statement was stored, and it may succeed once there is some.
const exhaustedCodes = new Set<unknown>(['53000', '53100', '53200'])
const unreachableText =
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|server closed the connection|Can't reach database server|^timeout expired$/i

// Where Prisma has no code for what Postgres answered, such as the end of a connection, it is in what its driver reported. The error of
// a file has its path and says nothing about a server; that of the socket of a server has none.
function codesOf(error: Error): unknown[] {
  const { code, path, meta } = error as NodeJS.ErrnoException & { meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } } }
  return path === undefined ? [code, meta?.driverAdapterError?.cause?.originalCode] : []
}

function isCausedBy(error: unknown, matches: (one: Error) => boolean): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (matches(at)) return true
    if (at instanceof AggregateError && at.errors.some((one) => isCausedBy(one, matches))) return true
  }
  return false
}

const hasCode = (error: Error, codes: Set<unknown>): boolean => codesOf(error).some((code) => codes.has(code))

/** Whether an error of the driver, the pool, Prisma or Postgres means that Postgres cannot be reached at the moment. */
export function isDatabaseUnreachable(error: unknown): boolean {
  return isCausedBy(error, (one) => hasCode(one, unreachableCodes) || unreachableText.test(one.message))
}

/** Whether an error means that Postgres cannot be reached, or has no room on its disk or in its memory, at the moment. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return isDatabaseUnreachable(error) || isCausedBy(error, (one) => hasCode(one, exhaustedCodes))
}
