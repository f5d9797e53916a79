import type { Server } from 'node:http'
import { GraphQLError } from 'graphql'
import type { ServerOptions } from 'graphql-ws'
import { type Extra, useServer } from 'graphql-ws/use/ws'
import { WebSocketServer } from 'ws'
import type { Ctx } from '../../kit/context.ts'
import { Failure } from '../../kit/errors.ts'
import { newId } from '../../kit/ids.ts'
import type { World } from '../../kit/world.ts'
import { authenticate, type Caller } from '../../modules/auth/calls/authenticate.ts'
import { takeRequest } from '../../modules/auth/calls/rate.ts'
import { callerOf } from '../caller.ts'
import type { Engine } from './engine.ts'
import { explain } from './errors.ts'
import { holdToCaller } from './live-callers.ts'

/** The open websockets of a server. */
export interface Sockets {
  /** Ends every subscription and closes every socket (1001). */
  close(): Promise<void>
}

interface Held {
  ctx: Ctx
  release(): void
}
type Options = ServerOptions<{ authorization?: unknown; Authorization?: unknown; projectId?: unknown }, Extra & Partial<Held>>
type SocketContext = Parameters<NonNullable<Options['onConnect']>>[0]

// A mail with large attachments goes over HTTP.
const mostMessageBytes = 1_000_000
const mostOperations = 100
const initWaitMs = 5_000
const codes = { unauthorized: 4401, forbidden: 4403, tryAgainLater: 1013 }

/**
 * Takes websockets on /graphql: `connectionParams.authorization` must be `Bearer sk_…`, or the session cookie comes with an
 * Origin of our own (and `connectionParams.projectId` where there are several). Every operation counts as a request, at
 * most 100 run at a time. A socket is closed with 4401 without either, and once its key is rotated, its session ended or
 * its membership over; with 4403 for a public key or a foreign page; with 4408 when it does not say who it is within 5 s.
 */
export function openSockets(world: World, engine: Engine, server: Server): Sockets {
  const wss = new WebSocketServer({ server, path: '/graphql', maxPayload: mostMessageBytes })
  const disposable = useServer(optionsOf(world, engine), wss)
  return { close: async () => disposable.dispose() }
}

function optionsOf(world: World, engine: Engine): Options {
  return {
    connectionInitWaitTimeout: initWaitMs,
    async onConnect(socket) {
      const held = await identify(world, socket)
      if (!held) return false
      const { extra } = socket
      const renew = (ctx: Ctx) => void Object.assign(extra, { ctx })
      renew(held.ctx)
      extra.release = holdToCaller(world, { ...held, renew, end: (reason) => close(extra, reason) })
      return true
    },
    onClose: ({ extra }) => extra.release?.(),
    onSubscribe: (socket, _id, payload) => begin(world, engine, socket, payload),
    execute: (args) => (args.rootValue as Runner).execute(args),
    subscribe: (args) => (args.rootValue as Runner).subscribe(args),
    onNext: (_socket, _id, _payload, args, result) =>
      result.errors ? { ...result, errors: result.errors.map((error) => shown(error, args.contextValue as Ctx)) } : result,
  }
}

type Run = NonNullable<Options['execute']>
interface Runner {
  execute: Run
  subscribe: Run
}

async function begin(
  world: World,
  engine: Engine,
  socket: SocketContext,
  { query, variables, operationName }: { query: string; variables?: Record<string, unknown> | null; operationName?: string | null },
) {
  const ctx: Ctx = { ...(socket.extra.ctx as Ctx), requestId: newId('request', world.clock.now()), answer: {} }
  try {
    takeRequest(ctx)
    if (Object.keys(socket.subscriptions).length > mostOperations) {
      throw new Failure('RATE_LIMIT_EXCEEDED', `At most ${mostOperations} operations run at a time on one socket.`)
    }
    const { schema, execute, subscribe, contextFactory, parse, validate } = engine.getEnveloped(ctx as never)
    const document = parse(query)
    const problems = validate(schema, document) as readonly GraphQLError[]
    if (problems.length > 0) return problems.map((problem) => shown(problem, ctx))
    return {
      schema,
      document,
      operationName,
      variableValues: variables,
      contextValue: await contextFactory(),
      rootValue: { execute, subscribe },
    }
  } catch (error) {
    return [shown(error, ctx)]
  }
}

// On a socket there is no HTTP status to set.
function shown(error: unknown, ctx: Ctx): GraphQLError {
  const { message, nodes, source, positions, path, extensions } = explain(error, ctx)
  const { http: _http, ...rest } = extensions
  return new GraphQLError(message, { nodes, source, positions, path, extensions: rest })
}

async function identify(world: World, { connectionParams, extra }: SocketContext): Promise<{ caller: Caller; ctx: Ctx } | undefined> {
  const given = connectionParams?.authorization ?? connectionParams?.Authorization
  const { cookie, ...said } = callerOf(world, extra.request, '')
  const authorization = typeof given === 'string' ? given : undefined
  const projectId = connectionParams?.projectId
  // A browser always says where a socket comes from; without that the cookie is not looked at.
  const caller = {
    ...said,
    authorization,
    ...(said.origin !== undefined && { cookie }),
    ...(typeof projectId === 'string' && { projectId }),
  }
  try {
    const ctx = await authenticate(world, caller, { method: 'SOCKET' })
    if (ctx.actor.kind === 'nobody') throw new Failure('MISSING_AUTH')
    return { caller, ctx }
  } catch (error) {
    if (authorization?.startsWith('Bearer pk_') && error instanceof Failure) return undefined
    close(extra, error)
    return undefined
  }
}

function close({ socket }: Extra, error: unknown): void {
  if (!(error instanceof Failure)) return void socket.close(codes.tryAgainLater, 'Try again later.')
  socket.close(error.status === 403 ? codes.forbidden : codes.unauthorized, error.message)
}
