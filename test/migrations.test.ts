import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { draftSql, readDatamodel } from '../prisma/draft.ts'
import { driftSql } from '../prisma/drift.ts'
import { concurrentIndexes } from '../prisma/indexes.ts'
import { type Migration, migrate, readMigrations } from '../prisma/migrate.ts'
import { until } from './help/until.ts'
import { freshDatabase } from './help/world.ts'

const migrations = await readMigrations()

test('the newest migration results in the current datamodel (if not: npm run migrate -- draft NAME)', async () => {
  expect(await draftSql(await freshDatabase(), migrations.at(-1)?.datamodel ?? '', await readDatamodel())).toBe('')
})

test('a migrated database matches the datamodel, except for what beyond.sql adds', async () => {
  const drift = await driftSql(await freshDatabase(), await readDatamodel())
  expect(drift.split('\n').filter((line) => line !== '' && !line.startsWith('--'))).toEqual([
    'DROP INDEX "contacts_search";',
    'DROP INDEX "suppressions_search";',
    'ALTER TABLE "contact_events" DROP CONSTRAINT "contact_events_pkey",',
    'ADD CONSTRAINT "contact_events_pkey" PRIMARY KEY ("project_id", "name", "contact_id");',
    'ALTER TABLE "events" ADD CONSTRAINT "events_project_id_contact_id_fkey" FOREIGN KEY ("project_id", "contact_id") REFERENCES "contacts"("project_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;',
    'ALTER TABLE "workflow_executions" ADD CONSTRAINT "workflow_executions_project_id_contact_id_fkey" FOREIGN KEY ("project_id", "contact_id") REFERENCES "contacts"("project_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;',
  ])
})

test('migrating again applies nothing, also from three processes at once', async () => {
  const url = await freshDatabase()
  expect(await Promise.all([migrate(url), migrate(url), migrate(url)])).toEqual([[], [], []])
})

test('migrations are numbered without gaps', () => {
  expect(migrations.map(({ name }) => Number(name.slice(0, 4)))).toEqual(migrations.map((_, at) => at + 1))
})

test('migrations after the first one remove nothing, because the previous version runs at the same time', () => {
  const destructive =
    /\bdrop\s+(table|column|type)\b|\brename\b|\bset\s+not\s+null\b|add\s+column[^,;]*\bnot\s+null\b(?![^,;]*\bdefault\b)/i
  expect(migrations.slice(1).filter(({ sql }) => destructive.test(sql))).toEqual([])
})

// Made before anybody ran the product.
const madeBefore = 41

/** What a migration does that holds up who uses a table, or that changes what is stored. */
function harmIn(sql: string): string[] {
  const harmful =
    /\b(truncate|delete\s+from|update\s+"?\w+"?\s+(\w+\s+)?set|drop\s+(index|constraint)|alter\s+column\s+\S+\s+(set\s+data\s+)?type)\b|\badd\s+(constraint\s+\S+\s+)?check\b(?![^;]*\bnot\s+valid\b)/gi
  const made = [...sql.matchAll(/create\s+table\s+"?(\w+)"?/gi)].map(([, table]) => table)
  const indexes = [...sql.matchAll(/create\s+(?:unique\s+)?index\s+(?!concurrently)\S+\s+on\s+"?(\w+)"?/gi)]
  return [...sql.matchAll(harmful), ...indexes.filter(([, table]) => !made.includes(table))].map(([text]) => text)
}

test('nor do they hold up who uses a table, or change what is stored: what they add is empty, or is built beside its use', () => {
  const found = migrations.slice(madeBefore).flatMap(({ name, sql }) => harmIn(sql).map((text) => `${name}: ${text}`))
  expect(found).toEqual([])
})

test.each([
  'truncate table upload_totals',
  'delete from suppressions',
  'update contacts set updated_at = updated_at',
  'alter table events alter column data type jsonb using data::jsonb',
  'alter table uploads add constraint uploads_size check (size > 0)',
  'create index contacts_email on contacts (email)',
  'drop index contacts_live',
])('a migration like this is found: %s', (sql) => {
  expect(harmIn(sql)).toHaveLength(1)
})

test('one that adds is not', () => {
  const sql = `create table notes (id text); create index notes_id on notes (id); create index concurrently contacts_email on contacts (email);
    alter table contacts add column extra text; alter table contacts add constraint extra_size check (length(extra) < 9) not valid`
  expect(harmIn(sql)).toEqual([])
})

/** The migrations of the repository and one more. */
function withNext(sql: string): Migration[] {
  return [...migrations, { name: '9999_next', sql, checksum: sql, datamodel: '' }]
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

const waiting = (client: pg.Client) => async () =>
  (await client.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)).rowCount === 1

test('a migration waits for a lock for a short time only, lets others pass, and tries again', async () => {
  const url = await freshDatabase()
  const [reader, other] = [await connect(url), await connect(url)]
  await reader.query('begin')
  await reader.query('select from contacts')
  const applied = migrate(url, { migrations: withNext('alter table contacts add column extra text'), lockTimeoutMs: 200 })
  await until(waiting(other))
  // It waits behind the migration, which waits for the reader.
  await other.query("set statement_timeout = '5s'")
  await other.query('select from contacts')
  await reader.query('commit')
  expect(await applied).toEqual(['9999_next'])
  expect((await other.query('select extra from contacts')).fields).toHaveLength(1)
})

test('a migration that never gets its lock fails with a sentence and changes nothing', async () => {
  const url = await freshDatabase()
  const reader = await connect(url)
  await reader.query('begin')
  await reader.query('select from contacts')
  const sql = 'create table extra (id text); alter table contacts add column extra text'
  const failing = migrate(url, { migrations: withNext(sql), lockTimeoutMs: 50, tries: 2 })
  await expect(failing).rejects.toThrow(/9999_next was rolled back 2 times, because another transaction uses the same table/)
  expect((await reader.query("select to_regclass('extra') as made")).rows).toEqual([{ made: null }])
})

const index = 'create index concurrently contacts_extra on contacts (project_id, created_at)'

test('an index is built concurrently beside open transactions that write, also when three processes start at once', async () => {
  const url = await freshDatabase()
  const [writer, observer] = [await connect(url), await connect(url)]
  await writer.query('begin')
  await writer.query(`lock table contacts in row exclusive mode`)
  const starts = [1, 2, 3].map(() => migrate(url, { migrations: withNext(`-- Why.\n${index};`) }))
  await until(waiting(observer))
  // Another writer is not held up, and the build holds back no reader of the log: it has no transaction id meanwhile.
  await observer.query(`set statement_timeout = '5s'; update contacts set updated_at = now()`)
  const { rows } = await observer.query(`select backend_xid as xid from pg_stat_activity where application_name = 'postwire migrate'
    and datname = current_database() and query like 'create index%'`)
  expect(rows).toEqual([{ xid: null }])
  await writer.query('commit')
  expect((await Promise.all(starts)).flat()).toEqual(['9999_next'])
})

test('what a build has left that failed half way is replaced, and an index that is complete stays', async () => {
  const url = await freshDatabase()
  const client = await connect(url)
  const id = async () =>
    (await client.query(`select indexrelid as id, indisvalid as valid from pg_index where indexrelid = to_regclass('contacts_extra')`)).rows
  await client.query(index)
  await client.query(`update pg_index set indisvalid = false where indexrelid = to_regclass('contacts_extra')`)
  const [left] = await id()
  expect(await migrate(url, { migrations: withNext(index) })).toEqual(['9999_next'])
  const [built] = await id()
  expect(built).toEqual({ id: expect.any(Number), valid: true })
  expect(built.id).not.toBe(left.id)
  // As when the process ended after the build and before it was recorded.
  await client.query(`delete from postwire_migrations where name = '9999_next'`)
  expect(await migrate(url, { migrations: withNext(index) })).toEqual(['9999_next'])
  expect(await id()).toEqual([built])
})

test('an index that cannot be built leaves nothing behind', async () => {
  const url = await freshDatabase()
  const client = await connect(url)
  await client.query(`create table twice as select 1 as n from generate_series(1, 2)`)
  await expect(migrate(url, { migrations: withNext('create unique index concurrently twice_n on twice (n)') })).rejects.toThrow(
    /9999_next failed/,
  )
  expect((await client.query(`select to_regclass('twice_n') as left`)).rows).toEqual([{ left: null }])
})

test('a migration holds either statements of one transaction or concurrent indexes', () => {
  for (const { sql } of migrations) expect(() => concurrentIndexes(sql)).not.toThrow()
  expect(() => concurrentIndexes(`${index}; alter table contacts add column extra text`)).toThrow(/nothing but/)
})
