import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lengthOfJson, lengthOfNumber } from '../../src/kit/json-length.ts'
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

test('a value has as many as its numbers in full', () => {
  expect(lengthOfJson({ a: [1e308, 'e', null, true], b: 1 })).toBe(JSON.stringify({ a: [1, 'e', null, true], b: 1 }).length + 308)
  expect([lengthOfJson('1e308'), lengthOfJson(1e308), lengthOfJson(undefined)]).toEqual([7, 309, 0])
})
