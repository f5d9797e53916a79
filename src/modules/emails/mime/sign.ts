import { type KeyObject, sign as signBytes } from 'node:crypto'
import { relaxedBodyHash } from './canonical.ts'
import { joinSmall } from './mime.ts'

// Our own code and not a library, because the signers of nodemailer and mailauth parse key and message again for each
// email. test/modules/emails/message/differential.test.ts verifies our signatures with mailauth.

/**
 * A DKIM key (RFC 6376): the signing domain, its selector and the private key; and header fields, in lower case, that it does not
 * sign, because they are replaced on the way.
 */
export interface SigningKey {
  domain: string
  selector: string
  key: KeyObject
  unsigned?: readonly string[]
}

/**
 * Prepends a DKIM-Signature to a message: rsa-sha256, relaxed/relaxed (RFC 6376, 3.4), computed on the calling thread. It also
 * ends when one of the fields that occur once is added to the message (RFC 6376, 8.15). The pieces of the message are not copied,
 * except small ones.
 */
export function signMessage(message: readonly Uint8Array[], { domain, selector, key, unsigned = [] }: SigningKey, at: Date): Uint8Array[] {
  const { head, body } = splitMessage(message)
  const fields = unfoldedFields(head)
  const bodyHash = relaxedBodyHash(body)
  const chosen = fields.filter(({ name }) => signed.has(name) && !unsigned.includes(name))
  const names = [...chosen.map(({ name }) => name), ...closedBy(chosen).filter((name) => !unsigned.includes(name))].join(':')
  const start =
    `v=1; a=rsa-sha256; c=relaxed/relaxed; d=${domain}; s=${selector};\r\n t=${Math.floor(at.getTime() / 1_000)}; bh=${bodyHash};\r\n` +
    ` h=${names.replace(/(.{40,60}?):/g, '$1:\r\n  ')};\r\n b=`
  const canonical = chosen.map(({ name, value }) => `${name}:${relaxedValue(value)}\r\n`).join('')
  const signature = signBytes('sha256', Buffer.from(`${canonical}dkim-signature:${relaxedValue(start)}`, 'latin1'), key)
  const folded = signature
    .toString('base64')
    .replace(/.{1,72}/g, '$&\r\n ')
    .trimEnd()
  return joinSmall([Buffer.from(`DKIM-Signature: ${start}${folded}\r\n`, 'latin1'), ...message])
}

// The header fields with their last line break, and the body. A composed message has all its fields in the first piece.
function splitMessage([first = empty, ...more]: readonly Uint8Array[]): { head: string; body: Uint8Array[] } {
  const bytes = Buffer.from(first.buffer, first.byteOffset, first.length)
  const split = bytes.indexOf('\r\n\r\n')
  if (split !== -1) return { head: bytes.toString('latin1', 0, split + 2), body: [bytes.subarray(split + 4), ...more] }
  return more.length > 0 ? splitMessage([Buffer.concat([first, ...more])]) : { head: bytes.toString('latin1'), body: [] }
}

const empty = Buffer.alloc(0)

// Fields that readers see or replies depend on (RFC 6376, 5.4.1), and those of one-click unsubscription (RFC 8058, 4).
const signed = new Set([
  'from',
  'sender',
  'reply-to',
  'to',
  'cc',
  'subject',
  'date',
  'message-id',
  'in-reply-to',
  'references',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
  'list-unsubscribe',
  'list-unsubscribe-post',
  'list-id',
  'feedback-id',
])

// A field that is named once more than it occurs cannot be added (RFC 6376, 5.4.2): without that, anyone could replay a signed
// message with a second From, Subject or Content-Type, and some programs show the one that was not signed. All of these occur once
// at most (RFC 5322, 3.6, and RFC 2045). Those of the first list also where the message has none, as Gmail signs; the others only
// where it has one, because relays may add them.
const closed = ['from', 'to', 'cc', 'subject', 'date', 'message-id', 'reply-to']
const closedWherePresent = new Set([
  'sender',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
  'list-unsubscribe',
  'list-unsubscribe-post',
])

function closedBy(fields: readonly { name: string }[]): string[] {
  const present = new Set(fields.map(({ name }) => name).filter((name) => closedWherePresent.has(name)))
  return [...closed, ...present]
}

function unfoldedFields(head: string): { name: string; value: string }[] {
  return head
    .split(/\r\n(?![ \t])/)
    .filter((field) => field !== '')
    .map((field) => {
      const colon = field.indexOf(':')
      return { name: field.slice(0, colon).trim().toLowerCase(), value: field.slice(colon + 1) }
    })
    .reverse()
}

function relaxedValue(value: string): string {
  const unfolded = value.includes('\r') ? value.replace(/\r\n/g, '') : value
  return (/[ \t]{2}|\t/.test(unfolded) ? unfolded.replace(/[ \t]+/g, ' ') : unfolded).trim()
}
