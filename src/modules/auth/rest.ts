import { route } from '../../kit/route.ts'
import { ById, Empty, Nothing } from '../../kit/shapes.ts'
import { deleteAccount } from './accounts/account.ts'
import { acceptInvitation } from './accounts/invitation.ts'
import { getOauthConfig, logIn, logOut } from './accounts/login.ts'
import { changePassword, requestPasswordReset, resetPassword } from './accounts/passwords.ts'
import { signUp } from './accounts/signup.ts'
import { requestVerification, verifyEmail } from './accounts/verification.ts'
import { endSession, listSessions } from './sessions/sessions.ts'
import {
  AcceptedInvitation,
  Credentials,
  Done,
  EmailVerification,
  InvitationAnswer,
  NewAccount,
  OauthConfig,
  PasswordChange,
  PasswordReset,
  ResetRequest,
  ResultMessage,
  Sessions,
  SignedInUser,
} from './shapes.ts'

const inCookie =
  'The response sets a signed, HttpOnly session cookie. A session ends 7 days after it was last renewed; use renews it once a day.'

/** Accounts: sign-up, sign-in, passwords, invitations and sessions. */
export const routes = [
  route('POST', '/auth/signup', 'none', NewAccount, SignedInUser, signUp, {
    summary: 'Create an account and sign in',
    description: `${inCookie} An email with a verification link is sent to the address, where the installation sends emails of its own.`,
    wrap: true,
    errors: ['SIGNUPS_DISABLED', 'CONFLICT', 'RATE_LIMIT_EXCEEDED'],
  }),
  route('POST', '/auth/login', 'none', Credentials, SignedInUser, logIn, {
    summary: 'Sign in',
    description: `${inCookie} An unknown address and a wrong password give the same error. After 5 failures on an account, or 100 from an IP address, sign-in is blocked for up to 15 minutes.`,
    wrap: true,
    errors: ['INVALID_CREDENTIALS', 'RATE_LIMIT_EXCEEDED'],
  }),
  route('GET', '/auth/logout', 'none', Nothing, Done, logOut, {
    summary: 'End the session and clear its cookie',
    description:
      'From a browser it is accepted only from the pages of this installation, as a write is: a link of another site ends no session.',
    changes: true,
  }),
  route('GET', '/auth/oauth-config', 'none', Nothing, OauthConfig, getOauthConfig, {
    summary: 'List the OAuth providers that users can sign in with',
    wrap: true,
  }),
  route('POST', '/auth/verify-email', 'none', EmailVerification, ResultMessage, verifyEmail, {
    summary: 'Verify an email address with the token of a mailed link',
    description:
      'A link works once, within 24 hours. Without a session of the account, `newPassword` is required: it becomes the password of the account, every session of it ends, it is no longer linked to accounts at GitHub and Google, and if its address was not verified before, the keys and webhook secrets of the projects it owns are replaced and invitations to them revoked, because another person may have created it. At most 10 calls of a link, and 100 with links from an IP address, in 15 minutes.',
    wrap: true,
    errors: ['RATE_LIMIT_EXCEEDED'],
  }),
  route('POST', '/auth/request-verification', 'user', Nothing, ResultMessage, requestVerification, {
    summary: 'Send another verification link',
    description:
      'At most 3 per hour, beside the email of the sign-up. Nothing is sent, and the message says so, where the address is verified already or the installation sends no emails of its own.',
    wrap: true,
    whileUnverified: true,
  }),
  route('POST', '/auth/request-password-reset', 'none', ResetRequest, ResultMessage, requestPasswordReset, {
    summary: 'Send a link that resets the password',
    description:
      'The response is the same whether the address has an account or not. At most 3 per hour and address. Nothing is sent, and the message says so, where the installation sends no emails of its own.',
    wrap: true,
    errors: ['RATE_LIMIT_EXCEEDED'],
  }),
  route('POST', '/auth/reset-password', 'none', PasswordReset, ResultMessage, resetPassword, {
    summary: 'Set a new password with the token of a mailed link',
    description:
      'A link works once, within one hour. Ends every session of the account and its links to accounts at GitHub and Google, which the next sign-in there makes again if it is with the address of this account. If its address was not verified before, it is verified now, and the keys and webhook secrets of the projects the account owns are replaced and invitations to them revoked, because another person may have created it. At most 10 calls of a link, and 100 with links from an IP address, in 15 minutes.',
    wrap: true,
    errors: ['RATE_LIMIT_EXCEEDED'],
  }),
  route('POST', '/auth/accept-invitation', 'none', InvitationAnswer, AcceptedInvitation, acceptInvitation, {
    summary: 'Accept an invitation to a project',
    description: `As the user who is signed in, with the password of the invited account, or with a new account. At most 10 calls of a link, and 100 with links from an IP address, in 15 minutes. ${inCookie}`,
    wrap: true,
    errors: [
      'INVALID_CREDENTIALS',
      'UNAUTHORIZED',
      'EMAIL_VERIFICATION_REQUIRED',
      'FORBIDDEN',
      'RESOURCE_NOT_FOUND',
      'CONFLICT',
      'RATE_LIMIT_EXCEEDED',
    ],
  }),
  route('DELETE', '/users/@me', 'user', Nothing, Empty, deleteAccount, {
    summary: 'Delete the account of the user who is signed in',
    description: 'Refused while they are the last owner of a project.',
    status: 204,
    errors: ['RESOURCE_NOT_FOUND', 'CONFLICT'],
  }),
  route('PATCH', '/users/@me/password', 'user', PasswordChange, ResultMessage, changePassword, {
    summary: 'Change the password',
    description: 'Requires the current password. Ends every session of the account, including this one.',
  }),
  route('GET', '/users/@me/sessions', 'user', Nothing, Sessions, listSessions, {
    summary: 'List the sessions of the user who is signed in',
  }),
  route('DELETE', '/users/@me/sessions/:id', 'user', ById, Empty, endSession, {
    summary: 'End one of the sessions of the user who is signed in',
    status: 204,
    checks: 'id',
    errors: ['RESOURCE_NOT_FOUND'],
  }),
]
