// Our own code and not a library, because every email pays for it: a 2 KB message takes about 50 µs of CPU, and 400 µs in
// nodemailer's composer. test/modules/emails/message/differential.test.ts checks that both are parsed to the same message.
import { asciiAddress } from '../../../kit/address.ts'

/** A header field, folded at spaces into lines of at most 76 characters where possible (RFC 5322, 2.1.1 and 2.2.3). */
export function field(name: string, value: string): string {
  if (name.length + value.length + 2 <= maxLineLength) return `${name}: ${value}`
  let out = `${name}:`
  let width = out.length
  for (const token of value.split(' ')) {
    // A line must not consist of spaces only: no folding before another space.
    const folds = token !== '' && width + 1 + token.length > maxLineLength
    out += folds ? `\r\n ${token}` : ` ${token}`
    width = folds ? token.length + 1 : width + token.length + 1
  }
  return out
}

/**
 * Text for a header field: in encoded words unless it is plain ASCII (RFC 2047). Text that looks like an encoded word is
 * encoded as well, so that it is shown as it was typed.
 */
export function headerText(text: string): string {
  const clean = text.replace(/[\r\n\0]+/g, ' ')
  return /^[\x20-\x7e]*$/.test(clean) && !clean.includes('=?') && !unfoldable.test(clean) ? clean : encodedWords(clean)
}

// A line has at most 998 characters (RFC 5322, 2.1.1), and is folded behind spaces only.
const unfoldable = /[^ ]{800}| {100}/

/** An address with its name, for a header field (RFC 5322, 3.4); an international domain in ASCII. */
export function formatAddress(name: string | null | undefined, address: string): string {
  const email = asciiAddress(address)
  const clean = (name ?? '').replace(/[\r\n\0]+/g, ' ').trim()
  if (clean === '') return email
  if (!/^[\x20-\x7e]*$/.test(clean) || clean.includes('=?')) return `${encodedWords(clean)} <${email}>`
  if (/^[\w !#$%&'*+\-/=?^`{|}~]+$/.test(clean)) return `${clean} <${email}>`
  return `"${clean.replace(/["\\]/g, '\\$&')}" <${email}>`
}

/** A parameter of a structured field, such as a file name; encoded as UTF-8 in sections unless it is short plain ASCII (RFC 2231). */
export function parameter(name: string, value: string): string {
  const clean = value.replace(/[\r\n\0]+/g, ' ')
  if (/^[\x20-\x7e]{0,60}$/.test(clean) && !/["\\]|=\?/.test(clean)) return `; ${name}="${clean}"`
  const [first = '', ...more] =
    encodeURIComponent(clean.toWellFormed())
      .replace(/['()*!]/g, percent)
      .match(/(?:%..|[^%]){1,20}/g) ?? []
  if (more.length === 0) return `; ${name}*=UTF-8''${first}`
  return [`UTF-8''${first}`, ...more].map((piece, at) => `; ${name}*${at}*=${piece}`).join('')
}

/** A MIME entity: its header fields, and its body in pieces. */
export interface Entity {
  fields: string[]
  body: Uint8Array[]
}

/**
 * A text part in UTF-8, encoded as quoted-printable, or already encoded: lines may have any length, and no relay has a reason to
 * change it.
 */
export function textEntity(type: 'plain' | 'html', text: string | Uint8Array[]): Entity {
  return {
    fields: [`Content-Type: text/${type}; charset=utf-8`, 'Content-Transfer-Encoding: quoted-printable'],
    body: typeof text === 'string' ? [quotedPrintable(text)] : text,
  }
}

/** Combines entities into one (RFC 2046, 5.1); a single entity is returned as it is. `name` must be unique in the message. */
export function multipart(kind: 'alternative' | 'related' | 'mixed', name: string, entities: Entity[]): Entity {
  const [only, more] = entities
  if (only && !more) return only
  // "=_" occurs in neither quoted-printable nor base64.
  const boundary = `=_${name}`
  const body = entities.flatMap((entity) => [
    Buffer.from(`--${boundary}\r\n${entity.fields.join('\r\n')}\r\n\r\n`),
    ...entity.body,
    newline,
  ])
  return {
    fields: [field('Content-Type', `multipart/${kind}; boundary="${boundary}"`)],
    body: [...body, Buffer.from(`--${boundary}--\r\n`)],
  }
}

/**
 * Bytes in base64, in lines of 76 characters (RFC 2045, 6.8), in memory that threads share: a message with it can be passed to
 * another thread without a copy.
 */
export function base64(bytes: Uint8Array): Uint8Array {
  const length = Math.ceil(bytes.length / 3) * 4
  const lines = Math.ceil(length / maxLineLength)
  const out = Buffer.from(new SharedArrayBuffer(length + 2 * Math.max(0, lines - 1)))
  const input = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  for (let line = 0; line < lines; line++) {
    const inBlock = line % blockLines
    if (inBlock === 0) block.write(input.toString('base64', line * lineBytes, (line + blockLines) * lineBytes), 'latin1')
    const start = line * (maxLineLength + 2)
    if (line > 0) newline.copy(out, start - 2)
    block.copy(
      out,
      start,
      inBlock * maxLineLength,
      Math.min(inBlock * maxLineLength + maxLineLength, length - (line - inBlock) * maxLineLength),
    )
  }
  return out
}

/** The same octets in fewer pieces: small neighbours are joined, large pieces stay as they are. */
export function joinSmall(pieces: readonly Uint8Array[]): Uint8Array[] {
  const joined: Uint8Array[] = []
  let small: Uint8Array[] = []
  for (const piece of [...pieces, null]) {
    if (piece && piece.length < minSeparate) {
      small.push(piece)
      continue
    }
    if (small.length > 0) joined.push(Buffer.concat(small))
    small = []
    if (piece) joined.push(piece)
  }
  return joined
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

const maxLineLength = 76
const lineBytes = (maxLineLength / 4) * 3
const blockLines = 1_000
const block = Buffer.alloc(blockLines * maxLineLength)
const minSeparate = 16_384
const newline = Buffer.from('\r\n')
const softBreak = Buffer.from('=\r\n')
const hex = Buffer.from('0123456789ABCDEF')

/** Text in quoted-printable (RFC 2045, 6.7); a line is encoded by itself. Works on bytes, because this is a hot loop of deliveries. */
export function quotedPrintable(text: string): Buffer {
  const input = Buffer.from(text)
  const out = Buffer.allocUnsafe(input.length * 3 + Math.ceil((input.length * 3) / 72) * 3 + 3)
  let length = 0
  let column = 0
  for (let at = 0; at < input.length; at++) {
    // Most octets are written as they are, up to where the line might have to be broken.
    const runEnd = column === 0 && input[at] === 46 ? at : Math.min(at + maxLineLength - 1 - column, input.length)
    const start = at
    while (at < runEnd && isLiteral(input, at)) out[length++] = input[at++] as number
    column += at - start
    if (at === input.length) break
    const byte = input[at] ?? 0
    const next = input[at + 1]
    if (byte === 10 || byte === 13) {
      if (byte === 13 && next === 10) at++
      out[length++] = 13
      out[length++] = 10
      column = 0
      continue
    }
    const ends = next === undefined || next === 10 || next === 13
    let plain = (byte > 32 && byte < 127 && byte !== 61) || ((byte === 32 || byte === 9) && !ends)
    if (column + (plain ? 1 : 3) > (ends ? maxLineLength : maxLineLength - 1)) {
      length += softBreak.copy(out, length)
      column = 0
    }
    // SMTP doubles a dot that begins a line (RFC 5321, 4.5.2): without one, nobody has to look for it.
    if (byte === 46 && column === 0) plain = false
    if (plain) out[length++] = byte
    else length = writeEncoded(out, length, byte)
    column += plain ? 1 : 3
  }
  return out.subarray(0, length)
}

function writeEncoded(out: Buffer, at: number, byte: number): number {
  out[at] = 61
  out[at + 1] = hex[byte >> 4] ?? 0
  out[at + 2] = hex[byte & 15] ?? 0
  return at + 3
}

// 1: written as it is (RFC 2045, 6.7, rule 2); 2: written as it is unless it ends a line (rule 3).
const literal = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte === 32 || byte === 9 ? 2 : byte > 32 && byte < 127 && byte !== 61 ? 1 : 0,
)

function isLiteral(input: Buffer, at: number): boolean {
  const kind = literal[input[at] as number]
  return kind === 1 || (kind === 2 && literal[input[at + 1] as number] === 1)
}

const maxEncodedLength = 75 - '=?UTF-8?Q??='.length

// Encoded words of at most 75 characters, split between characters, in Q or B encoding, whichever is shorter (RFC 2047, 2 and 5).
function encodedWords(text: string): string {
  const quoted = encodeInPieces(text, encodeQuoted, (encoded) => encoded.length)
  const binary = encodeInPieces(
    text,
    (part) => Buffer.from(part).toString('base64'),
    (encoded) => encoded.length,
  )
  const [kind, chosen] = quoted.join('').length <= binary.join('').length ? ['Q', quoted] : ['B', binary]
  return chosen.map((piece) => `=?UTF-8?${kind}?${piece}?=`).join(' ')
}

function encodeInPieces(text: string, encode: (part: string) => string, size: (encoded: string) => number): string[] {
  const done: string[] = []
  let part = ''
  for (const character of text) {
    if (part !== '' && size(encode(part + character)) > maxEncodedLength) {
      done.push(encode(part))
      part = ''
    }
    part += character
  }
  return [...done, encode(part)]
}

function encodeQuoted(part: string): string {
  let out = ''
  for (const byte of Buffer.from(part)) {
    const character = String.fromCharCode(byte)
    if (byte === 32) out += '_'
    else if (/[A-Za-z0-9!*+\-/]/.test(character)) out += character
    else out += `=${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return out
}
