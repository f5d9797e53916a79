import pg from 'pg'
import { onTestFinished } from 'vitest'
import { until } from './until.ts'
import type { TestWorld } from './world.ts'

/** A transaction of somebody else, which holds what its statements lock until it ends. */
export interface Holder {
  run(sql: string, values?: unknown[]): Promise<unknown[]>
  /** Waits until a statement waits for what this transaction holds, for so long; returns the process in Postgres that runs it. */
  waitedFor(ms?: number): Promise<number>
  /** Waits until work has ended, or so many statements wait for what this transaction holds, also for others that do. */
  waitedForOrEnded(statements: number, work: Promise<unknown>): Promise<void>
  /** Ends the connection of a process in Postgres, as a restart of it would. */
  terminate(pid: number): Promise<void>
  commit(): Promise<void>
}

/** Opens a transaction on a connection of its own, closed after the test. */
export async function holder({ databaseUrl }: Pick<TestWorld, 'databaseUrl'>): Promise<Holder> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  onTestFinished(() => client.end())
  const run = async (sql: string, values: unknown[] = []): Promise<unknown[]> => (await client.query(sql, values)).rows
  const waiting = async (ms: number): Promise<number | undefined> => {
    // Otherwise a transaction sees the statements that ran at its first look.
    await run('select pg_stat_clear_snapshot()')
    const sql = `select pid from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))
      and clock_timestamp() >= query_start + $1 * interval '1 ms' limit 1`
    const [row] = (await run(sql, [ms])) as { pid: number }[]
    return row?.pid
  }
  const countWaiting = async (): Promise<number> => {
    await run('select pg_stat_clear_snapshot()')
    const [row] = (await run(`with recursive behind(pid) as (
        select pid from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))
        union select a.pid from behind b join pg_stat_activity a on b.pid = any(pg_blocking_pids(a.pid)))
      select count(*)::int as count from behind`)) as { count: number }[]
    return row?.count ?? 0
  }
  await run('begin')
  return {
    run,
    async waitedFor(ms = 0) {
      let pid: number | undefined
      await until(async () => {
        pid = await waiting(ms)
        return pid !== undefined
      })
      return pid ?? 0
    },
    async waitedForOrEnded(statements, work) {
      let ended = false
      const end = () => {
        ended = true
      }
      work.then(end, end)
      await until(async () => ended || (await countWaiting()) >= statements)
    },
    terminate: async (pid) => void (await run('select pg_terminate_backend($1)', [pid])),
    commit: async () => void (await run('commit')),
  }
}

/** Waits until work has ended, or any statement waits for what somebody holds. */
export async function waitsOrEnds({ db }: Pick<TestWorld, 'db'>, work: Promise<unknown>): Promise<void> {
  let ended = false
  const end = () => {
    ended = true
  }
  work.then(end, end)
  const waiting = () =>
    db.prisma.$queryRaw<object[]>`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await until(async () => ended || (await waiting()).length > 0)
}
