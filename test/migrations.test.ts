import { expect, test } from 'vitest'
import { draftSql, readDatamodel } from '../prisma/draft.ts'
import { driftSql } from '../prisma/drift.ts'
import { migrate, readMigrations } from '../prisma/migrate.ts'
import { freshDatabase } from './help/world.ts'

const migrations = await readMigrations()

test('the newest migration results in the current datamodel (if not: npm run migrate -- draft NAME)', async () => {
  expect(await draftSql(await freshDatabase(), migrations.at(-1)?.datamodel ?? '', await readDatamodel())).toBe('')
})

test('a migrated database matches the datamodel, except for what beyond.sql adds', async () => {
  const drift = await driftSql(await freshDatabase(), await readDatamodel())
  expect(drift.split('\n').filter((line) => line !== '' && !line.startsWith('--'))).toEqual([
    'DROP INDEX "contacts_search";',
    'ALTER TABLE "events" ADD CONSTRAINT "events_project_id_contact_id_fkey" FOREIGN KEY ("project_id", "contact_id") REFERENCES "contacts"("project_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;',
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
