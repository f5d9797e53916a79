import type { HostedPage } from '../../kit/html/page.ts'
import { showInvitation, showReset, showVerification, submitInvitation, submitReset, submitVerification } from './account.ts'
import { showHome, showIcon } from './home.ts'

/** The home page, and the pages that the links in notifications lead to. */
export const pages: HostedPage[] = [
  { method: 'GET', path: '/', forAccounts: true, handle: showHome },
  { method: 'GET', path: '/favicon.svg', handle: showIcon },
  { method: 'GET', path: '/favicon.ico', handle: showIcon },
  { method: 'GET', path: '/verify-email/:token', forAccounts: true, handle: showVerification },
  { method: 'POST', path: '/verify-email/:token', forAccounts: true, handle: submitVerification },
  { method: 'GET', path: '/reset-password/:token', forAccounts: true, handle: showReset },
  { method: 'POST', path: '/reset-password/:token', forAccounts: true, handle: submitReset },
  { method: 'GET', path: '/invitations/:token', forAccounts: true, handle: showInvitation },
  { method: 'POST', path: '/invitations/:token', forAccounts: true, handle: submitInvitation },
]
