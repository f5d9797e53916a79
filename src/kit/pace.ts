import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import { isWithin } from './json-limits.ts'
import { asGraphql } from './zod-input.ts'

const last = new WeakMap<object, Promise<unknown>>()

/**
 * Does a piece of work of a call when those that it has asked for before are done, each in a turn of the event loop of its own: many
 * pieces of some milliseconds, such as the large values of a list, would together keep others waiting.
 */
export async function inPieces<Result>(call: object, work: () => Result): Promise<Result> {
  const before = last.get(call)
  const piece = (async () => {
    // One that has failed reports that itself.
    await before?.catch(() => undefined)
    await setImmediate()
    return work()
  })()
  last.set(call, piece)
  return piece
}

// What is converted in less than a millisecond.
const quick = { characters: 16_000, values: 200 }

/** What `asGraphql` makes of a value, for a field of a list: large values are converted one after the other, with others answered between them. */
export function answerAsGraphql(call: object, shape: z.core.$ZodType, value: unknown): unknown {
  return isWithin(value, quick) ? asGraphql(shape, value) : inPieces(call, () => asGraphql(shape, value))
}
