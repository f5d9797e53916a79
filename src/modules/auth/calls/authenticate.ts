import { type Access, chooseProject, enterProject, requireCaller, type SignedIn } from '../../../kit/access.ts'
import { type Ctx, callIn } from '../../../kit/context.ts'
import { Failure } from '../../../kit/errors.ts'
import type { World } from '../../../kit/world.ts'
import { readSessionCookie } from '../sessions/cookie.ts'
import { resumeSession } from '../sessions/sessions.ts'
import { findProjectKey } from './keys.ts'
import { type Origin, requireOwnOrigin } from './origin.ts'

/** What an entry point knows of a caller before asking who it is. */
export interface Caller extends Origin {
  authorization?: string | undefined
  /** The Cookie header. */
  cookie?: string | undefined
  /** The project somebody signed in means (X-Project-Id). */
  projectId?: string | undefined
  requestId?: string
  client?: Ctx['client']
}

/** How a caller comes. */
export interface Arriving {
  /** Anything but GET may change something, and is only taken from our own pages where a browser sends it. */
  method: string
  /** The word of what is called; without one (GraphQL) any credentials are taken, or none, and each field has its word. */
  access?: Access
  /** The project named by the path, which decides over X-Project-Id. */
  project?: string | undefined
}

const bearer = /^Bearer +(\S+)$/i
// What GraphiQL sends until somebody types a key.
const emptyBearer = /^Bearer *$/i

/**
 * Who calls, and in which project, as far as they named one or have only one: the one way in, for every entry point. An API
 * key in the Authorization header wins over the session cookie; `none` looks at no key and `public` at no cookie. What the
 * caller may do there, `authorize` decides. Fails with MISSING_AUTH without credentials where some are needed,
 * INVALID_API_KEY for an unknown key or one of the wrong kind, UNAUTHORIZED for a session that has ended or a key where only
 * people are let in, FORBIDDEN from a foreign page, PROJECT_ACCESS_DENIED or RESOURCE_NOT_FOUND for a project that somebody
 * signed in is not a member of.
 */
export async function authenticate(world: World, caller: Caller, { method, access, project }: Arriving): Promise<Ctx> {
  const ctx = await identify(world, caller, access)
  const { actor } = ctx
  // No field of GraphQL takes a public key.
  requireCaller(ctx, access ?? (actor.kind === 'key' ? 'secret' : 'none'))
  if (actor.kind === 'key') return ctx
  if (method !== 'GET') requireOwnOrigin(world, caller)
  return actor.kind === 'user' && access !== 'none' && access !== 'user' ? settle(ctx, actor, project, caller.projectId) : ctx
}

async function identify(world: World, { authorization, cookie, requestId, client }: Caller, access: Access | undefined): Promise<Ctx> {
  const call = { ...(requestId && { requestId }), ...(client && { client }) }
  const optional = access === undefined || access === 'none'
  const ignored = access === 'none' || (optional && emptyBearer.test(authorization ?? ''))
  if (authorization !== undefined && !ignored) return callIn(world, { ...call, ...(await openByKey(world, authorization)) })
  const token = access === 'public' ? undefined : readSessionCookie(world, cookie)
  const session = token === undefined ? null : await resumeSession(world, token)
  if (token !== undefined && !session && !optional) throw new Failure('UNAUTHORIZED', 'Your session has ended: sign in again.')
  const ctx = callIn(world, session ? { ...call, actor: session.actor } : call)
  if (session?.cookie) ctx.answer.cookies = [session.cookie]
  return ctx
}

async function openByKey(world: World, authorization: string): Promise<Pick<Ctx, 'projectId' | 'actor'>> {
  const key = bearer.exec(authorization)?.[1]
  if (!key) throw new Failure('MISSING_AUTH')
  const row = /^(pk|sk)_[0-9a-f]{64}$/.test(key) ? await findProjectKey(world, key) : null
  if (!row) throw new Failure('INVALID_API_KEY')
  return { projectId: row.projectId, actor: { kind: 'key', key: row.kind, projectDisabled: row.disabled } }
}

// Whoever has several projects and named none may still ask for what is about no project, or names its own.
function settle(ctx: Ctx, { memberships }: SignedIn, named: string | undefined, chosen: string | undefined): Ctx {
  if (named !== undefined) return enterProject(ctx, named)
  return chosen === undefined && memberships.length !== 1 ? ctx : chooseProject(ctx, chosen)
}
