import { callIn } from '../../src/kit/context.ts'
import type { World } from '../../src/kit/world.ts'
import { writeJson } from '../../src/server/large-answers.ts'

/** Occupies the turn in which large answers are written, until what it returns is called. */
export function occupyWriting(world: World): () => Promise<void> {
  let isDone = false
  const endless = Object.assign(new Array(30_000).fill(0), {
    *entries() {
      while (!isDone) yield [0, 'x'.repeat(1_000)]
    },
  })
  const written = writeJson(callIn(world, { actor: { kind: 'system' } }), () => new AbortController().signal, endless)
  return async () => {
    isDone = true
    await written
  }
}
