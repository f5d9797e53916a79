import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSignal } from '../../src/kit/signal.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('the signal ends all waits, and no timer remains', async () => {
  const signal = createSignal()
  const waits = [signal.wait(1_000), signal.wait()]
  signal.notify()
  expect(await Promise.all(waits)).toEqual(['signal', 'signal'])
  expect(vi.getTimerCount()).toBe(0)
})

test('a signal just before the wait is not lost, and ends one wait only', async () => {
  const signal = createSignal()
  signal.notify()
  signal.notify()
  expect(await signal.wait(1_000)).toBe('signal')
  const next = signal.wait(1_000)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await next).toBe('timeout')
})

test('a signal between two waits is not lost either', async () => {
  const signal = createSignal()
  const first = signal.wait()
  signal.notify()
  signal.notify()
  await first
  expect(await signal.wait(1_000)).toBe('signal')
})

test('without a signal a wait ends at its timeout, not before', async () => {
  const signal = createSignal()
  const ended = vi.fn()
  void signal.wait(1_000).then(ended)
  await vi.advanceTimersByTimeAsync(999)
  expect(ended).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(ended).toHaveBeenCalledWith('timeout')
})

test('every wait ends when the world closes, and none begins after it', async () => {
  const closing = new AbortController()
  const signal = createSignal(closing.signal)
  const waits = [signal.wait(1_000), signal.wait()]
  closing.abort()
  expect(await Promise.all(waits)).toEqual(['closing', 'closing'])
  expect(await signal.wait()).toBe('closing')
  expect(vi.getTimerCount()).toBe(0)
})

test('no abort listener remains, however a wait ended', async () => {
  const closing = new AbortController()
  const added = vi.spyOn(closing.signal, 'addEventListener')
  const removed = vi.spyOn(closing.signal, 'removeEventListener')
  const signal = createSignal(closing.signal)
  const first = signal.wait(1_000)
  signal.notify()
  await first
  const second = signal.wait(1_000)
  await vi.advanceTimersByTimeAsync(1_000)
  await second
  expect(added).toHaveBeenCalledTimes(2)
  expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(added.mock.calls.map(([, listener]) => listener))
})
