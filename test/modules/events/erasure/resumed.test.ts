import { expect, test } from 'vitest'
import { trackEvent } from '../../../../src/modules/contacts/track.ts'
import { eraseEventName, resumeNameErasures } from '../../../../src/modules/events/erasure/erase.ts'
import { deleteEventName } from '../../../../src/modules/events/events.ts'
import { eraseEventNameQueue } from '../../../../src/modules/events/shapes.ts'
import { countWholeLog } from '../../../help/counted.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

// It does no work by itself.
const world = await testWorld()
const { prisma } = world.db

async function deleted() {
  const { ctx, projectId } = await freshProject(world)
  await trackEvent(ctx, { email: 'ada@example.com', event: 'seen' })
  await countWholeLog(world)
  await deleteEventName(ctx, { eventName: 'seen' })
  return projectId
}

const jobsOf = async (projectId: string) =>
  (
    await prisma.$queryRaw<{ data: unknown }[]>`
      select data from pgboss.job where name = ${eraseEventNameQueue.name} and data ->> 'projectId' = ${projectId} and state < 'completed'`
  ).map(({ data }) => eraseEventNameQueue.shape.parse(data))

test('the erasure of an event name whose job is lost is queued again after ten minutes, once, and then ends', async () => {
  const projectId = await deleted()
  await prisma.$executeRaw`update pgboss.job set state = 'failed' where data ->> 'projectId' = ${projectId}`
  world.clock.turn(9 * 60_000)
  await resumeNameErasures(world)
  expect(await jobsOf(projectId)).toEqual([])
  world.clock.turn(2 * 60_000)
  await resumeNameErasures(world)
  await resumeNameErasures(world)
  const jobs = await jobsOf(projectId)
  expect(jobs).toHaveLength(1)
  for (const job of jobs) await eraseEventName(world, job)
  expect(await prisma.event.count({ where: { projectId, name: 'seen' } })).toBe(0)
  expect(await prisma.eventErasure.count({ where: { projectId } })).toBe(0)
})

test('one whose job waits is not queued again', async () => {
  const projectId = await deleted()
  world.clock.turn(60 * 60_000)
  await resumeNameErasures(world)
  expect(await jobsOf(projectId)).toHaveLength(1)
})
