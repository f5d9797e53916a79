import type { ServerResponse } from 'node:http'
import type { Ctx } from '../kit/context.ts'
import { errorCatalogue, Failure } from '../kit/errors.ts'
import type { Log } from '../kit/log.ts'
import { isDatabaseAway } from '../kit/postgres/db.ts'
import type { World } from '../kit/world.ts'
import type { AnswerHeaders, Arrival } from './http.ts'

/** The error body of REST answers and pages: the documented envelope, and the flat fields beside it. */
interface ErrorBody {
  success: false
  error: { code: string; message: string; statusCode: number; requestId: string; errors?: Failure['errors']; suggestion?: string }
  timestamp: string
  code: number
  message: string
  time: number
}

const retryAfterSeconds = 5

/** The headers of an answer in JSON. */
export const jsonHeaders = { 'Content-Type': 'application/json; charset=utf-8' }

/**
 * The one writer of answers: the headers of the arrival, those given, and a body, none for 204, 304 and undefined. All in
 * one flat list, because setting headers one by one costs more than making the whole answer.
 */
export function reply(
  { response, headers }: Arrival,
  { status, body, headers: own }: { status: number; headers?: AnswerHeaders; body?: string | Uint8Array | undefined },
): void {
  const all = own ? Object.assign(headers, own) : headers
  const hasBody = body !== undefined && status !== 204 && status !== 304
  if (hasBody && all['Content-Length'] === undefined) all['Content-Length'] = String(Buffer.byteLength(body))
  response.writeHead(status, flat(all)).end(hasBody ? body : undefined)
}

function flat(headers: AnswerHeaders): string[] {
  const list: string[] = []
  for (const name in headers) {
    const value = headers[name] ?? ''
    if (typeof value === 'string') list.push(name, value)
    else for (const line of value) list.push(name, line)
  }
  return list
}

/** Sets headers on Node's response, for an answer which somebody else writes. */
export function setHeaders(response: ServerResponse, headers: AnswerHeaders): void {
  for (const name in headers) response.setHeader(name, headers[name] ?? '')
}

/** The headers for what an operation says beside its answer: cookies, a replay, where a redirect leads. */
export function answerHeaders({ replayed, cookies, location }: Ctx['answer']): AnswerHeaders {
  return {
    ...(replayed && { 'Idempotency-Replayed': 'true' }),
    ...(location !== undefined && { Location: location }),
    ...(cookies && { 'Set-Cookie': cookies }),
  }
}

/** The one writer of errors: what an error means to the caller, with the id of the request. An answer already begun is cut off. */
export function refuse(world: World, arrival: Arrival, error: unknown): void {
  const { requestId, response } = arrival
  const failure = failureOf(error, requestId, world.log)
  if (response.headersSent) return void response.destroy()
  const body = JSON.stringify(errorBody(failure, requestId, world.clock.now()))
  reply(arrival, { status: failure.status, headers: { ...failure.headers, ...jsonHeaders }, body })
}

/** What a caller is told of an error: a Failure as it is, a database that is away as 503, a bug as the masked 500, logged. */
export function failureOf(error: unknown, requestId: string, log: Log, seen: object = {}): Failure {
  if (error instanceof Failure) return error
  if (isDatabaseAway(error)) {
    log.warn({ err: error, requestId }, 'the database cannot be reached')
    return new Failure('SERVICE_UNAVAILABLE', undefined, { headers: { 'Retry-After': String(retryAfterSeconds) } })
  }
  log.error({ err: error, requestId, ...seen }, 'a request failed unexpectedly')
  return new Failure('INTERNAL_SERVER_ERROR')
}

function errorBody({ code, message, status, errors, suggestion }: Failure, requestId: string, now: Date): ErrorBody {
  return {
    success: false,
    error: {
      code,
      message: message || errorCatalogue[code].message,
      statusCode: status,
      requestId,
      ...(errors && { errors }),
      ...(suggestion && { suggestion }),
    },
    timestamp: now.toISOString(),
    code: status,
    message,
    time: now.getTime(),
  }
}
