import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { freePort } from '../help/ports.ts'
import { clusterOf, familyOf, freshDataDir, type Process, processes } from '../help/processes.ts'
import { eventually, type Program, startProgram } from '../help/program.ts'
import { root } from '../help/sources.ts'
import { freshDatabase } from '../help/world.ts'

const port = await freePort()
const url = `http://127.0.0.1:${port}`
const dataDir = await freshDataDir()
const production = { NODE_ENV: 'production', APP_SECRET: 'x'.repeat(32), ALLOW_CAPTURE: 'true' }
const programs: Program[] = []

afterAll(() => {
  for (const { pid } of programs) killGroup(pid)
})

function npmStart(env: Record<string, string> = {}): Program {
  const program = startProgram('npm', ['start'], { cwd: root, env: { PORT: String(port), DATA_DIR: dataDir, ...env } })
  programs.push(program)
  return program
}

// The group, because a process whose parent has died has another parent.
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

const left = (family: Process[]): Process[] => processes().filter((one) => family.some(({ pid }) => pid === one.pid))

// What the program writes to standard error, without warnings, and without the lines of npm about its own settings.
const said = (program: Program): string[] =>
  program
    .stderr()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('npm ') && !line.startsWith('{"level":"warn"'))
    .map((line) => (line.startsWith('{') ? JSON.parse(line).msg : line))

const isMissing = (path: string): Promise<boolean> =>
  stat(path).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  )

/** Expects within 10 s of a signal: port closed, no process left, the database shut down cleanly. */
async function expectClosed(program: Program, family: Process[]): Promise<void> {
  await eventually(async () => left(family).length === 0, 10_000)
  await expect(fetch(url)).rejects.toThrow()
  const cluster = await clusterOf(dataDir)
  expect(await isMissing(join(cluster, 'postmaster.pid'))).toBe(true)
  expect((await readFile(join(dirname(cluster), 'postgres.log'), 'utf8')).trim()).toMatch(/database system is shut down$/)
  expect(said(program)).toEqual(['started', 'stopping'])
}

const toNpm = ({ pid }: Program): number => pid
const toNode = ({ pid }: Program): number =>
  familyOf(pid).find(({ command }) => /^node src\/start\/launch\.js/.test(command))?.pid as number
const toGroup = ({ pid }: Program): number => -pid

describe('npm start, once it runs,', () => {
  test.each([
    ['SIGTERM to npm', 'SIGTERM', toNpm, 0],
    ['SIGINT to npm', 'SIGINT', toNpm, 0],
    ['SIGHUP to npm, which it does not handle', 'SIGHUP', toNpm, null],
    ['SIGKILL to npm', 'SIGKILL', toNpm, null],
    ['Ctrl-C, which every process receives', 'SIGINT', toGroup, 0],
    ['a terminal that closes, which every process notices', 'SIGHUP', toGroup, null],
    ['SIGTERM to the program itself', 'SIGTERM', toNode, 0],
    ['SIGHUP to the program itself', 'SIGHUP', toNode, 0],
  ] as const)('is ended by %s: everything closes in order and once', async (_title, signal, target, code) => {
    const program = npmStart()
    await program.logs(/"msg":"started"/)
    const family = familyOf(program.pid)
    expect(family.length).toBeGreaterThan(3)
    process.kill(target(program), signal)
    expect(await program.ended).toBe(code)
    await expectClosed(program, family)
  })
})

// Clusters that are being created.
const draftsIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true }).catch(() => [])).filter((name) => /^cluster\.new-\w+\/PG_VERSION$/.test(name))

describe('a production process that is stopped while it starts', () => {
  test('can be started again at once when it was killed while the cluster is created, whose program is still at work', async () => {
    const fresh = await freshDataDir()
    const killed = npmStart({ ...production, DATA_DIR: fresh })
    await eventually(async () => (await draftsIn(dirname(await clusterOf(fresh)))).length > 0)
    process.kill(-killed.pid, 'SIGKILL')
    await killed.ended
    const again = npmStart({ ...production, DATA_DIR: fresh })
    await again.logs(/"msg":"started"/)
    again.kill('SIGTERM')
    expect(await again.ended).toBe(0)
    expect(await draftsIn(dirname(await clusterOf(fresh)))).toEqual([])
  })

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'ends with %s to the whole group while the cluster is created, and starts afterwards',
    async (signal) => {
      const fresh = await freshDataDir()
      const program = npmStart({ ...production, DATA_DIR: fresh })
      await eventually(async () => (await draftsIn(dirname(await clusterOf(fresh)))).length > 0)
      const family = familyOf(program.pid)
      process.kill(-program.pid, signal)
      expect(await program.ended).toBe(0)
      await eventually(async () => left(family).length === 0, 10_000)
      expect(said(program)).toEqual([`Stopped by ${signal} before the start was complete.`])
      const again = npmStart({ ...production, DATA_DIR: fresh })
      await again.logs(/"msg":"started"/)
      again.kill('SIGTERM')
      expect(await again.ended).toBe(0)
    },
  )

  test('ends while it waits for another process that migrates', async () => {
    const databaseUrl = await freshDatabase()
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    await client.query('select pg_advisory_lock(7261049113)')
    const program = npmStart({ ...production, DATABASE_URL: databaseUrl })
    const waiting = `select from pg_stat_activity where application_name = 'postwire migrate' and datname = current_database()`
    await eventually(async () => (await client.query(waiting)).rowCount === 1)
    program.kill('SIGTERM')
    expect(await program.ended).toBe(0)
    expect(said(program)).toEqual(['Stopped by SIGTERM before the start was complete.'])
    await client.end()
  })
})
