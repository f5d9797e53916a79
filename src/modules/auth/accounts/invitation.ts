import type { Ctx } from '../../../kit/context.ts'
import { Failure } from '../../../kit/errors.ts'
import { read } from '../../../kit/problems.ts'
import { getInvitation, joinByInvitation } from '../../projects/members/invitations.ts'
import { hashPassword, requireUncommon } from '../../users/passwords.ts'
import { UserDraft } from '../../users/shapes.ts'
import { announceUser } from '../../users/topics.ts'
import { addUser, recordVerified } from '../../users/users.ts'
import { openSession } from '../sessions/sessions.ts'
import type { InvitationAnswer, SignedInUser } from '../shapes.ts'
import { checkCredentials } from './login.ts'

/**
 * Takes an invitation by the link of its mail: as who is signed in with the invited address, by the password of that
 * address's account, or with a new account, which is made even where sign-ups are off. Whoever was not signed in is,
 * afterwards. Fails with BAD_REQUEST for a link that no longer holds, FORBIDDEN when somebody else is signed in,
 * INVALID_CREDENTIALS, VALIDATION_ERROR without a password.
 */
export async function acceptInvitation(ctx: Ctx, { token, password }: InvitationAnswer): Promise<SignedInUser> {
  const { email, hasAccount } = await getInvitation(ctx, { token })
  if (ctx.actor.kind === 'user') return acceptAsSignedIn(ctx, token, email)
  const given = read(UserDraft, { email, password })
  if (hasAccount) {
    const user = await checkCredentials(ctx, given)
    await ctx.db.transaction(async (tx) => {
      await joinByInvitation(ctx, tx, token, user.id)
      await openSession(ctx, user.id, tx)
    })
    await announceUser(ctx, user.id)
    return user
  }
  await requireUncommon(ctx, 'password', given.password)
  const passwordHash = await hashPassword(given.password)
  return ctx.db.transaction(async (tx) => {
    const { id } = await addUser(ctx, tx, { email, passwordHash, emailVerified: false })
    await joinByInvitation(ctx, tx, token, id)
    // The link was mailed to the address: who has it has the address. Passed on by hand it proves nothing.
    if (ctx.config.platformMail) await recordVerified(ctx, tx, id)
    await openSession(ctx, id, tx)
    return { id, email }
  })
}

async function acceptAsSignedIn(ctx: Ctx, token: string, invited: string): Promise<SignedInUser> {
  if (ctx.actor.kind !== 'user') throw new Failure('UNAUTHORIZED')
  const { userId, email } = ctx.actor
  if (email !== invited)
    throw new Failure('FORBIDDEN', `This invitation is for another address than ${email}.`, {
      suggestion: 'Sign out, or sign in with the address the mail was sent to.',
    })
  await ctx.db.transaction((tx) => joinByInvitation(ctx, tx, token, userId))
  await announceUser(ctx, userId)
  return { id: userId, email }
}
