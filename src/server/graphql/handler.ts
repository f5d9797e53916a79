import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { requireUser } from '../../kit/access.ts'
import type { Ctx } from '../../kit/context.ts'
import { Failure } from '../../kit/errors.ts'
import { newId } from '../../kit/ids.ts'
import type { World } from '../../kit/world.ts'
import { authenticate } from '../../modules/auth/calls/authenticate.ts'
import { allowanceHeaders, takeRequest } from '../../modules/auth/calls/rate.ts'
import { callerOf } from '../caller.ts'
import { createEngine, type Engine } from './engine.ts'
import { explain } from './errors.ts'
import { answerGraphiql } from './graphiql.ts'
import { holdToCaller } from './live-callers.ts'
import { openSockets, type Sockets } from './sockets.ts'

/** The GraphQL entrance: everything under /graphql. */
export interface GraphqlEntrance {
  /** Answers one HTTP request: queries, mutations, subscriptions over server-sent events, GraphiQL. Never throws. */
  handle(req: IncomingMessage, res: ServerResponse): Promise<void>
  /** Takes websockets (protocol graphql-transport-ws) on the same path of a server; closing ends event streams too. */
  sockets(server: Server): Sockets
}

// With a key a mail may come with attachments; before that nothing large is read.
const knownBytes = 40_000_000
const unknownBytes = 1_000_000

/** Opens the GraphQL entrance of a world. */
export function createGraphql(world: World): GraphqlEntrance {
  const known = createEngine(knownBytes)
  const unknown = createEngine(unknownBytes)
  const streams = new Set<ServerResponse>()
  return {
    async handle(req, res) {
      const requestId = String(res.getHeader('X-Request-Id') ?? newId('request', world.clock.now()))
      res.setHeader('X-Request-Id', requestId)
      try {
        if (wantsPage(req)) return await showExplorer(world, req, res, requestId)
        checkForm(req)
        const ctx = await admit(world, req, res, requestId)
        if (isStream(req) && ctx.actor.kind !== 'nobody') hold(world, streams, req, res, ctx)
        await run(ctx.actor.kind === 'nobody' ? unknown : known, req, res, ctx)
      } catch (error) {
        refuse(req, res, error, { requestId, log: world.log })
      }
    },
    sockets(server) {
      const sockets = openSockets(world, known, server)
      return {
        async close() {
          for (const stream of streams) stream.destroy()
          await sockets.close()
        },
      }
    },
  }
}

async function run(engine: Engine, req: IncomingMessage, res: ServerResponse, ctx: Ctx): Promise<void> {
  await engine(req, res, ctx)
}

// Outside production for anybody; there, for who is signed in (decisions.md 12).
async function showExplorer(world: World, req: IncomingMessage, res: ServerResponse, requestId: string): Promise<void> {
  const { authorization: _key, ...caller } = callerOf(world, req, requestId)
  if (world.config.production) requireUser(await authenticate(world, caller, { method: 'GET' }))
  answerGraphiql(req, res)
}

function isStream({ headers }: IncomingMessage): boolean {
  return (headers.accept ?? '').includes('text/event-stream')
}

// An event stream ends with its key or session, and with the server.
function hold(world: World, streams: Set<ServerResponse>, req: IncomingMessage, res: ServerResponse, ctx: Ctx): void {
  streams.add(res)
  const release = holdToCaller(world, { caller: callerOf(world, req, ctx.requestId), ctx, end: () => res.destroy() })
  res.once('close', () => {
    streams.delete(res)
    release()
  })
}

function wantsPage({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && (headers.accept ?? '').includes('text/html')
}

// Content types a foreign page can send without asking first are refused, whatever they hold (CSRF).
function checkForm({ method, headers }: IncomingMessage): void {
  if (method !== 'GET' && method !== 'POST')
    throw new Failure('METHOD_NOT_ALLOWED', 'GraphQL takes GET and POST.', { headers: { Allow: 'GET, POST' } })
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  if (method === 'POST' && type !== 'application/json' && type !== 'application/graphql+json') throw new Failure('UNSUPPORTED_MEDIA_TYPE')
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new Failure('UNSUPPORTED_MEDIA_TYPE', 'A request body must not be compressed.')
}

// Nobody may come too: to sign in, and outside production to look at the schema. What a field demands is asked later.
async function admit(world: World, req: IncomingMessage, res: ServerResponse, requestId: string): Promise<Ctx> {
  const ctx = await authenticate(world, callerOf(world, req, requestId), { method: req.method ?? 'POST' })
  if (ctx.actor.kind === 'nobody') return ctx
  for (const [name, value] of Object.entries(allowanceHeaders(takeRequest(ctx)))) res.setHeader(name, value)
  const key = req.headers['idempotency-key']
  return typeof key === 'string' ? { ...ctx, idempotency: { key, fingerprint: '' } } : ctx
}

function refuse(req: IncomingMessage, res: ServerResponse, error: unknown, call: Parameters<typeof explain>[1]): void {
  if (res.headersSent) return void res.destroy()
  const explained = explain(error, call)
  const { http, ...extensions } = explained.extensions as { http?: { status?: number; headers?: Record<string, string> } }
  const type = (req.headers.accept ?? '').includes('application/graphql-response+json')
    ? 'application/graphql-response+json'
    : 'application/json'
  res.writeHead(http?.status ?? 500, { ...http?.headers, 'Content-Type': `${type}; charset=utf-8` })
  res.end(JSON.stringify({ errors: [{ message: explained.message, extensions }] }))
}
