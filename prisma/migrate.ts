import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { buildIndex, concurrentIndexes } from './indexes.ts'

/** A migration: a folder of prisma/migrations. */
export interface Migration {
  name: string
  /** migration.sql (generated from the datamodel) followed by beyond.sql (what a datamodel cannot express). */
  sql: string
  checksum: string
  /** The datamodel after this migration. */
  datamodel: string
}

/** How a database is migrated; everything has a default. */
export interface MigrationPlan {
  /** Default: those of prisma/migrations. */
  migrations?: Migration[]
  /** How long a statement waits for a lock, and everybody else behind it. Default 3 s. */
  lockTimeoutMs?: number
  /** How often a migration that did not get its locks is tried. Default 30 times, with pauses of up to 5 s. */
  tries?: number
}

/** The database cannot be migrated; the message is a sentence for the operator. */
export class MigrationError extends Error {}

const folder = new URL('./migrations/', import.meta.url)
const minServerVersion = 180_000
// The key of the advisory lock, chosen at random.
const lock = 7_261_049_113
const pollMs = 200
const maxPauseMs = 5_000

/** Every migration, oldest first. */
export async function readMigrations(): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  return Promise.all(names.sort().map(readMigration))
}

async function readMigration(name: string): Promise<Migration> {
  const read = (file: string) => readFile(new URL(`${name}/${file}`, folder), 'utf8')
  const files = await readdir(new URL(`${name}/`, folder))
  const sql = [await read('migration.sql'), files.includes('beyond.sql') ? await read('beyond.sql') : ''].join('\n')
  return { name, sql, checksum: createHash('sha256').update(sql).digest('hex'), datamodel: await read('schema.prisma') }
}

/**
 * Applies every missing migration, each in its own transaction, under an advisory lock: processes that start at once wait
 * for each other. A migration of `create index concurrently` runs outside a transaction. A statement waits for a lock for a
 * few seconds only, because everybody who uses the table waits behind it; then the migration is rolled back and tried again.
 * `url` must not go through a pooler in transaction mode. Returns the names of the applied migrations. Throws MigrationError
 * for a server older than PostgreSQL 18, for a migration that was changed after it was applied, and for one that fails.
 */
export async function migrate(url: string, plan: MigrationPlan = {}): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, application_name: 'postwire migrate' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await checkServer(client)
    await takeLock(client)
    return await applyMissing(client, plan)
  } finally {
    await client.end()
  }
}

async function checkServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: string; version: string }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as version`,
  )
  const [server] = rows
  if (!server || Number(server.number) < minServerVersion) {
    throw new MigrationError(`Postwire needs PostgreSQL 18 or newer; the server at DATABASE_URL is ${server?.version}.`)
  }
}

// A statement that waits for the lock would hold up `create index concurrently`, which waits for every running statement.
async function takeLock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [lock])
    if (rows[0]?.held) return
    await pause(pollMs)
  }
}

async function applyMissing(client: pg.Client, plan: MigrationPlan): Promise<string[]> {
  await client.query(`create table if not exists postwire_migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now()
  )`)
  const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from postwire_migrations')
  const checksums = new Map(rows.map(({ name, checksum }) => [name, checksum]))
  const applied: string[] = []
  for (const migration of plan.migrations ?? (await readMigrations())) {
    const checksum = checksums.get(migration.name)
    if (checksum === undefined) {
      await applyWithRetries(client, migration, plan)
      applied.push(migration.name)
    } else if (checksum !== migration.checksum) {
      throw new MigrationError(
        `The migration ${migration.name} was changed after it was applied to this database: use the original files, or an empty database.`,
      )
    }
  }
  return applied
}

async function applyWithRetries(
  client: pg.Client,
  migration: Migration,
  { lockTimeoutMs = 3_000, tries = 30 }: MigrationPlan,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await apply(client, migration, lockTimeoutMs)
    } catch (cause) {
      if (!isLockProblem(cause)) {
        throw new MigrationError(`The migration ${migration.name} failed and was rolled back: ${(cause as Error).message}`, { cause })
      }
      if (attempt >= tries) {
        throw new MigrationError(
          `The migration ${migration.name} was rolled back ${tries} times, because another transaction uses the same table: find it in pg_stat_activity (order by xact_start), end it, and start again.`,
          { cause },
        )
      }
      // Those who waited behind the migration have their turn first.
      await pause(Math.min(lockTimeoutMs * attempt, maxPauseMs))
    }
  }
}

// A lock that was not free in time, or a deadlock.
function isLockProblem(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '55P03' || error.code === '40P01')
}

async function apply(client: pg.Client, { name, sql, checksum }: Migration, lockTimeoutMs: number): Promise<void> {
  const record = () => client.query('insert into postwire_migrations (name, checksum) values ($1, $2)', [name, checksum])
  const indexes = concurrentIndexes(sql)
  if (indexes) {
    for (const index of indexes) await buildIndex(client, index)
    return void (await record())
  }
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
    await client.query(sql)
    await record()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
