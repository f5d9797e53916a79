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
