import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { paced } from '../../src/dashboard/data/pace.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** When `run` is called after changes at these moments, in milliseconds. */
function callsAfter(changes: number[], everyMs: number): number[] {
  const began = Date.now()
  const calls: number[] = []
  const pace = paced(() => calls.push(Date.now() - began), everyMs)
  for (const at of changes) {
    vi.advanceTimersByTime(began + at - Date.now())
    pace.changed()
  }
  vi.advanceTimersByTime(60_000)
  return calls
}

test('a change is read at once, and again while counts follow it', () => {
  expect(callsAfter([0], 1_000)).toEqual([150, 1_150, 2_500])
  expect(callsAfter([0], 10_000)).toEqual([150, 1_150, 2_500])
})

test('changes that follow one another are read at the pace, the last one too', () => {
  const changes = Array.from({ length: 31 }, (_, at) => at * 100)
  expect(callsAfter(changes, 1_000)).toEqual([150, 1_150, 2_150, 3_150, 4_150, 5_500])
  expect(callsAfter(changes, 10_000)).toEqual([150, 1_150, 2_150, 10_150])
  const many = Array.from({ length: 300 }, (_, at) => at * 100)
  expect(callsAfter(many, 10_000)).toEqual([150, 1_150, 2_150, 10_150, 20_150, 30_150, 40_150])
})

test('what is opened shortly after a change is read again while counts follow it', () => {
  const began = Date.now()
  const calls: number[] = []
  const pace = paced(() => calls.push(Date.now() - began), 10_000)
  pace.opened()
  vi.advanceTimersByTime(60_000)
  expect(calls).toEqual([1_000, 2_500])
})

test('nothing is read after the page has been left', () => {
  const run = vi.fn()
  const pace = paced(run, 1_000)
  pace.changed()
  pace.stop()
  vi.advanceTimersByTime(60_000)
  expect(run).not.toHaveBeenCalled()
})
