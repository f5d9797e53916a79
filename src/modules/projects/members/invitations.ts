import { requireSameProject } from '../../../kit/access.ts'
import type { Ctx, Role } from '../../../kit/context.ts'
import { Failure, notFound } from '../../../kit/errors.ts'
import { newId } from '../../../kit/ids.ts'
import { rowsOfProjects } from '../../../kit/load.ts'
import type { Transaction } from '../../../kit/postgres/db.ts'
import { hashSecret, randomSecret } from '../../../kit/vault.ts'
import { notify } from '../../notifications/notify.ts'
import { type AttemptLimit, takeAttempt } from '../../users/attempts.ts'
import { recordChange } from '../changes.ts'
import { lockMembers, requireOwnerFor } from './members.ts'
import { stillAdmin } from './rights.ts'
import type { ByInvitation, Invitation, MemberDraft, SentInvitation } from './shapes.ts'
import { deleteInvitation, findInvitations, findMemberByEmail, insertInvitation } from './sql.ts'

const days = 7
const dayMs = 86_400_000
const maxInvitations = 100
const maxNameLength = 60

/**
 * Invites an address to the project: nobody becomes a member without accepting. The answer is the same whether the address has
 * an account or not. An address that is invited already gets another link, for the new role, and the old one stops working.
 * Only owners may invite owners. Fails with CONFLICT for a member, RATE_LIMIT_EXCEEDED beyond one email per project and day
 * and five a day for a recipient, or 50 a day of an inviter or a project, FORBIDDEN, RESOURCE_NOT_FOUND.
 */
export async function inviteMember(ctx: Ctx, { id, email, role }: MemberDraft): Promise<SentInvitation> {
  requireSameProject(ctx, id)
  requireOwnerFor(ctx, role)
  const { projectId, clock, actor, config, world } = ctx
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + days * dayMs)
  const token = randomSecret()
  const path = `/invitations/${token}`
  const invitedBy = actor.kind === 'user' ? actor.email : 'the operator'
  const invitationId = await ctx.db.transaction(async (tx) => {
    const { name } = await lockMembers(tx, projectId)
    const present = await stillAdmin(ctx, tx)
    for (const needed of [role, ...(await requireRoomFor(ctx, tx, email))]) requireOwnerFor(present, needed)
    await takeEmail(ctx, tx, email)
    const values = [projectId, newId('invitation', now), email, role, hashSecret(token), invitedBy, now, expiresAt, config.platformMail]
    const [made] = await tx.run(insertInvitation, values)
    await recordChange(ctx, tx, { projectId, fields: ['invitations'] })
    await notify(ctx, { to: email, kind: 'invitation', data: { projectName: nameForEmail(name), path, role, invitedBy, days } }, tx)
    return made?.id ?? ''
  })
  const linkToPassOn = !config.platformMail && { invitationUrl: world.publicUrl + path }
  return { id: invitationId, email, role, status: 'INVITED', createdAt: now, expiresAt, ...linkToPassOn }
}

// Returns the role of the open invitation of the address, which is replaced.
async function requireRoomFor({ projectId, clock }: Ctx, tx: Transaction, email: string): Promise<Role[]> {
  const [member] = await tx.run(findMemberByEmail, [projectId, email])
  if (member) throw new Failure('CONFLICT', `${email} is already a member.`)
  const open = await tx.run(findInvitations, [[projectId], clock.now()])
  const own = open.filter((one) => one.email === email)
  if (open.length - own.length >= maxInvitations)
    throw new Failure('CONFLICT', `The project already has ${maxInvitations} invitations: revoke some of them first.`)
  return own.map((one) => one.role)
}

const perDay = (name: string, max: number, message: string): AttemptLimit => ({ name: `invite ${name}`, max, windowMs: dayMs, message })
const ofInviter = perDay('inviter', 50, 'You have invited 50 people within a day.')
const ofProject = perDay('project', 50, 'The project has invited 50 people within a day.')
const ofRecipient = perDay('recipient', 5, 'This address was invited to many projects within a day.')
const ofRecipientHere = perDay(
  'recipient to project',
  1,
  'This address was invited to the project within the last day: the link in that email is valid for 7 days, unless it was revoked.',
)

// Counted in the transaction, so that an invitation that fails does not count; always in this order, so that two never deadlock.
// Without outgoing email nobody is disturbed.
async function takeEmail({ config, clock, actor, projectId }: Ctx, tx: Transaction, email: string): Promise<void> {
  if (!config.platformMail) return
  const call = { db: tx, clock }
  if (actor.kind === 'user') await takeAttempt(call, ofInviter, actor.userId)
  await takeAttempt(call, ofProject, projectId)
  await takeAttempt(call, ofRecipient, email)
  await takeAttempt(call, ofRecipientHere, `${projectId} ${email}`)
}

/**
 * The name of a project for an email to a stranger: at most 60 characters, without invisible ones, and without anything that
 * mail programs turn into a link, so that an invitation cannot be used to advertise a page.
 */
export function nameForEmail(name: string): string {
  const plain = name
    .normalize('NFKC')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu, '')
    .replace(/[/\\@]|[:\u3002](?=\S)|\.(?=[^\s\d])/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
  const [start, rest] = [[...plain].slice(0, maxNameLength - 1).join(''), [...plain].slice(maxNameLength)]
  const short = rest.length > 0 ? `${start.replace(/[\s.:\u3002]+$/u, '')}…` : plain
  return short || 'a project'
}

const invitationsOf = rowsOfProjects(findInvitations, (now) => [now])

/** Invitations to a project that have not been accepted yet, newest first, 100 at most. Fails with RESOURCE_NOT_FOUND. */
export async function listInvitations(ctx: Ctx, { id }: { id: string }): Promise<Invitation[]> {
  requireSameProject(ctx, id)
  return invitationsOf(ctx)
}

/** Revokes an invitation; its link stops working. Fails with RESOURCE_NOT_FOUND. */
export async function revokeInvitation(ctx: Ctx, { id, invitationId }: ByInvitation): Promise<void> {
  requireSameProject(ctx, id)
  await ctx.db.transaction(async (tx) => {
    const present = await stillAdmin(ctx, tx)
    const [gone] = await tx.run(deleteInvitation, [ctx.projectId, invitationId])
    if (!gone) throw notFound()
    requireOwnerFor(present, gone.role)
    await recordChange(ctx, tx, { projectId: ctx.projectId, fields: ['invitations'] })
  })
}
