import type { Actor, Ctx, Membership, Role } from './context.ts'
import { Failure, notFound } from './errors.ts'

/**
 * Who may call: `none` anybody, without credentials · `public` the public or the secret key · `secret` the secret key, or a
 * signed-in member of the project · `admin` the secret key, or a signed-in admin or owner · `admin session` a signed-in
 * admin or owner, never a key · `user` anybody who is signed in.
 */
export type Access = 'none' | 'public' | 'secret' | 'admin' | 'admin session' | 'user'

/** What a call demands of its caller: its word, and what that is about. */
export interface Demand {
  access: Access
  /** Changes something, so that it is refused while the project is suspended. */
  write?: boolean | undefined
  /** A write that also works while the project is suspended, such as paying. */
  whileSuspended?: boolean | undefined
  /** Open to somebody who has yet to prove their address, where that is required. */
  whileUnverified?: boolean | undefined
  /** The project the call names itself, which decides; otherwise it is about the project of its context. */
  project?: string | undefined
  /** A user the call names: that user needs no role, because it is about themselves. */
  oneself?: string | undefined
}

/** Somebody who is signed in. */
export type SignedIn = Extract<Actor, { kind: 'user' }>

/**
 * The one policy, for REST rows, GraphQL fields and sockets alike: the context of the call inside the project it is about,
 * when its caller may do what is demanded there. Fails with MISSING_AUTH, INVALID_API_KEY, UNAUTHORIZED or FORBIDDEN for
 * the wrong kind of caller, EMAIL_VERIFICATION_REQUIRED for an unproved address, RESOURCE_NOT_FOUND, PROJECT_ACCESS_DENIED
 * or BAD_REQUEST for no project of theirs, FORBIDDEN without the role, PROJECT_DISABLED for a write to a suspended project.
 */
export function authorize(ctx: Ctx, demand: Demand): Ctx {
  const { access, project, oneself } = demand
  requireCaller(ctx, access)
  if (access === 'none') return ctx
  if (!demand.whileUnverified) requireVerified(ctx)
  if (access === 'user') return ctx
  const inside = project === undefined ? requireProject(ctx) : enterProject(ctx, project)
  if (access.startsWith('admin') && !isUser(inside, oneself)) requireRole(inside)
  if (demand.write && !demand.whileSuspended) requireActive(inside)
  return inside
}

/** The part of the policy that holds whatever project a call is about: refuses the wrong kind of caller, as `authorize` does. */
export function requireCaller(ctx: Ctx, access: Access): void {
  const { actor } = ctx
  if (access === 'none' || actor.kind === 'system') return
  if (actor.kind === 'nobody') throw new Failure('MISSING_AUTH')
  if (actor.kind === 'key') requireKeyFor(actor.key, access)
  if (access === 'user') requireUser(ctx)
  if (access === 'public' && actor.kind === 'user') throw new Failure('MISSING_AUTH')
}

/** Refuses a public key with INVALID_API_KEY and, where people alone are let in, every key with FORBIDDEN. */
function requireKeyFor(key: 'PUBLIC' | 'SECRET', access: Access): void {
  if (key === 'PUBLIC' && access !== 'public') throw new Failure('INVALID_API_KEY', 'A public key may only call POST /v1/track.')
  if (access === 'admin session')
    throw new Failure('FORBIDDEN', 'An API key may not do this.', { suggestion: 'Sign in as an admin or owner of the project.' })
}

function requireVerified({ actor, config }: Ctx): void {
  if (actor.kind === 'user' && !actor.emailVerified && config.verifiedOnly) throw new Failure('EMAIL_VERIFICATION_REQUIRED')
}

function requireProject(ctx: Ctx): Ctx {
  return ctx.actor.kind === 'user' && ctx.projectId === '' ? chooseProject(ctx, undefined) : ctx
}

function isUser({ actor }: Ctx, userId: string | undefined): boolean {
  return actor.kind === 'user' && actor.userId === userId
}

const admins: (Role | undefined)[] = ['OWNER', 'ADMIN']

function requireRole({ actor }: Ctx): void {
  if (actor.kind === 'user' && !admins.includes(actor.role))
    throw new Failure('FORBIDDEN', 'Only an admin or owner of the project may do this.')
}

function requireActive({ actor }: Ctx): void {
  if ((actor.kind === 'key' || actor.kind === 'user') && actor.projectDisabled) throw new Failure('PROJECT_DISABLED')
}

/** Who is signed in; fails with UNAUTHORIZED for a key or for nobody. */
export function requireUser({ actor }: Pick<Ctx, 'actor'>): SignedIn {
  if (actor.kind === 'user') return actor
  throw new Failure('UNAUTHORIZED', 'This is for people, not for API keys: sign in first.', {
    suggestion: 'Sign in with POST /auth/login and send the cookie it sets.',
  })
}

/** Refuses with RESOURCE_NOT_FOUND what names another project than the one of the call. */
export function requireSameProject({ projectId }: Pick<Ctx, 'projectId'>, id: string): void {
  if (id !== projectId) throw notFound()
}

/**
 * The same call inside a project: a key opens only its own, somebody signed in each they are a member of, with the role
 * they have there. Fails with RESOURCE_NOT_FOUND for any other.
 */
export function enterProject(ctx: Ctx, id: string): Ctx {
  const { actor } = ctx
  if (actor.kind !== 'user') {
    requireSameProject(ctx, id)
    return ctx
  }
  const membership = actor.memberships.find(({ projectId }) => projectId === id)
  if (!membership) throw notFound()
  return insideOf(ctx, actor, membership)
}

/**
 * The same call in the project somebody signed in means: the one asked for, or their only one. Fails with
 * PROJECT_ACCESS_DENIED for one they are not a member of, or when they have none, and with BAD_REQUEST when they have
 * several and said nothing.
 */
export function chooseProject(ctx: Ctx, asked: string | undefined): Ctx {
  const actor = requireUser(ctx)
  if (asked !== undefined) {
    const membership = actor.memberships.find(({ projectId }) => projectId === asked)
    if (!membership) throw new Failure('PROJECT_ACCESS_DENIED', 'X-Project-Id names no project you are a member of.')
    return insideOf(ctx, actor, membership)
  }
  const [only, another] = actor.memberships
  if (!only)
    throw new Failure('PROJECT_ACCESS_DENIED', 'You are not a member of any project.', {
      suggestion: 'Create one with POST /users/@me/projects, or ask to be invited.',
    })
  if (another)
    throw new Failure('BAD_REQUEST', 'You are a member of several projects: say which one with the header X-Project-Id.', {
      suggestion: 'GET /users/@me/projects lists them.',
    })
  return insideOf(ctx, actor, only)
}

function insideOf(ctx: Ctx, actor: SignedIn, { projectId, role, projectDisabled }: Membership): Ctx {
  return { ...ctx, projectId, actor: { ...actor, role, projectDisabled } }
}
