import type { Server } from 'node:http'
import { type ExecutionResult, GraphQLError, getOperationAST } from 'graphql'
import { makeServer, type ServerOptions } from 'graphql-ws'
import type { Ctx, Rights } from '../../kit/context.ts'
import { Failure, tooManyRequests } from '../../kit/errors.ts'
import { newId } from '../../kit/ids.ts'
import { isWithin } from '../../kit/json-limits.ts'
import { chargedAsNow } from '../../kit/thread-time.ts'
import type { World } from '../../kit/world.ts'
import { authenticate, type Caller } from '../../modules/auth/calls/authenticate.ts'
import { keyOf } from '../../modules/auth/calls/keys.ts'
import { takeRequest } from '../../modules/auth/calls/rate.ts'
import { admitted, type Leave } from '../admission.ts'
import { callerOf } from '../caller.ts'
import { isSmall } from '../json.ts'
import { writeJson } from '../large-answers.ts'
import { untilLeft } from '../left.ts'
import { requireSameRights, rightsNow, socketTarget, watchCaller } from '../live-callers.ts'
import { keyOwner, placesRetrySeconds, takePlace } from '../places.ts'
import { checkCall, unnamedOperation } from './checks.ts'
import { lookAtInTurn } from './documents.ts'
import { type Engine, keepsTooMuch, kept } from './engine.ts'
import { toGraphqlError, toGraphqlErrors } from './errors.ts'
import { createSocketServer, type SocketExtra, type Sockets } from './socket-server.ts'

interface Authenticated {
  caller: Caller
  ctx: Ctx
  release(): void
  /** A subscription has ended with CURSOR_EXPIRED. */
  expired: boolean
  /** How many operations wait until they begin. */
  starting: number
}
type Options = ServerOptions<
  { authorization?: unknown; Authorization?: unknown; projectId?: unknown },
  SocketExtra & Partial<Authenticated>
>
type SocketContext = Parameters<NonNullable<Options['onConnect']>>[0]

const maxOperations = 100
const initWaitMs = 5_000
const maxIdLength = 255
const codes = { badRequest: 4400, unauthorized: 4401, forbidden: 4403, cursorExpired: 4410, tryAgainLater: 1013 }

/**
 * Accepts websockets on /graphql. A socket needs `connectionParams.authorization` with `Bearer sk_…`, or the session cookie and
 * an Origin of this installation (and `connectionParams.projectId` for members of several projects). It stays in the project it began
 * with, also when its person gets others. Every operation counts as a request; at most 100 run at a time. A socket is closed with
 * 4401 without credentials, or when its key is rotated or its session or membership ends; with 4403 for a public key or a page of
 * another site; with 4408 without credentials within 5 s; with 4410 after a subscription has ended with CURSOR_EXPIRED, because a
 * client must not resume from what it has; with 1013 when too many of its key are open.
 */
export function openSockets(world: World, engine: Engine, server: Server): Sockets {
  return createSocketServer(world, makeServer(optionsOf(world, engine)), server)
}

function optionsOf(world: World, engine: Engine): Options {
  return {
    connectionInitWaitTimeout: initWaitMs,
    async onConnect(socket) {
      const identified = await identify(world, socket)
      return identified !== undefined && begin(world, socket.extra, identified)
    },
    onClose: ({ extra }) => extra.release?.(),
    onSubscribe: (socket, id, payload) => start(world, engine, { socket, id }, payload),
    execute: (args) => (args.rootValue as Runner).execute(args),
    subscribe: (args) => (args.rootValue as Runner).subscribe(args),
    onNext({ extra }, _id, _payload, args, { errors, ...result }) {
      const ctx = args.contextValue as Ctx
      if (!errors) return isSmall(result) ? result : writeLarge(extra, ctx, result)
      const all = toGraphqlErrors(errors, ctx).map((error) => withoutStatus(error, ctx))
      extra.expired ||= all.some(({ extensions }) => extensions.code === 'CURSOR_EXPIRED')
      const whole = { ...result, errors: all }
      return isSmall(whole) ? whole : writeLarge(extra, ctx, whole)
    },
    // After the result that carries the error has been sent.
    onComplete: ({ extra }) => void (extra.expired && extra.socket.close(codes.cursorExpired, new Failure('CURSOR_EXPIRED').message)),
  }
}

// In turns, as large answers over HTTP are.
async function writeLarge({ closed, written }: SocketExtra, ctx: Ctx, result: ExecutionResult): Promise<ExecutionResult> {
  try {
    const whole = String(await writeJson(ctx, () => closed, result))
    await requireSameRights(ctx)
    return written(whole)
  } catch (error) {
    return { errors: [withoutStatus(error, ctx)] }
  }
}

// Whether the socket of an authenticated caller may be used.
function begin(world: World, extra: SocketExtra & Partial<Authenticated>, identified: { caller: Caller; ctx: Ctx }): boolean {
  const { socket } = extra
  // It may have been closed meanwhile; then nothing would release what is taken here.
  if (socket.readyState !== socket.OPEN) return false
  const max = world.config.MAX_SOCKETS_PER_KEY
  const leave = takePlace(world, keyOwner(identified.ctx), max)
  if (!leave) {
    socket.close(codes.tryAgainLater, `At most ${max} sockets and event streams of one key are open at a time.`)
    return false
  }
  extra.caller = identified.caller
  const renew = (ctx: Ctx) => void Object.assign(extra, { ctx })
  renew(identified.ctx)
  const unwatch = watchCaller(world, { ...identified, renew, end: (reason) => close(extra, reason) })
  extra.release = () => {
    leave()
    unwatch()
  }
  extra.initialised()
  return true
}

type Run = NonNullable<Options['execute']>
interface Runner {
  execute: Run
  subscribe: Run
}

interface Started {
  query: string
  variables?: Record<string, unknown> | null
  operationName?: string | null
}

async function start(world: World, engine: Engine, { socket, id }: { socket: SocketContext; id: string }, payload: Started) {
  const { extra } = socket
  const isLarge = (extra.messageBytes ?? 0) > kept.characters || !isWithin(payload, kept)
  const own = { requestId: newId('request', world.clock.now()), answer: {}, viaSocket: true as const }
  const callNow = (): Ctx => untilLeft({ ...(extra.ctx as Ctx), ...own, rightsNow: () => rightsOf(world, extra) }, () => extra.closed)
  const ctx = callNow()
  // It is repeated in every message about the operation.
  if (id.length > maxIdLength) {
    const tooLong = new Failure('BAD_REQUEST', `The id of an operation may have at most ${maxIdLength} characters.`)
    extra.socket.close(codes.badRequest, tooLong.message)
    // An operation that has ended is not answered: that would repeat the id.
    delete socket.subscriptions[id]
    return [withoutStatus(tooLong, ctx)]
  }
  const starting = (extra.starting ?? 0) + 1
  if (Math.max(Object.keys(socket.subscriptions).length, starting) > maxOperations)
    return [withoutStatus(tooManyRequests(`At most ${maxOperations} operations run at a time on one socket.`, placesRetrySeconds), ctx)]
  extra.starting = starting
  return admitted(ctx, async (leave) => {
    try {
      takeRequest(ctx)
      // Not what has been completed or removed while it waited, and with the rights that the caller has by then.
      const { runner, ...args } = await lookAtInTurn(engine, ctx, payload.query, async () => {
        if (!(id in socket.subscriptions)) throw new Failure('BAD_REQUEST', 'The operation was completed before it began.')
        requireOpen(extra)
        const looked = await look(engine, callNow(), payload)
        // The protocol keeps its message as long as it lives.
        if (isLarge && getOperationAST(looked.document, looked.operationName)?.operation === 'subscription') throw keepsTooMuch()
        return looked
      })
      return { ...args, rootValue: endingWith(leave, runner) }
    } catch (error) {
      leave()
      return error instanceof Invalid ? error.problems : [withoutStatus(error, ctx)]
    } finally {
      extra.starting = (extra.starting ?? 1) - 1
    }
  })
}

// A socket that is being closed, such as after its key was rotated, begins nothing any more, however long its client takes to close it.
function requireOpen({ socket }: SocketExtra): void {
  if (socket.readyState !== socket.OPEN) throw new Failure('UNAUTHORIZED', 'The connection is being closed.')
}

async function rightsOf(world: World, extra: SocketExtra & Partial<Authenticated>): Promise<Rights> {
  requireOpen(extra)
  return rightsNow(world, { caller: extra.caller as Caller, ctx: extra.ctx as Ctx })
}

// Its place is free when an operation has its result, or a subscription has begun.
function endingWith(leave: Leave, { execute, subscribe }: Runner): Runner {
  const ending = (run: Run): Run =>
    chargedAsNow(async (args) => {
      try {
        return await run(args)
      } finally {
        leave()
      }
    })
  return { execute: ending(execute), subscribe: ending(subscribe) }
}

/** A document that does not fit the schema. */
class Invalid extends Error {
  readonly problems: readonly GraphQLError[]
  constructor(problems: readonly GraphQLError[]) {
    super('The document is not valid.')
    this.problems = problems
  }
}

async function look(engine: Engine, ctx: Ctx, { query, variables, operationName }: Started) {
  const { schema, execute, subscribe, contextFactory, parse, validate } = engine.getEnveloped(ctx as never)
  const document = parse(query)
  const problems = validate(schema, document) as readonly GraphQLError[]
  if (problems.length > 0) throw new Invalid(toGraphqlErrors(problems, ctx).map((problem) => withoutStatus(problem, ctx)))
  if (!getOperationAST(document, operationName)) throw new Invalid([withoutStatus(new GraphQLError(unnamedOperation), ctx)])
  const args = { schema, document, operationName, variableValues: variables, contextValue: await contextFactory() }
  checkCall({ ...args, operationName: operationName ?? null, variableValues: variables ?? null })
  return { ...args, runner: { execute, subscribe } as Runner }
}

// A socket has no HTTP status.
function withoutStatus(error: unknown, ctx: Ctx): GraphQLError {
  const { message, nodes, source, positions, path, extensions } = toGraphqlError(error, ctx)
  const { http: _http, ...rest } = extensions
  return new GraphQLError(message, { nodes, source, positions, path, extensions: rest })
}

async function identify(world: World, { connectionParams, extra }: SocketContext): Promise<{ caller: Caller; ctx: Ctx } | undefined> {
  const given = connectionParams?.authorization ?? connectionParams?.Authorization
  const { cookie, ...headers } = callerOf(world, extra.request, '')
  const authorization = typeof given === 'string' ? given : undefined
  const projectId = connectionParams?.projectId
  // A browser always sends the Origin of a socket; without it the cookie is ignored.
  const caller = {
    ...headers,
    authorization,
    ...(headers.origin !== undefined && { cookie }),
    ...(typeof projectId === 'string' && { projectId }),
  }
  try {
    const ctx = await authenticate(world, caller, socketTarget)
    if (ctx.actor.kind === 'nobody') throw new Failure('MISSING_AUTH')
    return { caller, ctx }
  } catch (error) {
    // Which is closed with 4403.
    if (keyOf(authorization)?.startsWith('pk_') && error instanceof Failure) return undefined
    close(extra, error)
    return undefined
  }
}

function close({ socket }: SocketExtra, error: unknown): void {
  if (!(error instanceof Failure)) return void socket.close(codes.tryAgainLater, 'Try again later.')
  if (error.status === 429) return void socket.close(codes.tryAgainLater, error.message)
  socket.close(error.status === 403 ? codes.forbidden : codes.unauthorized, error.message)
}
