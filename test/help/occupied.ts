import type { Ctx } from '../../src/kit/context.ts'
import { writeJson } from '../../src/server/large-answers.ts'

/** Occupies the turn of a caller in which their large answers are written, until what it returns is called. */
export function occupyWriting(ctx: Ctx): () => Promise<void> {
  let isDone = false
  const endless = Object.assign(new Array(30_000).fill(0), {
    *entries() {
      while (!isDone) yield [0, 'x'.repeat(1_000)]
    },
  })
  const written = writeJson(ctx, () => new AbortController().signal, endless)
  return async () => {
    isDone = true
    await written
  }
}
