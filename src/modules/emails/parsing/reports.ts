import { type Answer, parseReported } from '../../../kit/smtp/refusals.ts'
import { findReportPart, textOf, withoutComments, wordOf } from './report-part.ts'

/** What a report says about one recipient. */
export type ReportedFate =
  | { kind: 'delivered' }
  /** It could not be delivered, and nobody tries again. */
  | { kind: 'failed'; answer: Answer }
  | { kind: 'complaint' }
  /** It is delayed, or was handed on: what becomes of it is not known yet. */
  | { kind: 'pending' }
  /** The report is too long to be read whole: what is left of it may say something else of anybody. */
  | { kind: 'unread' }

/**
 * What a report says, and the addresses that it says it about; none when it names none. `originals`: those that these were led to from, as
 * their sender gave them.
 */
export type Reported = ReportedFate & { recipients: string[]; originals: string[] }

const maxAddresses = 100
// RFC 5322, 2.1.1.
const maxLineLength = 998

/**
 * What a message reports: a delivery status notification (RFC 3464) or a report of abuse (RFC 5965). Nothing for any other message,
 * such as an automatic reply, and for one that cannot be read.
 */
export async function readReports(raw: Uint8Array): Promise<Reported[]> {
  const part = findReportPart(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength))
  if (!part) return []
  const text = await textOf(part)
  if (part.kind === 'abuse') return groupsOf(text).slice(0, 1).flatMap(ofAbuse)
  if (!part.isCut) return groupsOf(text).flatMap(ofRecipient)
  // The last line may be half of one, and so may the last group, which has said everything once it has these.
  const whole = groupsOf(text.slice(0, text.lastIndexOf('\n') + 1)).filter(
    (group, at, { length }) => at < length - 1 || ['action', 'status', 'diagnostic-code'].every((name) => group.has(name)),
  )
  return [...whole.flatMap(ofRecipient), unread]
}

const unread: Reported = { kind: 'unread', recipients: [], originals: [] }

type Fields = Map<string, string[]>

// Groups of header fields, separated by empty lines (RFC 3464, 2.1).
function groupsOf(content: string): Fields[] {
  return content
    .replaceAll('\r\n', '\n')
    .replace(/\n[ \t]+(?=\S)/g, ' ')
    .split(/\n\s*\n/)
    .filter((group) => group.trim() !== '')
    .map(fieldsOf)
}

function fieldsOf(group: string): Fields {
  const fields: Fields = new Map()
  for (const line of group.split('\n')) {
    const [, name = '', value = ''] = /^([\w-]+)[ \t]*:(.*)$/.exec(line) ?? []
    const values = fields.get(name.toLowerCase())
    if (values) values.push(value.trim())
    else fields.set(name.toLowerCase(), [value.trim()])
  }
  return fields
}

function ofRecipient(fields: Fields): Reported[] {
  // The first group is about the message.
  if (!fields.has('final-recipient')) return []
  const status = withoutComments(fields.get('status')?.[0] ?? '').trim()
  const [diagnostic] = fields.get('diagnostic-code') ?? []
  const [given = status.startsWith('5') ? 'failed' : ''] = fields.get('action') ?? []
  const action = wordOf(given)
  // Each once in a group (RFC 3464, 2.3).
  const addressOf = (name: string) => addressesOf(fields.get(name)?.slice(0, 1) ?? [])
  const about = { recipients: addressOf('final-recipient'), originals: addressOf('original-recipient') }
  if (action === 'delivered') return [{ kind: 'delivered', ...about }]
  return action === 'failed' ? [{ kind: 'failed', answer: parseReported(status, diagnostic), ...about }] : [{ kind: 'pending', ...about }]
}

const complaints = ['abuse', 'fraud', 'virus']

function ofAbuse(fields: Fields): Reported[] {
  const [type = ''] = fields.get('feedback-type') ?? []
  if (!complaints.includes(wordOf(type))) return []
  return [{ kind: 'complaint', recipients: addressesOf(fields.get('original-rcpt-to') ?? []), originals: [] }]
}

// Such as "rfc822; ada@example.com", or "<ada@example.com>".
function addressesOf(values: string[]): string[] {
  return values
    .slice(0, maxAddresses)
    .map((value) =>
      withoutComments(value.slice(0, maxLineLength))
        .trimStart()
        .replace(/^[\w-]+\s*;/, '')
        .replace(/[\s<>]+/g, ''),
    )
    .filter((address) => address.includes('@'))
}
