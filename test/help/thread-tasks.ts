// Tasks for the test of threads: each is a kind of work that a hostile template could do.
import { threadData } from '../../src/kit/threads.ts'

const { marks } = threadData<{ greeting: string }>()
const kept: string[] = []

/** Does what the test asks for. */
export function work({ kind, text }: { kind: string; text: string }): string {
  if (kind === 'greet') return `${threadData<{ greeting: string }>().greeting} ${text}`
  if (kind === 'fail') throw new Error(text)
  if (kind === 'fill memory') for (;;) kept.push(text.repeat(10_000) + kept.length)
  Atomics.store(marks, 0, kind === 'spin in section' ? 1 : 0)
  const end = performance.now() + (kind === 'spin briefly' ? 150 : 60_000)
  let turns = 0
  while (performance.now() < end) turns++
  return `${text} ${turns > 0}`
}
