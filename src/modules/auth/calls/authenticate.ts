import { type Access, chooseProject, enterProject, requireCaller, type SignedIn } from '../../../kit/access.ts'
import { type Ctx, callIn } from '../../../kit/context.ts'
import { Failure } from '../../../kit/errors.ts'
import { networkOf } from '../../../kit/networks.ts'
import type { World } from '../../../kit/world.ts'
import { readSessionCookie } from '../sessions/cookie.ts'
import { findLiveSession, resumeSession } from '../sessions/sessions.ts'
import { findProjectKey, keyOf } from './keys.ts'
import { type Origin, requireOwnOrigin } from './origin.ts'

/** What an entry point knows about a caller before authentication. */
export interface Caller extends Origin {
  authorization?: string | undefined
  /** The Cookie header. */
  cookie?: string | undefined
  /** Instead of a cookie: the session that an open connection was authenticated with. It is not renewed. */
  sessionId?: string | undefined
  /** The project that a signed-in user has chosen (X-Project-Id). */
  projectId?: string | undefined
  requestId?: string
  client?: Ctx['client']
}

/** What a caller asks for. */
export interface Target {
  /** The call may change something (see `isWrite`): from a browser it is accepted only from our own pages. */
  write: boolean
  /** The access that the endpoint requires. Absent for GraphQL: any credentials, or none, are accepted, and each field checks its own. */
  access?: Access
  /** A websocket, which is for one project. */
  isSocket?: boolean
  /** The project named in the path, which takes precedence over X-Project-Id. */
  project?: string | undefined
  /** What is sent has the signature of a service, which alone says who calls. */
  signed?: boolean
}

const endedSession = 'Your session has ended: sign in again.'
// What GraphiQL sends until a key is entered.
const emptyBearer = /^Bearer *$/i

/**
 * Authenticates a call of any entry point: determines who calls, and in which project when they named one or have only one.
 * An API key in the Authorization header takes precedence over the session cookie; `none` ignores keys and `public` ignores
 * cookies; of a signed call neither they nor where it comes from matters. What the caller may do is decided by `authorize`. Fails with MISSING_AUTH when credentials are required and none
 * were sent, INVALID_API_KEY for an unknown key or one of the wrong kind, RATE_LIMIT_EXCEEDED for too many unknown keys,
 * UNAUTHORIZED for a session that has ended or for a key where a signed-in user is required, FORBIDDEN for a request from a
 * page of another site, PROJECT_ACCESS_DENIED or RESOURCE_NOT_FOUND for a project that the user is not a member of (over GraphQL
 * only where a field needs a project).
 */
export async function authenticate(world: World, caller: Caller, target: Target): Promise<Ctx> {
  const { write, access, isSocket, project, signed } = target
  if (signed) return callIn(world, callOf(caller))
  const ctx = await identify(world, caller, access)
  const { actor } = ctx
  // No GraphQL field accepts a public key.
  requireCaller(ctx, access ?? (actor.kind === 'key' ? 'secret' : 'none'))
  if (actor.kind === 'key') return ctx
  if (write) requireOwnOrigin(world, caller)
  if (actor.kind !== 'user' || access === 'none' || access === 'user') return ctx
  const isForField = access === undefined && !isSocket
  if (isForField && !mayChoose(actor, caller.projectId)) return { ...ctx, actor: { ...actor, refusedProject: caller.projectId ?? '' } }
  return selectProject(ctx, actor, project, caller.projectId)
}

async function identify(world: World, caller: Caller, access: Access | undefined): Promise<Ctx> {
  const { authorization, cookie, sessionId, client } = caller
  const call = callOf(caller)
  const optional = access === undefined || access === 'none'
  const ignored = access === 'none' || (optional && emptyBearer.test(authorization ?? ''))
  if (authorization !== undefined && !ignored) return callIn(world, { ...call, ...(await identifyByKey(world, authorization, client)) })
  if (sessionId !== undefined) {
    const live = await findLiveSession(world, sessionId)
    if (!live) throw new Failure('UNAUTHORIZED', endedSession)
    return callIn(world, { ...call, actor: live.actor })
  }
  const token = access === 'public' ? undefined : readSessionCookie(world, cookie)
  const session = token === undefined ? null : await resumeSession(world, token)
  if (token !== undefined && !session && !optional) throw new Failure('UNAUTHORIZED', endedSession)
  const ctx = callIn(world, session ? { ...call, actor: session.actor } : call)
  if (session?.cookie) ctx.answer.cookies = [session.cookie]
  return ctx
}

function callOf({ requestId, client }: Caller): Pick<Caller, 'requestId' | 'client'> {
  return { ...(requestId && { requestId }), ...(client && { client }) }
}

// Without a client, such as when an open connection is checked again, unknown keys do not count.
async function identifyByKey(
  world: World,
  authorization: string,
  client: Caller['client'],
): Promise<Pick<Ctx, 'projectId' | 'actor' | 'account'>> {
  const key = keyOf(authorization)
  if (!key) throw new Failure('MISSING_AUTH')
  const row = /^(pk|sk)_[0-9a-f]{64}$/.test(key) ? await findProjectKey(world, key, client && networkOf(client.address)) : null
  if (!row) throw new Failure('INVALID_API_KEY')
  const { projectId, owner, kind, hash, disabled } = row
  return { projectId, account: owner ?? '', actor: { kind: 'key', key: kind, hash, projectDisabled: disabled } }
}

// A field that needs no project, such as that of the viewer, does not depend on the project that a browser remembers.
function mayChoose({ memberships }: SignedIn, chosen: string | undefined): boolean {
  return chosen === undefined || memberships.some(({ projectId }) => projectId === chosen)
}

// A user with several projects who named none may still call what concerns no project, or what takes the project as input.
function selectProject(ctx: Ctx, { memberships }: SignedIn, named: string | undefined, chosen: string | undefined): Ctx {
  if (named !== undefined) return enterProject(ctx, named)
  return chosen === undefined && memberships.length !== 1 ? ctx : chooseProject(ctx, chosen)
}
