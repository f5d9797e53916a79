import { describe, expect, test } from 'vitest'
import { addDays, daysBetween, mondayOf, startsOfDays, type Zone, zoneNamed } from '../../src/kit/days.ts'

const zone = (name: string): Zone => zoneNamed(name) as Zone
const starts = (name: string, ...days: string[]) => startsOfDays(zone(name), days).map((at) => at.toISOString().replace(':00.000', ''))

test.each(['', '+01:00', '-05', 'Mars/Olympus', 'Europe/Berlin ', 'Europe', '../UTC'])('zoneNamed knows no zone "%s"', (name) => {
  expect(zoneNamed(name)).toBeNull()
})

test('zoneNamed knows zones by their IANA names, in whatever case', () => {
  const late = new Date('2026-07-31T22:30:00Z')
  expect(['UTC', 'Europe/Berlin', 'europe/berlin', 'America/New_York'].map((name) => zone(name).dayOf(late))).toEqual([
    '2026-07-31',
    '2026-08-01',
    '2026-08-01',
    '2026-07-31',
  ])
})

describe('startsOfDays', () => {
  test('follows clocks: a day may have 23 or 25 hours', () => {
    expect(starts('Europe/Berlin', '2026-03-28', '2026-03-29', '2026-03-30')).toEqual([
      '2026-03-27T23:00Z',
      '2026-03-28T23:00Z',
      '2026-03-29T22:00Z',
    ])
    expect(starts('America/New_York', '2026-11-01', '2026-11-02')).toEqual(['2026-11-01T04:00Z', '2026-11-02T05:00Z'])
  })

  test('begins a day without a midnight later, and one with two at the first', () => {
    // Clocks go from 00:00 to 01:00 on Friday, and from 24:00 to 23:00 on Thursday.
    expect(starts('Africa/Cairo', '2026-04-24', '2026-04-25', '2026-10-30')).toEqual([
      '2026-04-23T22:00Z',
      '2026-04-24T21:00Z',
      '2026-10-29T22:00Z',
    ])
    // Clocks go from 01:00 to 00:00 on Sunday: midnight comes twice.
    expect(starts('America/Havana', '2026-10-31', '2026-11-01', '2026-11-02')).toEqual([
      '2026-10-31T04:00Z',
      '2026-11-01T04:00Z',
      '2026-11-02T05:00Z',
    ])
  })

  test('is exact for offsets of half hours and quarters', () => {
    expect(starts('Asia/Kathmandu', '2026-05-01')).toEqual(['2026-04-30T18:15Z'])
    expect(starts('Australia/Lord_Howe', '2026-04-05', '2026-04-06')).toEqual(['2026-04-04T13:00Z', '2026-04-05T13:30Z'])
    expect(starts('Pacific/Kiritimati', '2026-05-01')).toEqual(['2026-04-30T10:00Z'])
  })

  test('begins a day that a zone has left out with the next one', () => {
    expect(starts('Pacific/Apia', '2011-12-29', '2011-12-30', '2011-12-31')).toEqual([
      '2011-12-29T10:00Z',
      '2011-12-30T10:00Z',
      '2011-12-30T10:00Z',
    ])
  })

  test('begins each day of three years with its first moment, in zones of all kinds', () => {
    const days = Array.from({ length: 1_096 }, (_, at) => addDays('2025-01-01', at))
    const wrong = ['America/Havana', 'Africa/Casablanca', 'Asia/Beirut', 'Australia/Lord_Howe', 'America/Nuuk'].flatMap((name) => {
      const { dayOf } = zone(name)
      const isFirst = (at: Date, day: string) => dayOf(at) === day && dayOf(new Date(at.getTime() - 1)) === addDays(day, -1)
      return startsOfDays(zone(name), days).flatMap((at, nth) => (isFirst(at, days[nth] ?? '') ? [] : [`${name} ${days[nth]}`]))
    })
    expect(wrong).toEqual([])
  })
})

test('addDays, daysBetween and mondayOf count days of the calendar', () => {
  expect([addDays('2026-02-28', 1), addDays('2028-02-28', 1), addDays('2026-01-01', -1)]).toEqual([
    '2026-03-01',
    '2028-02-29',
    '2025-12-31',
  ])
  expect([daysBetween('2026-03-01', '2026-03-31'), daysBetween('2026-03-02', '2026-03-01')]).toEqual([30, -1])
  expect(['2026-11-22', '2026-11-23', '2026-11-29'].map(mondayOf)).toEqual(['2026-11-16', '2026-11-23', '2026-11-23'])
})
