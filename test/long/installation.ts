import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '../../prisma/migrate.ts'
import { callIn } from '../../src/kit/context.ts'
import { startPostgres } from '../../src/kit/postgres/embedded.ts'
import { randomSecret } from '../../src/kit/vault.ts'
import { createDomain } from '../../src/modules/domains/domains.ts'
import { createProject } from '../../src/modules/projects/projects.ts'
import { benchWorld } from '../bench/postgres.ts'
import { freePort } from '../help/ports.ts'
import { familyOf } from '../help/processes.ts'
import { type Program, startProgram } from '../help/program.ts'
import { root } from '../help/sources.ts'
import type { RecordingServer } from './mail-server.ts'
import { pick, type Random } from './random.ts'

/** A whole installation: PostgreSQL, two web processes and two workers. Whatever is killed is started again at once. */
export interface Installation {
  /** The addresses of the web processes. */
  urls: readonly [string, string]
  /** The secret key of a project that may send from demo.test. */
  key: string
  /** When workers were killed, by the name they give to mail servers, in ms of the monotonic clock. */
  deaths: Map<string, number>
  /** Kills one process, or both workers, with SIGKILL, and returns what it was. PostgreSQL that is already down is left alone: then a worker. */
  kill(victim: Victim): string
  query<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]>
  close(): Promise<void>
}

/** What can be killed. */
export type Victim = 'worker' | 'both workers' | 'web' | 'postmaster' | 'postgres backend'

/** A program that is started again whenever it has ended. */
interface Kept {
  name(): string
  kill(signal: NodeJS.Signals): void
  close(): Promise<void>
}

/** Starts an installation that delivers to a mail server of this machine; of its workers those are killed first that the server knows. */
export async function startInstallation(random: Random, server: Pick<RecordingServer, 'port' | 'knows'>): Promise<Installation> {
  const dataDir = await mkdtemp(join(tmpdir(), 'postwire-long-'))
  const postgres = await startPostgres({ dataDir })
  await migrate(postgres.url)
  const appSecret = randomSecret()
  const key = await createSender(postgres.url, appSecret)
  const deaths = new Map<string, number>()
  const shared = {
    NODE_ENV: 'production',
    APP_SECRET: appSecret,
    DATABASE_URL: postgres.url,
    DATABASE_POOL_SIZE: '4',
    CLAIM_SECONDS: '2',
    LOG_LEVEL: 'fatal',
    RATE_LIMIT_PER_MINUTE: '1000000',
    SEND_RATE_PER_PROJECT: '0',
  }
  const smtp = (name: string) => `smtp://127.0.0.1:${server.port}/?name=${name}`
  const keptWorker = (at: number) => keep(`worker-${at}`, (name) => ({ ...shared, ROLE: 'worker', EMAIL_TRANSPORT: smtp(name) }))
  const keptWeb = (port: number) =>
    keep(`web-${port}`, (name) => ({ ...shared, ROLE: 'web', PORT: String(port), EMAIL_TRANSPORT: smtp(name) }))
  const workers = [keptWorker(0), keptWorker(1)] as const
  const ports = [await freePort(), await freePort()] as const
  const webs = [keptWeb(ports[0]), keptWeb(ports[1])] as const

  // One that is still starting holds no email.
  function aWorker(): Kept {
    const [first, ...others] = workers.filter((worker) => server.knows(worker.name()))
    return first ? pick(random, [first, ...others]) : pick(random, workers)
  }

  function killWorker(worker = aWorker()): string {
    deaths.set(worker.name(), performance.now())
    worker.kill('SIGKILL')
    return 'worker'
  }

  return {
    urls: [`http://127.0.0.1:${ports[0]}`, `http://127.0.0.1:${ports[1]}`],
    key,
    deaths,
    kill(victim) {
      if (victim === 'worker') return killWorker()
      if (victim === 'both workers') {
        for (const worker of workers) killWorker(worker)
        return victim
      }
      if (victim === 'web') pick(random, webs).kill('SIGKILL')
      if (victim === 'web') return victim
      const [postmaster, ...backends] = familyOf(postgres.pid())
      const chosen = victim === 'postmaster' ? postmaster : backends[Math.floor(random() * backends.length)]
      if (!chosen || !signal(chosen.pid)) return killWorker()
      return victim
    },
    query: (sql) => query(postgres.url, sql),
    async close() {
      await Promise.all([...workers, ...webs].map((each) => each.close()))
      await postgres.stop()
      const elsewhere = await readFile(join(dataDir, 'postgres.path'), 'utf8').catch(() => dataDir)
      for (const folder of [elsewhere, dataDir]) await rm(folder, { recursive: true, force: true })
    },
  }
}

async function createSender(url: string, appSecret: string): Promise<string> {
  const world = await benchWorld(url, appSecret)
  const project = await createProject(callIn(world), { name: 'Long' })
  await createDomain(callIn(world, { projectId: project.id, actor: { kind: 'system' } }), { domain: 'demo.test' })
  await world.close()
  return project.secret
}

// A new name for every start, so that a mail server can tell one process from the one that replaces it.
function keep(name: string, env: (name: string) => Record<string, string>): Kept {
  let starts = 0
  let closing = false
  let program: Program
  const start = (): void => {
    program = startProgram(process.execPath, ['src/start/launch.js'], { cwd: root, env: env(`${name}-${++starts}`) })
    void program.ended.then(() => {
      if (!closing) start()
    })
  }
  start()
  return {
    name: () => `${name}-${starts}`,
    kill: (signal) => program.kill(signal),
    async close() {
      closing = true
      program.kill('SIGTERM')
      await program.ended
    },
  }
}

function signal(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}
