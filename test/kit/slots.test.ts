import { expect, test } from 'vitest'
import { createSlots } from '../../src/kit/slots.ts'

/** Pieces of work that the test ends. */
function heldWork(max: number) {
  const errors: unknown[] = []
  const started: number[] = []
  const pieces = Array.from({ length: 6 }, () => Promise.withResolvers<void>())
  const slots = createSlots(max, (error) => errors.push(error))
  const start = (at: number): Promise<void> =>
    slots.start(() => {
      started.push(at)
      return (pieces[at] as PromiseWithResolvers<void>).promise
    })
  return { slots, start, started, pieces, errors }
}

const turns = () => new Promise<void>((resolve) => setImmediate(resolve))

test('at most `max` pieces of work run at a time; the others start in order as slots become free', async () => {
  const { slots, start, started, pieces } = heldWork(2)
  const starts = [0, 1, 2, 3, 4].map(start)
  await turns()
  expect(started).toEqual([0, 1])
  expect(slots.free()).toBe(0)
  pieces[1]?.resolve()
  await turns()
  expect(started).toEqual([0, 1, 2])
  pieces[0]?.resolve()
  pieces[2]?.resolve()
  await turns()
  expect(started).toEqual([0, 1, 2, 3, 4])
  await Promise.all(starts)
  pieces[3]?.resolve()
  await turns()
  expect(slots.free()).toBe(1)
})

test('waiting work starts in order, before work that arrives when a slot becomes free', async () => {
  const { start, started, pieces } = heldWork(1)
  await start(0)
  const waiting = start(1)
  pieces[0]?.resolve()
  await pieces[0]?.promise
  const newcomer = start(2)
  await waiting
  expect(started).toEqual([0, 1])
  pieces[1]?.resolve()
  await newcomer
  expect(started).toEqual([0, 1, 2])
})

test('idle waits for the last piece of work, also one that fails; the failure is reported and frees its slot', async () => {
  const { slots, start, pieces, errors } = heldWork(2)
  let idle = false
  await slots.idle()
  await start(0)
  await start(1)
  const waiting = slots.idle().then(() => {
    idle = true
  })
  pieces[0]?.reject(new Error('lost'))
  await turns()
  expect(idle).toBe(false)
  expect(slots.free()).toBe(1)
  pieces[1]?.resolve()
  await waiting
  expect(errors).toEqual([new Error('lost')])
  expect(slots.free()).toBe(2)
})
