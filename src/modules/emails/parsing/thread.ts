import PostalMime from 'postal-mime'
import { answering } from '../../../kit/threads.ts'
import { type Reported, readReports } from './reports.ts'

/** A message (RFC 5322) that came in, and what is wanted of it. */
export interface ParsingTask {
  wanted: 'reports' | 'text'
  raw: Uint8Array
}

/** What was read of a message. */
export type Parsed = { wanted: 'reports'; reports: Reported[] } | { wanted: 'text'; text: string }

/** Reads messages in a thread of its own. */
export const parseMessages = answering(
  async ({ wanted, raw }: ParsingTask): Promise<Parsed> =>
    wanted === 'reports' ? { wanted, reports: await readReports(raw) } : { wanted, text: await readText(raw) },
)

const maxDepth = 20
const maxTextLength = 32_000

async function readText(raw: Uint8Array): Promise<string> {
  // It throws plain errors for what is nested too deeply, or has too large headers.
  const parsed = await PostalMime.parse(raw, { maxNestingDepth: maxDepth }).catch(() => null)
  return (parsed?.text ?? parsed?.html ?? '').slice(0, maxTextLength)
}
