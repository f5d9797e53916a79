import { expect, test } from 'vitest'
import { dailyLimits, dayOfWarmUp } from '../../../../src/modules/domains/warm-up/schedule.ts'

test('the limits of a warm-up are those that are published, and grow by 30 % from then on, to 10 million', () => {
  expect(dailyLimits.slice(0, 14)).toEqual([
    ...[50, 100, 500, 1_000, 5_000, 10_000, 20_000, 40_000, 70_000, 100_000, 150_000],
    ...[195_000, 254_000, 330_000],
  ])
  for (const [at, limit] of dailyLimits.entries()) expect(limit).toBeGreaterThan(dailyLimits[at - 1] ?? 0)
  expect(dailyLimits.filter((limit) => limit >= 10_000_000)).toHaveLength(1)
})

test.each([
  ['2026-03-28T23:59:59.999Z', '2026-03-28T23:59:59.999Z', 1],
  ['2026-03-28T23:59:59.999Z', '2026-03-29T00:00:00.000Z', 2],
  ['2026-03-28T00:00:00.000Z', '2026-03-28T23:59:59.999Z', 1],
  ['2026-03-28T12:00:00.000Z', '2026-04-27T01:00:00.000Z', 31],
  ['2026-03-28T12:00:00.000Z', '2026-03-27T12:00:00.000Z', 1],
])('days of a warm-up are those of UTC: begun %s, at %s it is day %i', (started, now, day) => {
  expect(dayOfWarmUp(new Date(started), new Date(now))).toBe(day)
})
