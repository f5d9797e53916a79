import type { HostedPage } from '../../../kit/html/page.ts'
import { askToEmptyMailbox, emptyMailbox, listMailbox, openMailboxFile, readMailboxMail, showMailboxBody } from './inbox.ts'

/** The mailbox of captured mail, for development. */
export const pages: HostedPage[] = [
  { method: 'GET', path: '/mailbox', mailboxOnly: true, handle: listMailbox },
  { method: 'GET', path: '/mailbox/empty', mailboxOnly: true, handle: askToEmptyMailbox },
  // Refuses forms of other sites, like pages of accounts do.
  { method: 'POST', path: '/mailbox/empty', mailboxOnly: true, forAccounts: true, handle: emptyMailbox },
  { method: 'GET', path: '/mailbox/:id', mailboxOnly: true, handle: readMailboxMail },
  { method: 'GET', path: '/mailbox/:id/body', mailboxOnly: true, handle: showMailboxBody },
  { method: 'GET', path: '/mailbox/:id/files/:position', mailboxOnly: true, handle: openMailboxFile },
]
