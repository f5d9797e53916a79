import { expect, test } from 'vitest'
import { createThreadLanes } from '../../src/kit/thread-lanes.ts'
import { testWorld } from '../help/world.ts'

interface Task {
  kind: string
  text: string
}

const world = await testWorld()
const plan = {
  file: new URL('../help/thread-tasks.ts', import.meta.url),
  name: 'work',
  data: { greeting: 'Hello' },
  sectionMs: 50,
  taskMs: 120_000,
  memoryMb: 64,
  quickMs: 100,
  isLong: ({ text }: Task) => text === 'long',
  busy: 'Others are busy.',
}
const greet = (): Task => ({ kind: 'greet', text: 'Ada' })

test('one that turns out to take long begins again with them, and its owner has no quick tasks for a minute', async () => {
  const lanes = createThreadLanes<Task, string>(world, { ...plan, taskMs: 300 })
  let loads = 0
  const spin = () => {
    loads++
    return { kind: 'spin', text: 'x' }
  }
  await expect(lanes.run('one', spin)).rejects.toMatchObject({ exceeded: 'task' })
  expect(loads).toBe(2)
  await expect(lanes.run('one', spin)).rejects.toMatchObject({ exceeded: 'task' })
  expect(loads).toBe(3)
  expect(await lanes.run('two', greet)).toBe('Hello Ada')
  world.clock.turn(61_000)
  await expect(lanes.run('one', spin)).rejects.toMatchObject({ exceeded: 'task' })
  expect(loads).toBe(5)
})

test('what exceeds another limit is not begun again', async () => {
  const lanes = createThreadLanes<Task, string>(world, { ...plan, taskMs: 60_000, quickMs: 30_000 })
  let loads = 0
  const spin = () => {
    loads++
    return { kind: 'spin in section', text: 'x' }
  }
  await expect(lanes.run('one', spin)).rejects.toMatchObject({ exceeded: 'section' })
  expect(loads).toBe(1)
})

test('to load the module of a thread belongs to no task', async () => {
  const lanes = createThreadLanes<Task, string>(world, { ...plan, data: { greeting: 'Hello', loadMs: 400 } as never, quickMs: 100 })
  let loads = 0
  const answer = await lanes.run('one', () => {
    loads++
    return greet()
  })
  expect([answer, loads]).toEqual(['Hello Ada', 1])
})

// Last, because its threads are ended with the world only.
test('a quick task never waits for those that take long, whoever sent how many', async () => {
  const lanes = createThreadLanes<Task, string>(world, plan)
  let ended = 0
  for (const owner of ['one', 'one', 'two', 'three', 'four'])
    void lanes
      .run(owner, () => ({ kind: 'spin', text: 'long' }))
      .then(
        () => ended++,
        () => ended++,
      )
  expect(await Promise.all(['five', 'six', 'seven'].map((owner) => lanes.run(owner, greet)))).toEqual(Array(3).fill('Hello Ada'))
  expect(await lanes.run(['one', 'project'], greet)).toBe('Hello Ada')
  expect(ended).toBe(0)
})
