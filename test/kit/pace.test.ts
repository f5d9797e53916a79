import { expect, test } from 'vitest'
import { z } from 'zod'
import { answerAsGraphql, inPieces } from '../../src/kit/pace.ts'

test('pieces of one call run in their order, in turns of the event loop of their own; those of others run between them', async () => {
  const order: string[] = []
  const [one, other] = [{}, {}]
  const pieces = ['a', 'b', 'c'].map((name) =>
    inPieces(one, () => {
      order.push(name)
      if (name === 'a') setImmediate(() => order.push('other'))
      return name
    }),
  )
  expect(await Promise.all(pieces)).toEqual(['a', 'b', 'c'])
  expect(order).toEqual(['a', 'other', 'b', 'c'])
  expect(await inPieces(other, () => 'x')).toBe('x')
})

test('one that fails says so itself, and the next one runs', async () => {
  const call = {}
  const failing = inPieces(call, () => {
    throw new Error('refused')
  })
  const next = inPieces(call, () => 'done')
  await expect(failing).rejects.toThrow('refused')
  expect(await next).toBe('done')
})

test('of the values of an answer, large ones are converted in pieces, and small ones at once', async () => {
  const shape = z.object({ unit: z.enum(['days', 'hours']), values: z.array(z.string()) })
  const given = (count: number) => ({ unit: 'days', values: Array<string>(count).fill('x') })
  expect(answerAsGraphql({}, shape, given(3))).toEqual({ ...given(3), unit: 'DAYS' })
  const large = answerAsGraphql({}, shape, given(300))
  expect(large).toBeInstanceOf(Promise)
  expect(await large).toEqual({ ...given(300), unit: 'DAYS' })
})
