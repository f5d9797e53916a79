import { createHash, type KeyObject, sign as signAsync } from 'node:crypto'
import { promisify } from 'node:util'

// DKIM is signed here and not by a library because nodemailer's and mailauth's signers parse the key and the message again
// for each email. test/modules/emails/message/differential.test.ts holds every signature to mailauth's verification.

/** A DKIM key of a domain (RFC 6376): who signs, by which selector, with what. */
export interface SigningKey {
  domain: string
  selector: string
  key: KeyObject
}

/** Puts a DKIM-Signature before a mail: rsa-sha256, relaxed/relaxed (RFC 6376, 3.4), made in the thread pool. */
export async function signMessage(raw: Buffer, { domain, selector, key }: SigningKey, at: Date): Promise<Buffer> {
  const split = raw.indexOf('\r\n\r\n')
  const fields = unfoldedFields(raw.toString('latin1', 0, split === -1 ? raw.length : split + 2))
  const bodyHash = createHash('sha256')
    .update(relaxedBody(split === -1 ? Buffer.alloc(0) : raw.subarray(split + 4)))
    .digest('base64')
  const chosen = fields.filter(({ name }) => signed.has(name))
  const names = chosen.map(({ name }) => name).join(':')
  const start =
    `v=1; a=rsa-sha256; c=relaxed/relaxed; d=${domain}; s=${selector};\r\n t=${Math.floor(at.getTime() / 1_000)}; bh=${bodyHash};\r\n` +
    ` h=${names.replace(/(.{40,60}?):/g, '$1:\r\n  ')};\r\n b=`
  const canonical = chosen.map(({ name, value }) => `${name}:${relaxedValue(value)}\r\n`).join('')
  const signature = await signBytes('sha256', Buffer.from(`${canonical}dkim-signature:${relaxedValue(start)}`, 'latin1'), key)
  const folded = signature
    .toString('base64')
    .replace(/.{1,72}/g, '$&\r\n ')
    .trimEnd()
  return Buffer.concat([Buffer.from(`DKIM-Signature: ${start}${folded}\r\n`, 'latin1'), raw])
}

const signBytes = promisify(
  signAsync as (algorithm: string, data: Buffer, key: KeyObject, done: (error: Error | null, signature: Buffer) => void) => void,
)

// What a reader sees and what a reply goes by (RFC 6376, 5.4.1), and the one-click header pair (RFC 8058, 4).
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
])

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
  return value
    .replace(/\r\n/g, '')
    .replace(/[ \t]+/g, ' ')
    .trim()
}

// Relaxed body canonicalization (RFC 6376, 3.4.4): runs of blanks become one, none at the end of a line, no empty lines
// at the end. Written over bytes: the body may be any.
function relaxedBody(body: Buffer): Buffer {
  return unevenBlanks.test(body.toString('latin1')) ? evenBody(body) : withoutLastLines(body)
}

const unevenBlanks = /[ \t][ \t\r]|\t|[ ]$/

function withoutLastLines(body: Buffer): Buffer {
  let end = body.length
  while (end >= 2 && body[end - 2] === 13 && body[end - 1] === 10) end -= 2
  if (end === 0) return Buffer.alloc(0)
  return end + 2 <= body.length ? body.subarray(0, end + 2) : Buffer.concat([body, Buffer.from('\r\n')])
}

function evenBody(body: Buffer): Buffer {
  const out = Buffer.allocUnsafe(body.length + 2)
  let length = 0
  let ended = 0
  let blank = false
  for (let at = 0; at < body.length; at++) {
    const byte = body[at] ?? 0
    if (byte === 32 || byte === 9) {
      blank = true
    } else if (byte === 13 && body[at + 1] === 10) {
      out[length++] = 13
      out[length++] = 10
      blank = false
      at++
    } else {
      if (blank) out[length++] = 32
      blank = false
      out[length++] = byte
      ended = length
    }
  }
  if (ended === 0) return Buffer.alloc(0)
  out[ended] = 13
  out[ended + 1] = 10
  return out.subarray(0, ended + 2)
}
