import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { Failure } from '../kit/errors.ts'

const unpackers: Record<string, () => NodeJS.ReadWriteStream & Readable> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/**
 * The body of a request, refused before it is buffered when it is larger than `limit` bytes, measured after
 * decompression. Throws PAYLOAD_TOO_LARGE, or UNSUPPORTED_MEDIA_TYPE for an unknown content encoding.
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const body = await collect(unpacked(request, limit), limit)
  if (body === 'too large') throw tooLarge(limit)
  return body
}

/** The body of a request as a stream, with the refusals of readBody as its errors: for readers that need not hold all of it. */
export function streamBody(request: IncomingMessage, limit: number): Readable {
  const source = unpacked(request, limit)
  let size = 0
  const limited = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      done(size > limit ? tooLarge(limit) : null, chunk)
    },
  })
  const broken = (): void => {
    if (!source.readableEnded) limited.destroy(brokenOff())
  }
  source.on('error', broken)
  source.on('close', broken)
  // Not by pipeline(): on a refusal it would end the connection before the answer.
  return source.pipe(limited)
}

function unpacked(request: IncomingMessage, limit: number): Readable {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit)
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity'
  const unpack = unpackers[encoding]
  if (encoding !== 'identity' && !unpack)
    throw new Failure('UNSUPPORTED_MEDIA_TYPE', 'The content encoding is not one of gzip, deflate, br.')
  if (!unpack) return request
  const unpacking = unpack()
  // A pipe does not pass on that the caller has gone: the reader would wait for ever.
  request.once('close', () => {
    if (!request.readableEnded) unpacking.destroy()
  })
  return request.pipe(unpacking)
}

function tooLarge(limit: number): Failure {
  const message = `The body is larger than ${Math.floor(limit / 1024 / 1024)} MB.`
  return new Failure('PAYLOAD_TOO_LARGE', message, { headers: { Connection: 'close' } })
}

function brokenOff(): Failure {
  return new Failure('BAD_REQUEST', 'The body broke off or could not be decompressed.')
}

// By events: an iterator costs twice as much for the one chunk most bodies are.
function collect(source: Readable, limit: number): Promise<Buffer | 'too large'> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let ended = false
    const broken = (): void => {
      if (!ended) reject(brokenOff())
    }
    source.on('data', (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      if (size <= limit) return
      ended = true
      source.pause()
      resolve('too large')
    })
    source.on('end', () => {
      ended = true
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks))
    })
    source.on('error', broken)
    source.on('close', broken)
  })
}

const json = /^application\/json\s*(;|$)/i

/** A JSON body as an object; an absent one is `{}`. Throws BAD_REQUEST, and UNSUPPORTED_MEDIA_TYPE for another type than `accepted`. */
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
  try {
    return JSON.parse(body.toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new Failure('BAD_REQUEST', `The body is not valid JSON: ${error.message.replace(/\s+/g, ' ').slice(0, 200)}.`)
    throw error
  }
}

/** The fields of an urlencoded form; of several with one name the last. */
export function parseFormBody(body: Buffer): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(body.toString('utf8')))
}

/** The headers of a request, each as one text. */
export function textHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
