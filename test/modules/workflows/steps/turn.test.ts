import { expect, test } from 'vitest'
import { nextLook } from '../../../../src/modules/workflows/steps/turn.ts'

test.each([
  ['just now', 0, 100],
  ['10 seconds ago', -10_000, 5_000],
  ['an hour ago', -3_600_000, 30_000],
  ['an hour ahead, before the clock was set back', 3_600_000, 30_000],
])('a step whose turn should have come %s looks again after a pause that fits', (_when, ms, pauseMs) => {
  const now = new Date('2026-03-01T12:00:00Z')
  expect(nextLook({ now }, new Date(now.getTime() + ms)).getTime() - now.getTime()).toBe(pauseMs)
})
