import { beforeEach, describe, expect, test } from 'vitest'
import type { Ctx } from '../../../src/kit/context.ts'
import { statement } from '../../../src/kit/postgres/db.ts'
import type { World } from '../../../src/kit/world.ts'
import { cancelJob, createJob, getJob } from '../../../src/modules/jobs/job.ts'
import { type ChunksOf, runJob } from '../../../src/modules/jobs/run.ts'
import { resumeJobs } from '../../../src/modules/jobs/turns.ts'
import { freshProject, testWorld } from '../../help/world.ts'

// Two processes, neither of which works by itself.
const world = await testWorld()
const other = await testWorld({ databaseUrl: world.databaseUrl })
const leaseMs = world.config.CLAIM_SECONDS * 1_000 + 1
function turn(ms: number): void {
  for (const at of [world, other]) at.clock.turn(ms)
}

const across = { allProjects: 'a test looks at the whole queue' }
const waitingTickets = statement<{ later: boolean }>(
  'test_waiting_tickets',
  `select start_after > now() as later from pgboss.job where name = 'jobs-import' and state = 'created' order by start_after`,
  across,
)
const removeTickets = statement<object>('test_remove_tickets', `delete from pgboss.job where name = 'jobs-import'`, across)
const removeJobs = statement<object>('test_remove_jobs', 'delete from jobs', across)
const tickets = async () => (await world.db.run(waitingTickets, [])).map(({ later }) => later)

beforeEach(async () => {
  await world.db.run(removeJobs, [])
  await world.db.run(removeTickets, [])
})

const queueJob = (ctx: Ctx) => createJob(ctx, { kind: 'import', input: {} })
async function projectWith(jobs: number) {
  const { ctx } = await freshProject(world)
  const ids: string[] = []
  for (let n = 0; n < jobs; n++) ids.push(await queueJob(ctx))
  return { ctx, ids }
}

/** A job of 30 chunks that write nothing, which is two turns; `begin` is called when a turn begins. */
function chunks(begin: (id: string) => Promise<void> | void = () => {}): ChunksOf {
  return async function* (_at, job) {
    await begin(job.id)
    for (let n = ((job.place as { n: number } | null)?.n ?? 0) + 1; n <= 30; n++)
      yield { place: { n }, progress: n, last: n === 30, write: async () => ({}) }
  }
}
async function idsOfTurns(count: number, at: World = world): Promise<string[]> {
  const begun: string[] = []
  for (let n = 0; n < count; n++)
    await runJob(
      at,
      'import',
      chunks((id) => void begun.push(id)),
    )
  return begun
}

describe('projects', () => {
  test('take turns, however many jobs one of them has; of one project the oldest job is continued first', async () => {
    const many = await projectWith(20)
    const [first, second] = many.ids
    const begun = await idsOfTurns(1)
    const one = await projectWith(1)
    const late = await projectWith(1)
    expect([...begun, ...(await idsOfTurns(6))]).toEqual([first, first, one.ids[0], late.ids[0], second, one.ids[0], late.ids[0]])
  })

  test('have one job at a time in a process; another process continues the next one', async () => {
    const { ids } = await projectWith(3)
    const begun: string[] = []
    const reached = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const running = runJob(
      world,
      'import',
      chunks(async (id) => {
        begun.push(id)
        reached.resolve()
        await release.promise
      }),
    )
    await reached.promise
    expect(await idsOfTurns(1)).toEqual([])
    expect(await idsOfTurns(1, other)).toEqual([ids[1]])
    release.resolve()
    await running
    expect(begun).toEqual([ids[0]])
    const simultaneous = await Promise.all([idsOfTurns(1), idsOfTurns(1)])
    expect(simultaneous.flat()).toHaveLength(1)
  })
})

describe('tickets', () => {
  test('are one per job that waits, and none when all jobs have ended', async () => {
    const { ctx, ids } = await projectWith(20)
    for (let sweep = 0; sweep < 5; sweep++) {
      turn(leaseMs)
      await Promise.all([resumeJobs(world), resumeJobs(other)])
    }
    expect(await tickets()).toHaveLength(20)
    for (const id of ids) await cancelJob(ctx, { id })
    await world.db.run(removeTickets, [])
    await resumeJobs(world)
    expect(await tickets()).toEqual([])
  })

  test('that were lost are replaced by one, also by two processes, once a job has waited for a lease', async () => {
    await projectWith(3)
    await world.db.run(removeTickets, [])
    await resumeJobs(world)
    expect(await tickets()).toEqual([])
    turn(leaseMs)
    await Promise.all([resumeJobs(world), resumeJobs(other)])
    expect(await tickets()).toEqual([false])
  })

  test('that found no job of another project are replaced when the turn of the project ends', async () => {
    const { ctx, ids } = await projectWith(2)
    await world.db.run(removeTickets, [])
    await idsOfTurns(2)
    expect((await getJob(ctx, { id: ids[0] ?? '' })).state).toBe('completed')
    expect(await tickets()).toContain(false)
    await world.db.run(removeTickets, [])
    await idsOfTurns(1)
    expect(await tickets()).toEqual([false])
  })

  test('of a job that failed wait for its pause, which nothing cuts short', async () => {
    const { ctx, ids } = await projectWith(1)
    const broken = chunks(() => {
      throw new Error('a bug')
    })
    for (let tries = 1; tries <= 6; tries++) {
      await world.db.run(removeTickets, [])
      await runJob(world, 'import', broken)
      expect(await tickets()).toEqual([true])
      turn(tries < 6 ? 60_001 : 0)
    }
    turn(leaseMs + 1_000)
    await resumeJobs(world)
    expect(await tickets()).toEqual([true])
    expect(await idsOfTurns(1)).toEqual([])
    turn(60_000 - leaseMs)
    expect(await idsOfTurns(1)).toEqual(ids)
    expect((await getJob(ctx, { id: ids[0] ?? '' })).state).toBe('active')
  })
})
