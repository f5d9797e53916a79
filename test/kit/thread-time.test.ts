import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { batch } from '../../src/kit/batch.ts'
import { chargedAsNow, chargedTo, resumed, unpaid } from '../../src/kit/thread-time.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

const busy = (ms: number): void => void vi.advanceTimersByTime(ms)

function payer() {
  const made = {
    ms: 0,
    charge(ms: number) {
      made.ms += ms
    },
  }
  return made
}

test('what work does at once is charged, and what follows in the same turn of the loop, until other work begins', async () => {
  const [one, other] = [payer(), payer()]
  chargedTo(one, () => busy(3))
  busy(2)
  chargedTo(other, () => busy(7))
  await nextTurn()
  busy(100)
  expect([one.ms, other.ms]).toEqual([5, 7])
})

test('what continues work after a wait is charged to whom it was done for, and the wait to nobody', async () => {
  const [one, other] = [payer(), payer()]
  const work = async (ms: number): Promise<void> => {
    await nextTurn()
    busy(1_000)
    resumed()
    busy(ms)
  }
  await Promise.all([chargedTo(one, () => work(3)), chargedTo(other, () => work(7))])
  await nextTurn()
  // The second one was waiting while the first one went on.
  expect([one.ms, other.ms]).toEqual([1_003, 7])
})

test('what many have asked for together is charged to none of them, and what they do with it is', async () => {
  const [one, other] = [payer(), payer()]
  const read = batch(async (items: number[]) => {
    await nextTurn()
    resumed()
    busy(500)
    return items
  }, 10)
  const use = async (ms: number): Promise<void> => busy(await read(ms))
  await Promise.all([chargedTo(one, () => use(3)), chargedTo(other, () => use(7))])
  await nextTurn()
  // They all go on in the same moment: which of them pays for all is not known.
  expect(one.ms + other.ms).toBe(10)
})

test('a function that is called later, by somebody else, is charged to whom it was made for', async () => {
  const [one, other] = [payer(), payer()]
  const later = chargedTo(one, () => chargedAsNow(busy))
  await nextTurn()
  chargedTo(other, () => later(4))
  unpaid(() => later(5))
  await nextTurn()
  expect([one.ms, other.ms]).toEqual([9, 0])
})
