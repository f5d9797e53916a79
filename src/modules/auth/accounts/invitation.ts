import { requireUser, requireVerified } from '../../../kit/access.ts'
import type { Ctx } from '../../../kit/context.ts'
import { Failure } from '../../../kit/errors.ts'
import { read } from '../../../kit/problems.ts'
import { getUsableInvitation, joinByInvitation, type NewMembership } from '../../projects/members/acceptance.ts'
import { requireSignedIn } from '../../projects/members/rights.ts'
import { hashPassword, requireUncommon } from '../../users/passwords.ts'
import { UserDraft } from '../../users/shapes.ts'
import { announceUser } from '../../users/topics.ts'
import { addUser, recordVerified } from '../../users/users.ts'
import { newSession, openSession } from '../sessions/sessions.ts'
import type { AcceptedInvitation, InvitationAnswer } from '../shapes.ts'
import { followLink } from './links.ts'
import { checkCredentials, openSessionOf } from './login.ts'
import { sendVerification } from './verification.ts'

/**
 * Accepts an invitation with the token of its link: as the user who is signed in with the invited address, with the password
 * of that address's account, or with a new account, which is created even where sign-ups are disabled. A caller who was not
 * signed in is signed in afterwards. Fails with BAD_REQUEST for a link that is not valid any more, FORBIDDEN when another
 * user is signed in, INVALID_CREDENTIALS, VALIDATION_ERROR without a password, CONFLICT for a project that has its maximum of
 * members, RATE_LIMIT_EXCEEDED when the link is called too often, and where verified addresses are required with
 * EMAIL_VERIFICATION_REQUIRED for an account whose address is not.
 */
export async function acceptInvitation(ctx: Ctx, { token, password }: InvitationAnswer): Promise<AcceptedInvitation> {
  return followLink(ctx, token, async () => {
    const { email, hasAccount } = await getUsableInvitation(ctx, { token })
    if (ctx.actor.kind === 'user') return acceptAsSignedIn(ctx, token, email)
    const given = read(UserDraft, { email, password })
    return hasAccount ? acceptWithPassword(ctx, token, given) : acceptAsNewUser(ctx, token, given)
  })
}

async function acceptWithPassword(ctx: Ctx, token: string, given: UserDraft): Promise<AcceptedInvitation> {
  const account = await checkCredentials(ctx, given)
  requireVerified(ctx, account.emailVerified)
  const session = await newSession(ctx)
  const joined = await ctx.db.transaction(async (tx) => {
    await openSessionOf(ctx, tx, { session, account })
    return joinByInvitation(ctx, tx, { token, userId: account.id })
  })
  await announceUser(ctx, account.id)
  return accepted(joined, account.email)
}

async function acceptAsNewUser(ctx: Ctx, token: string, { email, password }: UserDraft): Promise<AcceptedInvitation> {
  await requireUncommon(ctx, 'password', password)
  const session = await newSession(ctx)
  const passwordHash = await hashPassword(ctx, password)
  return ctx.db.transaction(async (tx) => {
    const { id } = await addUser(ctx, tx, { email, passwordHash, emailVerified: false })
    const joined = await joinByInvitation(ctx, tx, { token, userId: id })
    // Whoever has a link that was mailed received it at the address, which verifies it. One that was passed on by hand, because there
    // was no outgoing email at that time, verifies nothing.
    await (joined.isMailed ? recordVerified(ctx, tx, id) : sendVerification(ctx, tx, { id, email }))
    await openSession(ctx, tx, { session, userId: id })
    return accepted(joined, email)
  })
}

async function acceptAsSignedIn(ctx: Ctx, token: string, invited: string): Promise<AcceptedInvitation> {
  const { userId, email, emailVerified, memberships } = requireUser(ctx)
  if (email !== invited)
    throw new Failure('FORBIDDEN', `This invitation was sent to another address than ${email}.`, {
      suggestion: 'Sign out, or sign in with the address that was invited.',
    })
  requireVerified(ctx, emailVerified)
  const joined = await ctx.db.transaction(async (tx) => {
    await requireSignedIn(ctx, tx)
    return joinByInvitation(ctx, tx, { token, userId })
  })
  await announceUser(ctx, userId)
  // The rest of this request may already use it.
  memberships.push({ projectId: joined.projectId, role: joined.role, projectDisabled: false })
  return accepted(joined, email)
}

function accepted({ userId, projectId, role }: NewMembership, email: string): AcceptedInvitation {
  return { id: userId, email, projectId, role }
}
