import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Ctx } from '../../kit/context.ts'
import { Failure, invalid } from '../../kit/errors.ts'
import { type FormFile, isMultipart, readFormInto } from '../../kit/multipart.ts'
import { read, readFileInput } from '../../kit/problems.ts'
import { type Route, readsBody } from '../../kit/route.ts'
import { fingerprintOf } from '../../modules/idempotency/once.ts'
import { type Arriving, beginTurn, parseJsonBody, readBody, readSpooled, storePart, streamBody, textHeaders } from '../body.ts'
import type { BodyTurn } from '../large-bodies.ts'
import type { Spooled } from '../spool.ts'

const megabyte = 1024 * 1024

/**
 * Reads the input of a route from a request and validates it: the query or the body, a form with the query, and the path
 * parameters, which take precedence; of a receiver what the service has signed. Throws VALIDATION_ERROR, BAD_REQUEST, and the errors of
 * readBody, readForm and of who verifies.
 */
export async function readInput(
  route: Route,
  params: Record<string, string>,
  { request, query }: { request: IncomingMessage; query: string },
  ctx: Ctx,
  turn: BodyTurn,
): Promise<unknown> {
  if (!readsBody(route)) {
    return read(route.input, { ...Object.fromEntries(new URLSearchParams(query)), ...params }, 'query')
  }
  if (route.notes.maxFileBytes) {
    const file = await fileOf(ctx, { request, turn, limit: route.notes.maxFileBytes })
    return readFileInput(route.input, { ...Object.fromEntries(new URLSearchParams(query)), ...params, file })
  }
  const body = await readBody(ctx, { request, limit: route.notes.bodyLimit ?? megabyte, turn })
  if (route.signature) return route.signature.verify(ctx, { raw: body, headers: textHeaders(request) })
  const type = request.headers['content-type']
  const key = request.headers['idempotency-key']
  if (key !== undefined && route.notes.idempotent) {
    const fingerprint = fingerprintOf(`${route.method} ${route.path} ${JSON.stringify(params)}`, body)
    ctx.idempotency = { key: String(key), fingerprint }
  }
  // Into the body itself: copying an object with many keys takes longer than parsing it.
  return read(route.input, Object.assign(parseJsonBody(body, type), params))
}

// What a form may have besides its file.
const formBytes = 64 * 1024

async function fileOf(ctx: Ctx, { request, turn, limit }: Required<Arriving>): Promise<FormFile<Buffer>> {
  const type = request.headers['content-type']
  if (!isMultipart(type))
    throw new Failure('UNSUPPORTED_MEDIA_TYPE', 'Send the file as multipart/form-data.', {
      suggestion: 'With curl: -F "file=@picture.png".',
    })
  await beginTurn(ctx, turn)
  let stored: Promise<Buffer | Spooled> | undefined
  const store = (part: Readable): Promise<Buffer | Spooled> => {
    stored = storePart(ctx, part)
    return stored
  }
  try {
    const body = streamBody({ request, limit: limit + formBytes, turn })
    const { file } = await readFormInto(body, type, { maxFileBytes: limit, store })
    if (!file) throw invalid('file', 'is required: the form has no file', 'required')
    return { ...file, bytes: Buffer.isBuffer(file.bytes) ? file.bytes : await readSpooled(file.bytes, turn) }
  } finally {
    // Of a form that failed in its file, readFormInto has reported it.
    const content = await stored?.catch(() => undefined)
    if (content && !Buffer.isBuffer(content)) await content.close()
  }
}
