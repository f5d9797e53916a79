import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../../../prisma/migrate.ts'
import { newId } from '../../../../src/kit/ids.ts'
import { createLog } from '../../../../src/kit/log.ts'
import { openDatabase } from '../../../../src/kit/postgres/db.ts'
import { followEpoch, raiseEpoch } from '../../../../src/modules/events/epoch/epoch.ts'
import { watchLog } from '../../../../src/modules/events/tail/tail.ts'
import { logEvents } from '../../../help/lines.ts'
import { until } from '../../../help/until.ts'
import { freshProject, logSettled, postgresUrl, type TestWorld, testWorld } from '../../../help/world.ts'

// A position before every line.
const beginning = Buffer.from('1.1.').toString('base64url')
const log = createLog('silent')

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

/** A world with a project, and a superuser's connection to its database. */
async function restoredWorld() {
  const world = await testWorld({ running: true })
  await raiseEpoch(world)
  return { world, admin: await connect(world.databaseUrl), ...(await freshProject(world)) }
}

async function insertLine(admin: pg.Client, projectId: string, { name, epoch, xid }: { name: string; epoch: number; xid: string }) {
  await admin.query('insert into events (project_id, id, name, created_at, epoch, xid) values ($1, $2, $3, now(), $4, $5::text::xid8)', [
    projectId,
    newId('event', new Date()),
    name,
    epoch,
    xid,
  ])
}

/** The names of the next lines after a cursor. */
async function namesAfter(world: TestWorld, projectId: string, after: string, count: number): Promise<string[]> {
  await logSettled(world)
  const lines = await watchLog({ world, projectId }, { after })
  const names: string[] = []
  while (names.length < count) names.push((await lines.next()).value?.name ?? '')
  await lines.return?.()
  return names
}

test.each([
  ['whose transaction ids are in the future of this cluster', 1, '999999999999', 2],
  ['of a higher epoch', 4, '5', 5],
])('new lines come after the lines of a dump %s, and all are visible', async (_what, epoch, xid, expected) => {
  const { world, admin, projectId } = await restoredWorld()
  await insertLine(admin, projectId, { name: 'old', epoch, xid })
  expect(await raiseEpoch({ db: world.db, log })).toBe(expected)
  expect(await raiseEpoch({ db: world.db, log })).toBe(expected)
  await logEvents(world, projectId, [{ name: 'new' }])
  expect(await namesAfter(world, projectId, beginning, 2)).toEqual(['old', 'new'])
})

test('a database that is now in another cluster begins a new epoch, so that a cursor from the old one skips nothing', async () => {
  const { world, admin, projectId } = await restoredWorld()
  await logEvents(world, projectId, [{ name: 'in the dump' }])
  // As restoring does: the function still names the cluster the dump was taken from, where more lines were written since.
  await admin.query(
    `do $$ begin execute (select replace(pg_get_functiondef('log_epoch()'::regprocedure), '/* cluster ', '/* cluster 1')); end $$`,
  )
  const { rows } = await admin.query<{ xid: string }>('select pg_snapshot_xmax(pg_current_snapshot())::text as xid')
  const lost = Buffer.from(`1.${BigInt(rows[0]?.xid ?? 0) + 1_000n}.`).toString('base64url')
  expect(await raiseEpoch(world)).toBe(2)
  expect(await raiseEpoch(world)).toBe(2)
  await logEvents(world, projectId, [{ name: 'new' }])
  expect(await namesAfter(world, projectId, lost, 1)).toEqual(['new'])
})

test('an ordinary log keeps its epoch, however often the program starts, also in parallel', async () => {
  const { world, projectId } = await restoredWorld()
  await logEvents(world, projectId, [{ name: 'ordinary' }])
  expect(await Promise.all([raiseEpoch(world), raiseEpoch(world), raiseEpoch(world)])).toEqual([1, 1, 1])
})

test('a live stream ends with CURSOR_EXPIRED when the database is replaced by one that has not come as far', async () => {
  const { world, admin, ctx, projectId } = await restoredWorld()
  const epochIs = (epoch: number) =>
    admin.query(`create or replace function log_epoch() returns smallint language sql stable as 'select ${epoch}::smallint'`)
  await epochIs(7)
  const lines = await watchLog(ctx, {})
  await logEvents(world, projectId, [{ name: 'seen' }])
  expect((await lines.next()).value?.name).toBe('seen')
  await admin.query('delete from events')
  await epochIs(3)
  await expect(lines.next()).rejects.toMatchObject({ code: 'CURSOR_EXPIRED' })
  expect(await lines.next()).toEqual({ done: true, value: undefined })
  // A new subscription without a cursor goes on.
  const again = await watchLog(ctx, {})
  await logEvents(world, projectId, [{ name: 'later' }])
  expect((await again.next()).value?.name).toBe('later')
  await again.return?.()
})

test('after a lost connection the epoch is checked again, because another database may have taken the place', async () => {
  const { world, admin, projectId } = await restoredWorld()
  await followEpoch(world)
  await insertLine(admin, projectId, { name: 'old', epoch: 4, xid: '5' })
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'postwire notices'`,
  )
  const epoch = async () => (await admin.query<{ epoch: number }>('select log_epoch() as epoch')).rows[0]?.epoch
  await until(async () => (await epoch()) === 5)
})

test('for an ordinary role that may not read the timeline, the epoch is a constant, and a warning says what that means', async () => {
  const admin = await connect(Object.assign(new URL(postgresUrl()), { pathname: '/postgres' }).href)
  const name = `plain_${randomBytes(6).toString('hex')}`
  await admin.query(`create role ${name} login password 'plain'`)
  await admin.query(`create database ${name} owner ${name}`)
  onTestFinished(async () => {
    await admin.query(`drop database ${name} with (force)`)
    await admin.query(`drop role ${name}`)
  })
  const url = Object.assign(new URL(postgresUrl()), { pathname: `/${name}`, username: name, password: 'plain' }).href
  await migrate(url)
  const db = openDatabase(url, 2, () => undefined)
  onTestFinished(() => db.close())
  const warnings: string[] = []
  const written = pino({}, { write: (line: string) => void warnings.push(line) })
  const owner = await connect(Object.assign(new URL(postgresUrl()), { pathname: `/${name}` }).href)
  await owner.query('alter function log_epoch() owner to current_user')
  expect(await raiseEpoch({ db, log: written })).toBe(1)
  expect(warnings.splice(0)).toEqual([expect.stringContaining('does not own the function log_epoch')])
  await owner.query(`alter function log_epoch() owner to ${name}`)
  expect(await raiseEpoch({ db, log: written })).toBe(1)
  expect(warnings).toEqual([])

  await owner.query('revoke execute on function pg_walfile_name(pg_lsn), pg_control_system() from public')
  await insertLine(owner, 'prj_x', { name: 'old', epoch: 3, xid: '5' })
  expect(await raiseEpoch({ db, log: written })).toBe(4)
  expect(await raiseEpoch({ db, log: written })).toBe(4)
  expect(warnings).toHaveLength(2)
  expect(warnings[0]).toContain('may not call pg_walfile_name')
})
