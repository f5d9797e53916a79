import { describe, expect, test } from 'vitest'
import { chooseProject } from '../../../src/kit/access.ts'
import { statement } from '../../../src/kit/postgres/db.ts'
import { startJobs } from '../../../src/modules/resets/jobs.ts'
import { deleteProject, resetProject } from '../../../src/modules/resets/resets.ts'
import { holder } from '../../help/holder.ts'
import { freshUser } from '../../help/people.ts'
import { queriesOf } from '../../help/queries.ts'
import { until } from '../../help/until.ts'
import { freshProject, type TestWorld, testWorld } from '../../help/world.ts'

// The first world processes no jobs, so that its resets do not end; the second one does from its last test on.
const idle = await testWorld()
const world = await testWorld()

const running = statement<object>('test_running', 'select 1 from resets where project_id = $1 and finished_at is null')
const runs = async (projectId: string, { db }: TestWorld) => (await db.run(running, [projectId])).length > 0
const times = <Reply>(count: number, call: (at: number) => Promise<Reply>) =>
  Promise.all(Array.from({ length: count }, (_, at) => call(at)))
const jobOf = (answer: object) => ('jobId' in answer ? answer.jobId : 'done')

/** A person who owns some projects, with the context of their calls in each. */
async function owned(count: number, on: TestWorld) {
  const projects = await times(count, () => freshProject(on))
  const { ctx } = await freshUser(on, { member: projects.map(({ projectId }) => ({ projectId, role: 'OWNER' as const })) })
  return projects.map(({ projectId }) => ({ id: projectId, ctx: chooseProject({ ...ctx, projectId: '' }, projectId) }))
}

describe('while somebody holds the rows of projects, calls of one account', () => {
  test('that reset and delete them leave connections to others, and each is done once', async () => {
    const projects = await owned(8, idle)
    const stranger = await freshUser(idle)
    const { run, waitedFor, commit } = await holder(idle)
    await run('select 1 from projects where id = any($1) for update', [projects.map(({ id }) => id)])
    const resets = Promise.all(projects.slice(0, 4).map(({ id, ctx }) => times(5, () => resetProject(ctx, { id }))))
    const deletions = Promise.all(
      projects.slice(4).map(({ id, ctx }) => Promise.allSettled(Array.from({ length: 5 }, () => deleteProject(ctx, { id })))),
    )
    await waitedFor()
    // It fails after 5 s without a connection.
    expect(await stranger.ctx.db.transaction((tx) => tx.run(running, ['']))).toEqual([])
    await commit()
    for (const answers of await resets) expect(new Set(answers.map(jobOf)).size).toBe(1)
    for (const answers of await deletions) expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const { id } of projects) expect(await runs(id, idle)).toBe(true)
  })
})

describe('calls that wait for one reset', () => {
  test('lock its project once and look for its end together', async () => {
    const [project] = await owned(1, idle)
    if (!project) throw new Error('There is no project')
    const { id, ctx } = project
    const first = resetProject(ctx, { id })
    await until(() => runs(id, idle))
    const { queries: locks } = await queriesOf(async () => {
      const { reply, queries } = await queriesOf(() => times(30, () => resetProject(ctx, { id })), /select 1 from resets/)
      expect(new Set(reply.map(jobOf))).toEqual(new Set([jobOf(await first)]))
      // At first and every 2 s, not each call for itself.
      expect(queries).toBeLessThan(5)
    }, /for no key update/)
    expect(locks).toBe(0)
  })

  test('end for whoever leaves, while the reset goes on and the others are answered when it is done', async () => {
    const [project] = await owned(1, world)
    if (!project) throw new Error('There is no project')
    const { id, ctx } = project
    const left = new AbortController()
    const leaving = resetProject({ ...ctx, left: () => left.signal }, { id })
    await until(() => runs(id, world))
    const staying = times(5, () => resetProject(ctx, { id }))
    left.abort()
    expect(await Promise.race([leaving, staying])).toMatchObject({ jobId: expect.stringMatching(/^job_/) })
    await startJobs(world)
    expect((await staying).map(jobOf)).toEqual(Array(5).fill('done'))
    expect(await runs(id, world)).toBe(false)
  })
})
