import type { Ctx } from '../../kit/context.ts'
import { Failure } from '../../kit/errors.ts'
import { read } from '../../kit/problems.ts'
import { acceptInvitation } from '../auth/accounts/invitation.ts'
import { resetPassword } from '../auth/accounts/passwords.ts'
import { verifyEmail } from '../auth/accounts/verification.ts'
import { EmailVerification, InvitationAnswer, PasswordReset } from '../auth/shapes.ts'
import { getInvitation } from '../projects/members/acceptance.ts'
import type { InvitationView } from '../projects/members/shapes.ts'

/** Sets a new password that was typed twice. Fails with VALIDATION_ERROR when the two are different. */
export async function resetTypedPassword(ctx: Ctx, { token, fields }: { token: string; fields: Fields }): Promise<{ message: string }> {
  requireSameTwice(fields.newPassword, fields.repeated)
  return resetPassword(ctx, read(PasswordReset, { ...fields, token }))
}

/** Verifies an address by the form of its page, which asks for a password twice unless the visitor is signed in to the account. */
export async function verifyByForm(ctx: Ctx, { token, fields }: { token: string; fields: Fields }): Promise<{ message: string }> {
  requireSameTwice(fields.newPassword, fields.repeated)
  return verifyEmail(ctx, read(EmailVerification, { ...fields, token }))
}

/** An invitation, and who opened it: nobody signed in, the user it is for, or another user, whose address is `signedIn`. */
export interface OpenedInvitation {
  invitation: InvitationView
  caller: 'visitor' | 'invited' | 'other'
  signedIn: string
}

/** The invitation of a link, for its page. Fails with BAD_REQUEST when the link is invalid or has expired. */
export async function openInvitation(ctx: Ctx, { token }: { token: string }): Promise<OpenedInvitation> {
  const invitation = await getInvitation(ctx, { token })
  const { actor } = ctx
  if (actor.kind !== 'user') return { invitation, caller: 'visitor', signedIn: '' }
  return { invitation, caller: actor.email === invitation.email ? 'invited' : 'other', signedIn: actor.email }
}

/** Accepts an opened invitation by the form of its page. A new account needs a password that was typed twice. */
export async function joinByForm(
  ctx: Ctx,
  { token, opened, fields }: { token: string; opened: OpenedInvitation; fields: Fields },
): Promise<void> {
  if (opened.caller === 'visitor' && !opened.invitation.hasAccount) requireSameTwice(fields.password, fields.repeated)
  await acceptInvitation(ctx, read(InvitationAnswer, { token, password: fields.password }))
}

type Fields = Record<string, string>

function requireSameTwice(password: string | undefined, repeated: string | undefined): void {
  if (password !== repeated) throw new Failure('VALIDATION_ERROR', 'The two passwords are different: type them again.')
}
