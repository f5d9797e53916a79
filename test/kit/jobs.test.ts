import { expect, test } from 'vitest'
import { projectResetQueue } from '../../src/modules/resets/shapes.ts'
import { until } from '../help/until.ts'
import { testWorld } from '../help/world.ts'

const world = await testWorld()

test('a queue that is worked one job at a time goes on at once, without waiting for the next poll', async () => {
  const count = 25
  const ids = Array.from({ length: count }, (_, n) => `job_${n}`)
  // Queued together, so that one wake-up has to do for all of them; at one job per poll of 2 s they would take 25 s.
  await world.db.transaction(async (tx) => {
    for (const id of ids) await world.jobs.enqueue(projectResetQueue, { projectId: 'prj_x', id }, tx)
  })
  const handled: string[] = []
  await world.jobs.work(projectResetQueue, async ({ id }) => void handled.push(id))
  await until(async () => handled.length >= count, 15_000)
  expect(handled.toSorted()).toEqual(ids.toSorted())
})
