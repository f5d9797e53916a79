import { setTimeout as sleep } from 'node:timers/promises'
import { type Executor, statement } from './db.ts'

const across = { allProjects: 'transactions are of the whole database' }

const readTime = statement<{ at: Date }>(
  'older_read_time',
  `select date_trunc('milliseconds', clock_timestamp()) + interval '1 ms' as at`,
  across,
)

const findOlder = statement<{ found: boolean }>(
  'older_find',
  `select exists (select from pg_stat_activity a where a.datname = current_database() and a.pid <> pg_backend_pid()
     and a.backend_type = 'client backend' and (a.backend_xmin is not null or a.backend_xid is not null) and a.xact_start <= $1) as found`,
  across,
)

const pollMs = 20

/**
 * Waits until the transactions have ended that were under way when it was called, at most `maxMs`, because one that only reads may take long;
 * returns whether they have. Once they have, the caller sees what they have written, and the others see what it has committed before. That
 * holds for those that write in the statement that reads, or have written before: one that has only read may still write by what it has
 * read.
 */
export async function untilOlderEnd(db: Executor, maxMs: number): Promise<boolean> {
  const [time] = await db.run(readTime, [])
  const ends = performance.now() + maxMs
  for (;;) {
    const [older] = await db.run(findOlder, [time?.at])
    if (!older?.found) return true
    if (performance.now() >= ends) return false
    await sleep(pollMs)
  }
}
