import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { paceOf } from '../../../../src/modules/events/tail/pace.ts'
import type { StreamedLine } from '../../../../src/modules/events/tail/subscriber.ts'
import { watchLog } from '../../../../src/modules/events/tail/tail.ts'
import { appendLines } from '../../../help/lines.ts'
import { until } from '../../../help/until.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld({ running: true })

test('lines are passed on to some subscribers in each turn of the event loop, of all projects in turns', async () => {
  const passed: string[] = []
  const waits = (projectId: string) => paceOf(world).await({ projectId, pass: () => void passed.push(projectId) })
  for (let n = 0; n < 100; n++) waits('many')
  waits('one')
  expect(passed).toEqual([])
  await nextTurn()
  await nextTurn()
  expect(passed.length).toBeLessThanOrEqual(40)
  expect(passed.indexOf('one')).toBe(1)
  await until(async () => passed.length === 101)
})

test('many subscribers of many lines have each once and in order, and other work is done between', async () => {
  const { projectId } = await freshProject(world)
  const names = Array.from({ length: 60 }, (_, n) => `line-${n}`)
  const streams = await Promise.all(Array.from({ length: 50 }, () => watchLog({ world, projectId }, {})))
  let reads = 0
  let mostBetween = 0
  let reading = true
  const others = (async () => {
    for (let before = 0; reading; before = reads) {
      await nextTurn()
      mostBetween = Math.max(mostBetween, reads - before)
    }
  })()
  const read = async (lines: AsyncIterableIterator<StreamedLine, undefined>): Promise<string[]> => {
    const seen: string[] = []
    for await (const { name } of lines) {
      reads++
      seen.push(name)
      if (seen.length === names.length) break
    }
    return seen
  }
  const all = streams.map(read)
  await appendLines(world, projectId, ...names)
  for (const seen of await Promise.all(all)) expect(seen).toEqual(names)
  reading = false
  await others
  expect(mostBetween).toBeLessThanOrEqual(200)
})
