import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { createJobs, hasQueued, jobInsert, type Queue } from '../../src/kit/jobs.ts'
import { createLog } from '../../src/kit/log.ts'
import { statement } from '../../src/kit/postgres/db.ts'
import { jobQueues } from '../../src/modules/jobs/shapes.ts'
import { projectResetQueue } from '../../src/modules/resets/shapes.ts'
import { until } from '../help/until.ts'
import { testWorld } from '../help/world.ts'

const world = await testWorld()

test('a queue that is worked one job at a time goes on at once, without waiting for the next poll', async () => {
  const count = 45
  const ids = Array.from({ length: count }, (_, n) => `job_${n}`)
  // Queued together, so that one wake-up has to do for all of them; at one job per poll of 2 s they would take 90 s.
  await world.db.transaction(async (tx) => {
    for (const id of ids) await world.jobs.enqueue(projectResetQueue, { projectId: 'prj_x', id }, tx)
  })
  const handled: string[] = []
  await world.jobs.work(projectResetQueue, async ({ id }) => void handled.push(id))
  await until(async () => handled.length >= count)
  expect(handled.toSorted()).toEqual(ids.toSorted())
})

test('options of a queue that a new version changes hold on an existing installation, without touching other queues', async () => {
  const queue = { name: 'changing', shape: z.object({ n: z.number() }), retries: 0, expireSeconds: 60 }
  const unchanged = { name: 'unchanged', shape: z.object({}) }
  const open = async (...queues: Queue<unknown>[]) => {
    const jobs = createJobs(world.databaseUrl, queues, world.notices, createLog('silent'))
    onTestFinished(() => jobs.close())
    await jobs.start()
    return jobs
  }
  const stored = (name: string) =>
    world.db.prisma.$queryRaw<{ retry_limit: number; expire_seconds: number; updated_on: Date }[]>`
      select retry_limit, expire_seconds, updated_on from pgboss.queue where name = ${name}`
  await open(queue, unchanged)
  const [before] = await stored('unchanged')
  expect(await stored('changing')).toMatchObject([{ retry_limit: 0, expire_seconds: 60 }])
  const jobs = await open({ ...queue, retries: 3, expireSeconds: 120 }, unchanged)
  expect(await stored('changing')).toMatchObject([{ retry_limit: 3, expire_seconds: 120 }])
  expect(await stored('unchanged')).toEqual([before])
  await jobs.enqueue(queue, { n: 1 })
  expect(await world.db.prisma.$queryRaw`select retry_limit from pgboss.job where name = 'changing'`).toEqual([{ retry_limit: 3 }])
})

test('a job says for how long its process may be silent, also one that a statement has inserted', async () => {
  const queue = { name: 'beating', shape: z.object({ n: z.number() }), expireSeconds: 900, heartbeatSeconds: 30 }
  const jobs = createJobs(world.databaseUrl, [queue], world.notices, createLog('silent'))
  onTestFinished(() => jobs.close())
  await jobs.start()
  const source = `(select '{"n": 2}'::jsonb as payload)`
  await jobs.enqueue(queue, { n: 1 })
  await world.db.run(statement<object>('', jobInsert(queue, source), { allProjects: 'jobs belong to no project' }), [])
  expect(await world.db.prisma.$queryRaw`select expire_seconds, heartbeat_seconds from pgboss.job where name = 'beating'`).toEqual(
    [1, 2].map(() => ({ expire_seconds: 900, heartbeat_seconds: 30 })),
  )
})

test('a job whose process has been silent for too long is given to another one within seconds', async () => {
  const queue = { name: 'silent', shape: z.object({}), heartbeatSeconds: 15 }
  const jobs = createJobs(world.databaseUrl, [queue], world.notices, createLog('silent'))
  onTestFinished(() => jobs.close())
  await jobs.start()
  await jobs.enqueue(queue, {})
  const silent = `now() - interval '1 minute'`
  // The first look is right after the start: this is about the next one.
  await world.db.prisma.$executeRawUnsafe(`update pgboss.queue set monitor_claim_on = now(), monitor_on = now()`)
  await world.db.prisma.$executeRawUnsafe(
    `update pgboss.job set state = 'active', started_on = ${silent}, heartbeat_on = ${silent} where name = 'silent'`,
  )
  const states = () => world.db.prisma.$queryRaw<{ state: string }[]>`select state::text as state from pgboss.job where name = 'silent'`
  await until(async () => (await states()).every(({ state }) => state === 'retry'), 30_000)
})

test('whether a job waits in a queue is read from the private tables of pg-boss: one that is due counts, none that is not, runs or ended', async () => {
  const queue = jobQueues.import
  const asked = statement<{ queued: boolean }>('', `select ${hasQueued(queue)} as queued`, { allProjects: 'jobs belong to no project' })
  const isQueued = async () => (await world.db.run(asked, []))[0]?.queued
  const insert = statement<object>('', `${jobInsert(queue, `(select '{}'::jsonb as payload)`)}`, { allProjects: 'the same' })
  expect(await isQueued()).toBe(false)
  await world.jobs.enqueueIn(3_600, queue, {})
  await world.jobs.enqueue(jobQueues.bulk, {})
  expect(await isQueued()).toBe(false)
  await world.jobs.enqueue(queue, {})
  expect(await isQueued()).toBe(true)
  const handled = Promise.withResolvers<boolean | undefined>()
  const ended = Promise.withResolvers<void>()
  await world.jobs.work(queue, async () => {
    handled.resolve(await isQueued())
    await ended.promise
  })
  expect(await handled.promise).toBe(false)
  // The other worker of the queue takes the second one.
  await world.db.run(insert, [])
  world.jobs.wake(queue)
  const states = () => world.db.prisma.$queryRaw<{ state: string }[]>`
    select state::text from pgboss.job where name = ${queue.name} and start_after <= now()`
  await until(async () => (await states()).every(({ state }) => state === 'active'))
  ended.resolve()
  await until(async () => (await states()).every(({ state }) => state === 'completed'))
  expect(await isQueued()).toBe(false)
})
