import { describe, expect, test } from 'vitest'
import { type Counts, judge, percent, type Windows } from '../../../src/modules/security/levels.ts'

const nothing: Counts = { sent: 0, bounces: 0, complaints: 0 }
const windows = (some: Partial<Windows>): Windows => ({ twentyFourHour: nothing, sevenDay: nothing, allTime: nothing, ...some })
const old = { isNew: false }

describe('a rate', () => {
  test.each([
    // window, metric, sent, count, level
    ['sevenDay', 'bounces', 99, 50, 'healthy'],
    ['sevenDay', 'bounces', 100, 4, 'healthy'],
    ['sevenDay', 'bounces', 100, 5, 'warning'],
    ['sevenDay', 'bounces', 10_000, 499, 'healthy'],
    ['sevenDay', 'bounces', 10_000, 500, 'warning'],
    ['sevenDay', 'bounces', 10_000, 999, 'warning'],
    ['sevenDay', 'bounces', 10_000, 1_000, 'critical'],
    ['sevenDay', 'bounces', 100, 10, 'critical'],
    ['allTime', 'bounces', 100, 9, 'warning'],
    ['allTime', 'bounces', 10_000, 399, 'healthy'],
    ['allTime', 'bounces', 10_000, 400, 'warning'],
    ['allTime', 'bounces', 10_000, 799, 'warning'],
    ['allTime', 'bounces', 10_000, 800, 'critical'],
    ['sevenDay', 'complaints', 100, 2, 'healthy'],
    ['sevenDay', 'complaints', 100, 3, 'warning'],
    ['sevenDay', 'complaints', 100, 5, 'critical'],
    ['sevenDay', 'complaints', 100_000, 74, 'healthy'],
    ['sevenDay', 'complaints', 100_000, 75, 'warning'],
    ['sevenDay', 'complaints', 100_000, 149, 'warning'],
    ['sevenDay', 'complaints', 100_000, 150, 'critical'],
    ['allTime', 'complaints', 100_000, 29, 'healthy'],
    ['allTime', 'complaints', 100_000, 30, 'warning'],
    ['allTime', 'complaints', 100_000, 119, 'warning'],
    ['allTime', 'complaints', 100_000, 120, 'critical'],
  ] as const)('%s: %s of %d emails, %d of them: %s', (window, metric, sent, count, level) => {
    const { levels, violations, warnings } = judge(windows({ [window]: { ...nothing, sent, [metric]: count } }), old)
    const name = `${metric === 'bounces' ? 'bounce' : 'complaint'}${window === 'sevenDay' ? '7Day' : 'AllTime'}`
    const healthy = { bounce7Day: 'healthy', bounceAllTime: 'healthy', complaint7Day: 'healthy', complaintAllTime: 'healthy' }
    expect(levels).toEqual({ ...healthy, [name]: level })
    expect([violations.length, warnings.length]).toEqual([level === 'critical' ? 1 : 0, level === 'warning' ? 1 : 0])
  })
})

describe('a new project', () => {
  const many = { ...nothing, sent: 1_000_000 }
  test.each([
    ['twentyFourHour', 'bounces', 9, 10, 24, 25],
    ['sevenDay', 'bounces', 24, 25, 49, 50],
    ['twentyFourHour', 'complaints', 2, 3, 6, 7],
    ['sevenDay', 'complaints', 9, 10, 19, 20],
  ] as const)('has absolute limits, %s %s: %d healthy, %d to %d a warning, %d critical', (window, metric, healthy, from, to, critical) => {
    const found = (count: number, isNew = true) => {
      const { violations, warnings } = judge(windows({ allTime: many, [window]: { ...many, [metric]: count } }), { isNew })
      return [violations, warnings].map((list) => list.map((finding) => finding.metric))
    }
    expect(found(healthy)).toEqual([[], []])
    expect(found(from)).toEqual([[], [metric]])
    expect(found(to)).toEqual([[], [metric]])
    expect(found(critical)).toEqual([[metric], []])
    expect(found(critical, false)).toEqual([[], []])
  })

  test('has none below 100 emails', () => {
    const counts = { sent: 99, bounces: 99, complaints: 99 }
    expect(judge({ twentyFourHour: counts, sevenDay: counts, allTime: counts }, { isNew: true })).toMatchObject({
      violations: [],
      warnings: [],
    })
  })
})

test('a sentence has the count, the total and the thresholds', () => {
  const { violations } = judge(windows({ sevenDay: { sent: 300, bounces: 31, complaints: 0 } }), old)
  expect(violations).toEqual([
    {
      metric: 'bounces',
      sentence: '10.333 % hard bounces in the last 7 days (31 of 300 emails). The warning threshold is 5 %, the critical threshold 10 %.',
    },
  ])
})

test('a percentage of 0 emails is 0, others have three decimals', () => {
  expect([percent(0, 0), percent(1, 3), percent(3, 4_000)]).toEqual([0, 33.333, 0.075])
})
