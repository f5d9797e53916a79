import { createHash, type KeyObject, sign as signBytes } from 'node:crypto'

// Our own code and not a library, because the signers of nodemailer and mailauth parse key and message again for each
// email. test/modules/emails/message/differential.test.ts verifies our signatures with mailauth.

/** A DKIM key (RFC 6376): the signing domain, its selector and the private key. */
export interface SigningKey {
  domain: string
  selector: string
  key: KeyObject
}

/** Prepends a DKIM-Signature to a message: rsa-sha256, relaxed/relaxed (RFC 6376, 3.4). Computed on the calling thread. */
export function signMessage(raw: Buffer, { domain, selector, key }: SigningKey, at: Date): Buffer {
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
  const signature = signBytes('sha256', Buffer.from(`${canonical}dkim-signature:${relaxedValue(start)}`, 'latin1'), key)
  const folded = signature
    .toString('base64')
    .replace(/.{1,72}/g, '$&\r\n ')
    .trimEnd()
  return Buffer.concat([Buffer.from(`DKIM-Signature: ${start}${folded}\r\n`, 'latin1'), raw])
}

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

// Relaxed body canonicalization (RFC 6376, 3.4.4): a run of whitespace becomes one space, whitespace at the end of a line
// and empty lines at the end are removed. Works on bytes, because the body may have any encoding.
function relaxedBody(body: Buffer): Buffer {
  return reducibleSpace.test(body.toString('latin1')) ? reduceSpace(body) : withoutLastLines(body)
}

const reducibleSpace = /[ \t][ \t\r]|\t|[ ]$/

function withoutLastLines(body: Buffer): Buffer {
  let end = body.length
  while (end >= 2 && body[end - 2] === 13 && body[end - 1] === 10) end -= 2
  if (end === 0) return Buffer.alloc(0)
  return end + 2 <= body.length ? body.subarray(0, end + 2) : Buffer.concat([body, Buffer.from('\r\n')])
}

function reduceSpace(body: Buffer): Buffer {
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
