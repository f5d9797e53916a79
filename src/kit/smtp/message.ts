import { Readable } from 'node:stream'

/** One message to send: envelope and complete MIME. The first of `to` is the recipient; the others get copies. */
export interface SmtpMessage {
  from: string
  to: string[]
  /** The octets, in pieces that together are the message; a piece may be shared by many messages, and is never changed. */
  pieces: readonly Uint8Array[]
}

/** The size of a message in octets. */
export function sizeOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0)
}

/** What is known about a message that is being sent. */
export interface Progress {
  /** The server has asked for the content: if the connection is lost now, it is unknown whether it accepted the message. */
  contentBegun: boolean
  /** All octets were handed to the connection. */
  contentEnded: boolean
}

const maxSlice = 65_536

/**
 * The octets of a message as a stream that is read only after the server has asked for them, and no faster than the
 * connection writes: without copying the pieces, in slices of at most 64 KB.
 */
export function contentOf(pieces: readonly Uint8Array[], progress: Progress): Readable {
  const slices = slicesOf(pieces)
  return new Readable({
    read() {
      progress.contentBegun = true
      for (;;) {
        const { value, done } = slices.next()
        if (done) {
          progress.contentEnded = true
          this.push(null)
          return
        }
        if (!this.push(value)) return
      }
    },
  })
}

function* slicesOf(pieces: readonly Uint8Array[]): Generator<Uint8Array, undefined> {
  for (const piece of pieces) for (let at = 0; at < piece.length; at += maxSlice) yield piece.subarray(at, at + maxSlice)
}
