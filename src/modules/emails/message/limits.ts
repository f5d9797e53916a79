import { overBudget } from '../../../kit/liquid.ts'
import type { Exceeded, ThreadsPlan } from '../../../kit/threads.ts'

const threadMemoryMb = 512
/** CPU time in ms that a thread may take for one email: parsing, composing and signing the largest allowed one takes about a second. */
export const maxTaskMs = 3_000
const graceMs = 30

/** What rendering one email may take in a thread, where rendering its templates may take `budgetMs`. */
export function renderLimits(budgetMs: number): Pick<ThreadsPlan, 'sectionMs' | 'taskMs' | 'memoryMb'> {
  // A thread checks its budget itself while it renders; it is ended only where it does not get to.
  return { sectionMs: budgetMs + graceMs, taskMs: maxTaskMs, memoryMb: threadMemoryMb }
}

/** Why an email could not be rendered whose thread had to be ended, as a sentence for the sender. */
export function whyKilled(exceeded: Exceeded, budgetMs: number): string {
  return `The template could not be rendered: ${limitOf(exceeded, budgetMs)}.`
}

function limitOf(exceeded: Exceeded, budgetMs: number): string {
  if (exceeded === 'section') return overBudget(budgetMs)
  return exceeded === 'memory'
    ? `it takes more than ${threadMemoryMb} MB of memory`
    : `it takes more than ${maxTaskMs / 1_000} s of computing time to parse, to convert to text and to compose`
}
