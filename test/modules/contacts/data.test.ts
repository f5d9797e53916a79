import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../../src/kit/shapes.ts'
import { fieldTypeOf, mergePatches, sortData, sortPlainData } from '../../../src/modules/contacts/data.ts'
import { mergeRows } from '../../../src/modules/contacts/import/rows.ts'

const plain = (value: object) => JSON.parse(JSON.stringify(value)) as unknown

describe('sortData', () => {
  test('stores primitives, objects and arrays as they are sent', () => {
    const { set, removed } = sortData({ plan: 'pro', seats: 3, active: false, tags: ['a'], profile: { tier: 1 } })
    expect(plain(set)).toEqual({ plan: 'pro', seats: 3, active: false, tags: ['a'], profile: { tier: 1 } })
    expect(removed).toEqual([])
  })

  test('deletes a key for null and ignores an empty string', () => {
    const { set, removed, scope } = sortData({ gone: null, empty: '' })
    expect(plain(set)).toEqual({})
    expect(removed).toEqual(['gone'])
    expect(plain(scope)).toEqual({})
  })

  test('unwraps { value, persistent: false } for this call and stores it nowhere', () => {
    const { set, scope, types } = sortData({ code: { value: 'X1', persistent: false } })
    expect(plain(set)).toEqual({})
    expect(plain(types)).toEqual({})
    expect(plain(scope)).toEqual({ code: 'X1' })
  })

  test('unwraps and stores { value, persistent: true }', () => {
    expect(plain(sortData({ code: { value: 'X1', persistent: true } }).set)).toEqual({ code: 'X1' })
  })

  test('keeps an object that merely has a value key', () => {
    expect(plain(sortData({ price: { value: 3, unit: 'EUR' } }).set)).toEqual({ price: { value: 3, unit: 'EUR' } })
  })

  test('drops the reserved keys silently', () => {
    const reserved = { id: 1, plunk_id: 1, plunk_email: 1, email: 1, unsubscribeUrl: 1, subscribeUrl: 1, manageUrl: 1 }
    expect(plain(sortData({ ...reserved, kept: 1, subscribed: 'custom' }).set)).toEqual({ kept: 1, subscribed: 'custom' })
  })

  test('refuses the key __proto__, and takes every other one that objects have', () => {
    const sent = JSON.parse('{"__proto__":{"polluted":true}}') as Record<string, Json>
    expect(() => sortData(sent)).toThrow('must not be a key of custom data')
    expect(() => sortPlainData(sent)).toThrow('must not be a key of custom data')
    expect(plain(sortData({ constructor: 1, toString: 'x', a: { b: 1 } }).set)).toEqual({ constructor: 1, toString: 'x', a: { b: 1 } })
  })

  test.each([true, false])('data without wrappers keeps { value, persistent: %s } as it is', (persistent) => {
    const { set, scope } = sortPlainData({ code: { value: 'X1', persistent }, empty: '' })
    expect([plain(set), plain(scope)]).toEqual([{ code: { value: 'X1', persistent } }, { code: { value: 'X1', persistent } }])
  })

  test.each<[string, Json]>([
    ['itself', Infinity],
    ['negative', -Infinity],
    ['in a list', [1, { deep: [Infinity] }]],
    ['for this call only', { value: Infinity, persistent: false }],
  ])('refuses a number that JSON cannot have: %s', (_where, seats) => {
    expect(() => sortData({ plan: 'pro', seats })).toThrow('must have no number beyond ±1.8e308')
    expect(() => sortPlainData({ seats })).toThrow('must have no number beyond ±1.8e308')
  })

  test('refuses more than 500 keys and keys over 255 characters', () => {
    const many = Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`k${at}`, 1]))
    expect(() => sortData(many)).toThrow('at most 500 keys')
    expect(() => sortData({ ['k'.repeat(256)]: 1 })).toThrow('1 to 255 characters')
  })
})

describe('fieldTypeOf', () => {
  test.each<[Json, string]>([
    [1, 'number'],
    [1.5, 'number'],
    [true, 'boolean'],
    ['2026-01-31', 'date'],
    ['2026-01-31T09:30:00Z', 'date'],
    ['2026-01-31T09:30:00.123Z', 'date'],
    ['2026-01-31 09:30', 'string'],
    ['31.01.2026', 'string'],
    ['', 'string'],
    [['2026-01-31'], 'string'],
    [{ a: 1 }, 'string'],
  ])('%j is of type %s', (value, type) => {
    expect(fieldTypeOf(value)).toBe(type)
  })
})

describe('mergePatches', () => {
  // Every object has the last one.
  const keys = fc.constantFrom('a', 'b', 'c', 'constructor')
  const patches = fc.dictionary(keys, fc.constantFrom<Json>(null, 1, 'x', ''))
  const apply = (stored: Record<string, Json>, { set, removed }: { set: Record<string, Json>; removed: string[] }) => {
    const next: Record<string, Json> = { ...stored, ...set }
    for (const key of removed) delete next[key]
    return next
  }

  test('a merged patch has the same effect as storing one after the other', () => {
    fc.assert(
      fc.property(fc.dictionary(keys, fc.constantFrom<Json>(1, 'y')), patches, patches, (stored, first, second) => {
        const one = sortData(first)
        const two = sortData(second)
        const merge = mergePatches(one)
        merge.add(two)
        expect(Object.entries(apply(stored, merge.merged())).toSorted()).toEqual(Object.entries(apply(apply(stored, one), two)).toSorted())
      }),
    )
  })

  test('each patch is looked at once, however many there are', () => {
    const before = process.threadCpuUsage()
    const removed = (at: number) => Array.from({ length: 500 }, (_, key) => `k${(at * 500 + key) % 20_000}`)
    const merge = mergePatches({ set: {}, removed: [] })
    for (let at = 0; at < 1_000; at++) merge.add({ set: {}, removed: removed(at) })
    expect(merge.merged().removed).toHaveLength(20_000)
    // To copy what was merged before for each would take this thread more than ten seconds.
    expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(4_000)
  })
})

test('rows of an import for one contact are merged in a time that grows with their number', () => {
  const row = (line: number, keys: string[]) => ({
    line,
    email: 'ada@example.com',
    subscribed: null,
    patch: sortPlainData(Object.fromEntries(keys.map((key) => [key, line]))),
  })
  const wide = [0, 1, 2, 3].map((part) =>
    row(
      part,
      Array.from({ length: 500 }, (_, key) => `k${part * 500 + key}`),
    ),
  )
  const before = process.threadCpuUsage()
  const [merged] = mergeRows([...wide, ...Array.from({ length: 8_000 }, (_, at) => row(at + 4, ['k0']))])
  expect([Object.keys(merged?.patch.set ?? {}).length, merged?.patch.set.k0, merged?.lines.length]).toEqual([2_000, 8_003, 8_004])
  // To copy what was merged before for each would take this thread eight seconds.
  expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(4_000)
})
