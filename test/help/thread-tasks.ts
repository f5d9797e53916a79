// Tasks for the test of threads: each is a kind of work that a hostile template could do.
import { answering, threadData } from '../../src/kit/threads.ts'

const { greeting, onSection } = threadData<{ greeting: string }>()
const filled: string[] = []

/** Does what the test asks for. */
export const work = answering(({ kind, text }: { kind: string; text: string }): string => {
  if (kind === 'greet') return `${greeting} ${text}`
  if (kind === 'fail') throw new Error(text)
  if (kind === 'fill memory') for (;;) filled.push(text.repeat(10_000) + filled.length)
  if (kind === 'spin in section') onSection()
  const end = performance.now() + (kind === 'spin briefly' ? 150 : 60_000)
  let turns = 0
  while (performance.now() < end) turns++
  return `${text} ${turns > 0}`
})
