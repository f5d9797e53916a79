/** One message to send: envelope and complete MIME. The first of `to` is the recipient; the others get copies. */
export interface SmtpMessage {
  from: string
  to: string[]
  /** All of `to` get copies: none of them is waited for. */
  onlyCopies?: boolean
  /** The octets, in pieces that together are the message; a piece may be shared by many messages, and is never changed. */
  pieces: readonly Uint8Array[]
  /** True when `isWireReady` was found to hold for the pieces: they are then sent without being looked at again. */
  wireReady?: boolean
}

/** The size of a message in octets. */
export function sizeOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0)
}

/** Asked while a message is being sent: whether it may still leave. Where it may not, the connection is cut before its end. */
export interface Gate {
  /**
   * When the server asks for the content: its answers until then may have taken minutes. What decides on the message may be so old, in ms;
   * default: 1,000.
   */
  opens(maxAgeMs?: number): Promise<boolean>
  /** Right before octets of the content are written, and before its end. */
  holds(): boolean
}

/** What is known about a message that is being sent. */
export interface Progress {
  gate: Gate
  /** The server has asked for the content: if the connection is lost now, it is unknown whether it accepted the message. */
  contentBegun: boolean
  /** All octets were handed to the connection. */
  contentEnded: boolean
  /** Called then: the commands of another message may follow (RFC 2920, 3.1). */
  onContentEnd?(): void
  /** Ends the message, unless all of its content was written: it has not left then. The one that it follows goes on. False: it has. */
  withdraw?(): boolean
  /** Fails the message, unless its content has begun to be sent: its replies take too long. */
  giveUp?(): void
  /** Whether it has failed because its replies took too long, which is its own failure, whatever else the connection was used for. */
  tookTooLong?: boolean
}

const maxSlice = 65_536
const cr = 13
const lf = 10
const dot = 46

/**
 * Whether octets may follow DATA as they are (RFC 5321, 4.5.2): lines end with CRLF, the last one too, no CR or LF stands
 * alone, and no line begins with a dot. Each piece is looked at by itself, so that large ones, which many messages share, are
 * looked at once.
 */
export function isWireReady(pieces: readonly Uint8Array[]): boolean {
  const last = pieces.findLast(({ length }) => length > 0)
  return last?.at(-1) === lf && last.at(-2) === cr && pieces.every(isClean)
}

const minShared = 16_384
const clean = new WeakSet<Uint8Array>()

function isClean(piece: Uint8Array): boolean {
  if (piece.length < minShared) return isCleanText(piece)
  if (!clean.has(piece) && isCleanText(piece)) clean.add(piece)
  return clean.has(piece)
}

// From line to line: a look at every octet takes 12 µs for 6 KB, this 4.
function isCleanText({ buffer, byteOffset, length }: Uint8Array): boolean {
  const bytes = Buffer.from(buffer, byteOffset, length)
  if (bytes[0] === dot) return false
  let breaks = 0
  for (let at = bytes.indexOf(lf); at !== -1; at = bytes.indexOf(lf, at + 1)) {
    if (bytes[at - 1] !== cr || bytes[at + 1] === dot) return false
    breaks++
  }
  for (let at = bytes.indexOf(cr); at !== -1; at = bytes.indexOf(cr, at + 1)) breaks--
  return breaks === 0
}

function isCleanAfter(lastBefore: number, bytes: Uint8Array): boolean {
  let before = lastBefore
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if ((byte === lf) !== (before === cr) || (byte === dot && before === lf)) return false
    before = byte
  }
  return true
}

/**
 * What is written after DATA was accepted, in slices of at most 128 KB, each made when it is asked for: the octets with CRLF at
 * the end of every line, also where a CR or LF stood alone, dots that begin a line doubled, and the final dot.
 */
export function* wireSlices({ pieces, wireReady = false }: SmtpMessage): Generator<Uint8Array, void> {
  let before: number | undefined
  for (const piece of pieces)
    for (let at = 0; at < piece.length; at += maxSlice) {
      const slice = piece.subarray(at, at + maxSlice)
      yield wireReady ? slice : transparent(slice, before)
      before = slice.at(-1)
    }
  yield before === lf ? endOfLine : before === cr ? endOfReturn : endOfText
}

const endOfLine = Buffer.from('.\r\n')
const endOfReturn = Buffer.from('\n.\r\n')
const endOfText = Buffer.from('\r\n.\r\n')

// A server that takes a lone CR or LF for the end of a line would see the end of the message where its author wrote a dot.
function transparent(bytes: Uint8Array, lastBefore = lf): Uint8Array {
  if (isCleanAfter(lastBefore, bytes)) return bytes
  const out = Buffer.allocUnsafe(2 * bytes.length + 1)
  let length = 0
  let before = lastBefore
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (before === cr && byte !== lf) {
      out[length++] = lf
      before = lf
    }
    if (byte === lf && before !== cr) out[length++] = cr
    if (byte === dot && before === lf) out[length++] = dot
    out[length++] = byte
    before = byte
  }
  return out.subarray(0, length)
}
