import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { isWrite } from '../kit/access.ts'
import { type Ctx, callIn } from '../kit/context.ts'
import type { HostedPage, PageAnswer } from '../kit/html/page.ts'
import { isMultipart, readForm } from '../kit/multipart.ts'
import type { World } from '../kit/world.ts'
import { authenticate } from '../modules/auth/calls/authenticate.ts'
import { requireTrustedHost } from '../modules/auth/calls/origin.ts'
import { parseFormBody, readBody, textHeaders } from './body.ts'
import { callerOf } from './caller.ts'
import type { Arrival } from './http.ts'
import { leftOf, untilLeft } from './left.ts'
import { sendPieces } from './pieces.ts'
import { answerHeaders, reply } from './replies.ts'
import type { Endpoint } from './router.ts'
import { createRoom } from './unread.ts'

const pageBodyLimit = 64 * 1024

/** A hosted page as an endpoint. Except for pages of accounts callers are not authenticated: links are signed instead. */
export function pageEndpoint(world: World, page: HostedPage): Endpoint {
  return {
    method: page.method,
    path: page.path,
    listed: false,
    async answer(arrival, params) {
      const { request, query } = arrival
      const ctx = untilLeft(await contextOf(world, page, arrival), leftOf(arrival.response))
      const answer = await page.handle(ctx, {
        method: request.method ?? 'GET',
        params,
        query: Object.fromEntries(new URLSearchParams(query)),
        headers: textHeaders(request),
        body: page.method === 'POST' ? await fieldsOf(ctx, request) : {},
      })
      await sendPage(ctx, arrival, answer)
    },
  }
}

// What of a body that is streamed is in memory, in two pieces of 64 KB. One that is shared is there once, whoever reads it.
const bufferedBytes = 128 * 1024

/**
 * Writes the answer of a page, which counts as unread until it is taken as the answers to calls do: a body that is streamed or shared
 * with what a connection has of it in memory.
 */
export async function sendPage(ctx: Ctx, arrival: Arrival, { status, headers, body, isShared }: PageAnswer): Promise<void> {
  const { request, response } = arrival
  const own = { ...headers, ...answerHeaders(ctx.answer) }
  const { send } = createRoom(ctx, response)
  if (!(body instanceof Readable)) {
    const bytes = Buffer.byteLength(body)
    if (request.method !== 'HEAD' && status !== 304) send(isShared ? Math.min(bytes, bufferedBytes) : bytes)
    return reply(arrival, { status, headers: own, body })
  }
  try {
    send(bufferedBytes)
    await sendPieces(ctx.world, arrival, { status, headers: own }, body)
  } finally {
    body.destroy()
  }
}

async function fieldsOf(ctx: Ctx, request: IncomingMessage): Promise<Record<string, string>> {
  const type = request.headers['content-type']
  const body = await readBody(ctx, { request, limit: pageBodyLimit })
  return isMultipart(type) ? (await readForm(Readable.from([body]), type, 0)).fields : parseFormBody(body)
}

async function contextOf(world: World, page: HostedPage, { request, requestId }: Arrival): Promise<Ctx> {
  const caller = callerOf(world, request, requestId)
  if (page.mailboxOnly) requireTrustedHost(world, caller.host)
  if (!page.forAccounts) return callIn(world, { requestId, ...(caller.client && { client: caller.client }) })
  return authenticate(world, caller, { access: 'none', write: isWrite({ kind: page.method }) })
}
