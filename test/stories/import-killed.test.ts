import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { getJob } from '../../src/modules/jobs/job.ts'
import { ended, queueImport } from '../help/imports.ts'
import { until } from '../help/until.ts'
import { freshProject, testWorld } from '../help/world.ts'

const world = await testWorld({ running: true })
const workers = new Set<ChildProcess>()
afterAll(() => {
  for (const worker of workers) worker.kill('SIGKILL')
})

/** Starts a process that works on jobs, and takes over those without progress for a second. */
async function startWorkerProcess(): Promise<ChildProcess> {
  const settings = {
    NODE_ENV: 'test',
    DATABASE_URL: world.databaseUrl,
    APP_SECRET: 'a secret that every worker of this story shares',
    CLAIM_SECONDS: '1',
    LOG_LEVEL: 'error',
  }
  const worker = fork(fileURLToPath(new URL('../help/import-process.ts', import.meta.url)), {
    env: { ...process.env, ...settings },
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  workers.add(worker)
  await new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve())
    worker.once('exit', (code) => reject(new Error(`The worker ended with ${code}`)))
  })
  return worker
}

async function kill(worker: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => worker.once('exit', resolve))
  worker.kill('SIGKILL')
  await gone
  workers.delete(worker)
}

test('kill -9 of one of two workers, three times during an import: another one continues, and every row counts once', async () => {
  const { ctx, projectId } = await freshProject(world)
  const count = 30_000
  const rows = Array.from({ length: count }, (_, n) => `user${n}@example.com,${n},${n % 10 === 0 ? 'no' : ''}`)
  const id = await queueImport(ctx, `email,n,subscribed\n${rows.join('\n')}\nnobody,0,\n`)
  const running = [await startWorkerProcess(), await startWorkerProcess()]
  let kills = 0
  for (let from = 0; kills < 3; kills++) {
    let job = await getJob(ctx, { id })
    await until(async () => {
      job = await getJob(ctx, { id })
      return job.progress > from || job.finishedAt !== null
    }, 30_000)
    if (job.finishedAt) break
    from = job.progress
    await kill(running.shift() as ChildProcess)
    running.push(await startWorkerProcess())
  }
  const job = await ended(ctx, id, 60_000)
  expect(kills).toBeGreaterThan(1)
  expect(job).toMatchObject({
    state: 'completed',
    result: {
      totalRows: count + 1,
      successCount: count,
      createdCount: count,
      updatedCount: 0,
      failureCount: 1,
      errors: [{ row: count + 2, email: 'nobody' }],
    },
  })
  expect(await world.db.prisma.contact.count({ where: { projectId } })).toBe(count)
  expect(await world.db.prisma.contact.count({ where: { projectId, subscribed: false } })).toBe(count / 10)
  expect(await world.db.prisma.jobFilePart.count({ where: { projectId } })).toBe(0)
}, 180_000)
