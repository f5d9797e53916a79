import PostalMime from 'postal-mime'
import { type Beginning, beginningOf, endOfHeader } from './limits.ts'

const maxParts = 100
const maxMarks = 2_000
const maxDepth = 10
const maxHeaderBytes = 65_536
const maxFieldLength = 4_000
// Two hundred recipients, each with ten lines or so.
const readOfReport: Beginning = { bytes: 65_536, lines: 2_000, equals: 2_000 }

const [mark, lf, cr] = [Buffer.from('\n--'), 10, 13]
const ofStatus = ['message/delivery-status', 'message/global-delivery-status']
const ofAbuse = 'message/feedback-report'

/** The part of a message that reports, and what its header says it is. */
export interface ReportPart {
  kind: 'status' | 'abuse'
  /** How its body is encoded (RFC 2045, 6), in small letters; empty for one that is not. */
  encoding: string
  /** Its body as it came, of at most 64 KB. */
  body: Buffer
  /** Whether that is not all of it. */
  isCut: boolean
}

/**
 * Finds the part of a message that reports: a delivery status (RFC 3464, RFC 6533), otherwise a report of abuse (RFC 5965). Null where
 * none is among its first 100 parts, or 2,000 lines that begin with "--". It looks at the boundaries of parts only (RFC 2046, 5.1), ten
 * levels deep, because a parser takes tens of milliseconds for messages that anybody may send from many addresses at once.
 */
export function findReportPart(raw: Buffer): ReportPart | null {
  let abuse: ReportPart | null = null
  for (const { type, encoding, body } of leavesOf(raw, { parts: maxParts, marks: maxMarks }, 0)) {
    if (type !== ofAbuse && !ofStatus.includes(type)) continue
    const beginning = beginningOf(body, readOfReport)
    const kind = type === ofAbuse ? 'abuse' : 'status'
    const part = { kind, encoding, body: beginning, isCut: beginning.length < body.length } as const
    if (part.kind === 'status') return part
    abuse ??= part
  }
  return abuse
}

/** What such a part says, decoded. */
export async function textOf({ encoding, body }: ReportPart): Promise<string> {
  if (encoding === 'base64') return Buffer.from(body.toString('latin1'), 'base64').toString('utf8')
  // As nearly every report; a parser takes ten milliseconds for a thousand short lines.
  if (encoding !== 'quoted-printable') return body.toString('utf8')
  const head = Buffer.from(`Content-Type: application/octet-stream\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`)
  const [file] = (await PostalMime.parse(Buffer.concat([head, body]))).attachments
  // In bytes: no encoding was asked for.
  return file ? Buffer.from(file.content as ArrayBuffer).toString('utf8') : ''
}

interface Entity {
  type: string
  encoding: string
  /** What ends its parts; null where it has none. */
  boundary: string | null
  body: Buffer
}

/** How much may still be looked at. */
interface Left {
  parts: number
  marks: number
}

function* leavesOf(raw: Buffer, left: Left, depth: number): Generator<Entity> {
  if (left.parts-- <= 0) return
  const entity = entityOf(raw)
  if (entity.boundary === null || depth === maxDepth) return yield entity
  for (const part of partsOf(entity.body, Buffer.from(entity.boundary, 'latin1'), left)) yield* leavesOf(part, left, depth + 1)
}

function entityOf(raw: Buffer): Entity {
  const end = endOfHeader(raw.subarray(0, maxHeaderBytes))
  const header = raw.toString('latin1', 0, end)
  const field = fieldOf(header, 'content-type')
  const type = wordOf(field)
  return {
    type,
    encoding: wordOf(fieldOf(header, 'content-transfer-encoding')),
    boundary: type.startsWith('multipart/') ? boundaryOf(field) : null,
    body: raw.subarray(end),
  }
}

// The value of a header field, unfolded: of several the first.
function fieldOf(header: string, name: string): string {
  const field = new RegExp(`(?:^|\\n)${name}[ \\t]*:((?:[^\\n]|\\n[ \\t])*)`, 'i').exec(header)?.[1] ?? ''
  return field.slice(0, maxFieldLength).replace(/\s+/g, ' ').trim()
}

/** A header field with a space instead of each comment, which may have others in it (RFC 5322, 3.2.2); what is in quotes is none. */
export function withoutComments(value: string): string {
  let [left, depth, quoted, escaped] = ['', 0, false, false]
  for (const char of value) {
    if (char === '"' && depth === 0 && !escaped) quoted = !quoted
    if (char === '(' && !quoted && !escaped) depth++
    if (depth === 0) left += char
    if (char === ')' && depth > 0 && !escaped && --depth === 0) left += ' '
    escaped = char === '\\' && !escaped
  }
  return left
}

/** The first word of a header field in lower case: what stands before a parameter, and before or behind a comment (RFC 5322, 3.2.2). */
export const wordOf = (value: string): string => withoutComments(value).trimStart().split(/[\s;]/, 1)[0]?.toLowerCase() ?? ''

// In one piece, or in several, of which some may be encoded (RFC 2231, 3 and 4).
function boundaryOf(type: string): string | null {
  const pieces = [...type.matchAll(/; ?boundary(?:\*(\d+))?(\*)? ?= ?(?:"((?:[^"\\]|\\.)*)"|([^ ;"]+))/gi)].map(
    ([, no, encoded, quoted, plain = '']) => {
      const value = quoted?.replace(/\\(.)/g, '$1') ?? plain
      return { no, text: encoded ? percentDecoded(value) : value }
    },
  )
  const [first] = pieces
  if (first === undefined || first.no === undefined) return first?.text || null
  return pieces.sort((one, other) => Number(one.no) - Number(other.no)).reduce((whole, { text }) => whole + text, '')
}

function percentDecoded(value: string): string {
  return value.replace(/^[^']*'[^']*'/, '').replace(/%([\da-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
}

// What stands between the boundaries of an entity, until its last one or its end. Its body begins with an empty line, so that each
// boundary stands behind the end of a line.
function* partsOf(body: Buffer, boundary: Buffer, left: Left): Generator<Buffer> {
  let from = -1
  for (let at = body.indexOf(mark); at !== -1 && left.marks-- > 0; at = body.indexOf(mark, at + 1)) {
    const begins = at + mark.length
    const after = begins + boundary.length
    if (!body.subarray(begins, after).equals(boundary)) continue
    const ends = endOfLine(body, after)
    const [line, isLast] = /^(--)?[ \t]*\r?$/.exec(body.toString('latin1', after, ends)) ?? []
    if (line === undefined) continue
    // The end of the line before it belongs to it.
    if (from !== -1) yield body.subarray(from, body[at - 1] === cr ? at - 1 : at)
    if (isLast) return
    from = ends + 1
  }
  if (from !== -1) yield body.subarray(from)
}

function endOfLine(raw: Buffer, from: number): number {
  const at = raw.indexOf(lf, from)
  return at === -1 ? raw.length : at
}
