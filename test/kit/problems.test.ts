import { expect, test } from 'vitest'
import { z } from 'zod'
import { Failure } from '../../src/kit/errors.ts'
import { read } from '../../src/kit/problems.ts'

test('of very many wrong fields the first 20 are listed, so that the answer is no larger than the request', () => {
  const shape = z.object({ emails: z.array(z.union([z.email(), z.object({ email: z.email() })])) })
  const failed = (): Failure => {
    try {
      read(shape, { emails: Array(10_000).fill({ email: 'x' }) })
    } catch (error) {
      if (error instanceof Failure) return error
    }
    throw new Error('It was accepted')
  }
  const { code, errors } = failed()
  expect([code, errors?.length, errors?.[19]?.field]).toEqual(['VALIDATION_ERROR', 20, 'emails.19.email'])
})

test('of a list with too many entries, where a text or an object is taken as well, its length is what is wrong', () => {
  const one = z.union([z.email(), z.union([z.object({ email: z.email() }), z.object({ name: z.string() })])])
  const shape = z.object({ to: z.union([one, z.array(one).max(2)]) })
  const refused = (to: unknown): unknown => {
    try {
      return read(shape, { to })
    } catch (error) {
      return (error as Failure).errors
    }
  }
  expect(refused(Array(3).fill('ada@example.com'))).toEqual([{ field: 'to', message: 'must be at most 2 entries long', code: 'too_big' }])
  expect(refused(['ada@example.com', 'x'])).toMatchObject([{ field: 'to.1' }])
  expect(refused(7)).toMatchObject([{ field: 'to', message: 'must be a string or an object or a list' }])
})
