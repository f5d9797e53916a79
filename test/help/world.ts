import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import type { Clock } from '../../src/kit/clock.ts'
import { readConfig } from '../../src/kit/config.ts'
import { type Ctx, callIn } from '../../src/kit/context.ts'
import type { SmtpTransport } from '../../src/kit/mailer.ts'
import type { Outbound } from '../../src/kit/outbound.ts'
import { openWorld, type World } from '../../src/kit/world.ts'
import { createProject } from '../../src/modules/projects/projects.ts'
import { queues } from '../../src/server/worker.ts'

/** A clock that stands still until a test turns it. */
export interface TurnableClock extends Clock {
  /** Advances the time by some milliseconds. */
  turn(ms: number): void
}

/** A world with a clock to turn, and the address of its database. */
export type TestWorld = World & { clock: TurnableClock; databaseUrl: string }

/** The options of a test world. */
export interface TestWorldPlan {
  /** Settings as in the environment; LOG_LEVEL=debug shows the log. */
  env?: Record<string, string>
  /** A mail server instead of the configured transport. */
  mailServer?: SmtpTransport
  /** What answers requests to addresses from outside, instead of the network. */
  outbound?: Outbound
  /** The clock runs; default: it stands still. */
  running?: boolean
  /** The database of another world, to stand for a second process on it. Default: a new database. */
  databaseUrl?: string
}

const secret = randomBytes(32).toString('hex')
// Nothing listens there, so that no test queries public DNS by accident.
const nowhere = '127.0.0.1:9'
const limits = {
  RATE_LIMIT_PER_MINUTE: '1000000',
  UNKNOWN_KEYS_PER_MINUTE: '1000000',
  SIGNUPS_PER_HOUR: '1000000',
  DATABASE_POOL_SIZE: '4',
  DNS_SERVERS: nowhere,
}

/**
 * A world for one test file, on a new database, closed after the file's tests. It has no background work: call
 * `startWorker(world)` for that.
 */
export async function testWorld(plan: TestWorldPlan = {}): Promise<TestWorld> {
  const databaseUrl = plan.databaseUrl ?? (await freshDatabase())
  const clock = createClock(plan.running ?? false)
  const config = readConfig({ NODE_ENV: 'test', PORT: '0', LOG_LEVEL: process.env.TEST_LOG ?? 'silent', ...limits, ...plan.env })
  const world = await openWorld({
    config,
    secret,
    databaseUrl,
    queues,
    publicUrl: 'http://localhost',
    clock,
    ...(plan.mailServer && { mailServer: plan.mailServer }),
    ...(plan.outbound && { outbound: plan.outbound }),
  })
  afterAll(() => world.close())
  return Object.assign(world, { clock, databaseUrl })
}

// The next database is copied while the tests of a file run on theirs.
let next: Promise<string> | undefined

/** A new migrated, empty database, dropped after the file's tests. */
export async function freshDatabase(): Promise<string> {
  const template = new URL(postgresUrl())
  const name = await (next ?? copyOf(template))
  next = copyOf(template)
  // The last one of a run is not used: what fails is thrown where one is.
  next.catch(() => undefined)
  // Nobody waits for it: the run ends with PostgreSQL and all its files.
  afterAll(() => void administer(template, `drop database ${name} with (force)`).catch(() => undefined))
  return Object.assign(new URL(template), { pathname: `/${name}` }).href
}

/** Address of the migrated database of this process of tests. */
export function postgresUrl(): string {
  // Vitest counts its processes from one.
  const url = inject('postgresUrls')[Number(process.env.VITEST_POOL_ID) - 1]
  if (!url) throw new Error(`There is no PostgreSQL for process ${process.env.VITEST_POOL_ID} of the tests`)
  return url
}

async function copyOf(template: URL): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await administer(template, `create database ${name} template ${template.pathname.slice(1)}`)
  return name
}

// Through the maintenance database: nothing may be connected to the template while it is copied.
async function administer(template: URL, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: Object.assign(new URL(template), { pathname: '/postgres' }).href })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

// All clocks of a file that stand still show the same time, as those of two processes would.
const started = Date.now()

function createClock(running: boolean): TurnableClock {
  let ahead = 0
  return {
    now: () => new Date((running ? Date.now() : started) + ahead),
    get aheadMs() {
      return ahead
    },
    turn: (ms) => {
      ahead += ms
    },
  }
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Turns the clock past the next midnight (UTC) if that is less than an hour away, so that a test is over before its day is. */
export function stayWithinOneDay({ clock }: Pick<TestWorld, 'clock'>): void {
  const leftMs = dayMs - (clock.now().getTime() % dayMs)
  if (leftMs < hourMs) clock.turn(leftMs)
}

/** A new project for one test, with a context that acts for it and both of its keys. */
export async function freshProject(world: World, name = 'Acme'): Promise<{ projectId: string; ctx: Ctx; secret: string; public: string }> {
  const project = await createProject(callIn(world, { actor: { kind: 'system' } }), { name })
  const ctx = callIn(world, { projectId: project.id, actor: { kind: 'key', key: 'SECRET', projectDisabled: false }, requestId: 'req_test' })
  return { projectId: project.id, ctx, secret: project.secret, public: project.public }
}

/**
 * Waits until readers of the log can see everything committed so far. Other test files share the server, and their open write
 * transactions (copying a database takes a moment) delay every reader.
 */
export async function logSettled({ databaseUrl }: Pick<TestWorld, 'databaseUrl'>): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ xmax: string }>('select pg_snapshot_xmax(pg_current_snapshot())::text as xmax')
    const settled = 'select pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 as settled'
    for (;;) {
      const answer = await client.query<{ settled: boolean }>(settled, [rows[0]?.xmax])
      if (answer.rows[0]?.settled) return
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  } finally {
    await client.end()
  }
}
