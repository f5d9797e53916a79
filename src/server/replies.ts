import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Ctx } from '../kit/context.ts'
import { errorCatalogue, Failure } from '../kit/errors.ts'
import type { Log } from '../kit/log.ts'
import { isContention } from '../kit/postgres/contention.ts'
import { isDatabaseUnavailable } from '../kit/postgres/db.ts'
import type { World } from '../kit/world.ts'
import type { AnswerHeaders, Arrival } from './http.ts'
import { lingerAtEnd } from './linger.ts'

/** The error body of REST answers and pages: the documented envelope, with some of its fields also at the top level. */
interface ErrorBody {
  success: false
  error: { code: string; message: string; statusCode: number; requestId: string; errors?: Failure['errors']; suggestion?: string }
  timestamp: string
  code: number
  message: string
  time: number
}

/** The headers of a JSON answer: caches store nothing that belongs to a caller, such as keys. */
export const jsonHeaders = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' }

/**
 * Writes an answer: the headers of the arrival and those given, and the body, unless it is undefined or the status 204 or
 * 304. Headers are passed as one flat list, because setting them one by one takes longer than the rest of the answer. An answer to a body
 * that was read in part, or is long and was not, ends the connection.
 */
export function reply(
  { request, response, headers }: Arrival,
  { status, body, headers: own }: { status: number; headers?: AnswerHeaders; body?: string | Uint8Array | undefined },
): void {
  const all = own ? Object.assign(headers, own) : headers
  const hasBody = body !== undefined && status !== 204 && status !== 304
  if (hasBody && all['Content-Length'] === undefined) all['Content-Length'] = String(Buffer.byteLength(body))
  if (!request.complete) {
    if (isReadInPart(request) || isLong(request)) all.Connection = 'close'
    lingerAtEnd(request)
  }
  response.writeHead(status, flatHeaders(all)).end(hasBody ? body : undefined)
}

/** Headers as one flat list, which is faster than one by one. */
export function flatHeaders(headers: AnswerHeaders): string[] {
  const list: string[] = []
  for (const name in headers) {
    const value = headers[name] ?? ''
    if (typeof value === 'string') list.push(name, value)
    else for (const line of value) list.push(name, line)
  }
  return list
}

/** Sets headers on a response whose answer is written elsewhere. */
export function setHeaders(response: ServerResponse, headers: AnswerHeaders): void {
  for (const name in headers) response.setHeader(name, headers[name] ?? '')
}

/** The headers for the facts about an answer: cookies, a replay, the target of a redirect. */
export function answerHeaders({ replayed, cookies, location }: Ctx['answer']): AnswerHeaders {
  return {
    ...(replayed && { 'Idempotency-Replayed': 'true' }),
    ...(location !== undefined && { Location: location }),
    ...(cookies && { 'Set-Cookie': cookies }),
  }
}

/** Writes an error as the answer, with the id of the request. An answer that has already begun is cut off. */
export function refuse(world: World, arrival: Arrival, error: unknown): void {
  const { requestId, response } = arrival
  const failure = failureOf(error, requestId, world.log)
  if (response.headersSent) {
    world.log.info({ err: failure, requestId }, 'an answer that had begun was cut off')
    return void response.destroy()
  }
  const body = JSON.stringify(errorBody(failure, requestId, world.clock.now()))
  reply(arrival, { status: failure.status, headers: { ...failure.headers, ...jsonHeaders }, body })
}

// Node throws away the rest of a body only if nobody has begun to read it: requests after the rest of another one would never be read.
function isReadInPart({ readableFlowing }: IncomingMessage): boolean {
  return readableFlowing !== null
}

// Nor does it do so at a bounded pace. Bodies in chunks have one of their own (see followChunks).
function isLong({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length']) > maxThrownAway
}

const maxThrownAway = 64 * 1024

/** A whole answer that ends its connection, in plain text, to what is refused before it is a request, or instead of a websocket. */
export function plainRefusal({ status, message, headers }: Failure): string {
  const own = { Connection: 'close', 'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': Buffer.byteLength(message), ...headers }
  const lines = Object.entries(own).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', message].join('\r\n')
}

/**
 * The failure to report for an error: a Failure itself, 503 for an unavailable database, and where other calls were in the way each time,
 * 500 for a bug, which is logged.
 */
export function failureOf(error: unknown, requestId: string, log: Log, details: object = {}): Failure {
  if (error instanceof Failure) return error
  if (isDatabaseUnavailable(error)) {
    log.warn({ err: error, requestId }, 'the database is unavailable')
    return unavailable()
  }
  if (isContention(error)) {
    log.warn({ err: error, requestId, ...details }, 'a request was aborted by others each time it was tried')
    return unavailable('Other calls change the same at the moment, each time before this one could.')
  }
  log.error({ err: error, requestId, ...details }, 'a request failed unexpectedly')
  return new Failure('INTERNAL_SERVER_ERROR')
}

function unavailable(message?: string): Failure {
  return new Failure('SERVICE_UNAVAILABLE', message)
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
