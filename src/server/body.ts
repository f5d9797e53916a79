import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { Failure, invalid } from '../kit/errors.ts'

const deepest = 64
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
  const tooLarge = (): Failure =>
    new Failure('PAYLOAD_TOO_LARGE', `The body is larger than ${Math.floor(limit / 1024 / 1024)} MB.`, { headers: { Connection: 'close' } })
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge()
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity'
  const unpack = unpackers[encoding]
  if (encoding !== 'identity' && !unpack)
    throw new Failure('UNSUPPORTED_MEDIA_TYPE', 'The content encoding is not one of gzip, deflate, br.')
  const source: Readable = unpack ? request.pipe(unpack()) : request
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > limit) throw tooLarge()
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure('BAD_REQUEST', 'The body broke off or could not be decompressed.')
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
}

/** A JSON body as an object; an absent one is `{}`. Throws BAD_REQUEST, UNSUPPORTED_MEDIA_TYPE, VALIDATION_ERROR for NUL. */
export function parseJsonBody(body: Buffer, contentType: string | undefined): Record<string, unknown> {
  if (body.length === 0) return {}
  if (!/^application\/json\s*(;|$)/i.test(contentType ?? '')) {
    throw new Failure('UNSUPPORTED_MEDIA_TYPE', `The content type ${contentType ? `"${contentType}"` : '(none)'} is not accepted here.`)
  }
  const value = parse(body)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Failure('BAD_REQUEST', 'The body must be a JSON object.')
  inspect(value, [], body.includes('\\u0000'))
  return value as Record<string, unknown>
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(body))
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new Failure('BAD_REQUEST', `The body is not valid JSON: ${error.message.replace(/\s+/g, ' ').slice(0, 200)}.`)
    if (error instanceof TypeError) throw new Failure('BAD_REQUEST', 'The body is not valid UTF-8.')
    throw error
  }
}

function inspect(value: object, path: string[], mayHoldNul: boolean): void {
  if (path.length > deepest) throw new Failure('BAD_REQUEST', `The body is nested deeper than ${deepest} levels.`)
  for (const [key, inner] of Object.entries(value)) {
    if (mayHoldNul && (key.includes('\0') || (typeof inner === 'string' && inner.includes('\0')))) {
      throw invalid([...path, key.replaceAll('\0', '␀')].join('.'), 'must not contain NUL characters', 'invalid_string')
    }
    if (typeof inner === 'object' && inner !== null) inspect(inner, [...path, key], mayHoldNul)
  }
}
