import type { HostedPage } from '../../../kit/html/page.ts'
import { confirmEmptyMailbox, emptyMailbox, listMailbox, openCapturedAttachment, showCapturedEmail, showCapturedHtml } from './inbox.ts'

/** The development mailbox, which shows captured emails. */
export const pages: HostedPage[] = [
  { method: 'GET', path: '/mailbox', mailboxOnly: true, handle: listMailbox },
  { method: 'GET', path: '/mailbox/empty', mailboxOnly: true, handle: confirmEmptyMailbox },
  // Refuses forms of other sites, as the pages of accounts do.
  { method: 'POST', path: '/mailbox/empty', mailboxOnly: true, forAccounts: true, handle: emptyMailbox },
  { method: 'GET', path: '/mailbox/:id', mailboxOnly: true, handle: showCapturedEmail },
  { method: 'GET', path: '/mailbox/:id/body', mailboxOnly: true, handle: showCapturedHtml },
  { method: 'GET', path: '/mailbox/:id/files/:position', mailboxOnly: true, handle: openCapturedAttachment },
]
