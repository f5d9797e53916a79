import type { Actor, Ctx, Membership, Role } from './context.ts'
import { Failure, notFound } from './errors.ts'

/**
 * Who may call: `none` anyone, without credentials · `public` the public or the secret key · `secret` the secret key, or a
 * signed-in member of the project · `admin` the secret key, or a signed-in admin or owner · `admin session` a signed-in
 * admin or owner, never a key · `user` anyone who is signed in. With `none` and `user` no membership is checked: what names a
 * project has another access; see requireProjectAccess.
 */
export type Access = 'none' | 'public' | 'secret' | 'admin' | 'admin session' | 'user'

/** What a call requires of its caller. */
export interface Demand {
  access: Access
  /** The call changes something (see `isWrite`): it is refused while the project is suspended. */
  write?: boolean | undefined
  /** A write that also works while the project is suspended, such as paying. */
  whileSuspended?: boolean | undefined
  /** Allowed before the caller has verified their address, where that is required. */
  whileUnverified?: boolean | undefined
  /** The project the call itself names; default: the project of its context. */
  project?: string | undefined
  /** The user the call names: that user needs no role, because the call is about themselves. */
  oneself?: string | undefined
}

/**
 * Ensures, when a route or a field that names a project is declared, that its access checks whether the caller belongs to that
 * project. Throws for `none` and `user`, which would let everybody into every project.
 */
export function requireProjectAccess(access: Access, declared: string): void {
  if (access === 'none' || access === 'user')
    throw new Error(`${declared} names a project, but the access '${access}' does not check whose it is: use 'secret' or 'admin'`)
}

const reading = new Set(['GET', 'Query', 'Subscription', 'Object', 'Interface'])

/**
 * Whether a call changes something, for every part of the policy: by the method of its request, or the kind of its GraphQL field;
 * a GET may say that it does (`changes`).
 */
export function isWrite({ kind, changes = false }: { kind: string; changes?: boolean | undefined }): boolean {
  return changes || !reading.has(kind)
}

/** A person who is signed in. */
export type SignedIn = Extract<Actor, { kind: 'user' }>

/**
 * The access policy of REST routes, GraphQL fields and sockets alike: returns the context of the call inside the project
 * it is about, if its caller meets the demand there. Fails with MISSING_AUTH, INVALID_API_KEY, UNAUTHORIZED or FORBIDDEN
 * for the wrong kind of caller, EMAIL_VERIFICATION_REQUIRED for an unverified address, RESOURCE_NOT_FOUND,
 * PROJECT_ACCESS_DENIED or BAD_REQUEST for a project that is not theirs, FORBIDDEN without the role, and PROJECT_DISABLED
 * for a write to a suspended project.
 */
export function authorize(ctx: Ctx, demand: Demand): Ctx {
  const { access, project, oneself } = demand
  requireCaller(ctx, access)
  if (access === 'none') return ctx
  if (!demand.whileUnverified && ctx.actor.kind === 'user') requireVerified(ctx, ctx.actor.emailVerified)
  if (access === 'user') return ctx
  const inside = project === undefined ? requireProject(ctx) : enterProject(ctx, project)
  if (access.startsWith('admin') && !isUser(inside, oneself)) requireRole(inside)
  if (demand.write && !demand.whileSuspended) requireActive(inside)
  return inside
}

/** The part of the policy that does not depend on the project: refuses the wrong kind of caller, as `authorize` does. */
export function requireCaller(ctx: Ctx, access: Access): void {
  const { actor } = ctx
  if (access === 'none' || actor.kind === 'system') return
  if (actor.kind === 'nobody') throw new Failure('MISSING_AUTH')
  if (actor.kind === 'key') requireKeyFor(actor.key, access)
  if (access === 'user') requireUser(ctx)
  if (access === 'public' && actor.kind === 'user') throw new Failure('MISSING_AUTH')
}

/** Refuses a public key with INVALID_API_KEY and, where only people may call, every key with FORBIDDEN. */
function requireKeyFor(key: 'PUBLIC' | 'SECRET', access: Access): void {
  if (key === 'PUBLIC' && access !== 'public') throw new Failure('INVALID_API_KEY', 'A public key may only call POST /v1/track.')
  if (access === 'admin session')
    throw new Failure('FORBIDDEN', 'An API key may not do this.', { suggestion: 'Sign in as an admin or owner of the project.' })
}

/** Fails with EMAIL_VERIFICATION_REQUIRED for an account whose address is not verified, where that is required. */
export function requireVerified({ config }: Pick<Ctx, 'config'>, emailVerified: boolean): void {
  if (!emailVerified && config.verifiedOnly) throw new Failure('EMAIL_VERIFICATION_REQUIRED')
}

function requireProject(ctx: Ctx): Ctx {
  return ctx.actor.kind === 'user' && ctx.projectId === '' ? chooseProject(ctx, ctx.actor.refusedProject) : ctx
}

function isUser({ actor }: Ctx, userId: string | undefined): boolean {
  return userId !== undefined && actor.kind === 'user' && actor.userId === userId
}

const admins: (Role | undefined)[] = ['OWNER', 'ADMIN']

/** Fails with FORBIDDEN for a person who is neither admin nor owner of the project of the call. */
export function requireRole({ actor }: Pick<Ctx, 'actor'>): void {
  if (actor.kind === 'user' && !admins.includes(actor.role))
    throw new Failure('FORBIDDEN', 'Only an admin or owner of the project may do this.')
}

function requireActive({ actor }: Ctx): void {
  if ((actor.kind === 'key' || actor.kind === 'user') && actor.projectDisabled) throw new Failure('PROJECT_DISABLED')
}

/** The person who is signed in; fails with UNAUTHORIZED for a key or for nobody. */
export function requireUser({ actor }: Pick<Ctx, 'actor'>): SignedIn {
  if (actor.kind === 'user') return actor
  throw new Failure('UNAUTHORIZED', 'This is for people, not for API keys: sign in first.', {
    suggestion: 'Sign in with POST /auth/login and send the cookie it sets.',
  })
}

/** Fails with RESOURCE_NOT_FOUND when `id` is not the project of the call. */
export function requireSameProject({ projectId }: Pick<Ctx, 'projectId'>, id: string): void {
  if (id !== projectId) throw notFound()
}

/**
 * The same call inside a project: a key may enter its own project only, a person every project they are a member of, with
 * their role in it. Fails with RESOURCE_NOT_FOUND for any other.
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
 * The same call in the project that the signed-in person asked for, or in their only one. Fails with
 * PROJECT_ACCESS_DENIED when they are not a member of it or of any project, and with BAD_REQUEST when they have several and
 * did not name one.
 */
export function chooseProject(ctx: Ctx, asked: string | undefined): Ctx {
  const actor = requireUser(ctx)
  if (asked !== undefined) {
    const membership = actor.memberships.find(({ projectId }) => projectId === asked)
    if (!membership)
      throw new Failure('PROJECT_ACCESS_DENIED', 'X-Project-Id names no project you are a member of.', {
        suggestion: 'GET /users/@me/projects, or viewer.projects in GraphQL, lists yours.',
      })
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
