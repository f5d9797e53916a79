import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '../../prisma/migrate.ts'
import { readConfig } from '../../src/kit/config.ts'
import { callIn } from '../../src/kit/context.ts'
import { startPostgres } from '../../src/kit/postgres/embedded.ts'
import { randomSecret } from '../../src/kit/vault.ts'
import { openWorld, type World } from '../../src/kit/world.ts'
import { createDomain } from '../../src/modules/domains/domains.ts'
import { createProject } from '../../src/modules/projects/projects.ts'
import { queues } from '../../src/server/worker.ts'
import { contacts, senderDomain } from './payloads.ts'

/** A database with a project that may send and has 20,000 contacts. */
export interface Seeded {
  url: string
  appSecret: string
  projectId: string
  secretKey: string
}

/** The PostgreSQL of one benchmark. */
export interface BenchPostgres {
  version: string
  /** Creates a database and seeds it. */
  seed(name: string): Promise<Seeded>
  /** Writes what the last run has left in memory to disk, so that it does not slow down the next run. */
  checkpoint(): Promise<void>
  end(): Promise<void>
}

const fillContacts = `insert into contacts (project_id, id, email, subscribed, data, created_at, updated_at)
  select $1, 'cnt_' || lpad(n::text, 26, '0'), 'user' || n || '@example.test', true, '{"plan":"pro","orders":0}', $2, $2
  from generate_series(0, ${contacts - 1}) n`
const fillCounts = `insert into contact_counts (project_id, slot, count) values ($1, 0, ${contacts})`
const fillFields = `insert into contact_fields (project_id, key, type, first_seen) values ($1, 'plan', 'string', $2), ($1, 'orders', 'number', $2)`

/** Starts the embedded PostgreSQL in a temporary folder, with its default settings. */
export async function startBenchPostgres(): Promise<BenchPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'postwire-bench-'))
  const postgres = await startPostgres({ dataDir })
  const admin = new pg.Client({ connectionString: postgres.url })
  await admin.connect()
  const { rows } = await admin.query<{ server_version: string }>('show server_version')
  return {
    version: rows[0]?.server_version ?? 'unknown',
    async seed(name) {
      await admin.query(`create database ${name}`)
      const url = Object.assign(new URL(postgres.url), { pathname: `/${name}` }).toString()
      await migrate(url)
      return seedDatabase(url)
    },
    async checkpoint() {
      await admin.query('checkpoint')
    },
    async end() {
      await admin.end()
      await postgres.stop()
      // As root the cluster may be in another folder (src/kit/postgres/folders.ts).
      const elsewhere = await readFile(join(dataDir, 'postgres.path'), 'utf8').catch(() => dataDir)
      for (const folder of [elsewhere, dataDir]) await rm(folder, { recursive: true, force: true })
    },
  }
}

async function seedDatabase(url: string): Promise<Seeded> {
  const appSecret = randomSecret()
  const world = await benchWorld(url, appSecret)
  const project = await createProject(callIn(world), { name: 'Bench' })
  await createDomain(callIn(world, { projectId: project.id, actor: { kind: 'system' } }), { domain: senderDomain })
  await world.close()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(fillContacts, [project.id, new Date()])
  await client.query(fillCounts, [project.id])
  await client.query(fillFields, [project.id, new Date()])
  await client.query('vacuum analyze')
  await client.end()
  return { url, appSecret, projectId: project.id, secretKey: project.secret }
}

/** A world on a database, for what a benchmark prepares through operations. */
export function benchWorld(url: string, appSecret: string): Promise<World> {
  const config = readConfig({ LOG_LEVEL: 'error', EMAIL_TRANSPORT: 'null' })
  return openWorld({ config, secret: appSecret, databaseUrl: url, publicUrl: 'http://127.0.0.1', queues })
}
