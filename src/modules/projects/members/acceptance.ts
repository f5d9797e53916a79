import { requireUser } from '../../../kit/access.ts'
import type { Ctx } from '../../../kit/context.ts'
import { Failure, notFound } from '../../../kit/errors.ts'
import type { Executor, Transaction } from '../../../kit/postgres/db.ts'
import { hashSecret } from '../../../kit/vault.ts'
import { announceUser } from '../../users/topics.ts'
import { recordChange } from '../changes.ts'
import { getProject } from '../projects.ts'
import type { Project } from '../shapes.ts'
import { lockMembers, requireRoomForMember } from './members.ts'
import { requireSignedIn } from './rights.ts'
import type { InvitationView, JoinedProject, ReceivedInvitations } from './shapes.ts'
import { findInvitation, findReceivedInvitation, findReceivedInvitations, type InvitationRow, useInvitation } from './sql.ts'

/** The invitation of a link. Fails with BAD_REQUEST when it was accepted or revoked, or has expired. */
export async function getInvitation(ctx: Ctx, { token }: { token: string }): Promise<InvitationView> {
  const found = await findOpenInvitation(ctx, { token })
  if (!found) throw staleInvitation()
  return found
}

/** The same, before any work is done for whoever wants to accept it. Fails with CONFLICT when the project has 1,000 members. */
export async function getUsableInvitation(ctx: Ctx, { token }: { token: string }): Promise<Pick<InvitationView, 'email' | 'hasAccount'>> {
  const [found] = await ctx.db.run(findInvitation, [hashSecret(token), ctx.clock.now()])
  if (!found) throw staleInvitation()
  await requireRoomForMember(ctx.db, found.projectId)
  return found
}

/** The invitation of a link, or null when it is not valid any more. */
export async function findOpenInvitation({ db, clock }: Ctx, { token }: { token: string }): Promise<InvitationView | null> {
  const [found] = await db.run(findInvitation, [hashSecret(token), clock.now()])
  if (!found) return null
  const { projectName, email, role, hasAccount } = found
  return { projectName, email, role, hasAccount }
}

/** What somebody has become a member of. */
export type NewMembership = Pick<JoinedProject, 'projectId' | 'role' | 'userId'>

/**
 * Makes a user, whose account the transaction has made or locked, a member by the link of an invitation; it works once. `isMailed`: the
 * link was sent to the address only, not passed on by whoever invited it. Fails with BAD_REQUEST.
 */
export async function joinByInvitation(
  ctx: Ctx,
  tx: Transaction,
  { token, userId }: { token: string; userId: string },
): Promise<NewMembership & { isMailed: boolean }> {
  const [found] = await tx.run(findInvitation, [hashSecret(token), ctx.clock.now()])
  if (!found) throw staleInvitation()
  return { ...(await accept(ctx, tx, found, userId)), isMailed: found.isMailed }
}

/** The project that somebody has become a member of by this very call, as that person sees it. */
export async function getJoinedProject(ctx: Ctx, { projectId, role, userId, email }: NewMembership & { email: string }): Promise<Project> {
  const membership = { projectId, role, projectDisabled: false }
  const person = {
    kind: 'user',
    userId,
    email,
    emailVerified: false,
    sessionId: '',
    memberships: [membership],
    projectDisabled: false,
  } as const
  return getProject({ ...ctx, actor: { ...person, memberships: [membership] } }, { id: projectId })
}

/**
 * The invitations that were sent to the address of the caller, newest first, at most 100. None while the address is not
 * verified, because then it may be somebody else's.
 */
export async function listReceivedInvitations(ctx: Ctx): Promise<ReceivedInvitations> {
  const { email, emailVerified } = requireUser(ctx)
  if (!emailVerified) return { data: [] }
  return { data: await ctx.db.run(findReceivedInvitations, [email, ctx.clock.now()]) }
}

/**
 * Makes the caller a member of the project of an invitation to their address. Fails with RESOURCE_NOT_FOUND for any other
 * invitation, EMAIL_VERIFICATION_REQUIRED while the address is not verified, CONFLICT when the project has 1,000 members.
 */
export async function joinProject(ctx: Ctx, { id }: { id: string }): Promise<JoinedProject> {
  const actor = requireUser(ctx)
  const { userId, email, emailVerified } = actor
  if (!emailVerified) throw new Failure('EMAIL_VERIFICATION_REQUIRED')
  const joined = await ctx.db.transaction(async (tx) => {
    await requireSignedIn(ctx, tx)
    const [found] = await tx.run(findReceivedInvitation, [id, email, ctx.clock.now()])
    if (!found) throw notFound()
    return accept(ctx, tx, found, userId)
  })
  await announceUser(ctx, userId)
  // The rest of this request may already use it.
  actor.memberships.push({ projectId: joined.projectId, role: joined.role, projectDisabled: false })
  return { ...joined, email }
}

/** Whether an address has an invitation that can be accepted. */
export async function isInvited({ clock }: Pick<Ctx, 'clock'>, on: Executor, email: string): Promise<boolean> {
  return (await on.run(findReceivedInvitations, [email, clock.now()])).length > 0
}

async function accept(
  ctx: Ctx,
  tx: Transaction,
  { projectId, id, hash, role }: InvitationRow,
  userId: string,
): Promise<Omit<JoinedProject, 'email'>> {
  await lockMembers(tx, projectId)
  await requireRoomForMember(tx, projectId)
  const createdAt = ctx.clock.now()
  // With the hash that was found: in between the invitation may have been renewed for another role.
  const [used] = await tx.run(useInvitation, [projectId, id, hash, userId, createdAt])
  if (!used) throw staleInvitation()
  await recordChange(ctx, tx, { projectId, fields: ['members'], by: { type: 'user', id: userId } })
  return { projectId, userId, role, createdAt }
}

function staleInvitation(): Failure {
  return new Failure('BAD_REQUEST', 'This invitation is invalid, was already accepted, or has expired.', {
    suggestion: 'Ask the person who invited you for a new one.',
  })
}
