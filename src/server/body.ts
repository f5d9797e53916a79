import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Ctx } from '../kit/context.ts'
import { Failure } from '../kit/errors.ts'
import { whyTooComplex } from './json-limits.ts'
import type { BodyTurn } from './large-bodies.ts'
import { spool } from './spool.ts'

const decompressors: Record<string, () => NodeJS.ReadWriteStream & Readable> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** A body that is on its way: of at most `limit` bytes after decompression. */
export interface Arriving {
  request: IncomingMessage
  limit: number
  /** Without it nothing waits, which is only for small limits. */
  turn?: BodyTurn
}

type Call = Pick<Ctx, 'log'>

/**
 * Reads the body of a request. Throws PAYLOAD_TOO_LARGE as soon as it is larger than the limit, UNSUPPORTED_MEDIA_TYPE for an
 * unknown content encoding, BAD_REQUEST when it ends early or is corrupt, and SERVICE_UNAVAILABLE when it cannot be stored. What
 * is beyond the first 64 KB is read only when it is the turn of the request, and a body of more than 2 MB arrives in a file and is
 * read into memory when it is complete, a few at a time.
 */
export async function readBody(ctx: Call, { request, limit, turn }: Arriving): Promise<Buffer> {
  const body = await collect(ctx, decompressed(request, limit), { limit, turn })
  if (body === 'too large') throw tooLarge(limit)
  return body
}

/** The body of a request as a stream that fails as readBody does, for readers that need not hold all of it in memory. */
export function streamBody(request: IncomingMessage, limit: number): Readable {
  const source = decompressed(request, limit)
  let size = 0
  const limited = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      done(size > limit ? tooLarge(limit) : null, chunk)
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

function decompressed(request: IncomingMessage, limit: number): Readable {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit)
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity'
  const decompress = decompressors[encoding]
  if (encoding !== 'identity' && !decompress)
    throw new Failure('UNSUPPORTED_MEDIA_TYPE', 'The content encoding is not one of gzip, deflate, br.')
  if (!decompress) return request
  const stream = decompress()
  // pipe() does not pass on that the caller has disconnected: the reader would wait forever.
  request.once('close', () => {
    if (!request.readableEnded) stream.destroy()
  })
  return request.pipe(stream)
}

function tooLarge(limit: number): Failure {
  const message = `The body is larger than ${Math.floor(limit / 1024 / 1024)} MB.`
  return new Failure('PAYLOAD_TOO_LARGE', message, { headers: { Connection: 'close' } })
}

function incomplete(): Failure {
  return new Failure('BAD_REQUEST', 'The body ended early or could not be decompressed.')
}

const largeBytes = 64 * 1024
const spoolFrom = 2 * 1024 * 1024

interface Collecting {
  limit: number
  turn: BodyTurn | undefined
}

// With events: an iterator is twice as slow for a single chunk, which most bodies are.
function collect(ctx: Call, source: Readable, { limit, turn }: Collecting): Promise<Buffer | 'too large'> {
  return new Promise((resolve, reject) => {
    let waits = turn !== undefined
    let spooling = false
    const chunks: Buffer[] = []
    let size = 0
    let ended = false
    const broken = (): void => {
      if (!ended) reject(incomplete())
    }
    const receive = (chunk: Buffer): void => {
      size += chunk.length
      chunks.push(chunk)
      if (size > limit) {
        ended = true
        source.pause()
        resolve('too large')
      } else if (turn && waits && size > largeBytes) {
        waits = false
        source.pause()
        void turn.begin().then(() => source.resume())
      } else if (turn && !spooling && size > spoolFrom) {
        spooling = true
        source.off('data', receive)
        source.pause()
        resolve(collectInFile(ctx, source, { before: chunks.splice(0), limit, turn }))
      }
    }
    source.on('data', receive)
    source.on('end', () => {
      ended = true
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks))
    })
    source.on('error', broken)
    source.on('close', broken)
  })
}

async function collectInFile(
  { log }: Call,
  source: Readable,
  { turn, ...arriving }: { before: Buffer[]; limit: number; turn: BodyTurn },
): Promise<Buffer | 'too large'> {
  const arrived = await spool(log, source, arriving).catch((error: unknown) => {
    throw !(error instanceof Failure) && isBroken(source) ? incomplete() : error
  })
  if (!arrived) return 'too large'
  try {
    await turn.beginWork()
    return await arrived.read()
  } finally {
    await arrived.close()
  }
}

function isBroken({ destroyed, errored, readableEnded }: Readable): boolean {
  return errored !== null || (destroyed && !readableEnded)
}

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
    throw new Failure('BAD_REQUEST', 'The body must be a JSON object.')
  return value as Record<string, unknown>
}

function parse(body: Buffer): unknown {
  if (!isUtf8(body)) throw new Failure('BAD_REQUEST', 'The body is not valid UTF-8.')
  const problem = whyTooComplex(body)
  if (problem) throw new Failure('BAD_REQUEST', `The body ${problem}.`, { suggestion: 'Send less in one request.' })
  try {
    return JSON.parse(body.toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new Failure('BAD_REQUEST', `The body is not valid JSON: ${error.message.replace(/\s+/g, ' ').slice(0, 200)}.`)
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
