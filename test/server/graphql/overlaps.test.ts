import { parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { countOverlaps } from '../../../src/server/graphql/overlaps.ts'
import { asker } from '../../help/ask.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { url, world } = await testServer()
const all = { pairs: Number.POSITIVE_INFINITY, steps: Number.POSITIVE_INFINITY }
const pairsOf = (document: string) => countOverlaps(parse(document), all).pairs

describe('pairs that validation compares', () => {
  test.each([
    ['none, where each field stands once', '{ a { id name } b { id name } }', 0],
    ['none, between fields with different aliases', '{ one: a { id } other: a { id } }', 0],
    ['two fields of one set', '{ id id }', 1],
    ['each two of four', '{ id id id id }', 6],
    ['fields in inline fragments, which validation compares again by themselves', '{ ... { id id } }', 2],
    ['fields of fragments', '{ id ...F } fragment F on Query { id }', 1],
    ['what is below equal fields', '{ a { id } a { id } }', 2],
    ['what is below them at any depth, and through fragments', '{ a { b { id } } ... { a { ...F } } } fragment F on A { b { id } }', 3],
  ])('%s', (_title, document, pairs) => expect(pairsOf(document)).toBe(pairs))

  test('are counted up to a bound, whatever a document multiplies', () => {
    const doubling = Array.from({ length: 40 }, (_, at) => `fragment F${at} on Query { id ...F${at + 1} ...F${at + 1} }`).join(' ')
    const { pairs, steps } = countOverlaps(parse(`{ ...F0 } ${doubling} fragment F40 on Query { id }`), { pairs: 1_000, steps: 10_000 })
    expect(pairs).toBeLessThan(12_000)
    expect(steps).toBeLessThan(10_100)
  })

  test('end where a fragment stands in itself', () => expect(pairsOf('{ ...F } fragment F on Query { id ...F }')).toBe(1))
})

test('a document that selects the same fields of the same object again and again is refused before it is validated', async () => {
  const { secret } = await freshProject(world)
  const repeated = '...{ contacts(first: 1) { nodes { id email data } pageInfo { hasNextPage endCursor } } } '
  const refusal = /^The operation selects the same fields of the same object too often/
  expect(await asker(url, secret)(`{ ${repeated.repeat(97)} }`)).toMatchObject({
    errors: [{ message: expect.stringMatching(refusal), extensions: { code: 'BAD_REQUEST' } }],
  })
  const below = (inside: string) => `${'... { '.repeat(20)}${inside}${'}'.repeat(20)}`
  const fragments = Array.from({ length: 45 }, (_, at) => `fragment F${at} on Query { ${below(`...F${at + 1}`)} }`)
  const nested = `{ ...F0 } ${fragments.join(' ')} fragment F45 on Query { ${'__typename '.repeat(4)}}`
  expect((await asker(url, secret)(nested)).errors).toMatchObject([{ message: expect.stringMatching(refusal) }])
})

test('a fragment is spread at most 100 times in a document, also where nothing overlaps', async () => {
  const { secret } = await freshProject(world)
  const spreads = (count: number) =>
    `{ ${Array.from({ length: count }, (_, at) => `f${at} { ...F }`).join(' ')} } fragment F on Query { __typename }`
  const sentences = async (count: number) => (await asker(url, secret)(spreads(count))).errors.map(({ message }) => message).join(' ')
  expect(await sentences(101)).toMatch(/uses the same field or fragment 101 times; at most 100 are allowed/)
  expect(await sentences(100)).not.toMatch(/the same field or fragment/)
})

test('a fragment is spread at most 100 times in a document, also where nothing overlaps', async () => {
  const { secret } = await freshProject(world)
  const spreads = (count: number) =>
    `{ ${Array.from({ length: count }, (_, at) => `f${at} { ...F }`).join(' ')} } fragment F on Query { __typename }`
  const sentences = async (count: number) => (await asker(url, secret)(spreads(count))).errors.map(({ message }) => message).join(' ')
  expect(await sentences(101)).toMatch(/uses the same field or fragment 101 times; at most 100 are allowed/)
  expect(await sentences(100)).not.toMatch(/the same field or fragment/)
})

test('a field that some fragments select as well is no problem', async () => {
  const { secret } = await freshProject(world)
  const parts = Array.from({ length: 10 }, (_, at) => `fragment F${at} on Contact { id email createdAt }`)
  const spreads = parts.map((_, at) => `...F${at}`).join(' ')
  expect((await asker(url, secret)(`{ contacts { nodes { id ${spreads} } } } ${parts.join(' ')}`)).errors).toEqual([])
})
