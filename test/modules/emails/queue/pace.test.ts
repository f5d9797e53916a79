import { describe, expect, test } from 'vitest'
import { createQueue } from '../../../../src/modules/emails/queue/queue.ts'
import { backlog, slowQueue } from '../../../help/slow-queue.ts'
import { until } from '../../../help/until.ts'
import { testWorld } from '../../../help/world.ts'

const plain = await testWorld()

describe('the sending rate of a process', () => {
  test('limits how many emails begin, not how many are under way: slow deliveries are sent at the whole rate', async () => {
    const world = await testWorld({ env: { SEND_RATE_PER_PROCESS: '50' }, databaseUrl: plain.databaseUrl })
    const project = await backlog(world, 130)
    const { queue, count } = slowQueue(world)
    const started = performance.now()
    const begun: { count: number; allowed: number }[] = []
    queue.offer([{ projectId: project, lane: 'transactional' }])
    await until(async () => {
      const now = count(project)
      begun.push({ count: now, allowed: 50 + Math.ceil(((performance.now() - started) / 1_000) * 50) })
      return now === 130
    })
    expect(begun.filter((one) => one.count > one.allowed)).toEqual([])
  })

  test('is not withheld from bulk by a transactional project that has no free place', async () => {
    const world = await testWorld({ env: { SEND_RATE_PER_PROCESS: '1000' }, databaseUrl: plain.databaseUrl })
    const [person, bulk] = [await backlog(world, 460), await backlog(world, 5, 'campaign')]
    const { queue, count } = slowQueue(world)
    queue.offer([{ projectId: person, lane: 'transactional' }])
    await until(async () => count(person) === 450)
    queue.offer([{ projectId: bulk, lane: 'campaign' }])
    await until(async () => count(bulk) === 5)
    expect(count(person)).toBe(450)
  })

  test('goes to transactional emails first, while some wait for it', async () => {
    const world = await testWorld({ env: { SEND_RATE_PER_PROCESS: '10' }, databaseUrl: plain.databaseUrl })
    const [person, bulk] = [await backlog(world, 30), await backlog(world, 5, 'campaign')]
    const { queue, count } = slowQueue(world)
    queue.offer([{ projectId: person, lane: 'transactional' }])
    await until(async () => count(person) >= 10)
    queue.offer([{ projectId: bulk, lane: 'campaign' }])
    const bulkMeanwhile: number[] = []
    await until(async () => {
      bulkMeanwhile.push(count(bulk))
      return count(person) === 30
    })
    expect(bulkMeanwhile.slice(0, -1).filter((many) => many > 0)).toEqual([])
    await until(async () => count(bulk) === 5)
  })

  test('loses nothing to emails that do not leave: the next ones take their turns', async () => {
    const world = await testWorld({ env: { SEND_RATE_PER_PROCESS: '1' }, databaseUrl: plain.databaseUrl })
    const project = await backlog(world, 40)
    let ended = 0
    const deliver = async (): Promise<boolean> => {
      ended++
      return false
    }
    createQueue(world, { deliver, mayStart: () => true }).offer([{ projectId: project, lane: 'transactional' }])
    // One a second would take 40 s.
    await until(async () => ended === 40)
  })
})

test('a project whose sending rate allows its next email later is looked at again then, whatever others wait for', async () => {
  const world = await testWorld({ env: { SEND_RATE_PER_PROJECT: '1' }, databaseUrl: plain.databaseUrl })
  const first = await backlog(world, 1)
  const { queue, count } = slowQueue(world)
  queue.offer([{ projectId: first, lane: 'transactional' }])
  await until(async () => count(first) === 1)
  // Meanwhile the first one waits for its next email, which it has not.
  const second = await backlog(world, 2)
  queue.offer([{ projectId: second, lane: 'transactional' }])
  await until(async () => count(second) === 2)
})
