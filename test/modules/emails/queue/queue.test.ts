import { expect, test } from 'vitest'
import type { ClaimedEmail } from '../../../../src/modules/emails/queue/claim.ts'
import { createQueue } from '../../../../src/modules/emails/queue/queue.ts'
import { accept, sendingProject } from '../../../help/mails.ts'
import { until } from '../../../help/until.ts'
import { testWorld } from '../../../help/world.ts'

const world = await testWorld()

/** A project with some emails to send. */
async function backlog(count: number): Promise<string> {
  const { ctx, projectId } = await sendingProject(world)
  await accept(ctx, { to: Array.from({ length: count }, (_, n) => `to${n}@example.com`) })
  return projectId
}

/** A queue whose deliveries last until they are ended, by project. */
function slowQueue() {
  const running = new Map<string, (() => void)[]>()
  const deliver = async ({ projectId }: ClaimedEmail): Promise<boolean> => {
    await new Promise<void>((end) => running.set(projectId, [...(running.get(projectId) ?? []), end]))
    return true
  }
  const queue = createQueue(world, { deliver, mayStart: () => true })
  const count = (projectId: string) => running.get(projectId)?.length ?? 0
  const end = (projectId: string, many: number) => {
    for (const finish of running.get(projectId)?.splice(0, many) ?? []) finish()
  }
  return { queue, count, end }
}

test('one project leaves places to others, which are claimed at once', async () => {
  const { queue, count, end } = slowQueue()
  const [large, late] = [await backlog(700), await backlog(1)]
  queue.offer([{ projectId: large, lane: 'transactional' }])
  await until(async () => count(large) === 450)
  queue.offer([{ projectId: late, lane: 'transactional' }])
  await until(async () => count(late) === 1)
  expect(count(large)).toBe(450)
  end(late, 1)
  for (let at = 0; at < 700; at += 450) end(large, 450)
})

test('a project that comes late does not wait behind sixty that already have nearly their share', async () => {
  const { queue, count, end } = slowQueue()
  const projects: string[] = []
  while (projects.length < 60) projects.push(await backlog(11))
  queue.offer(projects.map((projectId) => ({ projectId, lane: 'transactional' as const })))
  await until(async () => projects.reduce((sum, projectId) => sum + count(projectId), 0) === 546)
  for (const projectId of projects) end(projectId, 2)
  const late = await backlog(1)
  queue.offer([{ projectId: late, lane: 'transactional' }])
  await until(async () => count(late) === 1)
  expect(count(late)).toBe(1)
}, 60_000)

test('two hundred projects with slow emails leave places to one that has none', async () => {
  const { queue, count } = slowQueue()
  const projects: string[] = []
  while (projects.length < 200) projects.push(await backlog(4))
  queue.offer(projects.map((projectId) => ({ projectId, lane: 'transactional' as const })))
  await until(async () => projects.reduce((sum, projectId) => sum + count(projectId), 0) >= 540)
  const late = await backlog(1)
  queue.offer([{ projectId: late, lane: 'transactional' }])
  await until(async () => count(late) === 1)
  expect(projects.reduce((sum, projectId) => sum + count(projectId), 0)).toBeLessThan(600)
}, 60_000)

test('bulk never takes the places of transactional emails', async () => {
  const { queue, count } = slowQueue()
  const bulk = await backlog(700)
  await world.db.prisma.delivery.updateMany({ where: { projectId: bulk }, data: { lane: 2 } })
  queue.offer([{ projectId: bulk, lane: 'campaign' }])
  await until(async () => count(bulk) === 450)
  const person = await backlog(1)
  queue.offer([{ projectId: person, lane: 'transactional' }])
  await until(async () => count(person) === 1)
  expect(count(bulk)).toBe(450)
})
