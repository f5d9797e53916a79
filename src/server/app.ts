import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { Failure } from '../kit/errors.ts'
import type { World } from '../kit/world.ts'
import { foreignHost, servingOn } from '../modules/auth/calls/origin.ts'
import { inAdmission } from './admission.ts'
import { createClosing } from './closing.ts'
import { limitConnections } from './connections.ts'
import { limitFiles } from './file-limit.ts'
import { followChunks, paceChunks } from './fine-bodies.ts'
import { createGraphql, type GraphqlEntryPoint } from './graphql/handler.ts'
import { type Arrival, corsHeaders, malformedIn, preflightHeaders, requestIdOf, securityHeaders } from './http.ts'
import { inTurn, limitAhead, refuseInTurn } from './in-turn.ts'
import { listenWith } from './listening.ts'
import { metricsPage } from './metrics.ts'
import { pageEndpoint } from './pages.ts'
import { refuse, reply } from './replies.ts'
import { restEndpoint } from './rest/handler.ts'
import { referencePages } from './rest/reference.ts'
import { createRouter, type Endpoint } from './router.ts'
import { pages, routes } from './routes.ts'
import { removeLeftFiles } from './spool.ts'

/** The HTTP server of a process. */
export interface WebServer {
  /** The address it listens on, such as http://127.0.0.1:8080. */
  url: string
  /** Accepts no more requests, ends live streams, finishes requests that have arrived (up to 5 s) and gives up on others (0.5 s). */
  close(): Promise<void>
}

const methods = 'GET, POST, PUT, PATCH, DELETE, OPTIONS'

const keepAliveMs = 65_000

// Clients and the proxies before them send some dozens. Requests with more are refused with 431.
const maxHeaders = 100

/**
 * Starts the HTTP server: /graphql is served by Yoga and graphql-ws, routes and pages by the router. `prepare` receives the
 * address it listens on; requests that arrive before it is done wait for it. Fails when the port is taken.
 */
export async function startServer(world: World, prepare?: (url: string) => Promise<void>): Promise<WebServer> {
  await removeLeftFiles(world.log)
  const graphql = createGraphql(world)
  const answer = followChunks(world, inTurn(world, inAdmission(world, createAnswer(world, graphql))))
  const ready = Promise.withResolvers<void>()
  const answerOnceReady: RequestListener = (request, response) => void ready.promise.then(() => answer(request, response))
  // What Node would refuse by itself would be read and answered beside all that is counted and takes turns.
  const server = createServer({ shouldUpgradeCallback: isSocket, requireHostHeader: false }, answerOnceReady)
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  // Each takes time of the thread, before anything is known of the request.
  server.maxHeadersCount = maxHeaders
  server.on('clientError', refuseInTurn)
  limitConnections(world, server)
  limitFiles(world, server)
  limitAhead(world, server)
  paceChunks(world, server)
  server.keepAliveTimeout = keepAliveMs
  const closeConnections = createClosing(server)
  const sockets = graphql.sockets(server)
  const { port, close } = await listenWith(server, { host: world.config.HOST, port: world.config.PORT })
  world.publicUrl = world.config.PUBLIC_URL?.replace(/\/$/, '') ?? `http://localhost:${port}`
  const url = `http://${world.config.HOST.includes(':') ? `[${world.config.HOST}]` : world.config.HOST}:${port}`
  await prepare?.(url)
  server.off('request', answerOnceReady).on('request', answer)
  ready.resolve()
  return {
    url,
    async close() {
      await Promise.all([closeConnections(close), sockets.close()])
    },
  }
}

function createAnswer(world: World, graphql: GraphqlEntryPoint): RequestListener {
  const route = createRouter(world, endpoints(world))
  const routeOfRecipients = createRouter(
    world,
    pages.filter(({ forRecipients }) => forRecipients).map((page) => pageEndpoint(world, page)),
  )
  const fixed = securityHeaders(world)
  function answer(arrival: Arrival): void {
    const { request, path, query } = arrival
    const malformed = malformedIn(request)
    if (malformed) throw malformed
    if (isOfOtherHost(request)) throw new Failure('BAD_REQUEST', 'The URL names another host than the header Host.')
    const serving = servingOn(world, request.headers.host)
    if (serving === 'nothing') throw foreignHost()
    if (!isReadable(path, query))
      throw new Failure('BAD_REQUEST', 'The URL has invalid percent-encoding or a NUL character.', {
        suggestion: 'Percent-encode every part of the path as UTF-8.',
      })
    if (request.method === 'OPTIONS') reply(arrival, { status: 204, headers: preflightHeaders(methods) })
    else if (serving === 'recipients') routeOfRecipients(arrival)
    else if (path === '/graphql') void graphql.handle(arrival)
    else route(arrival)
  }

  return (request, response) => {
    const requestId = requestIdOf(request, world.clock.now())
    const arrival = { request, response, requestId, ...partsOf(request.url ?? '/'), headers: { ...fixed, 'X-Request-Id': requestId } }
    try {
      Object.assign(arrival.headers, corsHeaders(world, arrival.path, request.headers))
      answer(arrival)
    } catch (error) {
      refuse(world, arrival, error)
    }
  }
}

// Any other upgrade, such as to h2c, is an offer that a server may ignore (RFC 9110, 7.8): the request is answered as it is.
function isSocket({ url = '', headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && partsOf(url).path === '/graphql'
}

// As proxies are asked, which a server has to take as well (RFC 9112, 3.2.2).
const absoluteForm = /^https?:\/\/([^/?#]+)/i

/** Whether a request names another host in its target than in its header. */
function isOfOtherHost({ url = '', headers }: IncomingMessage): boolean {
  const [, host] = absoluteForm.exec(url) ?? []
  return host !== undefined && host.toLowerCase() !== headers.host?.toLowerCase()
}

// Only the first question mark separates: the query may contain others.
function partsOf(target: string): { path: string; query: string } {
  const url = target.replace(absoluteForm, '') || '/'
  const at = url.indexOf('?')
  return at === -1 ? { path: url, query: '' } : { path: url.slice(0, at), query: url.slice(at + 1) }
}

function endpoints(world: World): Endpoint[] {
  const served = pages.filter(({ mailboxOnly }) => !mailboxOnly || world.config.mailbox)
  return [
    ...routes.map((route) => restEndpoint(world, route)),
    ...[...served, ...referencePages(), metricsPage].map((page) => pageEndpoint(world, page)),
  ]
}

// Invalid percent-encoding and NUL characters must not reach operations.
function isReadable(path: string, query: string): boolean {
  if (/%00|\0/.test(path) || /%00|\0/.test(query)) return false
  try {
    decodeURIComponent(path)
    return true
  } catch (error) {
    if (error instanceof URIError) return false
    throw error
  }
}
