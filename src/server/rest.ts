import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { RegExpRouter } from 'hono/router/reg-exp-router'
import { SmartRouter } from 'hono/router/smart-router'
import { TrieRouter } from 'hono/router/trie-router'
import { type Ctx, callIn } from '../kit/context.ts'
import { Failure } from '../kit/errors.ts'
import { read } from '../kit/problems.ts'
import type { Method, Route } from '../kit/route.ts'
import type { World } from '../kit/world.ts'
import { enter, requireActive, requireSecret } from '../modules/auth/enter.ts'
import { allowanceHeaders, takeRequest } from '../modules/auth/rate.ts'
import { parseJsonBody, readBody } from './body.ts'
import { errorBody, failureOf } from './replies.ts'

const megabyte = 1024 * 1024
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
    const ctx = await contextOf(world, row, arrival)
    const result = await row.run(ctx, (await inputOf(row, params, arrival, ctx)) as never)
    if (ctx.answer.replayed) headers['Idempotency-Replayed'] = 'true'
    const said = row.output.parse(result)
    const status = statusOf(row, said)
    reply(response, status, headers, status === 204 ? undefined : JSON.stringify(row.notes.wrap ? { success: true, data: said } : said))
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
function reply(response: ServerResponse, status: number, headers: Record<string, string>, body?: string): void {
  const list: string[] = []
  for (const name in headers) list.push(name, headers[name] ?? '')
  if (body === undefined) {
    response.writeHead(status, list).end()
    return
  }
  list.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(Buffer.byteLength(body)))
  response.writeHead(status, list).end(body)
}

async function contextOf(world: World, row: Route, { request, requestId, headers }: Arrival): Promise<Ctx> {
  const client = { address: request.socket.remoteAddress, userAgent: request.headers['user-agent'] }
  if (row.who === 'none') return callIn(world, { requestId, client })
  const ctx = await enter(world, { authorization: request.headers.authorization, requestId, client })
  if (row.who !== 'public') requireSecret(ctx)
  Object.assign(headers, allowanceHeaders(takeRequest(ctx)))
  if (row.method !== 'GET') requireActive(ctx)
  return ctx
}

async function inputOf(row: Route, params: Record<string, string>, { request, query }: Arrival, ctx: Ctx): Promise<unknown> {
  if (row.method === 'GET' || row.method === 'DELETE') {
    return read(row.input, { ...Object.fromEntries(new URLSearchParams(query)), ...params }, 'query')
  }
  const body = await readBody(request, row.notes.bodyLimit ?? megabyte)
  const key = request.headers['idempotency-key']
  if (key !== undefined && row.notes.idempotent) ctx.idempotency = { key: String(key), fingerprint: fingerprintOf(row, params, body) }
  return read(row.input, { ...parseJsonBody(body, request.headers['content-type']), ...params })
}

function fingerprintOf(row: Route, params: Record<string, string>, body: Buffer): string {
  return createHash('sha256')
    .update(`${row.method} ${row.path} ${JSON.stringify(params)}\n`)
    .update(body)
    .digest('hex')
}

function statusOf({ notes }: Route, said: unknown): number {
  const { status } = notes
  if (typeof status === 'object') return status.of(said as never)
  return status ?? 200
}
