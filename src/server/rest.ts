import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Ctx, callIn } from '../kit/context.ts'
import { Failure } from '../kit/errors.ts'
import { read } from '../kit/problems.ts'
import type { Route } from '../kit/route.ts'
import type { World } from '../kit/world.ts'
import { enter, requireActive, requireSecret } from '../modules/auth/enter.ts'
import { allowanceHeaders, takeRequest } from '../modules/auth/rate.ts'
import { parseJsonBody, readBody } from './body.ts'
import type { App, Http } from './http.ts'
import { errorBody, failureOf } from './replies.ts'

const megabyte = 1024 * 1024

/** Mounts the rows, those with fixed paths before those with parameters, and answers 405 on their paths otherwise. */
export function mountRoutes(app: App, world: World, routes: Route[]): void {
  const ordered = [...routes].sort((a, b) => (specificity(a.path) < specificity(b.path) ? -1 : 1))
  for (const row of ordered) app.on(row.method, row.path, (http) => answer(world, row, http))
  for (const path of new Set(ordered.map((row) => row.path))) {
    const allow = allowed(routes.filter((row) => row.path === path))
    app.all(path, () => {
      throw new Failure('METHOD_NOT_ALLOWED', undefined, { headers: { Allow: allow } })
    })
  }
}

// Fixed segments sort before parameters.
function specificity(path: string): string {
  return path.replaceAll(/:\w+/g, '~')
}

/** The methods a path takes, for Allow. */
export function allowed(rows: Pick<Route, 'method'>[]): string {
  const methods = rows.map(({ method }) => method as string)
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
}

// Written to Node's response directly: making a web Response of it costs as much as the rest of the entrance.
async function answer(world: World, row: Route, { env: { incoming, outgoing }, req }: Http): Promise<Response> {
  const requestId = String(incoming.headers['x-request-id'])
  const headers: Record<string, string> = {}
  const started = performance.now()
  let status = 500
  try {
    const ctx = await contextOf(world, row, incoming, headers)
    const result = await row.run(ctx, (await inputOf(row, req, incoming, ctx)) as never)
    if (ctx.answer.replayed) headers['Idempotency-Replayed'] = 'true'
    const said = row.output.parse(result)
    status = statusOf(row, said)
    const body = status === 204 ? undefined : JSON.stringify(row.notes.wrap ? { success: true, data: said } : said)
    reply(outgoing, status, headers, body)
  } catch (error) {
    const failure = failureOf(error, requestId, world.log)
    status = failure.status
    reply(outgoing, status, { ...headers, ...failure.headers }, JSON.stringify(errorBody(failure, requestId, world.clock.now())))
  } finally {
    world.metrics.requests.observe({ route: `${row.method} ${row.path}`, status }, (performance.now() - started) / 1000)
  }
  return RESPONSE_ALREADY_SENT
}

function reply(outgoing: HttpBindings['outgoing'], status: number, headers: Record<string, string>, body?: string): void {
  if (body === undefined) {
    outgoing.writeHead(status, headers).end()
    return
  }
  const described = { ...headers, 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': String(Buffer.byteLength(body)) }
  outgoing.writeHead(status, described).end(body)
}

async function contextOf(world: World, row: Route, incoming: IncomingMessage, headers: Record<string, string>): Promise<Ctx> {
  const client = { address: incoming.socket.remoteAddress, userAgent: incoming.headers['user-agent'] }
  const requestId = String(incoming.headers['x-request-id'])
  if (row.who === 'none') return callIn(world, { requestId, client })
  const ctx = await enter(world, { authorization: incoming.headers.authorization, requestId, client })
  if (row.who !== 'public') requireSecret(ctx)
  Object.assign(headers, allowanceHeaders(takeRequest(ctx)))
  if (row.method !== 'GET') requireActive(ctx)
  return ctx
}

async function inputOf(row: Route, req: Http['req'], incoming: IncomingMessage, ctx: Ctx): Promise<unknown> {
  const params = req.param() as Record<string, string>
  if (row.method === 'GET' || row.method === 'DELETE') {
    return read(row.input, { ...Object.fromEntries(new URL(req.url).searchParams), ...params }, 'query')
  }
  const body = await readBody(incoming, row.notes.bodyLimit ?? megabyte)
  const key = incoming.headers['idempotency-key']
  if (key !== undefined && row.notes.idempotent) ctx.idempotency = { key: String(key), fingerprint: fingerprintOf(row, req, body) }
  return read(row.input, { ...parseJsonBody(body, incoming.headers['content-type']), ...params })
}

function fingerprintOf(row: Route, req: Http['req'], body: Buffer): string {
  return createHash('sha256').update(`${row.method} ${req.path}\n`).update(body).digest('hex')
}

function statusOf({ notes }: Route, said: unknown): number {
  const { status } = notes
  if (typeof status === 'object') return status.of(said as never)
  return status ?? 200
}
