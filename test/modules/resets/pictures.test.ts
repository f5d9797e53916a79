import { expect, test } from 'vitest'
import { Failure } from '../../../src/kit/errors.ts'
import { statement } from '../../../src/kit/postgres/db.ts'
import { resumeResets } from '../../../src/modules/resets/erase.ts'
import { startJobs } from '../../../src/modules/resets/jobs.ts'
import { deleteProject, resetProject } from '../../../src/modules/resets/resets.ts'
import { projectPicturesQueue } from '../../../src/modules/resets/shapes.ts'
import { uploadImage } from '../../../src/modules/uploads/uploads.ts'
import { filledProject, rowsOf } from '../../help/filled.ts'
import { freshUser } from '../../help/people.ts'
import { png } from '../../help/pictures.ts'
import { until } from '../../help/until.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const world = await testWorld()
await startJobs(world)

const { storage } = world
const unavailable = async () => {
  throw new Failure('SERVICE_UNAVAILABLE', 'Files cannot be stored or read at the moment.')
}
/** What the file store does when it is to remove a file. */
function onRemoval(remove: (key: string) => Promise<void>): void {
  world.storage = { ...storage, remove }
}

/** A project with a picture, and whoever owns it. */
async function withPicture() {
  const { projectId, ctx } = await freshProject(world)
  const owner = await freshUser(world, { member: { projectId, role: 'OWNER' } })
  const { key } = await uploadImage(ctx, { file: { filename: 'a.png', bytes: png() } })
  return { projectId, ctx, owner, key }
}

const left = ['projects', 'resets', 'upload_totals', 'uploads']
const isEmptied = (projectId: string) =>
  until(async () => Object.keys(await rowsOf(world, projectId)).every((table) => left.includes(table)))
const isGone = (projectId: string) => until(async () => (await world.db.prisma.project.count({ where: { id: projectId } })) === 0)
const isStored = async (key: string) => (await storage.open(key))?.destroy() !== undefined

const jobs = statement<{ pause: number }>(
  'test_picture_jobs',
  `select extract(epoch from start_after - created_on)::int as pause from pgboss.job
   where name = 'project-pictures' and state = 'created' and start_after > created_on and data ->> 'projectId' = $1`,
  { allProjects: 'a job names its project in its payload' },
)
const paused = async (projectId: string) => (await world.db.run(jobs, [projectId])).map(({ pause }) => pause)
const endPauses = statement<object>('test_end_pauses', `update pgboss.job set start_after = now() where name = 'project-pictures'`, {
  allProjects: 'a test',
})
const dropPictureJobs = statement<object>('test_drop_picture_jobs', `delete from pgboss.job where name = 'project-pictures'`, {
  allProjects: 'a test',
})
async function goOn(): Promise<void> {
  await world.db.run(endPauses, [])
  world.jobs.wake(projectPicturesQueue)
}

test('while the file store does not answer, deleted projects hold up no reset and no other deletion, and lose all but their pictures', async () => {
  const answers = Promise.withResolvers<void>()
  const asked: string[] = []
  onRemoval(async (key) => {
    asked.push(key)
    await answers.promise
    await unavailable()
  })
  const deleted = await Promise.all([withPicture(), withPicture(), withPicture()])
  for (const { owner, projectId } of deleted) await deleteProject(owner.ctx, { id: projectId })
  await until(async () => asked.length === 2)
  const [reset, other] = await Promise.all([filledProject(world), freshProject(world)])
  expect(await resetProject(reset.owner.ctx, { id: reset.projectId })).toMatchObject({ success: true })
  const admin = await freshUser(world, { member: { projectId: other.projectId, role: 'ADMIN' } })
  await deleteProject(admin.ctx, { id: other.projectId })
  await isGone(other.projectId)
  for (const { projectId } of deleted) await isEmptied(projectId)
  expect(asked).toHaveLength(2)
  onRemoval(storage.remove)
  answers.resolve()
  await until(async () => (await Promise.all(deleted.map(({ projectId }) => paused(projectId)))).flat().length === 2)
  await goOn()
  for (const { projectId, key } of deleted) {
    await isGone(projectId)
    expect(await isStored(key)).toBe(false)
  }
})

test('a job ends at the first picture that is not removed, and goes on after a minute, once', async () => {
  const { projectId, ctx, owner, key } = await withPicture()
  await uploadImage(ctx, { file: { filename: 'b.png', bytes: png() } })
  const asked: string[] = []
  onRemoval(async (one) => {
    asked.push(one)
    await unavailable()
  })
  await deleteProject(owner.ctx, { id: projectId })
  await until(async () => (await paused(projectId)).length === 1)
  expect([asked, await paused(projectId)]).toEqual([[key], [60]])
  world.clock.turn(3 * 60_000)
  await resumeResets(world)
  await goOn()
  await until(async () => asked.length === 2 && (await paused(projectId)).length === 1)
  expect(asked).toEqual([key, key])
  onRemoval(storage.remove)
  await goOn()
  await isGone(projectId)
  expect([await isStored(key), await rowsOf(world, projectId)]).toEqual([false, {}])
})

test('pictures whose job was lost are removed when their deletion is resumed', async () => {
  const { projectId, owner, key } = await withPicture()
  onRemoval(unavailable)
  await deleteProject(owner.ctx, { id: projectId })
  await until(async () => (await paused(projectId)).length === 1)
  await world.db.run(dropPictureJobs, [])
  onRemoval(storage.remove)
  world.clock.turn(3 * 60_000)
  await resumeResets(world)
  await isGone(projectId)
  expect(await isStored(key)).toBe(false)
})
