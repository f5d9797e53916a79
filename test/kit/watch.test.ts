import { expect, test } from 'vitest'
import { topic } from '../../src/kit/notices.ts'
import { watcherOf } from '../../src/kit/watch.ts'
import { testWorld } from '../help/world.ts'

const world = await testWorld()
const changed = topic('test_rows')

interface Row {
  projectId: string
  id: string
  state: number
}

test('a state that very many watch is passed to few of them in a turn of the loop, and others see theirs meanwhile', async () => {
  let state = 0
  const rowOf = (projectId: string, id: string): Row => ({ projectId, id, state })
  const watch = watcherOf<Row>({
    name: 'test rows',
    topic: changed,
    touches: () => true,
    read: async (_world, projects, ids) => ids.map((id, at) => rowOf(projects[at] ?? '', id)),
    stateOf: (row) => `${row.state}`,
    isFinal: () => false,
  })
  const open = (projectId: string, id: string) => watch({ world, projectId }, id, async () => rowOf(projectId, id))
  const many = await Promise.all(Array.from({ length: 500 }, (_, at) => open('prj_many', `${at}`)))
  const other = await open('prj_other', '1')
  for (const one of [...many, other]) await one.next()

  let turn = 0
  let isOver = false
  const count = (): void => {
    turn++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  state = 1
  const seen = await Promise.all(
    many.map(async (one) => {
      await one.next()
      return turn
    }),
  )
  const perTurn = [...Map.groupBy(seen, (at) => at).values()].map((ofTurn) => ofTurn.length)
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(40)

  // The project with many watchers waits for its next state, the other one does not.
  const order: string[] = []
  await other.next()
  state = 2
  world.notices.publish(changed, 'prj_other')
  await Promise.all([
    ...many.slice(0, 1).map((one) => one.next().then(() => order.push('many'))),
    other.next().then(() => order.push('other')),
  ])
  isOver = true
  expect(order[0]).toBe('other')
  for (const one of [...many, other]) await one.return?.()
})
