import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lengthOfNumber, sizeOfJson, sizeOfNumber } from '../../src/kit/json-length.ts'
import { statement } from '../../src/kit/postgres/db.ts'
import { testWorld } from '../help/world.ts'

const printed = statement<{ length: number }>('test_printed', 'select octet_length(n::text) as length from unnest($1::jsonb[]) n', {
  allProjects: 'reads no table',
})

test('a number has as many characters as Postgres prints of it', async () => {
  const { db } = await testWorld()
  const numbers = [
    ...[0, -0, 7, -7, 0.1, -0.1, 1e20, 1e21, -1e21, 1.5e21, 1.2345e23, 1e-6, 1e-7, 1.5e-7, -1.5e-7, 5e-324, 1.8e-308],
    ...[Number.MAX_VALUE, Number.MIN_VALUE, Number.MAX_SAFE_INTEGER],
    ...fc.sample(fc.double({ noNaN: true, noDefaultInfinity: true }), 2_000),
  ]
  const lengths = await db.run(printed, [numbers.map((number) => JSON.stringify(number))])
  expect(numbers.map((number) => [number, lengthOfNumber(number)])).toEqual(numbers.map((number, at) => [number, lengths[at]?.length]))
})

test('a value counts its characters, and a number of more than 40 digits as 4 KB', () => {
  expect([1e39, -1e39, 1e40, 1.5e-39].map(sizeOfNumber)).toEqual([40, 4_096, 4_096, 4_096])
  expect(sizeOfJson({ a: [1e308, 'e', null, true], b: 1 })).toBe(JSON.stringify({ a: [0, 'e', null, true], b: 1 }).length - 1 + 4_096)
  expect([sizeOfJson('1e308'), sizeOfJson(1e308), sizeOfJson(undefined)]).toEqual([7, 4_096, 0])
})
