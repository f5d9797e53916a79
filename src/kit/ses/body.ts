import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sizeOf } from '../smtp/message.ts'

/** A request of the SDK, as far as its body is replaced. */
interface Request {
  headers: Record<string, string>
  body?: unknown
}

/** What stands in a request of the SDK in the place of a message; it is base64 as the SDK writes it. */
export const placeholder: Uint8Array = randomBytes(24)
const written = Buffer.from(placeholder).toString('base64')

// Whole groups of base64.
const sliceBytes = 48_000
const slicesPerTurn = 10

/**
 * Puts the octets of a message into a request in the place of the placeholder, with its length and its checksum, by which it is signed. The
 * SDK would copy a message four times, and keep everybody waiting meanwhile: here it is read piece by piece, once for the checksum, in turns
 * with other work, and once while it is sent. `onEnd` is called when all of it was given to the connection: before, SES cannot have it.
 */
export async function fillIn(request: Request, pieces: readonly Uint8Array[], onEnd: () => void): Promise<void> {
  const [head, tail] = textOf(request.body).split(written)
  if (head === undefined || tail === undefined) throw new Error('The request for Amazon SES has no place for the message')
  const hash = createHash('sha256')
  let slices = 0
  for (const slice of bodyOf(head, pieces, tail)) {
    hash.update(slice)
    if (++slices % slicesPerTurn === 0) await nextTurn()
  }
  const length = Buffer.byteLength(head) + Math.ceil(sizeOf(pieces) / 3) * 4 + Buffer.byteLength(tail)
  Object.assign(request.headers, { 'content-length': `${length}`, 'x-amz-content-sha256': hash.digest('hex') })
  request.body = Readable.from(announced(bodyOf(head, pieces, tail), onEnd), { objectMode: false })
}

function* announced(body: Iterable<Buffer>, onEnd: () => void): Generator<Buffer, void> {
  yield* body
  onEnd()
}

// The SDK's octets warn on the console when they are asked for their text, or their value.
function textOf(body: unknown): string {
  if (typeof body === 'string') return body
  const { buffer, byteOffset, byteLength } = body as Uint8Array<ArrayBuffer>
  return Buffer.from(buffer, byteOffset, byteLength).toString()
}

function* bodyOf(head: string, pieces: readonly Uint8Array[], tail: string): Generator<Buffer, void> {
  yield Buffer.from(head)
  yield* encoded(pieces)
  yield Buffer.from(tail)
}

function* encoded(pieces: readonly Uint8Array[]): Generator<Buffer, void> {
  let rest = Buffer.alloc(0)
  for (const piece of pieces)
    for (let at = 0; at < piece.length; ) {
      const end = at + sliceBytes - rest.length
      const octets = Buffer.concat([rest, piece.subarray(at, end)])
      const whole = octets.length - (octets.length % 3)
      rest = octets.subarray(whole)
      if (whole > 0) yield inBase64(octets.subarray(0, whole))
      at = end
    }
  if (rest.length > 0) yield inBase64(rest)
}

const inBase64 = (octets: Buffer): Buffer => Buffer.from(octets.toString('base64'), 'latin1')
