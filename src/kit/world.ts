import { type Clock, sharedClock } from './clock.ts'
import type { Config } from './config.ts'
import { createDns, type Dns } from './dns.ts'
import { createJobs, type Jobs, type Queue } from './jobs.ts'
import { createLog, type Log } from './log.ts'
import type { SmtpPool, SmtpTransport } from './mailer.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { createNotices, type Notices } from './notices.ts'
import { createOutbound, type Outbound } from './outbound.ts'
import { type Database, openDatabase } from './postgres/db.ts'
import { createStorage, type Storage } from './storage.ts'
import { createVault, type Vault } from './vault.ts'

/** Everything outside the program that operations may use, opened once per process. */
export interface World {
  config: Config
  clock: Clock
  log: Log
  db: Database
  jobs: Jobs
  notices: Notices
  vault: Vault
  /** The installation's secret, for threads, which open a vault of their own. */
  secret: string
  /** Uploaded files. */
  storage: Storage
  metrics: Metrics
  /** Public DNS, or the name servers of DNS_SERVERS. */
  dns: Dns
  /** Requests to addresses that come from outside. */
  outbound: Outbound
  /** The public address of this installation, without a trailing slash; final as soon as the port is known. */
  publicUrl: string
  /** A mail server to use instead of the configured one, for tests. */
  mailServer?: (SmtpTransport | SmtpPool) & { signs?: boolean }
  /** Aborted when the world begins to close; loops and streams then end. */
  closing: AbortSignal
  /** Registers a function that closing the world waits for, before it closes queue and database: for running work to end. */
  atClose(finish: () => Promise<void>): void
  /** Aborts `closing`, before the entry points close: what is long-running ends meanwhile. */
  announceClosing(): void
  /** Announces the end, waits for running work, and closes queue and database. */
  close(): Promise<void>
}

/** What a world is opened with: settings, the addresses of the database, and replacements for tests. */
export interface WorldPlan {
  config: Config
  secret: string
  databaseUrl: string
  /** The same database, not through a pooler. Default: databaseUrl. */
  directUrl?: string
  queues: Queue<unknown>[]
  publicUrl: string
  clock?: Clock
  log?: Log
  mailServer?: (SmtpTransport | SmtpPool) & { signs?: boolean }
  outbound?: Outbound
}

/** Opens the world: database, notices and job queue. The database must have been migrated. */
export async function openWorld(plan: WorldPlan): Promise<World> {
  const log = plan.log ?? createLog(plan.config.LOG_LEVEL)
  const direct = plan.directUrl ?? plan.databaseUrl
  const db = openDatabase(plan.databaseUrl, plan.config.DATABASE_POOL_SIZE, (error) =>
    log.debug({ err: error }, 'database: an idle connection was lost'),
  )
  const notices = createNotices(direct, db, log)
  const jobs = createJobs(direct, plan.queues, notices, log)
  const closing = new AbortController()
  const endings: (() => Promise<void>)[] = []
  await notices.start()
  await jobs.start()
  const clock = plan.clock ?? (await openClock(db, log, endings))
  return {
    config: plan.config,
    clock,
    log,
    db,
    jobs,
    notices,
    vault: createVault(plan.secret),
    secret: plan.secret,
    storage: createStorage(plan.config, log),
    metrics: createMetrics(),
    ...network(plan),
    publicUrl: plan.publicUrl,
    ...(plan.mailServer && { mailServer: plan.mailServer }),
    closing: closing.signal,
    atClose: (finish) => void endings.push(finish),
    announceClosing: () => closing.abort(),
    async close() {
      closing.abort()
      await Promise.all(endings.map((finish) => finish()))
      await jobs.close()
      await notices.close()
      await db.close()
    },
  }
}

async function openClock(db: Database, log: Log, endings: (() => Promise<void>)[]): Promise<Clock> {
  const clock = sharedClock(db, log)
  await clock.compare()
  endings.push(async () => clock.close())
  return clock
}

function network({ config, outbound }: WorldPlan): Pick<World, 'dns' | 'outbound'> {
  const dns = createDns(config.DNS_SERVERS)
  return { dns, outbound: outbound ?? createOutbound(dns, { toLoopback: config.webhooksToLocalhost }) }
}

/** A value that is created once per world, on first use: `const loaderOf = perWorld((world) => batch(…))`, then `loaderOf(ctx.world)`. */
export function perWorld<T>(make: (world: World) => T): (world: World) => T {
  const made = new WeakMap<World, T>()
  return (world) => {
    const existing = made.get(world)
    if (existing !== undefined) return existing
    const created = make(world)
    made.set(world, created)
    return created
  }
}
