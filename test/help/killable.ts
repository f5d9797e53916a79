import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'
import { createVault } from '../../src/kit/vault.ts'
import { createDomain } from '../../src/modules/domains/domains.ts'
import { freshProject, type TestWorld } from './world.ts'

const appSecret = 'a secret that every worker of a story shares'

/** Workers in processes of their own, that a story kills. */
export interface Workers {
  /** Starts one that sends to a mail server, and whose claims expire after a second. */
  start(smtp: string): Promise<ChildProcess>
  kill(worker: ChildProcess): Promise<void>
  /** A project whose emails they can sign. */
  sender(): ReturnType<typeof freshProject>
}

/** Workers on the database of a world; those that are left are killed after the file's tests. */
export function killableWorkers(world: TestWorld): Workers {
  const workers = new Set<ChildProcess>()
  afterAll(() => {
    for (const worker of workers) worker.kill('SIGKILL')
  })
  return {
    async start(smtp) {
      const env = {
        ...process.env,
        NODE_ENV: 'test',
        DATABASE_URL: world.databaseUrl,
        APP_SECRET: appSecret,
        EMAIL_TRANSPORT: smtp,
        CLAIM_SECONDS: '1',
        LOG_LEVEL: 'error',
      }
      const worker = fork(fileURLToPath(new URL('./worker-process.ts', import.meta.url)), {
        env,
        execArgv: ['--disable-warning=ExperimentalWarning'],
      })
      workers.add(worker)
      await new Promise<void>((resolve, reject) => {
        worker.once('message', () => resolve())
        worker.once('exit', (code) => reject(new Error(`The worker ended with ${code}`)))
      })
      return worker
    },
    async kill(worker) {
      const gone = new Promise((resolve) => worker.once('exit', resolve))
      worker.kill('SIGKILL')
      await gone
      workers.delete(worker)
    },
    async sender() {
      const project = await freshProject(world)
      await createDomain({ ...project.ctx, vault: createVault(appSecret) }, { domain: 'demo.test' })
      return project
    },
  }
}
