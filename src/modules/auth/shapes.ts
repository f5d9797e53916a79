import { z } from 'zod'
import type { Queue } from '../../kit/jobs.ts'
import { EmailAddress, Text, Timestamp } from '../../kit/shapes.ts'
import { Role } from '../projects/shapes.ts'
import { Password, UserDraft } from '../users/shapes.ts'

/** The data of a new account. */
export const NewAccount = UserDraft.meta({ id: 'NewAccount' })

/** An address and a password to sign in with. Today's rules for passwords are not applied, as the password may be older than they are. */
export const Credentials = z
  .object({
    email: EmailAddress,
    password: Text.min(1)
      .max(200)
      .meta({ description: 'The password of the account.', format: 'password', examples: ['correct horse battery'] }),
  })
  .meta({ id: 'Credentials' })
export type Credentials = z.output<typeof Credentials>

/** The user who has signed in or up; the session cookie is set by the response. */
export const SignedInUser = z.object({ id: z.string(), email: z.string() }).meta({ id: 'SignedInUser' })
export type SignedInUser = z.output<typeof SignedInUser>

/** What was done, as a sentence for people. */
export const ResultMessage = z
  .object({ message: z.string() })
  .meta({ id: 'ResultMessage', description: 'What was done, as a sentence for people.' })
export type ResultMessage = z.output<typeof ResultMessage>

/** The user who has accepted an invitation, signed in, and what they are a member of now. */
export const AcceptedInvitation = SignedInUser.extend({
  projectId: z.string().describe('Id of the project that the user is a member of now.'),
  role: Role,
}).meta({ id: 'AcceptedInvitation' })
export type AcceptedInvitation = z.output<typeof AcceptedInvitation>

/** The confirmation that something was done. */
export const Done = z.object({ success: z.literal(true) }).meta({ id: 'Done' })
export type Done = z.output<typeof Done>

const Token = Text.min(1).max(500).meta({ description: 'The token from the link in the email.' })

/** The token of a mailed link. */
export const ByToken = z.object({ token: Token })
export type ByToken = z.output<typeof ByToken>

/** The token of a link that verifies an address, with a new password unless the caller is signed in to that account. */
export const EmailVerification = z.object({
  token: Token,
  newPassword: Password.optional().meta({
    description:
      'A new password (8 to 200 characters). Required unless the request has a session of the account that is verified; then it is ignored.',
    format: 'password',
  }),
})
export type EmailVerification = z.output<typeof EmailVerification>

/** The address of the account whose password is to be reset. */
export const ResetRequest = z.object({ email: EmailAddress })
export type ResetRequest = z.output<typeof ResetRequest>

/** A new password, with the token of a mailed link. */
export const PasswordReset = z.object({ token: Token, newPassword: Password })
export type PasswordReset = z.output<typeof PasswordReset>

/** A new password, with the current one. */
export const PasswordChange = z.object({
  currentPassword: Text.max(200).meta({ description: 'The current password.', format: 'password' }),
  newPassword: Password,
})
export type PasswordChange = z.output<typeof PasswordChange>

/** What is needed to accept an invitation. */
export const InvitationAnswer = z.object({
  token: Token,
  password: Text.min(1).max(200).optional().meta({
    description:
      'Required unless the person invited is signed in: the password of their account, or of the account to create (8 to 200 characters).',
    format: 'password',
  }),
})
export type InvitationAnswer = z.output<typeof InvitationAnswer>

/** Which OAuth providers users can sign in with. */
export const OauthConfig = z.object({ github: z.boolean(), google: z.boolean() }).meta({ id: 'OauthConfig' })
export type OauthConfig = z.output<typeof OauthConfig>

/** A user signed in on one device. */
export const Session = z
  .object({
    id: z.string().meta({ examples: ['ses_01m7y3mwcpfqhrhzca2e1aqg79'] }),
    current: z.boolean().describe('Whether this request was made with it.'),
    address: z.string().nullable().describe('The IP address it was opened from, where that is known.'),
    userAgent: z.string().nullable().describe('The User-Agent of the program it was opened with, if it sent one.'),
    createdAt: Timestamp,
    seenAt: Timestamp.describe('When it was last renewed; at most a day behind its last use.'),
    expiresAt: Timestamp.describe('Seven days after it was last renewed.'),
  })
  .meta({ id: 'Session', description: 'A user signed in on one device.' })
export type Session = z.output<typeof Session>

/** The sessions of the user who is signed in, newest first. */
export const Sessions = z.object({ data: z.array(Session) }).meta({ id: 'Sessions' })

/** A requested password reset. Whether the address has an account is looked up in the background. */
export const PasswordResetJob = z.object({ email: z.string() })
export type PasswordResetJob = z.output<typeof PasswordResetJob>

/** Sends requested password resets in the background, so that the response and its time are the same for unknown addresses. */
export const passwordResetQueue: Queue<PasswordResetJob> = { name: 'auth-reset', shape: PasswordResetJob }
