import { route } from '../../kit/route.ts'
import { ById, Empty, Nothing } from '../../kit/shapes.ts'
import { deleteAccount } from './accounts/account.ts'
import { acceptInvitation } from './accounts/invitation.ts'
import { getOauthConfig, logIn, logOut } from './accounts/login.ts'
import { changePassword, requestPasswordReset, resetPassword } from './accounts/passwords.ts'
import { requestVerification, signUp, verifyEmail } from './accounts/signup.ts'
import { endSession, listSessions } from './sessions/sessions.ts'
import {
  ByToken,
  Credentials,
  Done,
  InvitationAnswer,
  NewAccount,
  OauthConfig,
  PasswordChange,
  PasswordReset,
  ResetRequest,
  Said,
  Sessions,
  SignedInUser,
} from './shapes.ts'

const inCookie = 'The session is a signed, HttpOnly cookie that holds for 7 days after its last use.'

/** Accounts and sessions. */
export const routes = [
  route('POST', '/auth/signup', 'none', NewAccount, SignedInUser, signUp, {
    summary: 'Make an account and sign in',
    description: `${inCookie} A mail with a link that proves the address is on its way.`,
    wrap: true,
    errors: ['SIGNUPS_DISABLED', 'CONFLICT', 'RATE_LIMIT_EXCEEDED'],
  }),
  route('POST', '/auth/login', 'none', Credentials, SignedInUser, logIn, {
    summary: 'Sign in',
    description: `${inCookie} After 5 failures on an account, or 100 from an address, sign-in rests for up to 15 minutes.`,
    wrap: true,
    errors: ['INVALID_CREDENTIALS', 'RATE_LIMIT_EXCEEDED'],
  }),
  route('GET', '/auth/logout', 'none', Nothing, Done, logOut, { summary: 'End the session and clear its cookie' }),
  route('GET', '/auth/oauth-config', 'none', Nothing, OauthConfig, getOauthConfig, {
    summary: 'Which other providers people may sign in with',
    wrap: true,
  }),
  route('POST', '/auth/verify-email', 'none', ByToken, Said, verifyEmail, {
    summary: 'Prove an address by the link of a mail',
    wrap: true,
  }),
  route('POST', '/auth/request-verification', 'user', Nothing, Said, requestVerification, {
    summary: 'Send the mail that proves the address once more',
    description: 'At most 3 an hour.',
    wrap: true,
    whileUnverified: true,
  }),
  route('POST', '/auth/request-password-reset', 'none', ResetRequest, Said, requestPasswordReset, {
    summary: 'Mail a link that resets the password',
    description: 'The same answer whether the address has an account or not. At most 3 an hour for an address.',
    wrap: true,
    errors: ['RATE_LIMIT_EXCEEDED'],
  }),
  route('POST', '/auth/reset-password', 'none', PasswordReset, Said, resetPassword, {
    summary: 'Set a new password by the link of a mail',
    description: 'Ends every session of the account.',
    wrap: true,
  }),
  route('POST', '/auth/accept-invitation', 'none', InvitationAnswer, SignedInUser, acceptInvitation, {
    summary: 'Take an invitation',
    description: `As who is signed in, by the password of the invited account, or with a new account. ${inCookie}`,
    wrap: true,
    errors: ['INVALID_CREDENTIALS', 'FORBIDDEN', 'RATE_LIMIT_EXCEEDED'],
  }),
  route('DELETE', '/users/@me', 'user', Nothing, Empty, deleteAccount, {
    summary: 'Remove the account',
    description: 'Refused while it is the last owner of a project.',
    status: 204,
    errors: ['CONFLICT'],
  }),
  route('PATCH', '/users/@me/password', 'user', PasswordChange, Said, changePassword, {
    summary: 'Change the password by the present one',
    description: 'Ends every session, the caller’s too.',
  }),
  route('GET', '/users/@me/sessions', 'user', Nothing, Sessions, listSessions, {
    summary: 'List the sessions of who is signed in',
  }),
  route('DELETE', '/users/@me/sessions/:id', 'user', ById, Empty, endSession, { summary: 'End a session', status: 204 }),
]
