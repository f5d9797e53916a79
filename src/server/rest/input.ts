import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Ctx } from '../../kit/context.ts'
import { Failure, invalid } from '../../kit/errors.ts'
import { type Form, isMultipart, readForm } from '../../kit/multipart.ts'
import { read } from '../../kit/problems.ts'
import type { Route } from '../../kit/route.ts'
import { parseJsonBody, readBody, streamBody, textHeaders } from '../body.ts'

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
  if (row.notes.maxFileBytes) return row.input.parse({ ...params, file: await fileOf(request, row.notes.maxFileBytes) })
  const body = await readBody(request, row.notes.bodyLimit ?? megabyte)
  const type = request.headers['content-type']
  if (row.notes.raw) return row.input.parse({ raw: body, headers: textHeaders(request), ...params })
  const key = request.headers['idempotency-key']
  if (key !== undefined && row.notes.idempotent) ctx.idempotency = { key: String(key), fingerprint: fingerprintOf(row, params, body) }
  return read(row.input, { ...parseJsonBody(body, type), ...params })
}

// What a form adds around its file.
const formBytes = 64 * 1024

async function fileOf(request: IncomingMessage, maxBytes: number): Promise<Form['file']> {
  const type = request.headers['content-type']
  if (!isMultipart(type))
    throw new Failure('UNSUPPORTED_MEDIA_TYPE', 'Send the file as multipart/form-data.', {
      suggestion: 'With curl: -F "file=@picture.png".',
    })
  const { file } = await readForm(streamBody(request, maxBytes + formBytes), type, maxBytes)
  if (!file) throw invalid('file', 'is required: the form holds no file', 'required')
  return file
}

function fingerprintOf(row: Route, params: Record<string, string>, body: Buffer): string {
  return createHash('sha256')
    .update(`${row.method} ${row.path} ${JSON.stringify(params)}\n`)
    .update(body)
    .digest('hex')
}
