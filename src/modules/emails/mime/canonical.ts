import { createHash, type Hash } from 'node:crypto'

/**
 * The SHA-256 of a body in its relaxed canonical form, in base64 (RFC 6376, 3.4.4): a run of whitespace counts as one space,
 * whitespace at the end of a line and empty lines at the end do not count. The body is given in pieces, which are not copied.
 */
export function relaxedBodyHash(pieces: readonly Uint8Array[]): string {
  const hash = createHash('sha256')
  const pending: Pending = { breaks: 0, blank: false, some: false }
  let rest = nothing
  for (const piece of pieces) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, piece]) : Buffer.from(piece.buffer, piece.byteOffset, piece.length)
    // Whether a CR ends a line is shown by the next piece.
    rest = bytes.at(-1) === 13 ? carriageReturn : nothing
    const whole = bytes.subarray(0, bytes.length - rest.length)
    if (isReduced(whole)) addReduced(hash, pending, whole)
    else addReducing(hash, pending, whole)
  }
  if (rest.length > 0) addReducing(hash, pending, rest)
  if (pending.some) hash.update('\r\n')
  return hash.digest('base64')
}

/** What counts only if something follows it: line breaks, then a space. */
interface Pending {
  breaks: number
  blank: boolean
  /** Whether there was anything else before. */
  some: boolean
}

const nothing: Buffer = Buffer.alloc(0)
const carriageReturn: Buffer = Buffer.from('\r')

// Most bodies have nothing to reduce: base64 has no whitespace, and quoted-printable seldom two in a row.
function isReduced(bytes: Buffer): boolean {
  if (!bytes.includes(32) && !bytes.includes(9)) return true
  return !/[ \t][ \t\r]|\t|^ | $/.test(bytes.toString('latin1'))
}

function addReduced(hash: Hash, pending: Pending, bytes: Buffer): void {
  let from = 0
  let to = bytes.length
  for (; isBreak(bytes, from, to); from += 2) {
    pending.blank = false
    pending.breaks++
  }
  if (from === to) return
  while (isBreak(bytes, to - 2, to)) to -= 2
  hash.update('\r\n'.repeat(pending.breaks) + (pending.blank ? ' ' : ''))
  hash.update(bytes.subarray(from, to))
  Object.assign(pending, { breaks: (bytes.length - to) / 2, blank: false, some: true })
}

function isBreak(bytes: Buffer, at: number, end: number): boolean {
  return at >= 0 && at + 2 <= end && bytes[at] === 13 && bytes[at + 1] === 10
}

// Works on bytes, because the body may have any encoding.
function addReducing(hash: Hash, pending: Pending, bytes: Buffer): void {
  let { breaks, blank } = pending
  const out = Buffer.allocUnsafe(2 * breaks + 1 + bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte === 32 || byte === 9) {
      blank = true
      continue
    }
    if (byte === 13 && bytes[at + 1] === 10) {
      blank = false
      breaks++
      at++
      continue
    }
    for (; breaks > 0; breaks--) {
      out[length++] = 13
      out[length++] = 10
    }
    if (blank) out[length++] = 32
    blank = false
    out[length++] = byte
  }
  hash.update(out.subarray(0, length))
  Object.assign(pending, { breaks, blank, some: pending.some || length > 0 })
}
