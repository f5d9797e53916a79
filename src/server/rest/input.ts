import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Ctx } from '../../kit/context.ts'
import { Failure, invalid } from '../../kit/errors.ts'
import { read } from '../../kit/problems.ts'
import type { Route } from '../../kit/route.ts'
import { parseJsonBody, readBody, textHeaders } from '../body.ts'

const megabyte = 1024 * 1024

/**
 * What a row's operation takes of a request, read by the row's shape: path parameters, and the query (GET, DELETE without
 * a body) or the body. The path wins.
 */
export async function inputOf(
  row: Route,
  params: Record<string, string>,
  { request, query }: { request: IncomingMessage; query: string },
  ctx: Ctx,
): Promise<unknown> {
  if (row.method === 'GET' || row.method === 'DELETE') {
    return read(row.input, { ...Object.fromEntries(new URLSearchParams(query)), ...params }, 'query')
  }
  const body = await readBody(request, row.notes.bodyLimit ?? megabyte)
  const type = request.headers['content-type']
  if (row.notes.raw) return row.input.parse({ raw: body, headers: textHeaders(request), ...params })
  if (row.notes.file) return row.input.parse({ ...params, file: await firstFile(body, type) })
  const key = request.headers['idempotency-key']
  if (key !== undefined && row.notes.idempotent) ctx.idempotency = { key: String(key), fingerprint: fingerprintOf(row, params, body) }
  return read(row.input, { ...parseJsonBody(body, type), ...params })
}

/** The first file of a multipart form (RFC 7578). Throws UNSUPPORTED_MEDIA_TYPE, BAD_REQUEST, VALIDATION_ERROR when there is none. */
async function firstFile(body: Buffer, type: string | undefined): Promise<{ filename: string; contentType: string; bytes: Buffer }> {
  if (!/^multipart\/form-data\s*;/i.test(type ?? ''))
    throw new Failure('UNSUPPORTED_MEDIA_TYPE', 'Send the file as multipart/form-data.', {
      suggestion: 'With curl: -F "file=@picture.png".',
    })
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': String(type) } }).formData().catch(() => {
    throw new Failure('BAD_REQUEST', 'The multipart form could not be read.')
  })
  for (const [, part] of form)
    if (typeof part !== 'string') return { filename: part.name, contentType: part.type, bytes: Buffer.from(await part.arrayBuffer()) }
  throw invalid('file', 'is required: the form holds no file', 'required')
}

function fingerprintOf(row: Route, params: Record<string, string>, body: Buffer): string {
  return createHash('sha256')
    .update(`${row.method} ${row.path} ${JSON.stringify(params)}\n`)
    .update(body)
    .digest('hex')
}
