import { authorize } from '../../kit/access.ts'
import type { Ctx } from '../../kit/context.ts'
import type { Route } from '../../kit/route.ts'
import type { World } from '../../kit/world.ts'
import { authenticate } from '../../modules/auth/calls/authenticate.ts'
import { rateLimitHeaders, takeRequest } from '../../modules/auth/calls/rate.ts'
import { callerOf } from '../caller.ts'
import type { Arrival } from '../http.ts'
import { answerHeaders, jsonHeaders, refuse, reply } from '../replies.ts'
import type { Endpoint } from '../router.ts'
import { inputOf } from './input.ts'

/** A row of the REST interface as an endpoint: who calls, may they, what they say, the operation, its answer. */
export function restEndpoint(world: World, row: Route): Endpoint {
  const route = `${row.method} ${row.path}`
  return {
    method: row.method,
    path: row.path,
    listed: true,
    async answer(arrival, params) {
      const started = performance.now()
      await run(world, row, params, arrival).catch((error: unknown) => refuse(world, arrival, error))
      world.metrics.requests.observe({ route, status: arrival.response.statusCode }, (performance.now() - started) / 1000)
    },
  }
}

async function run(world: World, row: Route, params: Record<string, string>, arrival: Arrival): Promise<void> {
  const ctx = await contextOf(world, row, params, arrival)
  const result = await row.run(ctx, (await inputOf(row, params, arrival, ctx)) as never)
  const said = row.output.parse(result)
  const status = statusOf(row, said)
  Object.assign(arrival.headers, answerHeaders(ctx.answer))
  if (status === 204 || status === 302) return reply(arrival, { status })
  reply(arrival, { status, headers: jsonHeaders, body: JSON.stringify(row.notes.wrap ? { success: true, data: said } : said) })
}

async function contextOf(world: World, row: Route, params: Record<string, string>, arrival: Arrival): Promise<Ctx> {
  const { request, requestId, headers } = arrival
  const { access, method, projectIn, notes } = row
  const { whileSuspended, whileUnverified } = notes
  const project = projectIn && params[projectIn]
  const oneself = notes.oneself && params[notes.oneself]
  const ctx = await authenticate(world, callerOf(world, request, requestId), { access, method, project })
  if (access !== 'none') Object.assign(headers, rateLimitHeaders(takeRequest(ctx)))
  return authorize(ctx, { access, write: method !== 'GET', whileSuspended, whileUnverified, project, oneself })
}

function statusOf({ notes }: Route, said: unknown): number {
  const { status } = notes
  if (notes.redirects) return 302
  if (typeof status === 'object') return status.of(said as never)
  return status ?? 200
}
