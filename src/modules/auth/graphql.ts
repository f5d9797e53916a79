import { builder } from '../../kit/builder.ts'
import { ById } from '../../kit/shapes.ts'
import { inputOf } from '../../kit/zod-input.ts'
import { deleteAccount } from './accounts/account.ts'
import { acceptInvitation } from './accounts/invitation.ts'
import { logIn, logOut } from './accounts/login.ts'
import { changePassword, requestPasswordReset, resetPassword } from './accounts/passwords.ts'
import { requestVerification, signUp, verifyEmail } from './accounts/signup.ts'
import { endSession, listSessions } from './sessions/sessions.ts'
import {
  ByToken,
  Credentials,
  InvitationAnswer,
  NewAccount,
  PasswordChange,
  PasswordReset,
  ResetRequest,
  type Session as SessionShape,
  type SignedInUser as SignedInShape,
} from './shapes.ts'

const SignedInUser = builder.objectRef<SignedInShape>('SignedInUser').implement({
  description: 'Who has signed in or up: their session is in the cookie of the answer; `viewer` tells more from the next request on.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Opaque; starts with `usr_`.' }),
    email: t.exposeString('email'),
  }),
})

const Session = builder.objectRef<SessionShape>('Session').implement({
  description: 'Somebody signed in on one device.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Opaque; starts with `ses_`.' }),
    current: t.exposeBoolean('current', { description: 'Whether this request was made with it.' }),
    address: t.exposeString('address', { nullable: true, description: 'The network address it was opened from.' }),
    userAgent: t.exposeString('userAgent', { nullable: true, description: 'The program it was opened with.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    seenAt: t.expose('seenAt', { type: 'DateTime', description: 'When it was last renewed; at most a day behind.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Seven days after its last use.' }),
  }),
})

builder.objectField('User', 'sessions', (t) =>
  t.field({
    type: [Session],
    description: 'Where they are signed in, newest first; 100 at most.',
    access: 'user',
    resolve: async (_user, _args, ctx) => (await listSessions(ctx)).data,
  }),
)

const account = inputOf('SignUpInput', NewAccount)
const credentials = inputOf('LogInInput', Credentials)
const byToken = inputOf('VerifyEmailInput', ByToken)
const resetRequest = inputOf('RequestPasswordResetInput', ResetRequest)
const reset = inputOf('ResetPasswordInput', PasswordReset)
const passwords = inputOf('ChangePasswordInput', PasswordChange)
const invitation = inputOf('AcceptInvitationInput', InvitationAnswer)
const one = inputOf('SessionInput', ById)

builder.mutationFields((t) => ({
  signUp: t.field({
    type: SignedInUser,
    description:
      'Makes an account and signs it in: the session is in the cookie of the answer, a mail with a link that proves the address is on its way. Fails with SIGNUPS_DISABLED, CONFLICT, RATE_LIMIT_EXCEEDED.',
    args: account.args(t),
    access: 'none',
    resolve: (_parent, args, ctx) => signUp(ctx, account.read(args)),
  }),
  logIn: t.field({
    type: SignedInUser,
    description:
      'Signs somebody in: the session is in the cookie of the answer. The same INVALID_CREDENTIALS for an unknown address and a wrong password; RATE_LIMIT_EXCEEDED after 5 failures on an account or 100 from a network address in 15 minutes.',
    args: credentials.args(t),
    access: 'none',
    resolve: (_parent, args, ctx) => logIn(ctx, credentials.read(args)),
  }),
  logOut: t.boolean({
    description: 'Ends the session of the request, if there is one, and clears its cookie.',
    access: 'none',
    resolve: async (_parent, _args, ctx) => (await logOut(ctx)).success,
  }),
}))

builder.mutationFields((t) => ({
  verifyEmail: t.string({
    description:
      'Proves an address by the token of a mailed link, once. Answers a sentence; fails with BAD_REQUEST when the link no longer holds.',
    args: byToken.args(t),
    access: 'none',
    resolve: async (_parent, args, ctx) => (await verifyEmail(ctx, byToken.read(args))).message,
  }),
  requestVerification: t.string({
    description: 'Sends the mail that proves the address once more, at most 3 times an hour. Answers a sentence.',
    access: { who: 'user', whileUnverified: true },
    resolve: async (_parent, _args, ctx) => (await requestVerification(ctx)).message,
  }),
  requestPasswordReset: t.string({
    description:
      'Mails a link that resets a password. The same answer whether the address has an account or not; at most 3 times an hour for an address.',
    args: resetRequest.args(t),
    access: 'none',
    resolve: async (_parent, args, ctx) => (await requestPasswordReset(ctx, resetRequest.read(args))).message,
  }),
  resetPassword: t.string({
    description: 'Sets a new password by the token of a mailed link, once, and ends every session of the account. Answers a sentence.',
    args: reset.args(t),
    access: 'none',
    resolve: async (_parent, args, ctx) => (await resetPassword(ctx, reset.read(args))).message,
  }),
}))

builder.mutationFields((t) => ({
  changePassword: t.string({
    description: 'Changes the password by the present one and ends every session, this one too. Answers a sentence.',
    args: passwords.args(t),
    access: 'user',
    resolve: async (_parent, args, ctx) => (await changePassword(ctx, passwords.read(args))).message,
  }),
  acceptInvitation: t.field({
    type: SignedInUser,
    description:
      'Takes an invitation by the token of its link: as who is signed in with the invited address, by the password of that account, or with a new account.',
    args: invitation.args(t),
    access: 'none',
    resolve: (_parent, args, ctx) => acceptInvitation(ctx, invitation.read(args)),
  }),
  endSession: t.field({
    type: 'ID',
    description: 'Ends one of the sessions of who is signed in, at once in every process. Answers its id; fails with RESOURCE_NOT_FOUND.',
    args: one.args(t),
    access: 'user',
    resolve: (_parent, args, ctx) => endSession(ctx, one.read(args)).then(() => one.read(args).id),
  }),
  deleteAccount: t.boolean({
    description: 'Removes the account of who is signed in. Fails with CONFLICT while it is the last owner of a project.',
    access: 'user',
    resolve: (_parent, _args, ctx) => deleteAccount(ctx).then(() => true),
  }),
}))
