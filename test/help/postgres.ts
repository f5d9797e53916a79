import { chmod, mkdtemp, readFile, rm, statfs } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../prisma/migrate.ts'
import { readConfig } from '../../src/kit/config.ts'
import { startPostgres } from '../../src/kit/postgres/embedded.ts'
import { openWorld } from '../../src/kit/world.ts'
import { queues } from '../../src/server/worker.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Addresses of the migrated databases that the databases of test files are copied from, one for each process of tests. */
    postgresUrls: string[]
  }
}

/**
 * Starts a PostgreSQL for each process of a test run. They have one each because the oldest open transaction of a server holds
 * the readers of the log back in all of its databases: files that run at the same time would wait for each other's transactions.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const servers = await Promise.all(Array.from({ length: Number(project.config.maxWorkers) }, prepare))
  project.provide(
    'postgresUrls',
    servers.map(({ url }) => url),
  )
  return async () => void (await Promise.all(servers.map(({ end }) => end())))
}

// With the database that is copied: schema and queues, no rows.
async function prepare(): Promise<{ url: string; end(): Promise<void> }> {
  const dataDir = await mkdtemp(join(await folderOfClusters(), 'postwire-test-'))
  // Otherwise the cluster of a run by root would be moved to where every user may go: off the memory file system.
  await chmod(dataDir, 0o755)
  // Its files do not survive the run, so nothing waits until they are on the disk; programs that tests start have a PostgreSQL of their own.
  const settings = { max_connections: '300', autovacuum_naptime: '60s', fsync: 'off', full_page_writes: 'off' }
  const postgres = await startPostgres({ dataDir, settings })
  await migrate(postgres.url)
  const config = readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent' })
  const world = await openWorld({ config, secret: 'not used', databaseUrl: postgres.url, queues, publicUrl: 'http://localhost' })
  await world.close()
  return {
    url: postgres.url,
    async end() {
      await postgres.stop()
      const elsewhere = await readFile(join(dataDir, 'postgres.path'), 'utf8').catch(() => dataDir)
      for (const folder of [elsewhere, dataDir]) await rm(folder, { recursive: true, force: true })
    },
  }
}

// One database per test file is some hundred thousand files to create: in memory that takes a tenth of the time.
async function folderOfClusters(): Promise<string> {
  const free = await statfs('/dev/shm').then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  return free > 4 * 1024 ** 3 && freemem() > 8 * 1024 ** 3 ? '/dev/shm' : tmpdir()
}
