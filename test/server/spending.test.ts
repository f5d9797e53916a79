import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSpending } from '../../src/server/spending.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('a caller is over its share after 50 ms beyond a quarter of the time, and within it again by resting', () => {
  const spender = createSpending()('ada')
  spender.charge(50)
  expect(spender.isOver()).toBe(false)
  spender.charge(1)
  expect(spender.isOver()).toBe(true)
  vi.advanceTimersByTime(4)
  expect(spender.isOver()).toBe(false)
})

test('however much a caller has used, it is within its share again after two seconds', () => {
  const spender = createSpending()('ada')
  spender.charge(60_000)
  vi.advanceTimersByTime(1_790)
  expect(spender.isOver()).toBe(true)
  vi.advanceTimersByTime(210)
  expect(spender.isOver()).toBe(false)
})

test('what requests took long ago is forgotten', () => {
  const spender = createSpending()('ada')
  const request = (ms: number): void => {
    spender.begin()
    spender.charge(ms)
  }
  expect(spender.fitting()).toBe(8)
  for (let at = 0; at < 64; at++) request(8)
  expect(spender.fitting()).toBe(1)
  for (let at = 0; at < 1_000; at++) request(0.01)
  expect(spender.fitting()).toBeGreaterThan(200)
})

test('callers are told apart by their names', () => {
  const spenderOf = createSpending()
  spenderOf('ada').charge(500)
  expect([spenderOf('ada').isOver(), spenderOf('lin').isOver()]).toEqual([true, false])
})
