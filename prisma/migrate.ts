import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'

/** A migration: a folder of prisma/migrations. */
export interface Migration {
  name: string
  /** migration.sql (generated from the datamodel) followed by beyond.sql (what a datamodel cannot express). */
  sql: string
  checksum: string
  /** The datamodel after this migration. */
  datamodel: string
}

/** The database cannot be migrated; the message is a sentence for the operator. */
export class MigrationError extends Error {}

const folder = new URL('./migrations/', import.meta.url)
const minServerVersion = 180_000
// The key of the advisory lock, chosen at random.
const lock = 7_261_049_113

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
 * for each other. `url` must not go through a pooler in transaction mode. Returns the names of the applied migrations. Throws
 * MigrationError for a server older than PostgreSQL 18 and for a migration that was changed after it was applied.
 */
export async function migrate(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, application_name: 'postwire migrate' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await checkServer(client)
    await client.query('select pg_advisory_lock($1)', [lock])
    return await applyMissing(client)
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

async function applyMissing(client: pg.Client): Promise<string[]> {
  await client.query(`create table if not exists postwire_migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now()
  )`)
  const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from postwire_migrations')
  const checksums = new Map(rows.map(({ name, checksum }) => [name, checksum]))
  const applied: string[] = []
  for (const migration of await readMigrations()) {
    const checksum = checksums.get(migration.name)
    if (checksum === undefined) {
      await apply(client, migration)
      applied.push(migration.name)
    } else if (checksum !== migration.checksum) {
      throw new MigrationError(
        `The migration ${migration.name} was changed after it was applied to this database: use the original files, or an empty database.`,
      )
    }
  }
  return applied
}

async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(sql)
    await client.query('insert into postwire_migrations (name, checksum) values ($1, $2)', [name, checksum])
    await client.query('commit')
  } catch (cause) {
    await client.query('rollback')
    throw new MigrationError(`The migration ${name} failed and was rolled back: ${(cause as Error).message}`, { cause })
  }
}
