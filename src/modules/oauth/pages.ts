import type { HostedPage } from '../../kit/html/page.ts'
import { handleCallback, redirectToProvider } from './oauth.ts'

/** Sign-in with an OAuth provider: the redirect to it and the callback from it. */
export const pages: HostedPage[] = [
  { method: 'GET', path: '/oauth/:provider/outbound', forAccounts: true, handle: redirectToProvider },
  { method: 'GET', path: '/oauth/:provider/callback', forAccounts: true, handle: handleCallback },
]
