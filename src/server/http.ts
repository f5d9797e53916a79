import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { Failure } from '../kit/errors.ts'
import { newId } from '../kit/ids.ts'
import type { World } from '../kit/world.ts'
import { isOwnOrigin } from '../modules/auth/calls/origin.ts'
import { schemeOf } from './caller.ts'

/** Headers of an answer; a list means several headers with the same name. */
export type AnswerHeaders = Record<string, string | string[]>

/** A request with its response; `headers` are added to every answer. */
export interface Arrival {
  request: IncomingMessage
  response: ServerResponse
  requestId: string
  path: string
  query: string
  headers: AnswerHeaders
}

/** The id of a request: the caller's X-Request-Id if it is well-formed, otherwise a new one. */
export function requestIdOf(request: IncomingMessage, now: Date): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\w.-]{8,128}$/.test(given) ? given : newId('request', now)
}

/** Why the headers of a request are refused, whatever it asks for. */
export function malformedIn(request: IncomingMessage): Failure | undefined {
  const { headers, httpVersion } = request
  // RFC 9112, 3.2.
  if (httpVersion === '1.1' && headers.host === undefined) return new Failure('BAD_REQUEST', 'The header Host is missing.')
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue')
    return new Failure('BAD_REQUEST', 'The header Expect may only be 100-continue.')
  const repeated = repeatedHeader(request)
  return repeated === undefined ? undefined : new Failure('BAD_REQUEST', `The header ${repeated} is given more than once.`)
}

/** The first header of those that must be given once, such as Host, that a request has twice. */
export function repeatedHeader({ rawHeaders }: IncomingMessage): string | undefined {
  return single.find((name) => {
    let times = 0
    // The length is compared first: nearly all headers differ in it.
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const given = rawHeaders[at] ?? ''
      if (given.length === name.length && given.toLowerCase() === name.toLowerCase()) times++
    }
    return times > 1
  })
}

// A proxy may believe another one than this server does; of Host see RFC 9112, 3.2.
const single = ['Host', 'Authorization']

const exposed = 'X-Request-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Idempotency-Replayed'
const allowedHeaders = 'Authorization, Content-Type, Idempotency-Key, X-Project-Id, X-Request-Id'

/** The CORS headers of an answer: /v1 is open to any origin, everything else to the dashboard's origins, with credentials. */
export function corsHeaders(world: World, path: string, headers: IncomingHttpHeaders): Record<string, string> {
  const { origin, host } = headers
  if (!origin) return {}
  if (path.startsWith('/v1/')) return { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': exposed }
  if (!isOwnOrigin(world, { origin, host, scheme: schemeOf(world, headers) })) return { Vary: 'Origin' }
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': exposed,
    Vary: 'Origin',
  }
}

/** The headers of a preflight answer besides corsHeaders. */
export function preflightHeaders(methods: string): Record<string, string> {
  return { 'Access-Control-Allow-Methods': methods, 'Access-Control-Allow-Headers': allowedHeaders, 'Access-Control-Max-Age': '600' }
}

/** Security headers of every answer. */
export function securityHeaders({ publicUrl }: World): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'SAMEORIGIN',
    ...(publicUrl.startsWith('https:') && { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' }),
  }
}

/** The address to reach a server at from this machine: 0.0.0.0 and :: become the loopback address. */
export function reachableAt(listening: string): string {
  return listening.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}
