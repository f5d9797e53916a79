import { authorize } from '../../kit/access.ts'
import type { Ctx, Rights } from '../../kit/context.ts'
import type { Download } from '../../kit/download.ts'
import { isWriteRoute, type Route } from '../../kit/route.ts'
import type { World } from '../../kit/world.ts'
import { authenticate, type Target } from '../../modules/auth/calls/authenticate.ts'
import { rateLimitHeaders, takeRequest } from '../../modules/auth/calls/rate.ts'
import { callerAgain, callerOf, isOutdated } from '../caller.ts'
import type { Arrival } from '../http.ts'
import { writeJson } from '../large-answers.ts'
import { bodyTurn, endWithAnswer } from '../large-bodies.ts'
import { leftOf, untilLeft } from '../left.ts'
import { requireSameRights, rightsNow, watchCaller } from '../live-callers.ts'
import { answerHeaders, jsonHeaders, refuse, reply } from '../replies.ts'
import type { Endpoint } from '../router.ts'
import { type AnswerRoom, createRoom } from '../unread.ts'
import { sendFile } from './file.ts'
import { readInput } from './input.ts'
import { chosenFor } from './variant.ts'

/** A REST route as an endpoint: authenticates and authorizes the call, reads its input, runs the operation and writes its answer. */
export function restEndpoint(world: World, route: Route): Endpoint {
  const label = `${route.method} ${route.path}`
  return {
    method: route.method,
    path: route.path,
    listed: true,
    async answer(arrival, params) {
      const started = performance.now()
      await run(world, chosenFor(route, arrival.request), params, arrival).catch((error: unknown) => refuse(world, arrival, error))
      world.metrics.requests.observe({ route: label, status: arrival.response.statusCode }, (performance.now() - started) / 1000)
    },
  }
}

async function run(world: World, route: Route, params: Record<string, string>, arrival: Arrival): Promise<void> {
  const ctx = await contextOf(world, route, params, arrival)
  const authenticatedAt = performance.now()
  const turn = bodyTurn(ctx, arrival.request)
  endWithAnswer(turn, arrival.response)
  const room = createRoom(ctx, arrival.response)
  try {
    const input = await readInput(route, params, arrival, ctx, turn)
    const current = isOutdated(authenticatedAt) ? await againAs(ctx, world, route, params, arrival) : ctx
    const own = { takeRoom: room.take, rightsNow: () => rightsOf(current, route, params, arrival) }
    const isReading = route.access !== 'none' && (!isWriteRoute(route) || route.notes.reads === true)
    if (!isReading) room.mustAnswer()
    const call = { ...untilLeft(current, leftOf(arrival.response)), ...own, ...(isReading && { readSince: performance.now() }) }
    const result = await route.run(call, input as never)
    if (route.notes.file) {
      await requireSameRights(call)
      watched(current, route, params, arrival)
      await sendFile(world, arrival, route.notes.file, held(room, result as Download<string | Uint8Array>))
    } else await answer(route, arrival, { ctx: call, room }, { status: statusOf(route, result), data: route.output.parse(result) })
  } finally {
    turn.end()
  }
}

// What the caller may still do on this route.
async function rightsOf(ctx: Ctx, route: Route, params: Record<string, string>, { request }: Arrival): Promise<Rights> {
  const caller = callerOf(ctx.world, request, ctx.requestId)
  const rights = await rightsNow(ctx.world, { caller, ctx, target: targetOf(route, params) })
  permitted({ ...ctx, ...rights }, route, params)
  return rights
}

// A file may take its caller an hour: it ends when they may not read it any more, as live streams do.
function watched(ctx: Ctx, route: Route, params: Record<string, string>, arrival: Arrival): void {
  if (arrival.response.destroyed) return
  const { world } = ctx
  const caller = callerOf(world, arrival.request, arrival.requestId)
  const unwatch = watchCaller(world, {
    caller,
    ctx,
    target: { access: route.access, write: false },
    renew: (now) => void permitted(now, route, params),
    end: (reason) => refuse(world, arrival, reason),
  })
  arrival.response.once('close', unwatch)
}

// What is in memory already counts as unread until the caller has taken it.
function held<File extends { bytes?: number }>(room: AnswerRoom, file: File): File {
  if (file.bytes !== undefined) room.send(file.bytes)
  return file
}

async function answer(
  route: Route,
  arrival: Arrival,
  { ctx, room }: { ctx: Ctx; room: AnswerRoom },
  { status, data }: { status: number; data: unknown },
): Promise<void> {
  const hasBody = status !== 204 && status !== 302
  const body = hasBody ? await writeJson(ctx, leftOf(arrival.response), route.notes.wrap ? { success: true, data } : data) : undefined
  await requireSameRights(ctx)
  Object.assign(arrival.headers, answerHeaders(ctx.answer))
  if (body) room.send(Buffer.byteLength(body))
  reply(arrival, { status, ...(body !== undefined && { headers: jsonHeaders, body }) })
}

async function contextOf(world: World, route: Route, params: Record<string, string>, arrival: Arrival): Promise<Ctx> {
  const ctx = await authenticated(world, route, params, arrival)
  if (route.access !== 'none') Object.assign(arrival.headers, rateLimitHeaders(takeRequest(ctx)))
  return permitted(ctx, route, params)
}

async function againAs(before: Ctx, world: World, route: Route, params: Record<string, string>, arrival: Arrival): Promise<Ctx> {
  const caller = callerAgain(world, arrival.request, before)
  const ctx = permitted(await authenticate(world, caller, targetOf(route, params)), route, params)
  return before.idempotency ? { ...ctx, idempotency: before.idempotency } : ctx
}

function authenticated(world: World, route: Route, params: Record<string, string>, arrival: Arrival): Promise<Ctx> {
  return authenticate(world, callerOf(world, arrival.request, arrival.requestId), targetOf(route, params))
}

function targetOf(route: Route, params: Record<string, string>): Target {
  const { access, projectIn, signature } = route
  const project = projectIn && params[projectIn]
  return { access, write: isWriteRoute(route), project, signed: signature !== undefined }
}

function permitted(ctx: Ctx, route: Route, params: Record<string, string>): Ctx {
  const { access, projectIn, notes } = route
  const { whileSuspended, whileUnverified } = notes
  const project = projectIn && params[projectIn]
  const oneself = notes.oneself && params[notes.oneself]
  return authorize(ctx, { access, write: isWriteRoute(route), whileSuspended, whileUnverified, project, oneself })
}

// Of what the operation returned, which may hold more than the answer shows.
function statusOf({ notes }: Route, result: unknown): number {
  const { status } = notes
  if (notes.redirects) return 302
  if (typeof status === 'object') return status.of(result as never)
  return status ?? 200
}
