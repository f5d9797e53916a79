import { expect, test } from 'vitest'
import { loop } from '../../src/kit/loop.ts'
import { topic } from '../../src/kit/notices.ts'
import { until } from '../help/until.ts'
import { testWorld } from '../help/world.ts'

const opened = await testWorld()
const hourMs = 3_600_000

let serial = 0
/** A loop whose runs the test ends. */
function heldLoop() {
  const closing = new AbortController()
  const about = topic(`test loop ${serial++}`)
  const runs: PromiseWithResolvers<boolean>[] = []
  const work = () => {
    const run = Promise.withResolvers<boolean>()
    runs.push(run)
    return run.promise
  }
  const ended = loop({ ...opened, closing: closing.signal }, { name: 'test', everyMs: hourMs, topic: about, work })
  return { runs, ended, close: () => closing.abort(), notify: () => opened.notices.publish(about, 'a'), about }
}

test('work runs immediately, again while it has more to do, and after a notice; it ends when the world closes', async () => {
  const { runs, ended, close, notify } = heldLoop()
  expect(runs).toHaveLength(1)
  runs[0]?.resolve(true)
  await until(async () => runs.length === 2)
  runs[1]?.resolve(false)
  notify()
  await until(async () => runs.length === 3)
  runs[2]?.resolve(false)
  close()
  await ended
  expect(runs).toHaveLength(3)
})

test('a world that closes waits for the run that is under way', async () => {
  const closing = new AbortController()
  const endings: (() => Promise<void>)[] = []
  const run = Promise.withResolvers<boolean>()
  const world = { ...opened, closing: closing.signal, atClose: (finish: () => Promise<void>) => void endings.push(finish) }
  void loop(world, { name: 'test', everyMs: hourMs, work: () => run.promise })
  closing.abort()
  let closed = false
  const close = Promise.all(endings.map((finish) => finish())).then(() => {
    closed = true
  })
  await new Promise(setImmediate)
  expect(closed).toBe(false)
  run.resolve(true)
  await close
  expect(closed).toBe(true)
})

test('a notice during a run is not lost, and a failure does not end the loop', async () => {
  const { runs, ended, close, notify, about } = heldLoop()
  const arrived = new Promise<void>((resolve) => opened.notices.listen(about, () => resolve()))
  notify()
  await arrived
  expect(runs).toHaveLength(1)
  runs[0]?.reject(new Error('broken'))
  await until(async () => runs.length === 2)
  close()
  runs[1]?.resolve(false)
  await ended
})

test('a loop that rests runs once for many notices, and not before its rest is over', async () => {
  const closing = new AbortController()
  const about = topic('test loop that rests')
  const began: number[] = []
  const work = async () => {
    began.push(performance.now())
    for (let notice = 0; notice < 10; notice++) opened.notices.publish(about, 'a')
    return false
  }
  const ended = loop({ ...opened, closing: closing.signal }, { name: 'test', everyMs: hourMs, topic: about, restMs: 50, work })
  await until(async () => began.length >= 4)
  closing.abort()
  await ended
  const pauses = began.slice(1).map((at, run) => at - (began[run] ?? 0))
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(49)
})
