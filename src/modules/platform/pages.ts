import type { HostedPage } from '../../kit/html/page.ts'
import { showInvitation, showReset, showVerification, takeInvitation, takeReset, takeVerification } from './account.ts'
import { showHome } from './home.ts'
import { showIcon } from './icon.ts'

/** The front door, and the pages behind the links of the installation's own mail. */
export const pages: HostedPage[] = [
  { method: 'GET', path: '/', forAccounts: true, handle: showHome },
  { method: 'GET', path: '/favicon.svg', handle: showIcon },
  { method: 'GET', path: '/favicon.ico', handle: showIcon },
  { method: 'GET', path: '/verify-email/:token', forAccounts: true, handle: showVerification },
  { method: 'POST', path: '/verify-email/:token', forAccounts: true, handle: takeVerification },
  { method: 'GET', path: '/reset-password/:token', forAccounts: true, handle: showReset },
  { method: 'POST', path: '/reset-password/:token', forAccounts: true, handle: takeReset },
  { method: 'GET', path: '/invitations/:token', forAccounts: true, handle: showInvitation },
  { method: 'POST', path: '/invitations/:token', forAccounts: true, handle: takeInvitation },
]
