import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startPostgres } from '../../../src/kit/postgres/embedded.ts'
import { startProgram } from '../../help/program.ts'
import { query } from '../../help/query.ts'
import { root } from '../../help/sources.ts'
import { until } from '../../help/until.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'postwire-cluster-'))
const reports: string[] = []
let postgres = await startPostgres({ dataDir, report: (sentence) => reports.push(sentence) })

const folder = await readFile(join(dataDir, 'postgres.path'), 'utf8').catch(() => join(dataDir, 'postgres'))
afterAll(async () => {
  await postgres.stop()
  for (const path of [folder, dataDir]) await rm(path, { recursive: true, force: true })
})

const asks = (text: string) => query(postgres.url, text)
const answers = (text: string) => asks(text).catch(() => undefined)

test('the cluster uses UTF-8, syncs to disk, and requires the password', async () => {
  expect(await asks("select current_setting('server_encoding'), current_setting('fsync'), current_setting('listen_addresses')")).toEqual([
    ['UTF8', 'on', '127.0.0.1'],
  ])
  const { host, pathname } = new URL(postgres.url)
  await expect(query(`postgres://postwire:wrong@${host}${pathname}`, 'select 1')).rejects.toThrow('password authentication failed')
  expect((await stat(join(folder, 'cluster'))).mode & 0o077).toBe(0)
  expect((await stat(join(dataDir, 'postgres.json'))).mode & 0o077).toBe(0)
})

test('one statement that reads much leaves a processor to everything else', async () => {
  const workers = String(Math.max(1, availableParallelism() - 1))
  expect(await asks("select current_setting('max_parallel_workers')")).toEqual([[workers]])
})

test('after a kill it is restarted at the same address, with all committed data', async () => {
  await asks('create table answers as select 42 as answer')
  process.kill(postgres.pid(), 'SIGKILL')
  await until(async () => (await answers('select answer from answers'))?.length === 1)
  expect(reports).toEqual(expect.arrayContaining(['The embedded PostgreSQL ended unexpectedly and is being restarted.']))
})

test('after a stop it stays stopped, and a new start has the same address and data', async () => {
  const { url } = postgres
  await postgres.stop()
  await expect(asks('select 1')).rejects.toThrow('ECONNREFUSED')
  postgres = await startPostgres({ dataDir })
  expect(postgres.url).toBe(url)
  expect(await asks('select answer from answers')).toEqual([[42]])
})

test('a second program on the same data folder fails with a sentence, and the first is not affected', async () => {
  const second = startProgram(process.execPath, ['src/start/launch.js'], { cwd: root, env: { DATA_DIR: dataDir, PORT: '0' } })
  expect(await second.ended).toBe(1)
  expect(second.stderr().trim()).toMatch(
    new RegExp(`^The data folder ${dataDir} is in use by another Postwire \\(process ${process.pid}\\): .*$`),
  )
  expect(await asks('select answer from answers')).toEqual([[42]])
})
