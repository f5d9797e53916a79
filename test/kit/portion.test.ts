import { expect, test } from 'vitest'
import { createPortion } from '../../src/kit/portion.ts'

test('a portion doubles while it is quick, shrinks to what takes about 200 ms once it is slow, and stays as it is between', () => {
  const portion = createPortion({ first: 1 / 4, min: 1 / 64 })
  const after = (ms: number) => {
    portion.took(ms)
    return portion.share()
  }
  expect([10, 10, 10, 150, 400].map(after)).toEqual([1 / 2, 1, 1, 1, 1])
  expect(after(800)).toBe(1 / 4)
  expect(after(60_000)).toBe(1 / 64)
  expect(after(99)).toBe(1 / 32)
})
