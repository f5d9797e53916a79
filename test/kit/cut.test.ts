import { expect, test } from 'vitest'
import { copyName, cutText, isLonger, shorten } from '../../src/kit/cut.ts'

const smiles = (count: number) => '😀'.repeat(count)

test('characters are counted as JSON Schema counts them, also those that a string has two units for', () => {
  expect([isLonger(smiles(3), 3), isLonger(smiles(4), 3), isLonger('abc', 3), isLonger('abcd', 3)]).toEqual([false, true, false, true])
  expect(cutText(smiles(150), 100)).toBe(smiles(100))
  expect(cutText('N\uFFFD', 10)).toBe('N\uFFFD')
  expect([shorten(smiles(3), 3), shorten(smiles(4), 3)]).toEqual([smiles(3), `${smiles(2)}…`])
})

test('half a character becomes one that says so', () => {
  expect(cutText('a\uD83D', 2)).toBe('a\uFFFD')
})

test('the name of a copy keeps as much of a long one as has room', () => {
  expect(copyName(smiles(100), 100)).toBe(`${smiles(93)} (Copy)`)
  expect(copyName('N\uFFFD', 100)).toBe('N\uFFFD (Copy)')
})
