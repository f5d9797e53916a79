import type { Ctx } from '../../../kit/context.ts'
import { type HostedPage, type PageAnswer, type PageRequest, redirectTo } from '../../../kit/html/page.ts'
import { countMailbox, emptyMailbox, findCapturedAttachment, findCapturedEmail, findCapturedHtml, listCapturedEmails } from './mailbox.ts'
import { attachmentAnswer, confirmEmptyPage, emailNotFoundPage, emailPage, htmlAnswer, mailboxPage } from './views.ts'

/** The development mailbox, which shows captured emails. */
export const pages: HostedPage[] = [
  { method: 'GET', path: '/mailbox', mailboxOnly: true, handle: showMailbox },
  { method: 'GET', path: '/mailbox/empty', mailboxOnly: true, handle: confirmEmpty },
  // Refuses forms of other sites, as the pages of accounts do.
  { method: 'POST', path: '/mailbox/empty', mailboxOnly: true, forAccounts: true, handle: empty },
  { method: 'GET', path: '/mailbox/:id', mailboxOnly: true, handle: showEmail },
  { method: 'GET', path: '/mailbox/:id/body', mailboxOnly: true, handle: showHtml },
  { method: 'GET', path: '/mailbox/:id/files/:position', mailboxOnly: true, handle: showAttachment },
]

async function showMailbox(ctx: Ctx, { query }: PageRequest): Promise<PageAnswer> {
  return mailboxPage(await listCapturedEmails(ctx, query))
}

async function confirmEmpty(ctx: Ctx): Promise<PageAnswer> {
  return confirmEmptyPage(await countMailbox(ctx))
}

async function empty(ctx: Ctx): Promise<PageAnswer> {
  await emptyMailbox(ctx)
  return redirectTo(303, '/mailbox')
}

async function showEmail(ctx: Ctx, { params, query }: PageRequest): Promise<PageAnswer> {
  const email = await findCapturedEmail(ctx, params)
  return email ? emailPage(email, query.view) : emailNotFoundPage()
}

async function showHtml(ctx: Ctx, { params }: PageRequest): Promise<PageAnswer> {
  const html = await findCapturedHtml(ctx, params)
  return html === null ? emailNotFoundPage() : htmlAnswer(html, new URL(ctx.world.publicUrl).origin)
}

async function showAttachment(ctx: Ctx, { params }: PageRequest): Promise<PageAnswer> {
  const file = await findCapturedAttachment(ctx, params)
  return file ? attachmentAnswer(file) : emailNotFoundPage()
}
