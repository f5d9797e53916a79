import { z } from 'zod'
import type { Queue } from '../../kit/jobs.ts'
import { EmailAddress, Text, Timestamp } from '../../kit/shapes.ts'
import { Password, UserDraft } from '../users/shapes.ts'

/** What an account is made of. */
export const NewAccount = UserDraft.meta({ id: 'NewAccount' })

/** How somebody signs in; what was chosen as a password long ago is compared, not judged. */
export const Credentials = z
  .object({
    email: EmailAddress,
    password: Text.min(1)
      .max(200)
      .meta({ description: 'The password of the account.', format: 'password', examples: ['correct horse battery'] }),
  })
  .meta({ id: 'Credentials' })
export type Credentials = z.output<typeof Credentials>

/** Who has signed in or up: their session is in the cookie of the answer. */
export const SignedInUser = z.object({ id: z.string(), email: z.string() }).meta({ id: 'SignedInUser' })
export type SignedInUser = z.output<typeof SignedInUser>

/** What was done, in a sentence. */
export const Said = z.object({ message: z.string() }).meta({ id: 'Said', description: 'What was done, in a sentence.' })
export type Said = z.output<typeof Said>

/** That it was done. */
export const Done = z.object({ success: z.literal(true) }).meta({ id: 'Done' })
export type Done = z.output<typeof Done>

const Token = Text.min(1).max(500).meta({ description: 'The token of the link in the mail.' })

/** The token of a link in a mail. */
export const ByToken = z.object({ token: Token })
export type ByToken = z.output<typeof ByToken>

/** Whose password is to be reset. */
export const ResetRequest = z.object({ email: EmailAddress })
export type ResetRequest = z.output<typeof ResetRequest>

/** A new password, by the token of the link that was mailed. */
export const PasswordReset = z.object({ token: Token, newPassword: Password })
export type PasswordReset = z.output<typeof PasswordReset>

/** A new password, by the present one. */
export const PasswordChange = z.object({
  currentPassword: Text.max(200).meta({ description: 'The present password.', format: 'password' }),
  newPassword: Password,
})
export type PasswordChange = z.output<typeof PasswordChange>

/** How an invitation is taken. */
export const InvitationAnswer = z.object({
  token: Token,
  password: Text.min(1).max(200).optional().meta({
    description:
      'Required unless the person invited is signed in: the password of their account, or of the account to create (8 to 200 characters).',
    format: 'password',
  }),
})
export type InvitationAnswer = z.output<typeof InvitationAnswer>

/** Which other providers people may sign in with. */
export const OauthConfig = z.object({ github: z.boolean(), google: z.boolean() }).meta({ id: 'OauthConfig' })
export type OauthConfig = z.output<typeof OauthConfig>

/** Somebody signed in on one device. */
export const Session = z
  .object({
    id: z.string().meta({ examples: ['ses_01m7y3mwcpfqhrhzca2e1aqg79'] }),
    current: z.boolean().describe('Whether this call was made with it.'),
    address: z.string().nullable().describe('The network address it was opened from.'),
    userAgent: z.string().nullable().describe('The program it was opened with.'),
    createdAt: Timestamp,
    seenAt: Timestamp.describe('When it was last renewed; at most a day behind.'),
    expiresAt: Timestamp.describe('Seven days after its last use.'),
  })
  .meta({ id: 'Session', description: 'Somebody signed in on one device.' })
export type Session = z.output<typeof Session>

/** The sessions of who is signed in, newest first. */
export const Sessions = z.object({ data: z.array(Session) }).meta({ id: 'Sessions' })

/** Somebody has asked for a reset; whether there is such an account is found out in the background. */
export const ResetJob = z.object({ email: z.string() })
export type ResetJob = z.output<typeof ResetJob>

/** Looks for the account a reset was asked for, out of sight of who asked: answer and time are the same for unknown addresses. */
export const resetQueue: Queue<ResetJob> = { name: 'auth-reset', shape: ResetJob }
