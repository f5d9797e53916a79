import type { Actor, Ctx, Membership, Role } from './context.ts'
import { Failure, notFound } from './errors.ts'

/** Somebody who is signed in. */
export type SignedIn = Extract<Actor, { kind: 'user' }>

const admins: (Role | undefined)[] = ['OWNER', 'ADMIN']

/** Passes for the project's secret key, its admins and owners, and the program itself; fails with FORBIDDEN. */
export function requireAdmin({ actor }: Pick<Ctx, 'actor'>): void {
  if (actor.kind === 'system' || (actor.kind === 'key' && actor.key === 'SECRET')) return
  if (actor.kind === 'user' && admins.includes(actor.role)) return
  throw new Failure('FORBIDDEN', 'Only an admin or owner of the project may do this.')
}

/** Passes for a signed-in admin or owner of the project and the program itself, never for a key; fails with FORBIDDEN. */
export function requireOwner({ actor }: Pick<Ctx, 'actor'>): void {
  if (actor.kind === 'system' || (actor.kind === 'user' && admins.includes(actor.role))) return
  if (actor.kind === 'key')
    throw new Failure('FORBIDDEN', 'An API key may not do this.', { suggestion: 'Sign in as an admin or owner of the project.' })
  throw new Failure('FORBIDDEN', 'Only an admin or owner of the project may do this.')
}

/** Who is signed in; fails with UNAUTHORIZED for a key or for nobody. */
export function requireUser({ actor }: Pick<Ctx, 'actor'>): SignedIn {
  if (actor.kind === 'user') return actor
  throw new Failure('UNAUTHORIZED', 'This is for people, not for API keys: sign in first.', {
    suggestion: 'Sign in with POST /auth/login and send the cookie it sets.',
  })
}

/** Refuses a write to a suspended project with PROJECT_DISABLED; reads go on working. */
export function requireActive({ actor }: Pick<Ctx, 'actor'>): void {
  if ((actor.kind === 'key' || actor.kind === 'user') && actor.projectDisabled) throw new Failure('PROJECT_DISABLED')
}

/**
 * The same call inside a project: a key opens only its own, somebody signed in each they are a member of, with the role
 * they have there. Fails with RESOURCE_NOT_FOUND for any other.
 */
export function enterProject(ctx: Ctx, id: string): Ctx {
  const { actor } = ctx
  if (actor.kind !== 'user') {
    if (id !== ctx.projectId) throw notFound()
    return ctx
  }
  const membership = actor.memberships.find(({ projectId }) => projectId === id)
  if (!membership) throw notFound()
  return insideOf(ctx, actor, membership)
}

/**
 * The same call in the project somebody signed in means: the one asked for, or their only one. Fails with
 * PROJECT_ACCESS_DENIED for one they are no member of, or when they have none, and with BAD_REQUEST when they have several
 * and said nothing (decisions.md 10).
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
