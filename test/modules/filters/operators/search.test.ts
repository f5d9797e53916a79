import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLoopShare, type LoopShare } from '../../../../src/kit/loop-share.ts'
import { createTextSearch } from '../../../../src/modules/filters/operators/search.ts'

/** A share that grants everything at once, and says how much was taken in all and at most in one piece. */
function counting(): LoopShare & { taken: number; largest: number } {
  return {
    taken: 0,
    largest: 0,
    take(units) {
      this.taken += units
      this.largest = Math.max(this.largest, units)
      return undefined
    },
  }
}

const pieceLength = 2 ** 16
const long = 8_000
const [a, b] = ['a'.repeat(long - 1), 'b']
// Runs of "a" that are a little too short, so that nothing but the whole comparison says so.
const runs = `${a}${b}`.repeat(120)

test.each<[string, string, string, boolean]>([
  ['a run that is nearly there, at its end', runs, `${b}${'a'.repeat(long)}`, false],
  ['a run that is nearly there, at its beginning', runs, `${'a'.repeat(long)}${b}`, false],
  ['one that is there once, across pieces', `${'a'.repeat(pieceLength * 2 - 5)}${runs.slice(long - 1)}`, `${'a'.repeat(12)}${b}`, true],
  ['one that is there at the very end', `${runs}${'a'.repeat(long)}`, `${b}${'a'.repeat(long)}`, true],
  ['pairs that end otherwise', 'ab'.repeat(60_000), `${'ab'.repeat(200)}7`, false],
])('%s is found or not in linear time', async (_what, text, part, expected) => {
  const share = counting()
  expect(await createTextSearch(share).contains(text, part)).toBe(expected)
  expect(share.taken).toBeLessThanOrEqual(2 * (text.length + part.length))
  expect(share.largest).toBeLessThanOrEqual(pieceLength)
})

test('a text that many filters ask is prepared once, and looked through only for what it may contain', async () => {
  const share = counting()
  const { contains } = createTextSearch(share)
  const text = 'ab'.repeat(60_000)
  const parts = Array.from({ length: 50 }, (_, nth) => `${'ab'.repeat(200)}${nth}`)
  const found = await Promise.all(parts.map((part) => contains(text, part)))
  expect(found.some(Boolean)).toBe(false)
  expect(share.taken).toBeLessThanOrEqual(text.length + parts.join('').length)
})

test('short texts are compared at once', () => {
  expect(createTextSearch(createLoopShare({ maxUnits: 1_000 })).contains('enterprise pro plan', 'pro')).toBe(true)
})

test('says what includes says', async () => {
  const letters = (maxLength: number) =>
    fc.array(fc.constantFrom('a', 'b', 'ab', 'é', '漢', '😀', '\ud83d', ' '), { maxLength }).map((some) => some.join(''))
  // Long enough for the search by pieces: the text once more and more often.
  const texts = fc.tuple(letters(40), letters(12)).map(([one, other]) => other + one.repeat(9_000) + other)
  await fc.assert(
    fc.asyncProperty(texts, letters(30), fc.nat(), fc.integer({ min: 0, max: 200 }), async (text, part, from, length) => {
      const begin = text.length === 0 ? 0 : from % text.length
      const { contains } = createTextSearch(counting())
      for (const sought of [part, text.slice(begin, begin + length), `${text.slice(begin, begin + length)}${part}`])
        expect(await contains(text, sought)).toBe(text.includes(sought))
    }),
    { numRuns: 60 },
  )
})
