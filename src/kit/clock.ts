import type { Log } from './log.ts'
import { type Executor, statement } from './postgres/db.ts'

/** The program's source of time: a parameter everywhere, so that a test can turn the clock. */
export interface Clock {
  now(): Date
  /** How far a test has turned this clock, in milliseconds: added where Postgres's clock is used. 0 outside tests. */
  readonly aheadMs: number
}

// The machine's clock.
const systemClock: Clock = { now: () => new Date(), aheadMs: 0 }

/** A clock that all processes of an installation agree on. */
export interface SharedClock extends Clock {
  /** Compares the machine's clock with PostgreSQL's; while PostgreSQL is unavailable the last comparison stands. */
  compare(): Promise<void>
  close(): void
}

const everyMs = 30_000
const samples = 3
// A difference below this is noise of the comparison.
const minDifferenceMs = 10
const minReportedMs = 1_000
const readClock = statement<{ now: Date }>('clock_read', 'select clock_timestamp() as now', {
  allProjects: 'the time is that of all projects',
})

/**
 * The machine's clock, corrected to PostgreSQL's: processes on machines whose clocks differ agree on what came first and on what is
 * due. It is compared again every 30 seconds.
 */
export function sharedClock(db: Executor, log: Log, machine: Clock = systemClock): SharedClock {
  let aheadOfPostgresMs = 0
  let reportedMs = 0
  const compare = async () => {
    const compared = await closest(db, machine)
    const { ms, uncertainMs } = compared
    if (Math.abs(ms - aheadOfPostgresMs) <= uncertainMs + minDifferenceMs) return
    aheadOfPostgresMs = ms
    if (Math.abs(ms - reportedMs) < minReportedMs) return
    reportedMs = ms
    const seconds = Math.round(ms / 100) / 10
    log.warn(
      { seconds },
      "clock: this machine's clock is ahead of PostgreSQL's by these seconds (behind, if negative); PostgreSQL's is used. Set it, such as by NTP",
    )
  }
  const timer = setInterval(() => void compare().catch((error) => log.debug({ err: error }, 'clock: not compared')), everyMs)
  timer.unref()
  return {
    now: () => new Date(machine.now().getTime() - aheadOfPostgresMs),
    aheadMs: machine.aheadMs,
    compare,
    close: () => clearInterval(timer),
  }
}

interface Comparison {
  /** How far the machine's clock is ahead of PostgreSQL's. */
  ms: number
  uncertainMs: number
}

// PostgreSQL reads its clock at some moment between question and answer: the quickest answer says most.
async function closest(db: Executor, machine: Clock): Promise<Comparison> {
  const compared: Comparison[] = []
  for (let round = 0; round < samples; round++) {
    const asked = machine.now().getTime()
    const [row] = await db.run(readClock, [])
    const answered = machine.now().getTime()
    if (row) compared.push({ ms: (asked + answered) / 2 - row.now.getTime(), uncertainMs: (answered - asked) / 2 })
  }
  return compared.reduce((best, one) => (one.uncertainMs < best.uncertainMs ? one : best))
}
