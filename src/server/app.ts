import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { Failure } from '../kit/errors.ts'
import type { World } from '../kit/world.ts'
import { createGraphql, type GraphqlEntrance } from './graphql/handler.ts'
import { type App, corsHeaders, preflightHeaders, requestIdOf, securityHeaders, setHeaders } from './http.ts'
import { mountMetrics } from './metrics.ts'
import { mountPages } from './pages.ts'
import { errorBody, failureOf } from './replies.ts'
import { type Arrival, createRest, refuse } from './rest/handler.ts'
import { mountReference } from './rest/reference.ts'
import { pages, routes } from './routes.ts'

/** The web entrances of a process. */
export interface WebServer {
  /** Where it listens, such as http://127.0.0.1:8080. */
  url: string
  /** Takes no more requests, finishes those under way (up to 5 s) and ends live streams. */
  close(): Promise<void>
}

const patienceMs = 5_000
const methods = 'GET, POST, PUT, PATCH, DELETE, OPTIONS'

/**
 * Starts the one listener: /graphql by Yoga and graphql-ws, the rows, pages by Hono. `prepare` gets the address it listens
 * at; requests that come before it is done wait for it. Fails when the port is taken.
 */
export async function startServer(world: World, prepare?: (url: string) => Promise<void>): Promise<WebServer> {
  const graphql = createGraphql(world)
  const answer = createAnswer(world, graphql)
  const prepared = Promise.withResolvers<void>()
  const server = createServer((request, response) => void prepared.promise.then(() => answer(request, response)))
  const sockets = graphql.sockets(server)
  await listening(server, world)
  const { port } = server.address() as AddressInfo
  world.publicUrl = world.config.PUBLIC_URL?.replace(/\/$/, '') ?? `http://localhost:${port}`
  const url = `http://${world.config.HOST.includes(':') ? `[${world.config.HOST}]` : world.config.HOST}:${port}`
  await prepare?.(url)
  server.removeAllListeners('request').on('request', answer)
  prepared.resolve()
  return {
    url,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      await sockets.close()
      server.closeIdleConnections()
      const patience = setTimeout(() => server.closeAllConnections(), patienceMs)
      await closed
      clearTimeout(patience)
    },
  }
}

function createAnswer(world: World, graphql: GraphqlEntrance): RequestListener {
  const rest = createRest(world, routes)
  const others = getRequestListener(createApp(world).fetch, { overrideGlobalObjects: false })
  const fixed = securityHeaders(world)
  return (request, response) => {
    const [path = '/', query = ''] = (request.url ?? '/').split('?', 2)
    const requestId = requestIdOf(request, world.clock.now())
    const headers = { ...fixed, 'X-Request-Id': requestId, ...corsHeaders(world, path, request.headers) }
    const arrival = { request, response, requestId, path, query, headers }
    if (!readable(path, query))
      return refuse(world, arrival, new Failure('BAD_REQUEST', 'The address has broken percent-encoding or a NUL character.'))
    if (request.method === 'OPTIONS') return preflight(arrival)
    if (path !== '/graphql' && rest(arrival)) return
    request.headers['x-request-id'] = requestId
    setHeaders(response, headers)
    void (path === '/graphql' ? graphql.handle(request, response) : others(request, response))
  }
}

function createApp(world: World): App {
  const app: App = new Hono()
  app.onError((error, http) => {
    const requestId = requestIdOf(http.env.incoming, world.clock.now())
    const failure = failureOf(error, requestId, world.log)
    return Response.json(errorBody(failure, requestId, world.clock.now()), { status: failure.status, headers: failure.headers })
  })
  app.notFound((http) => {
    const failure = new Failure('UNKNOWN_ROUTE')
    return Response.json(errorBody(failure, requestIdOf(http.env.incoming, world.clock.now()), world.clock.now()), {
      status: failure.status,
    })
  })
  mountReference(app, world)
  mountMetrics(app, world)
  mountPages(app, world, pages)
  return app
}

async function listening(server: Server, { config }: World): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(config.PORT, config.HOST, resolve)
  })
  server.keepAliveTimeout = 65_000
}

function preflight({ response, headers }: Arrival): void {
  response.writeHead(204, { ...headers, ...preflightHeaders(methods) }).end()
}

// Broken percent-encoding and NUL would reach operations half-decoded.
function readable(path: string, query: string): boolean {
  if (/%00|\0/.test(path) || /%00|\0/.test(query)) return false
  try {
    decodeURIComponent(path)
    return true
  } catch (error) {
    if (error instanceof URIError) return false
    throw error
  }
}
