import { expect, test } from 'vitest'
import { claimTurns } from '../../../../src/modules/emails/queue/sql.ts'
import { accept, sendingProject } from '../../../help/mails.ts'
import { backlog, slowQueue } from '../../../help/slow-queue.ts'
import { until } from '../../../help/until.ts'
import { testWorld } from '../../../help/world.ts'

const world = await testWorld()

test('one project leaves places to others, which are claimed at once', async () => {
  const { queue, count, end } = slowQueue(world)
  const [large, late] = [await backlog(world, 700), await backlog(world, 1)]
  queue.offer([{ projectId: large, lane: 'transactional' }])
  await until(async () => count(large) === 450)
  queue.offer([{ projectId: late, lane: 'transactional' }])
  await until(async () => count(late) === 1)
  expect(count(large)).toBe(450)
  end(late, 1)
  for (let at = 0; at < 700; at += 450) end(large, 450)
})

test('a project that comes late does not wait behind sixty that already have nearly their share', async () => {
  const { queue, count, end } = slowQueue(world)
  const projects: string[] = []
  while (projects.length < 60) projects.push(await backlog(world, 11))
  queue.offer(projects.map((projectId) => ({ projectId, lane: 'transactional' as const })))
  await until(async () => projects.reduce((sum, projectId) => sum + count(projectId), 0) === 546)
  for (const projectId of projects) end(projectId, 2)
  const late = await backlog(world, 1)
  queue.offer([{ projectId: late, lane: 'transactional' }])
  await until(async () => count(late) === 1)
  expect(count(late)).toBe(1)
})

test('two hundred projects with slow emails leave places to one that has none', async () => {
  const { queue, count } = slowQueue(world)
  const projects: string[] = []
  while (projects.length < 200) projects.push(await backlog(world, 4))
  queue.offer(projects.map((projectId) => ({ projectId, lane: 'transactional' as const })))
  await until(async () => projects.reduce((sum, projectId) => sum + count(projectId), 0) >= 540)
  const late = await backlog(world, 1)
  queue.offer([{ projectId: late, lane: 'transactional' }])
  await until(async () => count(late) === 1)
  expect(projects.reduce((sum, projectId) => sum + count(projectId), 0)).toBeLessThan(600)
})

test('bulk never takes the places of transactional emails', async () => {
  const { queue, count } = slowQueue(world)
  const bulk = await backlog(world, 700, 'campaign')
  queue.offer([{ projectId: bulk, lane: 'campaign' }])
  await until(async () => count(bulk) === 450)
  const person = await backlog(world, 1)
  queue.offer([{ projectId: person, lane: 'transactional' }])
  await until(async () => count(person) === 1)
  expect(count(bulk)).toBe(450)
})

test('an email that is accepted while its project is being claimed is claimed next', async () => {
  const { ctx, projectId } = await sendingProject(world)
  await accept(ctx)
  const { queue, count } = slowQueue(world)
  const { run } = world.db.lookups
  const [claimed, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  world.db.lookups.run = async (statement, values) => {
    const rows = await run(statement, values)
    if (statement.name !== claimTurns.name) return rows
    claimed.resolve()
    await answered.promise
    return rows
  }
  queue.offer([{ projectId, lane: 'transactional' }])
  await claimed.promise
  await accept(ctx)
  queue.offer([{ projectId, lane: 'transactional' }])
  world.db.lookups.run = run
  answered.resolve()
  await until(async () => count(projectId) === 2)
})
