import type { IncomingMessage, ServerResponse } from 'node:http'
import { RegExpRouter } from 'hono/router/reg-exp-router'
import { SmartRouter } from 'hono/router/smart-router'
import { TrieRouter } from 'hono/router/trie-router'
import { authorize } from '../../kit/access.ts'
import type { Ctx } from '../../kit/context.ts'
import { Failure } from '../../kit/errors.ts'
import type { Method, Route } from '../../kit/route.ts'
import type { World } from '../../kit/world.ts'
import { authenticate } from '../../modules/auth/calls/authenticate.ts'
import { allowanceHeaders, takeRequest } from '../../modules/auth/calls/rate.ts'
import { callerOf } from '../caller.ts'
import { errorBody, failureOf } from '../replies.ts'
import { inputOf } from './input.ts'

const methods: Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** A request as the listener hands it on: `headers` stand on its answer whatever that is. */
export interface Arrival {
  request: IncomingMessage
  response: ServerResponse
  requestId: string
  path: string
  query: string
  headers: Record<string, string>
}

/** Answers a request when its path is one of the rows'; false leaves it to somebody else. */
export type RestEntrance = (arrival: Arrival) => boolean

/**
 * The REST entrance: Hono's router finds the row, and the row is answered on Node's own request and response, because
 * making web objects of them costs more than everything else here. Another method on a row's path is a 405.
 */
export function createRest(world: World, routes: Route[]): RestEntrance {
  const router = new SmartRouter<Route>({ routers: [new RegExpRouter(), new TrieRouter()] })
  // Rows with fixed paths before those with parameters: the first that fits answers.
  const ordered = [...routes].sort((a, b) => (specificity(a.path) < specificity(b.path) ? -1 : 1))
  for (const row of ordered) router.add(row.method, row.path, row)
  const find = (method: string, path: string): Found | undefined => {
    const [[first] = [], stash] = router.match(method, path)
    return first && { row: first[0], params: paramsOf(first[1], stash) }
  }
  return (arrival) => {
    const { request, path } = arrival
    const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET')
    const found = find(method, path)
    if (found) {
      void answer(world, found, arrival)
      return true
    }
    const others = methods.filter((other) => find(other, path))
    if (others.length > 0) refuse(world, arrival, new Failure('METHOD_NOT_ALLOWED', undefined, { headers: { Allow: allowed(others) } }))
    return others.length > 0
  }
}

interface Found {
  row: Route
  params: Record<string, string>
}

// The routers answer parameters themselves, or where each stands in what they cut from the path.
function paramsOf(found: Record<string, string> | Record<string, number>, stash: string[] | undefined): Record<string, string> {
  const params: Record<string, string> = {}
  for (const name in found) {
    const at = found[name]
    params[name] = decodeURIComponent(typeof at === 'number' ? (stash?.[at] ?? '') : String(at))
  }
  return params
}

// Fixed segments sort before parameters.
function specificity(path: string): string {
  return path.replaceAll(/:\w+/g, '~')
}

function allowed(taken: Method[]): string {
  return [...taken, ...(taken.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
}

async function answer(world: World, { row, params }: Found, arrival: Arrival): Promise<void> {
  const started = performance.now()
  const { response, headers } = arrival
  try {
    const ctx = await contextOf(world, row, params, arrival)
    const result = await row.run(ctx, (await inputOf(row, params, arrival, ctx)) as never)
    if (ctx.answer.replayed) headers['Idempotency-Replayed'] = 'true'
    const said = row.output.parse(result)
    const status = statusOf(row, said)
    if (ctx.answer.location) headers.Location = ctx.answer.location
    const body = status === 204 || status === 302 ? undefined : JSON.stringify(row.notes.wrap ? { success: true, data: said } : said)
    reply(response, status, headers, body, ctx.answer.cookies)
  } catch (error) {
    refuse(world, arrival, error)
  }
  world.metrics.requests.observe({ route: `${row.method} ${row.path}`, status: response.statusCode }, (performance.now() - started) / 1000)
}

/** Answers with what an error means to the caller. */
export function refuse(world: World, { response, requestId, headers }: Arrival, error: unknown): void {
  const failure = failureOf(error, requestId, world.log)
  if (response.headersSent) return void response.destroy()
  Object.assign(headers, failure.headers)
  reply(response, failure.status, headers, JSON.stringify(errorBody(failure, requestId, world.clock.now())))
}

// Headers in one flat list: setting each costs more than making the whole answer.
function reply(response: ServerResponse, status: number, headers: Record<string, string>, body?: string, cookies?: string[]): void {
  const list: string[] = []
  for (const name in headers) list.push(name, headers[name] ?? '')
  for (const cookie of cookies ?? []) list.push('Set-Cookie', cookie)
  if (body === undefined) {
    response.writeHead(status, list).end()
    return
  }
  list.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(Buffer.byteLength(body)))
  response.writeHead(status, list).end(body)
}

async function contextOf(world: World, row: Route, params: Record<string, string>, arrival: Arrival): Promise<Ctx> {
  const { request, requestId, headers } = arrival
  const caller = callerOf(world, request, requestId)
  const { access, method, projectIn, notes } = row
  const { whileSuspended, whileUnverified } = notes
  const project = projectIn && params[projectIn]
  const ctx = await authenticate(world, caller, { access, method, project })
  if (access !== 'none') Object.assign(headers, allowanceHeaders(takeRequest(ctx)))
  const oneself = notes.oneself && params[notes.oneself]
  return authorize(ctx, { access, write: method !== 'GET', whileSuspended, whileUnverified, project, oneself })
}

function statusOf({ notes }: Route, said: unknown): number {
  const { status } = notes
  if (notes.redirects) return 302
  if (typeof status === 'object') return status.of(said as never)
  return status ?? 200
}
