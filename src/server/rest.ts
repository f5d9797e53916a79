import { createHash } from 'node:crypto'
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

async function answer(world: World, row: Route, http: Http): Promise<Response> {
  const requestId = http.get('requestId')
  const headers: Record<string, string> = {}
  const started = performance.now()
  let status = 500
  try {
    const ctx = await contextOf(world, row, http, headers)
    const result = await row.run(ctx, (await inputOf(row, http, ctx)) as never)
    if (ctx.answer.replayed) headers['Idempotency-Replayed'] = 'true'
    const said = row.output.parse(result)
    status = statusOf(row, said)
    if (status === 204) return new Response(null, { status, headers })
    headers['Content-Type'] = 'application/json; charset=utf-8'
    return new Response(JSON.stringify(row.notes.wrap ? { success: true, data: said } : said), { status, headers })
  } catch (error) {
    const failure = failureOf(error, requestId, world.log)
    status = failure.status
    const body = JSON.stringify(errorBody(failure, requestId, world.clock.now()))
    return new Response(body, { status, headers: { ...headers, ...failure.headers, 'Content-Type': 'application/json; charset=utf-8' } })
  } finally {
    world.metrics.requests.observe({ route: `${row.method} ${row.path}`, status }, (performance.now() - started) / 1000)
  }
}

async function contextOf(world: World, row: Route, http: Http, headers: Record<string, string>): Promise<Ctx> {
  const { incoming } = http.env
  const client = { address: incoming.socket.remoteAddress, userAgent: incoming.headers['user-agent'] }
  const requestId = http.get('requestId')
  if (row.who === 'none') return callIn(world, { requestId, client })
  const ctx = await enter(world, { authorization: incoming.headers.authorization, requestId, client })
  if (row.who !== 'public') requireSecret(ctx)
  Object.assign(headers, allowanceHeaders(takeRequest(ctx)))
  if (row.method !== 'GET') requireActive(ctx)
  return ctx
}

async function inputOf(row: Route, http: Http, ctx: Ctx): Promise<unknown> {
  const { incoming } = http.env
  const params = paramsOf(http)
  if (row.method === 'GET' || row.method === 'DELETE') return read(row.input, { ...queryOf(http), ...params }, 'query')
  const body = await readBody(incoming, row.notes.bodyLimit ?? megabyte)
  const key = row.notes.idempotent ? incoming.headers['idempotency-key'] : undefined
  if (key !== undefined)
    ctx.idempotency = {
      key: String(key),
      fingerprint: createHash('sha256').update(`${row.method} ${http.req.path}\n`).update(body).digest('hex'),
    }
  return read(row.input, { ...parseJsonBody(body, incoming.headers['content-type']), ...params })
}

function paramsOf(http: Http): Record<string, string> {
  const params = http.req.param() as Record<string, string>
  for (const value of Object.values(params))
    if (value.includes('\0')) throw new Failure('BAD_REQUEST', 'The path contains a NUL character.')
  return params
}

function queryOf(http: Http): Record<string, string> {
  const query = Object.fromEntries(new URL(http.req.url).searchParams)
  for (const [name, value] of Object.entries(query)) {
    if (value.includes('\0'))
      throw new Failure('BAD_REQUEST', `The query parameter "${name.replaceAll('\0', '')}" contains a NUL character.`)
  }
  return query
}

function statusOf({ notes }: Route, said: unknown): number {
  const { status } = notes
  if (typeof status === 'object') return status.of(said as never)
  return status ?? 200
}
