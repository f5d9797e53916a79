import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'

/** One step of the database's history: a folder of prisma/migrations. */
export interface Migration {
  name: string
  /** migration.sql (drafted from the datamodel) and then beyond.sql (what Prisma cannot say). */
  sql: string
  checksum: string
  /** The datamodel this migration leads to. */
  datamodel: string
}

/** The database cannot be brought to the present schema: a sentence for the person at the terminal. */
export class MigrationError extends Error {}

const folder = new URL('./migrations/', import.meta.url)
const oldestServer = 180_000
// Any number of ours: processes that start at once take turns.
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
 * Brings the database to the present schema: every migration that is missing, each in a transaction of its own, under
 * an advisory lock. `url` must not go through a pooler in transaction mode. Answers the names it applied; throws
 * MigrationError for a server before PostgreSQL 18 and for a migration that was changed after it was applied.
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
  if (!server || Number(server.number) < oldestServer) {
    throw new MigrationError(`Postwire needs PostgreSQL 18 or newer; the server at DATABASE_URL is ${server?.version}.`)
  }
}

async function applyMissing(client: pg.Client): Promise<string[]> {
  await client.query(`create table if not exists postwire_migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now()
  )`)
  const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from postwire_migrations')
  const known = new Map(rows.map(({ name, checksum }) => [name, checksum]))
  const applied: string[] = []
  for (const migration of await readMigrations()) {
    const checksum = known.get(migration.name)
    if (checksum === undefined) {
      await apply(client, migration)
      applied.push(migration.name)
    } else if (checksum !== migration.checksum) {
      throw new MigrationError(
        `The migration ${migration.name} was changed after it was applied to this database: use the files it was made with, or an empty database.`,
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
    throw new MigrationError(`The migration ${name} failed and left nothing behind: ${(cause as Error).message}`, { cause })
  }
}
