import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Ctx } from '../kit/context.ts'
import { Failure } from '../kit/errors.ts'
import { whyTooComplex } from '../kit/json-limits.ts'
import { gatherOctets } from '../kit/octets.ts'
import { resumed } from '../kit/thread-time.ts'
import { type Held, holdBytes, type Sender } from './held-bytes.ts'
import { type BodyTurn, callerLeft } from './large-bodies.ts'
import { noRoom, type Spooled, spool } from './spool.ts'

// No object: a caller may name what every object has.
const decompressors = new Map<string, () => NodeJS.ReadWriteStream & Readable>([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

/** A body that is on its way: of at most `limit` bytes after decompression. */
export interface Arriving {
  request: IncomingMessage
  limit: number
  /** Without it nothing waits, which is only for small limits. */
  turn?: BodyTurn | undefined
}

type Call = Sender & Pick<Ctx, 'log'>

/**
 * Reads the body of a request. Throws PAYLOAD_TOO_LARGE as soon as it is larger than the limit, UNSUPPORTED_MEDIA_TYPE for an
 * unknown content encoding, BAD_REQUEST when it ends early, is corrupt, or its turn is over because its caller has left, and
 * SERVICE_UNAVAILABLE when there is no room for it. What is beyond the first 64 KB is read, and decompressed, only when it is the turn
 * of the request, and a body of more than 2 MB arrives in a file and is read into memory when it is complete, a few at a time. While
 * unfinished bodies hold much memory, so do smaller ones, and large ones that are not compressed without their turn.
 */
export async function readBody(ctx: Call, arriving: Arriving): Promise<Buffer> {
  const { limit, turn } = arriving
  const held = holdBytes(ctx, 'memory')
  const waiting = { limit, turn, inMemory: maxBytesInMemory, maxBeforeTurn: isCompressed(arriving) ? largeBytes : limit, held }
  const body = await collect(ctx, decompressed(arriving), waiting).finally(held.release)
  resumed()
  if (body === 'too large') throw tooLarge(limit)
  const whole = Buffer.isBuffer(body) ? body : await readSpooled(body, turn)
  // A large one takes long to parse: not for a caller who has left. Small ones are worked on: some callers wait for no answer.
  if (whole.length > largeBytes && turn?.isOver()) throw callerLeft()
  return whole
}

/** Reads into memory, when it is the turn of its request, what has arrived in a file, which it closes. Throws BAD_REQUEST when the turn is over. */
export async function readSpooled(body: Spooled, turn: BodyTurn | undefined): Promise<Buffer> {
  try {
    await turn?.beginWork(body.bytes)
    return await body.read()
  } finally {
    await body.close()
  }
}

/** The body of a request as a stream that fails as readBody does, for readers that need not hold all of it in memory. */
export function streamBody(arriving: Arriving): Readable {
  const { limit } = arriving
  const source = decompressed(arriving)
  let size = 0
  const limited = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      const pass = (): void => done(size > limit ? tooLarge(limit) : null, chunk)
      const place = arriving.turn?.arrived(chunk.length)
      if (place) place.then(pass, done)
      else pass()
    },
  })
  const broken = (): void => {
    if (!source.readableEnded) limited.destroy(incomplete())
  }
  source.on('error', broken)
  source.on('close', broken)
  // Not with pipeline(), which on an error would close the connection before the answer is sent.
  return source.pipe(limited)
}

/** Waits for the turn of a request of which nothing is read before. Throws SERVICE_UNAVAILABLE when too much waits. */
export async function beginTurn(ctx: Call, turn: BodyTurn): Promise<void> {
  const held = holdBytes(ctx, 'memory')
  try {
    if (!held.add(readAheadBytes)) throw noRoom()
    await new Promise<void>((resolve, reject) => {
      held.yields(() => reject(noRoom()))
      turn.begin().then(resolve, reject)
    })
  } finally {
    held.release()
  }
}

/** Collects a part of a body that has its turn: in memory up to 64 KB, otherwise in a file, so that a slow sender holds no memory. */
export async function storePart(ctx: Call, part: Readable): Promise<Buffer | Spooled> {
  const held = holdBytes(ctx, 'memory')
  const limit = Number.POSITIVE_INFINITY
  const plan = { limit, turn: undefined, inMemory: largeBytes, maxBeforeTurn: limit, held }
  const stored = await collect(ctx, part, plan).finally(held.release)
  if (stored === 'too large') throw tooLarge(limit)
  return stored
}

function encodingOf({ headers }: IncomingMessage): string {
  return headers['content-encoding']?.toLowerCase() ?? 'identity'
}

function isCompressed({ request }: Arriving): boolean {
  return encodingOf(request) !== 'identity'
}

function decompressed({ request, limit, turn }: Arriving): Readable {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit)
  // Of a caller who left before: nothing would report that any more.
  if (turn?.isOver() || (request.destroyed && !request.readableEnded)) throw callerLeft()
  const encoding = encodingOf(request)
  const decompress = decompressors.get(encoding)
  if (encoding !== 'identity' && !decompress)
    throw new Failure('UNSUPPORTED_MEDIA_TYPE', 'The content encoding is not one of gzip, deflate, br.')
  if (!decompress) return request
  const stream = decompress()
  const stop = (): void => void stream.destroy()
  // pipe() does not pass on that the caller has disconnected: the reader would wait forever.
  request.once('close', () => {
    if (!request.readableEnded) stop()
  })
  // A request that was read to its end does not report it either, and may go on for a thousand times its size.
  turn?.whenOver(stop)
  return request.pipe(stream)
}

function tooLarge(limit: number): Failure {
  const message = `The body is larger than ${Math.floor(limit / 1024 / 1024)} MB.`
  return new Failure('PAYLOAD_TOO_LARGE', message, { headers: { Connection: 'close' } })
}

function incomplete(): Failure {
  return new Failure('BAD_REQUEST', 'The body ended early or could not be decompressed.', {
    suggestion: 'Send the whole body again; Content-Encoding must say how it is compressed.',
  })
}

// What a body may hold however much others do, so that ordinary calls are answered from memory in any case.
const smallBytes = 8 * 1024
const largeBytes = 64 * 1024
const maxBytesInMemory = 2 * 1024 * 1024
// What Node reads ahead of a body that is paused.
const readAheadBytes = 128 * 1024

interface Collecting {
  limit: number
  turn: BodyTurn | undefined
  /** What is larger arrives in a file. */
  inMemory: number
  /** How much may arrive in a file before the turn. */
  maxBeforeTurn: number
  held: Held
}

// With events: an iterator is twice as slow for a single chunk, which most bodies are.
function collect(ctx: Call, source: Readable, plan: Collecting): Promise<Buffer | Spooled | 'too large'> {
  const { limit, turn, inMemory, maxBeforeTurn, held } = plan
  return new Promise((resolve, reject) => {
    let waits = turn !== undefined
    const arrived = gatherOctets()
    const broken = (): void => {
      if (!source.readableEnded) reject(incomplete())
    }
    const stop = (): void => void source.off('data', receive).pause()
    held.yields(() => {
      stop()
      reject(noRoom())
    })
    const continueInFile = (): void => {
      stop()
      const memory = heldUntilStored(held)
      resolve(collectInFile(ctx, source, { before: arrived.take(), limit, ...memory, turn, isWaiting: waits, maxBeforeTurn }))
    }
    const receive = (chunk: Buffer): void => {
      arrived.add(chunk)
      const size = arrived.bytes()
      const wantsTurn = waits && size > largeBytes
      const fits = held.add(wantsTurn ? chunk.length + readAheadBytes : chunk.length) || size <= smallBytes
      if (size > limit) {
        stop()
        resolve('too large')
      } else if (!fits || (!waits && size > inMemory)) continueInFile()
      else if (turn && wantsTurn) {
        waits = false
        pauseUntil(turn.begin(), source, reject)
      } else if (!waits) pauseUntil(turn?.arrived(chunk.length), source, reject)
    }
    source.on('data', receive)
    source.on('end', () => resolve(arrived.take()))
    source.on('error', broken)
    source.on('close', broken)
  })
}

function pauseUntil(place: Promise<void> | undefined, source: Readable, failed: (error: unknown) => void): void {
  if (!place) return
  source.pause()
  place.then(() => source.resume(), failed)
}

// Until it is in the file, what has arrived is in memory.
function heldUntilStored(held: Held): Pick<InFile, 'onStored' | 'isGivenUp'> {
  let isGivenUp = false
  held.yields(() => {
    isGivenUp = true
  })
  return { onStored: held.release, isGivenUp: () => isGivenUp }
}

interface InFile {
  before: Buffer
  limit: number
  /** Called when what was read before is in the file, unless others needed its room in memory: then it is given up. */
  onStored(): void
  isGivenUp(): boolean
  turn: BodyTurn | undefined
  /** It has not begun its turn, because there is no memory to wait for it: it arrives before, within bounds of its own. */
  isWaiting: boolean
  maxBeforeTurn: number
}

async function collectInFile(ctx: Call, source: Readable, plan: InFile): Promise<Spooled | 'too large'> {
  const { before, limit, onStored, isGivenUp, turn, isWaiting, maxBeforeTurn } = plan
  const held = holdBytes(ctx, isWaiting ? 'disk' : 'diskInTurn')
  const max = isWaiting ? maxBeforeTurn : limit
  const hasRoom = (bytes: number, inAll: number): boolean => !isGivenUp() && held.add(bytes) && inAll <= max
  const room = { hasRoom, onStored, onClose: held.release, ...(turn && !isWaiting && { onArrived: turn.arrived }) }
  const body = await spool(ctx.log, source, { before, limit, ...room }).catch((error: unknown) => {
    throw !(error instanceof Failure) && isBroken(source) ? incomplete() : error
  })
  if (!body) return 'too large'
  try {
    if (isWaiting) await turn?.begin()
    return body
  } catch (error) {
    await body.close()
    throw error
  }
}

function isBroken({ destroyed, errored, readableEnded }: Readable): boolean {
  return errored !== null || (destroyed && !readableEnded)
}

const asJson = { suggestion: 'Send one JSON object, encoded as UTF-8.' }
const json = /^application\/json\s*(;|$)/i

/**
 * Parses a JSON body, which must be an object; an empty body is `{}`. Throws BAD_REQUEST, also beyond `jsonLimits`, and
 * UNSUPPORTED_MEDIA_TYPE for a content type other than `accepted`.
 */
export function parseJsonBody(body: Buffer, contentType: string | undefined, accepted: RegExp = json): Record<string, unknown> {
  if (body.length === 0) return {}
  if (!accepted.test(contentType ?? '')) {
    throw new Failure('UNSUPPORTED_MEDIA_TYPE', `The content type ${contentType ? `"${contentType}"` : '(none)'} is not accepted here.`)
  }
  const value = parse(body)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Failure('BAD_REQUEST', 'The body must be a JSON object.', asJson)
  return value as Record<string, unknown>
}

function parse(body: Buffer): unknown {
  if (!isUtf8(body)) throw new Failure('BAD_REQUEST', 'The body is not valid UTF-8.', asJson)
  const problem = whyTooComplex(body)
  if (problem) throw new Failure('BAD_REQUEST', `The body ${problem}.`, { suggestion: 'Send less in one request.' })
  try {
    return JSON.parse(body.toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new Failure('BAD_REQUEST', `The body is not valid JSON: ${error.message.replace(/\s+/g, ' ').slice(0, 200)}.`, asJson)
    throw error
  }
}

/** The fields of an urlencoded form; of several with the same name the last. */
export function parseFormBody(body: Buffer): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(body.toString('utf8')))
}

/** The headers of a request, each as one string. */
export function textHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
