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
