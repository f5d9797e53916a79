import { describe, expect, test, vi } from 'vitest'
import { JsonText } from '../../src/kit/json-text.ts'
import { encodeJson, isSmall } from '../../src/server/json.ts'

const large = 'a"é\n\u0001😀\ud800'.repeat(20_000)
const rest = () => new Promise((resolve) => setImmediate(resolve))

describe('a value as JSON', () => {
  test.each<[string, unknown]>([
    ['a small object', { a: 1, b: [true, null, 'x'], c: undefined }],
    ['a large text', large],
    ['large texts in lists and objects', { data: [{ body: large, at: new Date(0), none: undefined }], again: [large, undefined, 7] }],
    ['many small values', Array.from({ length: 5_000 }, (_, at) => ({ at, text: `text ${at}`, nested: { list: [at] } }))],
    ['a large object without values', { text: large, empty: {}, nothing: { left: undefined }, list: [] }],
    ['what says itself how it is written', { text: large, one: { toJSON: () => ({ text: large }) } }],
    ['characters of two halves at every place', Array.from({ length: 3 }, (_, at) => 'x'.repeat(at) + '😀'.repeat(30_000))],
  ])('is what JSON.stringify writes: %s', async (_what, value) => {
    expect(String(await encodeJson(value, rest))).toBe(Buffer.from(JSON.stringify(value)).toString())
  })

  test('rests between short runs', async () => {
    const runs: number[] = []
    const rows = Array.from({ length: 8 }, (_, at) => ({ body: `${at}${'"\u0001'.repeat(500_000)}` }))
    await encodeJson(rows, async (ms) => void runs.push(ms))
    expect(runs.length).toBeGreaterThan(3)
    expect(runs.toSorted((a, b) => a - b)[Math.floor(runs.length / 2)]).toBeLessThan(20)
  })

  test('has JSON of Postgres as it is, which is parsed only in a small answer', async () => {
    const text = JSON.stringify({ large })
    const parse = vi.spyOn(JSON, 'parse')
    const written = String(await encodeJson({ rows: [new JsonText(text), new JsonText(text)] }, rest))
    expect([parse.mock.calls.length, isSmall(new JsonText(text))]).toEqual([0, false])
    parse.mockRestore()
    expect(written).toBe(`{"rows":[${text},${text}]}`)
    expect(JSON.stringify({ one: new JsonText('{"a": 1}') })).toBe('{"one":{"a":1}}')
  })

  test('is small only when all of it is', () => {
    const holder: unknown[] = [undefined, null, 1]
    expect([isSmall(holder), isSmall([...holder, large]), isSmall({ rows: Array(5_000).fill(0) })]).toEqual([true, false, false])
  })
})
