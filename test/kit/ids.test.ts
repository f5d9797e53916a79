import { describe, expect, test } from 'vitest'
import { derivedId, idRange, kindOfId, newId } from '../../src/kit/ids.ts'

const noon = new Date('2026-03-01T12:00:00Z')
const later = (ms: number) => new Date(noon.getTime() + ms)

/** Whether an id is within the bounds of a time range. */
function within(id: string, from: Date, to: Date): boolean {
  const { fromId = '', toId = '' } = idRange('event', from, to)
  return id >= fromId && id < toId
}

describe('ids', () => {
  test('of the same name at the same moment are the same, and of others are not', () => {
    const id = derivedId('email', noon, 'a')
    expect(derivedId('email', noon, 'a')).toBe(id)
    expect(new Set([id, derivedId('email', noon, 'b'), derivedId('email', later(1), 'a')]).size).toBe(3)
    expect(kindOfId(id)).toBe('email')
    expect(derivedId('email', later(1), 'a') > derivedId('email', noon, 'z')).toBe(true)
    expect(within(derivedId('event', noon, 'a'), noon, later(1))).toBe(true)
  })

  test('are in order of creation, also within a millisecond', () => {
    const ids = Array.from({ length: 10_000 }, () => newId('event', noon))
    expect(ids).toEqual(ids.toSorted())
  })

  test('stay in order while the clock is set back a little', () => {
    const first = newId('event', later(30_000))
    expect(newId('event', noon) > first).toBe(true)
  })

  test('of two clocks an hour apart are in order of creation for each', () => {
    const made = Array.from({ length: 1_000 }, () => [newId('event', noon), newId('event', later(3_600_000))] as const)
    for (const of of [0, 1] as const) {
      const ids = made.map((pair) => pair[of])
      expect(ids).toEqual(ids.toSorted())
    }
  })

  test.each([0, 1, 59_999, 60_000, 3_600_000])('made when the clock was set back by %d ms are within the bounds of their time', (back) => {
    newId('event', later(back))
    for (let at = 0; at < 5_000; at++) {
      const id = newId('event', noon)
      expect(within(id, noon, later(1))).toBe(true)
    }
  })

  test('of another time are outside the bounds', () => {
    const id = newId('event', later(-86_400_000))
    expect([within(id, noon, later(1)), within(id, later(-172_800_000), later(-100_000_000))]).toEqual([false, false])
  })
})
