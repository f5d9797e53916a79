import { requireUser } from '../../kit/access.ts'
import { builder, payloadOf } from '../../kit/builder.ts'
import { ById } from '../../kit/shapes.ts'
import { graphqlInput } from '../../kit/zod-input.ts'
import { getJoinedProject } from '../projects/members/acceptance.ts'
import { deleteAccount } from './accounts/account.ts'
import { acceptInvitation } from './accounts/invitation.ts'
import { logIn, logOut } from './accounts/login.ts'
import { changePassword, requestPasswordReset, resetPassword } from './accounts/passwords.ts'
import { signUp } from './accounts/signup.ts'
import { requestVerification, verifyEmail } from './accounts/verification.ts'
import { endSession, listSessions } from './sessions/sessions.ts'
import {
  type AcceptedInvitation,
  Credentials,
  EmailVerification,
  InvitationAnswer,
  NewAccount,
  PasswordChange,
  PasswordReset,
  ResetRequest,
  type ResultMessage,
  type Session as SessionShape,
  type SignedInUser as SignedInShape,
} from './shapes.ts'

const SignedInUser = builder.objectRef<SignedInShape>('SignedInUser').implement({
  description:
    'The person who has just signed in or up. Their session is in the cookie of the answer; from the next request on `viewer` shows more.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Opaque; starts with `usr_`.' }),
    email: t.exposeString('email', { description: 'The address they sign in with, lower-cased.' }),
  }),
})

const Session = builder.objectRef<SessionShape>('Session').implement({
  description: 'A person signed in on one device.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Opaque; starts with `ses_`.' }),
    current: t.exposeBoolean('current', { description: 'Whether this request was made with it.' }),
    address: t.exposeString('address', { nullable: true, description: 'The IP address it was opened from, where that is known.' }),
    userAgent: t.exposeString('userAgent', {
      nullable: true,
      description: 'The User-Agent of the program it was opened with, if it sent one.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was opened.' }),
    seenAt: t.expose('seenAt', { type: 'DateTime', description: 'When it was last renewed; at most a day behind its last use.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Seven days after it was last renewed.' }),
  }),
})

builder.objectField('User', 'sessions', (t) =>
  t.field({
    type: [Session],
    extensions: { maxItems: 100 },
    description: 'Where they are signed in, newest first; at most 100.',
    access: 'user',
    resolve: async (_user, _args, ctx) => (await listSessions(ctx)).data,
  }),
)

const account = graphqlInput('SignUpInput', NewAccount)
const credentials = graphqlInput('LogInInput', Credentials)
const verification = graphqlInput('VerifyEmailInput', EmailVerification)
const resetRequest = graphqlInput('RequestPasswordResetInput', ResetRequest)
const reset = graphqlInput('ResetPasswordInput', PasswordReset)
const passwords = graphqlInput('ChangePasswordInput', PasswordChange)
const invitation = graphqlInput('AcceptInvitationInput', InvitationAnswer)
const ended = graphqlInput('EndSessionInput', ById)

const signedInPayload = (name: `${string}Payload`, description: string) =>
  payloadOf<{ user: SignedInShape }>(name, (t) => ({ user: t.expose('user', { type: SignedInUser, description }) }))
const saidPayload = (name: `${string}Payload`) =>
  payloadOf<ResultMessage>(name, (t) => ({
    message: t.exposeString('message', { description: 'What was done, in a sentence for people.' }),
  }))

const SignUpPayload = signedInPayload('SignUpPayload', 'The new account.')
const LogInPayload = signedInPayload('LogInPayload', 'The person who is signed in now.')
const AcceptInvitationPayload = payloadOf<{ user: AcceptedInvitation }>('AcceptInvitationPayload', (t) => ({
  user: t.expose('user', { type: SignedInUser, description: 'The person who is a member of the project now, signed in.' }),
  project: t.field({
    type: 'Project',
    description:
      'The project that they are a member of now. Where the call has signed them in, its fields for members are answered from the next request on (MISSING_AUTH).',
    resolve: ({ user: { id: userId, ...joined } }, _args, ctx) => getJoinedProject(ctx, { userId, ...joined }),
  }),
}))
const VerifyEmailPayload = saidPayload('VerifyEmailPayload')
const RequestVerificationPayload = saidPayload('RequestVerificationPayload')
const RequestPasswordResetPayload = saidPayload('RequestPasswordResetPayload')
const ResetPasswordPayload = saidPayload('ResetPasswordPayload')
const ChangePasswordPayload = saidPayload('ChangePasswordPayload')
const LogOutPayload = payloadOf<{ success: boolean }>('LogOutPayload', (t) => ({
  success: t.exposeBoolean('success', { description: 'True: nobody is signed in by the cookie any more.' }),
}))
const EndSessionPayload = payloadOf<{ id: string }>('EndSessionPayload', (t) => ({
  endedSessionId: t.exposeID('id', { description: 'Id of the session that was ended.' }),
}))
const DeleteAccountPayload = payloadOf<{ userId: string }>('DeleteAccountPayload', (t) => ({
  deletedUserId: t.exposeID('userId', { description: 'Id of the account that was deleted.' }),
}))

builder.mutationFields((t) => ({
  signUp: t.field({
    extensions: { cost: 50, waits: true },
    type: SignUpPayload,
    description:
      'Creates an account and signs it in: the session is in the cookie of the answer, and an email with a link that proves the address is on its way. Fails with SIGNUPS_DISABLED, CONFLICT when the address has an account, RATE_LIMIT_EXCEEDED.',
    args: account.args(t),
    access: 'none',
    resolve: async (_parent, args, ctx) => ({ user: await signUp(ctx, account.read(args)) }),
  }),
  logIn: t.field({
    extensions: { cost: 50, waits: true },
    type: LogInPayload,
    description:
      'Signs a person in: the session is in the cookie of the answer. Fails with the same INVALID_CREDENTIALS for an unknown address and a wrong password, and with RATE_LIMIT_EXCEEDED after 5 failures on one account or 100 from one IP address in 15 minutes.',
    args: credentials.args(t),
    access: 'none',
    resolve: async (_parent, args, ctx) => ({ user: await logIn(ctx, credentials.read(args)) }),
  }),
  logOut: t.field({
    extensions: { waits: true, endsRights: true },
    type: LogOutPayload,
    description: 'Ends the session of the request, if there is one, and clears its cookie.',
    access: 'none',
    resolve: (_parent, _args, ctx) => logOut(ctx),
  }),
}))

builder.mutationFields((t) => ({
  verifyEmail: t.field({
    extensions: { cost: 50, waits: true, endsRights: true },
    type: VerifyEmailPayload,
    description:
      'Proves an address by the token of a mailed link, once. Without a session of the account `newPassword` is required: it becomes the password, every session of the account ends, it is no longer linked to accounts at GitHub and Google, and if the address was not verified before, the keys and webhook secrets of the projects it owns are replaced and invitations to them revoked, because another person may have created it. Fails with BAD_REQUEST when the link is not valid any more, VALIDATION_ERROR without a password, RATE_LIMIT_EXCEEDED after 10 calls of a link in 15 minutes.',
    args: verification.args(t),
    access: 'none',
    resolve: (_parent, args, ctx) => verifyEmail(ctx, verification.read(args)),
  }),
  requestVerification: t.field({
    type: RequestVerificationPayload,
    description:
      'Emails the person signed in another link that proves their address, at most 3 times per hour beside the email of the sign-up (RATE_LIMIT_EXCEEDED). Nothing is sent, and the message says so, where the address is verified already or the installation sends no emails of its own.',
    access: { who: 'user', whileUnverified: true },
    resolve: (_parent, _args, ctx) => requestVerification(ctx),
  }),
  requestPasswordReset: t.field({
    type: RequestPasswordResetPayload,
    description:
      'Emails a link that resets a password, at most 3 times per hour and address. The answer is the same whether the address has an account or not. Nothing is sent, and the message says so, where the installation sends no emails of its own.',
    args: resetRequest.args(t),
    access: 'none',
    resolve: (_parent, args, ctx) => requestPasswordReset(ctx, resetRequest.read(args)),
  }),
  resetPassword: t.field({
    extensions: { cost: 50, waits: true, endsRights: true },
    type: ResetPasswordPayload,
    description:
      'Sets a new password by the token of a mailed link, once, and ends every session of the account and its links to accounts at GitHub and Google, which the next sign-in there makes again if it is with the address of this account. If its address was not verified before, it is verified now, and the keys and webhook secrets of the projects the account owns are replaced and invitations to them revoked, because another person may have created it. Fails with BAD_REQUEST when the link is not valid any more, RATE_LIMIT_EXCEEDED after 10 calls of a link in 15 minutes.',
    args: reset.args(t),
    access: 'none',
    resolve: (_parent, args, ctx) => resetPassword(ctx, reset.read(args)),
  }),
}))

builder.mutationFields((t) => ({
  changePassword: t.field({
    extensions: { cost: 50, waits: true, endsRights: true },
    type: ChangePasswordPayload,
    description:
      'Changes the password of the person signed in and ends all their sessions, this one too. Fails with VALIDATION_ERROR when the present password is wrong.',
    args: passwords.args(t),
    access: 'user',
    resolve: (_parent, args, ctx) => changePassword(ctx, passwords.read(args)),
  }),
  acceptInvitation: t.field({
    extensions: { cost: 50, waits: true },
    type: AcceptInvitationPayload,
    description:
      'Accepts an invitation to a project by the token of its link: as the person signed in with the invited address, with the password of that account, or with a new account. Fails with BAD_REQUEST when the link is not valid any more, INVALID_CREDENTIALS, FORBIDDEN when it was sent to another address, CONFLICT for a project that has its maximum of members, RATE_LIMIT_EXCEEDED after 10 calls of a link in 15 minutes, and where verified addresses are required with EMAIL_VERIFICATION_REQUIRED for an account whose address is not.',
    args: invitation.args(t),
    access: 'none',
    resolve: async (_parent, args, ctx) => ({ user: await acceptInvitation(ctx, invitation.read(args)) }),
  }),
}))

builder.mutationFields((t) => ({
  endSession: t.field({
    extensions: { waits: true, endsRights: true },
    type: EndSessionPayload,
    description: 'Ends one of the sessions of the person signed in, at once in every process. Fails with RESOURCE_NOT_FOUND.',
    args: ended.args(t),
    access: 'user',
    resolve: async (_parent, args, ctx) => {
      const { id } = ended.read(args)
      await endSession(ctx, { id })
      return { id }
    },
  }),
  deleteAccount: t.field({
    extensions: { cost: 50, waits: true, endsRights: true },
    type: DeleteAccountPayload,
    description: 'Deletes the account of the person signed in. Fails with CONFLICT while they are the last owner of a project.',
    access: 'user',
    resolve: async (_parent, _args, ctx) => {
      const { userId } = requireUser(ctx)
      await deleteAccount(ctx)
      return { userId }
    },
  }),
}))
