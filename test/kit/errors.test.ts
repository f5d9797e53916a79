import { expect, test } from 'vitest'
import { tooManyRequests } from '../../src/kit/errors.ts'
import { sources } from '../help/sources.ts'

test('a 429 says when to try again, in its sentence and in Retry-After', () => {
  const { status, message, headers } = tooManyRequests('Too many of these are open.', 5)
  expect([status, message, headers]).toEqual([429, 'Too many of these are open. Try again in 5 seconds.', { 'Retry-After': '5' }])
})

test('nothing else makes a 429', () => {
  const others = sources('src', /\.ts$/).filter(
    ({ path, text }) => path !== 'src/kit/errors.ts' && /Failure\(\s*'RATE_LIMIT_EXCEEDED'/.test(text),
  )
  expect(others.map(({ path }) => path)).toEqual([])
})
