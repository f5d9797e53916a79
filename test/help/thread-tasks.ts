// Tasks for the test of threads: each is a kind of work that a hostile template could do.
import { answering, threadData } from '../../src/kit/threads.ts'

const { greeting, onSection, loadMs = 0 } = threadData<{ greeting: string; loadMs?: number }>()
const filled: string[] = []

spinUntil(process.threadCpuUsage().user / 1_000 + loadMs, () => process.threadCpuUsage().user / 1_000)

// Returns how often it went round.
function spinUntil(end: number, now: () => number): number {
  let turns = 0
  while (now() < end) turns++
  return turns
}

/** Does what the test asks for. */
export const work = answering(({ kind, text }: { kind: string; text: string }): string => {
  if (kind === 'greet') return `${greeting} ${text}`
  if (kind === 'fail') throw new Error(text)
  if (kind === 'fill memory') for (;;) filled.push(text.repeat(10_000) + filled.length)
  if (kind === 'spin in section') onSection()
  const turns = spinUntil(performance.now() + (kind === 'spin briefly' ? 150 : 60_000), () => performance.now())
  return `${text} ${turns > 0}`
})
