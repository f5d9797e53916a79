import PostalMime, { type Attachment as ParsedAttachment, type Email as ParsedEmail } from 'postal-mime'
import type { Ctx } from '../../../kit/context.ts'
import { escapeHtml, type PageAnswer, type PageRequest } from '../../../kit/html/page.ts'
import { countCapturedEmails, deleteCapturedEmails, selectCapturedEmail, selectCapturedEmails } from './sql.ts'
import { type CapturedEmail, confirmEmptyPage, emailNotFoundPage, emailPage, type MailboxTab, mailboxPage, mailboxTabs } from './views.ts'

/** Lists captured emails, newest first, 50 per page; `search` matches part of the subject or of an address, ignoring case. */
export async function listMailbox({ db }: Ctx, { query }: PageRequest): Promise<PageAnswer> {
  const search = (query.search ?? '').trim()
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  const found = await db.run(selectCapturedEmails, [query.before ?? aboveAllIds, pattern, pageSize + 1])
  const emails = found.slice(0, pageSize)
  return mailboxPage({ emails, search, older: found.length > pageSize ? emails.at(-1)?.id : undefined, first: !query.before })
}

/** Asks whether to delete all captured emails; changes nothing. */
export async function confirmEmptyMailbox({ db }: Ctx): Promise<PageAnswer> {
  const [found] = await db.run(countCapturedEmails, [])
  return confirmEmptyPage(found?.count ?? 0)
}

/** Deletes all captured emails, in batches, and redirects to the list. */
export async function emptyMailbox({ db }: Ctx): Promise<PageAnswer> {
  for (let deleted = deletedPerBatch; deleted === deletedPerBatch; )
    deleted = (await db.run(deleteCapturedEmails, [deletedPerBatch]))[0]?.count ?? 0
  return { status: 303, headers: { Location: '/mailbox', 'Cache-Control': 'no-store' }, body: '' }
}

/** Shows one captured email: its HTML, text, source or headers. */
export async function showCapturedEmail({ db }: Ctx, { params, query }: PageRequest): Promise<PageAnswer> {
  const email = await findCapturedEmail(db, params.id)
  if (!email) return emailNotFoundPage()
  const parsed = await PostalMime.parse(email.raw)
  const tab: MailboxTab = mailboxTabs.find((name) => name === query.view) ?? (parsed.html ? 'html' : 'text')
  return emailPage({ email, parsed, tab, source: email.raw.toString('utf8') })
}

/** Shows the HTML of a captured email for the frame of its page: sandboxed, without scripts, pictures of this origin only. */
export async function showCapturedHtml({ db, world }: Ctx, { params }: PageRequest): Promise<PageAnswer> {
  const email = await findCapturedEmail(db, params.id)
  if (!email) return emailNotFoundPage()
  const parsed = await PostalMime.parse(email.raw)
  const own = new URL(world.publicUrl).origin
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': `sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data: ${own}; frame-ancestors 'self'`,
    },
    body: `<!doctype html><meta charset="utf-8"><base target="_blank">${withPictures(email.id, parsed)}`,
  }
}

/** An attachment of a captured email, as a download; pictures are shown. */
export async function openCapturedAttachment({ db }: Ctx, { params }: PageRequest): Promise<PageAnswer> {
  const email = await findCapturedEmail(db, params.id)
  const file = email && (await PostalMime.parse(email.raw)).attachments[Number(params.position)]
  if (!file) return emailNotFoundPage()
  const picture = /^image\/(png|jpeg|gif|webp)$/.test(file.mimeType)
  return {
    status: 200,
    headers: {
      'Content-Type': picture ? file.mimeType : 'application/octet-stream',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': "sandbox; default-src 'none'",
      'Content-Disposition': `${picture ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(file.filename ?? 'attachment').replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)}`,
    },
    body: bytesOf(file),
  }
}

const pageSize = 50
const deletedPerBatch = 500
const aboveAllIds = '~'

async function findCapturedEmail(db: Ctx['db'], id = ''): Promise<(CapturedEmail & { raw: Buffer }) | undefined> {
  const [email] = await db.run(selectCapturedEmail, [id])
  return email
}

// Inline pictures are referred to by their Content-ID (RFC 2392).
function withPictures(id: string, { html = '', attachments }: ParsedEmail): string {
  return attachments.reduce((text, { contentId }, position) => {
    const name = contentId?.replace(/^<|>$/g, '')
    return name ? text.replaceAll(`cid:${escapeHtml(name)}`, `/mailbox/${id}/files/${position}`) : text
  }, html)
}

function bytesOf({ content }: ParsedAttachment): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)
}
