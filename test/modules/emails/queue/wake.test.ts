import { expect, test } from 'vitest'
import { createQueue } from '../../../../src/modules/emails/queue/queue.ts'
import { backlog } from '../../../help/slow-queue.ts'
import { until } from '../../../help/until.ts'
import { testWorld } from '../../../help/world.ts'

const world = await testWorld()

// A queue asks whether it may start before each claim, for the last time when nobody waits any more: so the project is offered in
// every moment between that and the end of its work.
test.each(Array.from({ length: 6 }, (_, n) => n))(
  'a project that is offered %i steps after a queue has looked for the last time is claimed',
  async (steps) => {
    const projectId = await backlog(world, 1)
    const delivered: string[] = []
    let offered = false
    const queue = createQueue(world, {
      async deliver(email) {
        delivered.push(email.projectId)
        return true
      },
      mayStart() {
        if (offered) return true
        offered = true
        void after(steps).then(() => queue.offer([{ projectId, lane: 'transactional' }]))
        return false
      },
    })
    queue.offer([{ projectId: 'prj_none', lane: 'transactional' }])
    await until(async () => delivered.includes(projectId))
    await queue.idle()
    expect(delivered).toEqual([projectId])
  },
)

async function after(steps: number): Promise<void> {
  for (let step = 0; step < steps; step++) await undefined
}
