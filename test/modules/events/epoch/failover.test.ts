import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { migrate } from '../../../../prisma/migrate.ts'
import { statement } from '../../../../src/kit/postgres/db.ts'
import { startPostgres } from '../../../../src/kit/postgres/embedded.ts'
import { raiseEpoch } from '../../../../src/modules/events/epoch/epoch.ts'
import { advanceReader, type LogReader, rangeParameters } from '../../../../src/modules/events/reader/reader.ts'
import { inRange } from '../../../../src/modules/events/reader/sql.ts'
import { watchLog } from '../../../../src/modules/events/tail/tail.ts'
import { appendLines } from '../../../help/lines.ts'
import { until } from '../../../help/until.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const across = { allProjects: 'a test reads its own database' }
const next = statement<{ xid: string; timeline: string }>(
  'test_next',
  `select pg_snapshot_xmax(pg_current_snapshot())::text as xid, left(pg_walfile_name('0/1'), 8) as timeline`,
  across,
)

const dataDir = await mkdtemp(join(tmpdir(), 'postwire-failover-'))
let postgres = await startPostgres({ dataDir })
const home = await readFile(join(dataDir, 'postgres.path'), 'utf8').catch(() => join(dataDir, 'postgres'))
const cluster = join(home, 'cluster')
afterAll(async () => {
  await postgres.stop()
  for (const path of [home, dataDir]) await rm(path, { recursive: true, force: true })
})

await migrate(postgres.url)
const world = await testWorld({ running: true, databaseUrl: postgres.url })
const { ctx, projectId } = await freshProject(world)
await raiseEpoch(world)

const isBack = () =>
  world.db.run(next, []).then(
    () => world.notices.connected(),
    () => false,
  )

/** Continues with a copy of the cluster, which becomes a standby that has not received the newest transactions, and is promoted. */
async function promote(copy: string): Promise<void> {
  await postgres.stop()
  await rename(cluster, `${cluster}.lost`)
  await rename(copy, cluster)
  await writeFile(join(cluster, 'recovery.signal'), '')
  postgres = await startPostgres({ dataDir, settings: { restore_command: 'false' } })
  await until(isBack)
}

async function copyCluster(): Promise<string> {
  await postgres.stop()
  execFileSync('cp', ['-a', cluster, `${cluster}.copy`])
  postgres = await startPostgres({ dataDir })
  await until(isBack)
  return `${cluster}.copy`
}

test('after a failover that loses transactions, whose ids are used again, no subscriber misses or repeats a line, and no reader does', async () => {
  const seen: string[] = []
  const reader: LogReader = {
    name: 'failover',
    maxLines: 100,
    async handle(tx, range) {
      const rows = await tx.run(
        statement<{ name: string }>('test_names', `select name from events e where ${inRange('e')}`, across),
        rangeParameters(range),
      )
      seen.push(...rows.map(({ name }) => name))
    },
  }
  await appendLines(world, projectId, 'kept')
  await until(async () => !(await advanceReader(world, reader)) && seen.length === 1)
  const copy = await copyCluster()

  const open = await watchLog(ctx, {})
  for (let n = 0; n < 50; n++) await appendLines(world, projectId, `lost ${n}`)
  let cursor = ''
  for (let n = 0; n < 50; n++) cursor = (await open.next()).value?.cursor ?? ''
  const [before] = await world.db.run(next, [])

  await promote(copy)
  await appendLines(world, projectId, 'first')
  await appendLines(world, projectId, 'second')
  const [after] = await world.db.run(next, [])
  expect(after?.timeline).not.toBe(before?.timeline)
  expect(BigInt(after?.xid ?? 0)).toBeLessThan(BigInt(before?.xid ?? 0))

  expect([(await open.next()).value?.name, (await open.next()).value?.name]).toEqual(['first', 'second'])
  await open.return?.()
  const resumed = await watchLog(ctx, { after: cursor })
  expect([(await resumed.next()).value?.name, (await resumed.next()).value?.name]).toEqual(['first', 'second'])
  await resumed.return?.()
  await until(async () => !(await advanceReader(world, reader)) && seen.length === 3)
  expect(seen).toEqual(['kept', 'first', 'second'])
})
