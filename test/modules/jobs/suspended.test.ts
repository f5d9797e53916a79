import { beforeEach, describe, expect, test } from 'vitest'
import type { Ctx } from '../../../src/kit/context.ts'
import { statement } from '../../../src/kit/postgres/db.ts'
import { createJob, getJob } from '../../../src/modules/jobs/job.ts'
import { type ChunksOf, runJob } from '../../../src/modules/jobs/run.ts'
import { resumeJobs } from '../../../src/modules/jobs/turns.ts'
import { liftSuspension, suspendProject } from '../../../src/modules/security/suspensions.ts'
import { asker } from '../../help/ask.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

// A process that does not work by itself.
const { call, url, world } = await testServer()
const leaseMs = world.config.CLAIM_SECONDS * 1_000 + 1

const across = { allProjects: 'a test looks at the whole queue' }
const countTickets = statement<{ count: number }>(
  'test_count_tickets',
  `select count(*)::int as count from pgboss.job where name = 'jobs-import' and state = 'created'`,
  across,
)
const removeTickets = statement<object>('test_remove_tickets', `delete from pgboss.job where name = 'jobs-import'`, across)
const removeJobs = statement<object>('test_remove_jobs', 'delete from jobs', across)
const tickets = async () => (await world.db.run(countTickets, []))[0]?.count

beforeEach(async () => {
  await world.db.run(removeJobs, [])
  await world.db.run(removeTickets, [])
})

const total = 10
/** A job of 10 chunks, each of which creates a contact; `during` runs when a chunk has written it. */
function chunks(during: (n: number) => Promise<unknown> = async () => {}): ChunksOf {
  return async function* (at, job) {
    for (let n = ((job.place as { n: number } | null)?.n ?? 0) + 1; n <= total; n++)
      yield {
        place: { n },
        progress: (n * 100) / total,
        last: n === total,
        async write(tx) {
          const values = [job.projectId, `cnt_${job.id}${n}`, `${n}@example.com`, at.clock.now()]
          await tx.client.query('insert into contacts (project_id, id, email, created_at, updated_at) values ($1, $2, $3, $4, $4)', values)
          await during(n)
          return { done: n }
        },
      }
  }
}

async function importing() {
  const project = await freshProject(world)
  const id = await createJob(project.ctx, { kind: 'import', input: {}, file: Buffer.from('email\n') })
  return { ...project, id }
}
const suspend = (ctx: Ctx) => suspendProject(ctx, { reason: 'MANUAL', detail: 'Reported.' })
const written = (ctx: Ctx) => world.db.prisma.contact.count({ where: { projectId: ctx.projectId } })

describe('a job of a suspended project', () => {
  test('commits nothing from then on, keeps its state and its place, and goes on when the suspension is lifted', async () => {
    const { ctx, id } = await importing()
    await runJob(
      world,
      'import',
      chunks(async (n) => n === 4 && (await suspend(ctx))),
    )
    const paused = { state: 'active', progress: 30, failedReason: null, finishedAt: null }
    expect(await getJob(ctx, { id })).toMatchObject(paused)
    await world.db.run(removeTickets, [])
    for (let time = 0; time < 15; time++) {
      world.clock.turn(leaseMs)
      await resumeJobs(world)
      await runJob(world, 'import', chunks())
    }
    expect([await written(ctx), await tickets()]).toEqual([3, 0])
    expect(await getJob(ctx, { id })).toMatchObject(paused)
    await liftSuspension(ctx)
    await resumeJobs(world)
    expect(await tickets()).toBe(1)
    await runJob(world, 'import', chunks())
    expect(await getJob(ctx, { id })).toMatchObject({ state: 'completed', result: { done: total } })
    expect(await written(ctx)).toBe(total)
  })

  test('that no worker had begun waits for that as well, and the jobs of other projects do not wait for it', async () => {
    const { ctx, id } = await importing()
    const other = await importing()
    await suspend(ctx)
    await runJob(world, 'import', chunks())
    expect(await getJob(ctx, { id })).toMatchObject({ state: 'waiting', progress: 0 })
    expect(await getJob(other.ctx, other)).toMatchObject({ state: 'completed' })
  })

  test('has no try less, however often that happens', async () => {
    const { ctx, id } = await importing()
    for (let time = 0; time < 15; time++) {
      await runJob(
        world,
        'import',
        chunks(() => suspend(ctx)),
      )
      await liftSuspension(ctx)
    }
    expect([await written(ctx), (await getJob(ctx, { id })).state]).toEqual([0, 'active'])
    await runJob(world, 'import', chunks())
    expect(await getJob(ctx, { id })).toMatchObject({ state: 'completed' })
  })

  test.each(['import', 'bulk'] as const)('can be cancelled, over REST and GraphQL (%s)', async (kind) => {
    const { ctx, secret: key } = await freshProject(world)
    const ids = await Promise.all([1, 2].map(() => createJob(ctx, { kind, input: {} })))
    await suspend(ctx)
    expect((await call(`DELETE /contacts/${kind}/${ids[0]}`, undefined, { key })).body).toMatchObject({ state: 'cancelled' })
    const { data } = await asker(url, key)(`mutation { cancelJob(input: { id: "${ids[1]}" }) { job { state } } }`)
    expect(data).toEqual({ cancelJob: { job: { state: 'CANCELLED' } } })
  })
})
