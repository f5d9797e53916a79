import { beforeEach, expect, test } from 'vitest'
import type { Ctx } from '../../../src/kit/context.ts'
import { statement } from '../../../src/kit/postgres/db.ts'
import { createJob } from '../../../src/modules/jobs/job.ts'
import { type ChunksOf, runJob } from '../../../src/modules/jobs/run.ts'
import type { JobKind } from '../../../src/modules/jobs/shapes.ts'
import { freshUser } from '../../help/people.ts'
import { freshProject, testWorld } from '../../help/world.ts'

// A process that does not work by itself.
const world = await testWorld()
const removeJobs = statement<object>('test_remove_jobs', 'delete from jobs', { allProjects: 'a test looks at the whole queue' })
beforeEach(async () => void (await world.db.run(removeJobs, [])))

async function ownerOfProjects(count: number): Promise<Ctx[]> {
  const projects = await Promise.all(Array.from({ length: count }, () => freshProject(world)))
  await freshUser(world, { member: projects.map(({ projectId }) => ({ projectId, role: 'OWNER' as const })) })
  return projects.map(({ ctx }) => ctx)
}

const queueJob = (ctx: Ctx, kind: JobKind = 'import') => createJob(ctx, { kind, input: {} })

// 30 chunks, which are two turns; `begin` is called when a turn begins.
function chunks(begin: (projectId: string) => Promise<void> | void): ChunksOf {
  return async function* (_at, job) {
    await begin(job.projectId)
    for (let n = ((job.place as { n: number } | null)?.n ?? 0) + 1; n <= 30; n++)
      yield { place: { n }, progress: n, last: n === 30, write: async () => ({}) }
  }
}

async function turns(count: number, kind: JobKind = 'import'): Promise<string[]> {
  const begun: string[] = []
  for (let n = 0; n < count; n++)
    await runJob(
      world,
      kind,
      chunks((projectId) => void begun.push(projectId)),
    )
  return begun
}

test.each(['import', 'bulk'] as const)(
  'owners take turns, however many projects one of them has, and then the projects of one (%s)',
  async (kind) => {
    const many = await ownerOfProjects(3)
    for (let n = 0; n < 4; n++) for (const ctx of many) await queueJob(ctx, kind)
    const [one] = await ownerOfProjects(1)
    const { ctx: unowned } = await freshProject(world)
    for (const ctx of [one, unowned]) if (ctx) await queueJob(ctx, kind)
    const [first, second, third] = many.map(({ projectId }) => projectId)
    const others = [one?.projectId, unowned.projectId]
    expect(await turns(8, kind)).toEqual([first, ...others, second, ...others, third, first])
  },
)

test('an owner whose last job has just ended waits behind those whose jobs have waited longer', async () => {
  const [begun, next] = await ownerOfProjects(2)
  const { ctx: other } = await freshProject(world)
  if (!begun || !next) throw new Error('two projects')
  for (const ctx of [begun, next, other]) await queueJob(ctx)
  const order = await turns(6)
  const [b, n, o] = [begun, next, other].map(({ projectId }) => projectId)
  expect(order).toEqual([b, o, n, o, b, n])
})

test('a process works on one job of an owner at a time, and meanwhile on those of others', async () => {
  const many = await ownerOfProjects(3)
  for (const ctx of many) await queueJob(ctx)
  const begun: string[] = []
  const [reached, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const running = runJob(
    world,
    'import',
    chunks(async (projectId) => {
      begun.push(projectId)
      reached.resolve()
      await release.promise
    }),
  )
  await reached.promise
  expect(await turns(1)).toEqual([])
  const { ctx: other } = await freshProject(world)
  await queueJob(other)
  expect(await turns(1)).toEqual([other.projectId])
  release.resolve()
  await running
  expect(begun).toEqual([many[0]?.projectId])
})
