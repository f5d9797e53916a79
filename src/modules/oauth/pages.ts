import type { HostedPage } from '../../kit/html/page.ts'
import { comeBack, leaveForProvider } from './oauth.ts'

/** Signing in with another provider: the way there and the way back. */
export const pages: HostedPage[] = [
  { method: 'GET', path: '/oauth/:provider/outbound', forAccounts: true, handle: leaveForProvider },
  { method: 'GET', path: '/oauth/:provider/callback', forAccounts: true, handle: comeBack },
]
