import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Ctx } from '../../../src/kit/context.ts'
import { Failure } from '../../../src/kit/errors.ts'
import type { World } from '../../../src/kit/world.ts'
import { upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { cancelJob, createJob, getJob, removeOldJobs } from '../../../src/modules/jobs/job.ts'
import { type ChunksOf, runJob } from '../../../src/modules/jobs/run.ts'
import type { ClaimedJob } from '../../../src/modules/jobs/shapes.ts'
import { resumeJobs } from '../../../src/modules/jobs/turns.ts'
import { freshProject, testWorld } from '../../help/world.ts'

// Two processes, neither of which works by itself.
const world = await testWorld()
const other = await testWorld({ databaseUrl: world.databaseUrl })

const total = 50
/** A job of 50 chunks, each of which creates a contact; `before` runs before a chunk is committed. */
function chunks(before: (n: number, at: World, job: ClaimedJob) => Promise<void> = async () => {}): ChunksOf {
  return async function* (at, job) {
    for (let n = ((job.place as { n: number } | null)?.n ?? 0) + 1; n <= total; n++) {
      await before(n, at, job)
      yield {
        place: { n },
        progress: (n * 100) / total,
        last: n === total,
        async write(tx) {
          const values = [job.projectId, `cnt_${job.id}${n}`, `${n}@example.com`, at.clock.now()]
          await tx.client.query(`insert into contacts (project_id, id, email, created_at, updated_at) values ($1, $2, $3, $4, $4)`, values)
          return { done: n }
        },
      }
    }
  }
}
async function job() {
  const { ctx, projectId } = await freshProject(world)
  const id = await createJob(ctx, { kind: 'import', input: {}, file: Buffer.alloc(600_000, 'x') })
  return { ctx, projectId, id }
}
const written = (ctx: Ctx) => world.db.prisma.contact.count({ where: { projectId: ctx.projectId } })
const crash = () => new Promise<never>(() => undefined)
/** Turns the clock of both processes. */
function turn(ms: number): void {
  for (const at of [world, other]) at.clock.turn(ms)
}
const leaseMs = world.config.CLAIM_SECONDS * 1_000 + 1
const maxPauseMs = 60_001

describe('runJob', () => {
  test('does some chunks per turn, queues the rest, and continues where it stopped', async () => {
    const { ctx, id } = await job()
    const counts = []
    for (let time = 0; time < 3; time++) {
      await runJob(time % 2 ? world : other, 'import', chunks())
      counts.push(await written(ctx))
    }
    expect(counts).toEqual([20, 40, 50])
    expect(await getJob(ctx, { id })).toMatchObject({
      state: 'completed',
      progress: 100,
      result: { done: 50 },
      finishedAt: world.clock.now(),
    })
    await runJob(world, 'import', chunks())
    expect(await written(ctx)).toBe(50)
  })

  test('ends its turn after some seconds, so that others need not wait for chunks that take long', async () => {
    const { ctx } = await job()
    const now = performance.now.bind(performance)
    let aheadMs = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + aheadMs)
    onTestFinished(() => clock.mockRestore())
    const slow = chunks(async () => {
      aheadMs += 1_600
    })
    await runJob(world, 'import', slow)
    expect(await written(ctx)).toBe(2)
  })

  test('in two workers at once does every chunk once', async () => {
    const { ctx, id } = await job()
    while ((await getJob(ctx, { id })).finishedAt === null)
      await Promise.all([runJob(world, 'import', chunks()), runJob(other, 'import', chunks())])
    expect(await written(ctx)).toBe(50)
  })

  test('is taken over from a worker that stopped, from its last chunk on; the late chunk of that worker is not committed', async () => {
    const { ctx, id } = await job()
    const late = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    const first = runJob(
      world,
      'import',
      chunks(async (n) => {
        if (n !== 8) return
        reached.resolve()
        await late.promise
      }),
    )
    await reached.promise
    await resumeJobs(other)
    await runJob(other, 'import', chunks())
    expect(await written(ctx)).toBe(7)
    turn(leaseMs)
    await resumeJobs(other)
    await runJob(other, 'import', chunks())
    late.resolve()
    await first
    expect(await written(ctx)).toBe(27)
    for (let time = 0; time < 2; time++) await runJob(other, 'import', chunks())
    expect(await getJob(ctx, { id })).toMatchObject({ state: 'completed', result: { done: 50 } })
    expect(await written(ctx)).toBe(50)
  })

  test('ends as failed with the sentence of a Failure; what was done before stays, the file goes', async () => {
    const { ctx, projectId, id } = await job()
    const broken = chunks(async (n) => {
      if (n === 3) throw new Failure('VALIDATION_ERROR', 'Line 3 is broken.')
    })
    await runJob(world, 'import', broken)
    expect(await getJob(ctx, { id })).toMatchObject({
      state: 'failed',
      failedReason: 'Line 3 is broken.',
      progress: 4,
      result: { done: 2 },
    })
    expect(await written(ctx)).toBe(2)
    expect(await world.db.prisma.jobFilePart.count({ where: { projectId } })).toBe(0)
  })

  test('is tried again when the database was too busy, and goes on behind its last chunk', async () => {
    const { ctx, id } = await job()
    let busy = true
    const overloaded = chunks(async (n) => {
      if (n === 3 && busy) throw new Failure('SERVICE_UNAVAILABLE', 'The condition took longer than 15 s to evaluate.')
    })
    await runJob(world, 'import', overloaded)
    expect([(await getJob(ctx, { id })).finishedAt, await written(ctx)]).toEqual([null, 2])
    busy = false
    turn(maxPauseMs)
    for (let time = 0; time < 3; time++) await runJob(world, 'import', overloaded)
    expect(await getJob(ctx, { id })).toMatchObject({ state: 'completed', result: { done: 50 } })
  })

  test('that always fails ends as failed with a sentence after ten tries without progress', async () => {
    const { ctx, id } = await job()
    let tries = 0
    const broken = chunks(async (n) => {
      if (n < 3) return
      tries++
      throw new Error('a bug')
    })
    for (; (await getJob(ctx, { id })).finishedAt === null; turn(maxPauseMs)) await runJob(world, 'import', broken)
    expect(tries).toBe(11)
    expect(await getJob(ctx, { id })).toMatchObject({
      state: 'failed',
      failedReason: expect.stringContaining('ten times'),
      result: { done: 2 },
    })
  })

  test('that kills its worker each time ends as failed too', async () => {
    const { ctx, id } = await job()
    for (let tries = 0; (await getJob(ctx, { id })).finishedAt === null; tries++) {
      expect(tries).toBeLessThan(15)
      const reached = Promise.withResolvers<void>()
      const killed = chunks(async () => {
        reached.resolve()
        await crash()
      })
      await Promise.race([runJob(world, 'import', killed), reached.promise])
      turn(leaseMs)
    }
    expect(await getJob(ctx, { id })).toMatchObject({ state: 'failed', result: null })
  })

  test('commits nothing after it was cancelled, or its project is gone', async () => {
    for (const end of [
      (ctx: Ctx, id: string) => cancelJob(ctx, { id }),
      (ctx: Ctx) => world.db.prisma.job.deleteMany({ where: { projectId: ctx.projectId } }),
    ]) {
      const { ctx, id } = await job()
      await runJob(
        world,
        'import',
        chunks(async (n) => {
          if (n === 4) await end(ctx, id)
        }),
      )
      expect(await written(ctx)).toBe(3)
      await runJob(world, 'import', chunks())
      expect(await written(ctx)).toBe(3)
    }
  })
})

describe('ended jobs', () => {
  test('are removed after 7 days, and all but the newest 100 of a project before that', async () => {
    const { ctx, projectId, id } = await job()
    await cancelJob(ctx, { id })
    for (let n = 0; n < 105; n++) await cancelJob(ctx, { id: await createJob(ctx, { kind: 'bulk', input: {} }) })
    expect(await world.db.prisma.job.count({ where: { projectId } })).toBe(100)
    const open = await createJob(ctx, { kind: 'bulk', input: {} })
    await removeOldJobs(world)
    expect(await world.db.prisma.job.count({ where: { projectId } })).toBe(100)
    world.clock.turn(7 * 86_400_000 + 1)
    await removeOldJobs(world)
    expect(await world.db.prisma.job.findMany({ where: { projectId }, select: { id: true } })).toEqual([{ id: open }])
    await upsertContact(ctx, { email: 'ada@example.com' })
  })
})
