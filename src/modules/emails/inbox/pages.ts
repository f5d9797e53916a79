import type { Page } from '../../../kit/html/page.ts'
import { listMailbox, openMailboxFile, readMailboxMail, showMailboxBody } from './inbox.ts'

/** The mailbox of captured mail, for development. */
export const pages: Page[] = [
  { method: 'GET', path: '/mailbox', mailboxOnly: true, handle: listMailbox },
  { method: 'GET', path: '/mailbox/:id', mailboxOnly: true, handle: readMailboxMail },
  { method: 'GET', path: '/mailbox/:id/body', mailboxOnly: true, handle: showMailboxBody },
  { method: 'GET', path: '/mailbox/:id/files/:position', mailboxOnly: true, handle: openMailboxFile },
]
