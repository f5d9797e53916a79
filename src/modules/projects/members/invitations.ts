import { requireSameProject } from '../../../kit/access.ts'
import type { Ctx } from '../../../kit/context.ts'
import { Failure, notFound } from '../../../kit/errors.ts'
import { newId } from '../../../kit/ids.ts'
import type { Transaction } from '../../../kit/postgres/db.ts'
import { hashSecret, randomSecret } from '../../../kit/vault.ts'
import { notify } from '../../notifications/notify.ts'
import type { ByInvitation, InvitationView, MemberDraft, NewMember } from './shapes.ts'
import { deleteInvitation, findInvitation, findInvitations, insertInvitation, useInvitation, useInvitationsOf } from './sql.ts'

const days = 7
const dayMs = 86_400_000
const maxInvitations = 100

/** Invites an address without an account, in a transaction that has locked the project, and queues an email with the link. */
export async function invite(ctx: Ctx, tx: Transaction, { email, role }: MemberDraft, projectName: string): Promise<NewMember> {
  const { projectId, clock, actor } = ctx
  const now = clock.now()
  const token = randomSecret()
  const invitedBy = actor.kind === 'user' ? actor.email : 'the operator'
  if ((await tx.run(findInvitations, [projectId, now])).length >= maxInvitations)
    throw new Failure('CONFLICT', `The project already has ${maxInvitations} invitations: revoke some of them first.`)
  const expiresAt = new Date(now.getTime() + days * dayMs)
  const values = [projectId, newId('invitation', now), email, role, hashSecret(token), invitedBy, now, expiresAt]
  const [made] = await tx.run(insertInvitation, values)
  if (!made)
    throw new Failure('CONFLICT', `${email} is already invited.`, {
      suggestion: 'To send another email, revoke the invitation first: DELETE /projects/:id/invitations/:invitationId.',
    })
  const path = `/invitations/${token}`
  await notify(ctx, { to: email, kind: 'invitation', data: { projectName, path, role, invitedBy, days } }, tx)
  const linkToPassOn = !ctx.config.platformMail && { invitationUrl: ctx.world.publicUrl + path }
  return { email, role, status: 'INVITED', ...linkToPassOn, invitation: { id: made.id, email, role, createdAt: now, expiresAt } }
}

/** Revokes an invitation; its link stops working. Fails with RESOURCE_NOT_FOUND. */
export async function revokeInvitation(ctx: Ctx, { id, invitationId }: ByInvitation): Promise<void> {
  requireSameProject(ctx, id)
  const [gone] = await ctx.db.run(deleteInvitation, [ctx.projectId, invitationId])
  if (!gone) throw notFound()
}

/** The invitation of a link. Fails with BAD_REQUEST when it was accepted or revoked, or has expired. */
export async function getInvitation({ db, clock }: Ctx, { token }: { token: string }): Promise<InvitationView> {
  const [found] = await db.run(findInvitation, [hashSecret(token), clock.now()])
  if (!found) throw staleInvitation()
  return found
}

/** Makes a user a member by the link of an invitation, in a transaction; the link works once. Fails with BAD_REQUEST. */
export async function joinByInvitation({ clock }: Pick<Ctx, 'clock'>, tx: Transaction, token: string, userId: string): Promise<string> {
  const [used] = await tx.run(useInvitation, [hashSecret(token), userId, clock.now()])
  if (!used) throw staleInvitation()
  return used.projectId
}

/** Makes a user a member of every project its verified address is invited to, in a transaction. */
export async function joinInvitedProjects(
  { clock }: Pick<Ctx, 'clock'>,
  tx: Transaction,
  { id, email }: { id: string; email: string },
): Promise<void> {
  await tx.run(useInvitationsOf, [email, id, clock.now()])
}

function staleInvitation(): Failure {
  return new Failure('BAD_REQUEST', 'This invitation is invalid, was already accepted, or has expired.', {
    suggestion: 'Ask the person who invited you for a new one.',
  })
}
