import { chooseProject, enterProject, requireAdmin, requireOwner, requireUser } from '../../../kit/access.ts'
import { type Ctx, callIn } from '../../../kit/context.ts'
import { Failure } from '../../../kit/errors.ts'
import type { World } from '../../../kit/world.ts'
import { readSessionCookie } from '../sessions/cookie.ts'
import { enterSession } from '../sessions/sessions.ts'
import { findProjectKey } from './keys.ts'
import { type Origin, requireOwnOrigin } from './origin.ts'

/** What an entrance knows of a caller before asking who it is. */
export interface Caller extends Origin {
  authorization?: string | undefined
  /** The Cookie header. */
  cookie?: string | undefined
  /** The project somebody signed in means (X-Project-Id). */
  projectId?: string | undefined
  requestId?: string
  client?: Ctx['client']
}

/** What is asked of a caller. */
export interface Demand {
  who: 'none' | 'public' | 'secret' | 'admin' | 'owner' | 'user'
  /** Anything but GET changes something. */
  method: string
  /** The project named by the path, which decides over X-Project-Id. */
  project?: string | undefined
  /** Whoever this user is may call an `owner` row too: it is about themselves. */
  oneself?: string | undefined
}

const bearer = /^Bearer +(\S+)$/i

/**
 * The context of a caller who may do what is demanded: an API key, or else a session cookie (interface.md,
 * Authentication; decisions.md 10). Fails with MISSING_AUTH without either, INVALID_API_KEY for an unknown key or one of the
 * wrong kind, UNAUTHORIZED for a session that has ended, FORBIDDEN without the role or from a foreign page,
 * RESOURCE_NOT_FOUND or PROJECT_ACCESS_DENIED for a project that is not theirs.
 */
export async function enter(world: World, caller: Caller, { who, method, project, oneself }: Demand): Promise<Ctx> {
  if (who === 'none') return enterAsAnybody(world, caller, method)
  const ctx = await identify(world, who === 'public' ? { ...caller, cookie: undefined } : caller)
  const { actor } = ctx
  if (actor.kind === 'key' && actor.key === 'PUBLIC' && who !== 'public')
    throw new Failure('INVALID_API_KEY', 'A public key may only call POST /v1/track.')
  if (actor.kind === 'user' && method !== 'GET') requireOwnOrigin(world, caller)
  if (who === 'user') requireUser(ctx)
  if (who === 'user' || actor.kind !== 'user') return held(ctx, who)
  if (!actor.emailVerified && world.config.verifiedOnly) throw new Failure('EMAIL_VERIFICATION_REQUIRED')
  const inside = project === undefined ? chooseProject(ctx, caller.projectId) : enterProject(ctx, project)
  return oneself === actor.userId ? inside : held(inside, who)
}

function held(ctx: Ctx, who: Demand['who']): Ctx {
  if (who === 'admin') requireAdmin(ctx)
  if (who === 'owner') requireOwner(ctx)
  return ctx
}

/**
 * The context of a caller of GraphQL, where each field says itself what it demands: nobody without credentials or with a
 * session that has ended; the project as far as it is clear. Fails with INVALID_API_KEY for unknown and public keys,
 * PROJECT_ACCESS_DENIED for a foreign X-Project-Id, FORBIDDEN from a foreign page.
 */
export async function enterOpenly(world: World, caller: Caller, method: string): Promise<Ctx> {
  // "Bearer " without a key is what GraphiQL sends until somebody types one.
  if (caller.authorization === undefined || /^Bearer *$/i.test(caller.authorization)) {
    const ctx = await enterAsAnybody(world, caller, method)
    const { actor } = ctx
    if (actor.kind !== 'user') return ctx
    return caller.projectId !== undefined || actor.memberships.length === 1 ? chooseProject(ctx, caller.projectId) : ctx
  }
  return enter(world, caller, { who: 'secret', method })
}

/** Refuses what a GraphQL field demands and its caller does not have: anything at all, somebody signed in, or a project. */
export function requireDemand(ctx: Ctx, who: 'none' | 'any' | 'user' | 'secret'): void {
  const { actor, projectId, config } = ctx
  if (who === 'none') return
  if (actor.kind === 'nobody') throw new Failure('MISSING_AUTH')
  if (who === 'user') return void requireUser(ctx)
  if (who === 'any' || actor.kind !== 'user') return
  if (!actor.emailVerified && config.verifiedOnly) throw new Failure('EMAIL_VERIFICATION_REQUIRED')
  if (projectId === '') chooseProject(ctx, undefined)
}

/** Who calls, whatever it wants: a key in the Authorization header wins over the session cookie. */
async function identify(world: World, { authorization, cookie, requestId, client }: Caller): Promise<Ctx> {
  const call = { ...(requestId && { requestId }), ...(client && { client }) }
  if (authorization === undefined) {
    const token = readSessionCookie(world, cookie)
    if (token === undefined) throw new Failure('MISSING_AUTH')
    return enterSession(world, token, call)
  }
  const key = bearer.exec(authorization)?.[1]
  if (!key) throw new Failure('MISSING_AUTH')
  const row = /^(pk|sk)_[0-9a-f]{64}$/.test(key) ? await findProjectKey(world, key) : null
  if (!row) throw new Failure('INVALID_API_KEY')
  return callIn(world, { ...call, projectId: row.projectId, actor: { kind: 'key', key: row.kind, projectDisabled: row.disabled } })
}

// Nobody is asked; whoever is signed in is known all the same, so that they can sign out.
async function enterAsAnybody(world: World, caller: Caller, method: string): Promise<Ctx> {
  const { cookie, requestId, client } = caller
  const call = { ...(requestId && { requestId }), ...(client && { client }) }
  const token = readSessionCookie(world, cookie)
  if (method !== 'GET') requireOwnOrigin(world, caller)
  if (token === undefined) return callIn(world, call)
  return enterSession(world, token, call).catch((error: unknown) => {
    if (error instanceof Failure) return callIn(world, call)
    throw error
  })
}
