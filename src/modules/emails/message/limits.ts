import { elementsIn } from '../../../kit/html/elements.ts'
import { overBudget } from '../../../kit/liquid.ts'
import { taggedCharacters } from '../../../kit/template-tags.ts'
import type { LanesPlan } from '../../../kit/thread-lanes.ts'
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

/** The same where emails that take long to render hold up none that is quick, see `createThreadLanes`. */
export function laneLimits(budgetMs: number): Pick<LanesPlan<unknown>, 'sectionMs' | 'taskMs' | 'memoryMb' | 'quickMs'> {
  return { ...renderLimits(budgetMs), quickMs: budgetMs + quickMs }
}

// What is sent in practice takes a few ms. So many elements, or characters in tags, take up to 50 ms.
const quickMs = 200
const maxQuickLength = 300_000
const maxQuickElements = 10_000
const maxQuickTagged = 20_000

/** Whether a body takes long to parse or to convert to text, by what it has before it is rendered. */
export function isLongBody(html: string): boolean {
  if (html.length > maxQuickLength || elementsIn(html, maxQuickElements) > maxQuickElements) return true
  return taggedCharacters(html) > maxQuickTagged
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
