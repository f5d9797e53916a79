import PostalMime from 'postal-mime'
import { answering } from '../../../kit/threads.ts'
import { type Reported, readReports } from './reports.ts'

/** A message (RFC 5322) that came in, and what is wanted of it. */
export interface ParsingTask {
  wanted: 'reports' | 'text' | 'message' | 'file'
  raw: Uint8Array
  /** Which file is wanted, from 0. */
  position?: number
}

/** A message as a mail program reads it; its files by what describes them. */
export interface ReadMessage {
  html: string | null
  text: string | null
  headers: { name: string; value: string }[]
  attachments: { filename: string | null; contentType: string; size: number; contentId: string | null }[]
}

/** A file of a message. */
export interface MessageFile {
  filename: string | null
  contentType: string
  content: Uint8Array
}

/** What was read of a message. */
export type Parsed =
  | { wanted: 'reports'; reports: Reported[] }
  | { wanted: 'text'; text: string }
  | { wanted: 'message'; message: ReadMessage }
  | { wanted: 'file'; file: MessageFile | null }

/** Reads messages in a thread of its own. */
export const parseMessages = answering(async ({ wanted, raw, position = 0 }: ParsingTask): Promise<Parsed> => {
  if (wanted === 'reports') return { wanted, reports: await readReports(raw) }
  if (wanted === 'file') return { wanted, file: await readFile(raw, position) }
  return wanted === 'text' ? { wanted, text: await readText(raw) } : { wanted, message: await readMessage(raw) }
})

const maxDepth = 20
const maxTextLength = 32_000

// A message in a message is a file of it: the parser would read each again, with every line as often as it is nested.
const limits = { forceRfc822Attachments: true, maxNestingDepth: maxDepth }

async function readText(raw: Uint8Array): Promise<string> {
  // It throws plain errors for what is nested too deeply, or has too large headers.
  const parsed = await PostalMime.parse(raw, limits).catch(() => null)
  return (parsed?.text ?? parsed?.html ?? '').slice(0, maxTextLength)
}

async function readMessage(raw: Uint8Array): Promise<ReadMessage> {
  const { html = null, text = null, headers, attachments } = await PostalMime.parse(raw, limits)
  return {
    html,
    text,
    headers: headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
    attachments: attachments.map(({ filename, mimeType, content, contentId = null }) => ({
      filename,
      contentType: mimeType,
      size: typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength,
      contentId,
    })),
  }
}

async function readFile(raw: Uint8Array, position: number): Promise<MessageFile | null> {
  const file = (await PostalMime.parse(raw, limits)).attachments[position]
  if (!file) return null
  const { filename, mimeType: contentType, content } = file
  return { filename, contentType, content: typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content) }
}
