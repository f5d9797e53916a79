import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Ctx } from '../kit/context.ts'
import type { World } from '../kit/world.ts'
import type { Caller } from '../modules/auth/calls/authenticate.ts'

/** What identifies the caller of a request, as its headers and its connection have it. */
export function callerOf(world: World, request: IncomingMessage, requestId: string): Caller {
  const { headers } = request
  const project = headers['x-project-id']
  return {
    authorization: headers.authorization,
    cookie: headers.cookie,
    ...(typeof project === 'string' && project !== '' && { projectId: project }),
    origin: headers.origin,
    host: headers.host,
    scheme: schemeOf(world, headers),
    fetchSite: typeof headers['sec-fetch-site'] === 'string' ? headers['sec-fetch-site'] : undefined,
    requestId,
    client: clientOf(world, request),
  }
}

/** The same caller for a call that has begun: of a person in the project that it is in, whichever they could choose by now. */
export function callerAgain(world: World, request: IncomingMessage, before: Ctx): Caller {
  return sameProject(callerOf(world, request, before.requestId), before)
}

/** A caller as before: a person in the project that they were in, whether they had named it or it was their only one. */
export function sameProject(caller: Caller, { actor, projectId }: Pick<Ctx, 'actor' | 'projectId'>): Caller {
  return actor.kind === 'user' && projectId !== '' ? { ...caller, projectId } : caller
}

// A body that takes longer than this to arrive, or an answer that does to be made, may outlive the key or the session of its request.
const maxAgeMs = 1_000

/** Whether a caller, who was authenticated then, has to be so again: before a call whose body took long runs, and before what took long to read is answered. */
export function isOutdated(authenticatedAt: number): boolean {
  return performance.now() - authenticatedAt > maxAgeMs
}

/** The scheme a request was made with: http, or what the reverse proxies of TRUST_PROXY say. */
export function schemeOf({ config }: Pick<World, 'config'>, headers: IncomingHttpHeaders): 'http' | 'https' {
  const forwarded = String(headers['x-forwarded-proto'] ?? '').split(',')
  return config.TRUST_PROXY > 0 && forwarded.at(-1)?.trim().toLowerCase() === 'https' ? 'https' : 'http'
}

/**
 * Address and user agent of the caller. Behind TRUST_PROXY reverse proxies the address is that many entries from the end of
 * X-Forwarded-For, which is what the outermost proxy wrote; earlier entries may be forged.
 */
export function clientOf({ config }: World, { socket, headers }: IncomingMessage): Ctx['client'] {
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',')
  const proxied = config.TRUST_PROXY > 0 ? forwarded.at(-config.TRUST_PROXY)?.trim() : undefined
  const address = proxied || socket.remoteAddress
  return { ...(address && { address }), ...(headers['user-agent'] && { userAgent: headers['user-agent'] }) }
}
