import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { requireUser, requireVerified } from '../../kit/access.ts'
import { type Ctx, callIn } from '../../kit/context.ts'
import { Failure, tooManyRequests } from '../../kit/errors.ts'
import type { World } from '../../kit/world.ts'
import { authenticate } from '../../modules/auth/calls/authenticate.ts'
import { rateLimitHeaders, takeRequest } from '../../modules/auth/calls/rate.ts'
import { parseJsonBody, readBody } from '../body.ts'
import { callerAgain, callerOf, isOutdated } from '../caller.ts'
import { countFor } from '../file-limit.ts'
import type { Arrival } from '../http.ts'
import { type BodyTurn, bodyTurn, endWithAnswer } from '../large-bodies.ts'
import { leftOf, untilLeft } from '../left.ts'
import { rightsNow, watchCaller } from '../live-callers.ts'
import { sendPage } from '../pages.ts'
import { addressOwner, keyOwner, placesRetrySeconds, takePlace } from '../places.ts'
import { reply, setHeaders } from '../replies.ts'
import { type AnswerRoom, boundUnread, createRoom } from '../unread.ts'
import { prepare } from './documents.ts'
import { createEngine, type Engine, type HttpCall } from './engine.ts'
import { toGraphqlError } from './errors.ts'
import { graphiqlPage } from './graphiql.ts'
import { type RequestParameters, readParameters } from './parameters.ts'
import type { Sockets } from './socket-server.ts'
import { openSockets } from './sockets.ts'

/** The entry point of GraphQL: everything at /graphql. */
export interface GraphqlEntryPoint {
  /** Answers one HTTP request: queries, mutations, subscriptions over server-sent events, GraphiQL. Never throws. */
  handle(arrival: Arrival): Promise<void>
  /** Accepts websockets (protocol graphql-transport-ws) on the same path of a server; closing them also ends event streams. */
  sockets(server: Server): Sockets
}

// An authenticated caller may send attachments; from anyone else nothing large is read.
const megabyte = 1024 * 1024
const maxBytes = 40 * megabyte
const maxAnonymousBytes = megabyte

/** Creates the entry point of GraphQL for a world. */
export function createGraphql(world: World): GraphqlEntryPoint {
  const engine = createEngine()
  const streams = new Set<ServerResponse>()
  let closing = false
  return {
    async handle(arrival) {
      try {
        if (wantsPage(arrival.request)) return await showExplorer(world, arrival)
        checkRequest(arrival.request)
        boundMediaTypes(arrival.request)
        const ctx = await authenticateCall(world, arrival)
        await run(
          world,
          { engine, arrival, ctx },
          {
            admitStream: () => admitStream(world, arrival, ctx),
            onStream: () => (closing ? void arrival.response.destroy() : trackStream(world, streams, arrival, ctx)),
          },
        )
      } catch (error) {
        refuse(world, arrival, error)
      }
    },
    sockets(server) {
      const sockets = openSockets(world, engine, server)
      return {
        async close() {
          closing = true
          for (const stream of streams) stream.destroy()
          await sockets.close()
        },
      }
    },
  }
}

// Content types that a page of another site can send without a preflight are refused (CSRF).
const json = /^application\/(graphql\+)?json\s*(;|$)/i

function checkRequest({ method, headers }: IncomingMessage): void {
  if (method !== 'GET' && method !== 'POST')
    throw new Failure('METHOD_NOT_ALLOWED', 'GraphQL supports GET and POST.', { headers: { Allow: 'GET, POST' } })
  if (method === 'POST' && !json.test(headers['content-type'] ?? '')) throw new Failure('UNSUPPORTED_MEDIA_TYPE')
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new Failure('UNSUPPORTED_MEDIA_TYPE', 'A request body must not be compressed.')
}

const maxMediaTypes = 20

// Of each media type that the caller accepts Yoga says in a header what it would have instead: of thousands, a megabyte.
function boundMediaTypes({ headers }: IncomingMessage): void {
  if (headers.accept !== undefined) headers.accept = headers.accept.split(',', maxMediaTypes).join(',')
}

// A call may be a mutation. What comes by GET may open a stream: a page of another site is refused, too.
const target = { write: true }

// Calls without credentials are accepted: to sign in, and outside production to read the schema. Fields check access later.
async function authenticateCall(world: World, { request, requestId, headers }: Arrival): Promise<Ctx> {
  const ctx = await authenticate(world, callerOf(world, request, requestId), target)
  if (ctx.actor.kind === 'nobody') return ctx
  Object.assign(headers, rateLimitHeaders(takeRequest(ctx)))
  const key = request.headers['idempotency-key']
  return typeof key === 'string' ? { ...ctx, idempotency: { key, fingerprint: '' } } : ctx
}

async function authenticateAgain(world: World, { request }: Arrival, before: Ctx): Promise<Ctx> {
  const ctx = await authenticate(world, callerAgain(world, request, before), target)
  return { ...ctx, ...(before.idempotency && { idempotency: before.idempotency }) }
}

async function parametersOf(
  ctx: Ctx,
  request: IncomingMessage,
  { query, ...plan }: { query: string; limit: number; turn: BodyTurn },
): Promise<RequestParameters> {
  if (request.method === 'GET') return readParameters(query)
  return parseJsonBody(await readBody(ctx, { request, ...plan }), request.headers['content-type'], json)
}

async function run(
  world: World,
  { engine, arrival, ctx }: { engine: Engine; arrival: Arrival; ctx: Ctx },
  live: Pick<HttpCall, 'admitStream' | 'onStream'>,
): Promise<void> {
  const { request, response, headers } = arrival
  const authenticatedAt = performance.now()
  const limit = ctx.actor.kind === 'nobody' ? maxAnonymousBytes : maxBytes
  const turn = bodyTurn(ctx, request)
  const room = createRoom(ctx, response)
  endWithAnswer(turn, response)
  try {
    const parameters = await parametersOf(ctx, request, { query: arrival.query, limit, turn })
    setHeaders(response, { ...headers, 'Cache-Control': 'no-store' })
    await prepare(engine, untilLeft(ctx, leftOf(response)), parameters)
    const current = isOutdated(authenticatedAt) ? await authenticateAgain(world, arrival, ctx) : ctx
    await engine(request, response, {
      ...untilLeft(current, leftOf(response)),
      rightsNow: () => rightsNow(world, { caller: callerOf(world, request, current.requestId), ctx: current, target }),
      parameters,
      ...live,
      ...answering(room, turn, live.onStream),
    })
  } finally {
    turn.end()
  }
}

// The turn ends with the work: a stream may last for days, and how long an answer is sent depends on how fast the caller reads.
function answering({ take: takeRoom, send, mustAnswer }: AnswerRoom, turn: BodyTurn, follow: () => void) {
  const onStream = (): void => {
    turn.end()
    follow()
  }
  const onAnswer = (bytes: number): void => {
    turn.end()
    send(bytes)
  }
  return { takeRoom, mustAnswer, onStream, onAnswer }
}

// Streams and sockets are limited together. The places are given back when the answer has ended, whatever it is.
function admitStream(world: World, { request, response }: Arrival, ctx: Ctx): void {
  const { MAX_SOCKETS_PER_KEY, MAX_SOCKETS_PER_ADDRESS } = world.config
  const { address } = ctx.client
  const places = [
    countFor(request.socket, address),
    takePlace(world, keyOwner(ctx), MAX_SOCKETS_PER_KEY),
    takePlace(world, addressOwner(address).all, MAX_SOCKETS_PER_ADDRESS),
  ]
  const release = (): void => {
    for (const leave of places) leave?.()
  }
  if (response.closed) release()
  else response.once('close', release)
  if (places.includes(null)) throw tooManyRequests('Too many live connections of this key or address are open.', placesRetrySeconds)
}

const maxListeners = 30

// An event stream ends when its key or session ends, and when the server closes.
function trackStream(world: World, streams: Set<ServerResponse>, { request, response }: Arrival, ctx: Ctx): void {
  if (response.destroyed) return
  streams.add(response)
  world.metrics.connections.inc({ kind: 'event_stream' })
  // Each part that ends with the stream listens for its end: more than the ten listeners that Node takes for a mistake.
  response.setMaxListeners(maxListeners)
  boundUnread(ctx, response)
  const release = watchCaller(world, { caller: callerOf(world, request, ctx.requestId), ctx, end: () => response.destroy() })
  response.once('close', () => {
    streams.delete(response)
    world.metrics.connections.dec({ kind: 'event_stream' })
    release()
  })
}

function wantsPage({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && (headers.accept ?? '').includes('text/html')
}

// Outside production for anyone; in production for people who are signed in, as introspection is.
async function showExplorer(world: World, arrival: Arrival): Promise<void> {
  const { authorization: _key, ...caller } = callerOf(world, arrival.request, arrival.requestId)
  if (world.config.production) {
    const { emailVerified } = requireUser(await authenticate(world, caller, { write: false }))
    requireVerified(world, emailVerified)
  }
  const ctx = callIn(world, { requestId: arrival.requestId, ...(caller.client && { client: caller.client }) })
  await sendPage(ctx, arrival, await graphiqlPage(world, arrival.request))
}

// Reports the error of a whole request in the form of a GraphQL response.
function refuse({ log }: World, arrival: Arrival, error: unknown): void {
  const { request, response, requestId } = arrival
  if (response.headersSent) return void response.destroy()
  const { message, extensions } = toGraphqlError(error, { requestId, log })
  const { http, ...shown } = extensions as { http?: { status?: number; headers?: Record<string, string> } }
  const graphql = (request.headers.accept ?? '').includes('application/graphql-response+json')
  const type = `application/${graphql ? 'graphql-response+json' : 'json'}; charset=utf-8`
  const body = JSON.stringify({ errors: [{ message, extensions: shown }] })
  reply(arrival, { status: http?.status ?? 500, headers: { ...http?.headers, 'Content-Type': type }, body })
}
