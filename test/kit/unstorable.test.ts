import { expect, test } from 'vitest'
import { findUnstorable } from '../../src/kit/unstorable.ts'

test('what cannot be stored is named by its place, of which the beginning of every key is shown', () => {
  expect(findUnstorable({ a: [{ 'b\0': 1 }] })).toMatchObject({ field: 'a.0.b␀', code: 'invalid_string' })
  expect(findUnstorable({ a: [1, 'x\ud800'] })).toMatchObject({ field: 'a.1' })
  const long = 'k'.repeat(100_000)
  const nested = Array.from({ length: 90 }).reduce<object>((inner) => ({ [long]: inner }), { text: '\0' })
  expect(findUnstorable(nested)?.field.length).toBeLessThan(100 * 210)
})
