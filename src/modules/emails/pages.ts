import type { Page } from '../../kit/page.ts'
import { listMailbox, openMailboxFile, readMailboxMail, showMailboxBody } from './mailbox.ts'
import { changePreferences, showPreferences } from './preferences.ts'
import { followLink, showPixel } from './tracked.ts'
import type { SubscriptionPage } from './views/subscription.ts'

function preferences(page: SubscriptionPage): Page[] {
  const path = `/${page}/:token`
  return [
    { method: 'GET', path, handle: (ctx, request) => showPreferences(ctx, page, request) },
    { method: 'POST', path, handle: (ctx, request) => changePreferences(ctx, page, request) },
  ]
}

/** Hosted pages: subscription links, tracking, and the mailbox of captured mail. */
export const pages: Page[] = [
  ...preferences('unsubscribe'),
  ...preferences('subscribe'),
  ...preferences('manage'),
  { method: 'GET', path: '/t/o/:token', handle: showPixel },
  { method: 'GET', path: '/t/c/:token', handle: followLink },
  { method: 'GET', path: '/mailbox', mailboxOnly: true, handle: listMailbox },
  { method: 'GET', path: '/mailbox/:id', mailboxOnly: true, handle: readMailboxMail },
  { method: 'GET', path: '/mailbox/:id/body', mailboxOnly: true, handle: showMailboxBody },
  { method: 'GET', path: '/mailbox/:id/files/:position', mailboxOnly: true, handle: openMailboxFile },
]
