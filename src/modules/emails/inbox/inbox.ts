import PostalMime, { type Attachment, type Email as ParsedMail } from 'postal-mime'
import type { Ctx } from '../../../kit/context.ts'
import { escapeHtml, type PageAnswer, type PageRequest } from '../../../kit/html/page.ts'
import { countMails, deleteMails, selectMail, selectMails } from './sql.ts'
import { emptyMailboxPage, type MailboxItem, type MailboxTab, mailboxPage, mailboxTabs, mailPage, noSuchMailPage } from './views.ts'

/** Captured emails, newest first, 50 per page; `search` looks in subject and addresses, case-insensitively. */
export async function listMailbox({ db }: Ctx, { query }: PageRequest): Promise<PageAnswer> {
  const search = (query.search ?? '').trim()
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  const mails = await db.run(selectMails, [query.before ?? aboveAllIds, pattern, pageSize + 1])
  const shown = mails.slice(0, pageSize)
  return mailboxPage({ mails: shown, search, older: mails.length > pageSize ? shown.at(-1)?.id : undefined, first: !query.before })
}

/** Asks whether to delete everything that was captured; changes nothing. */
export async function askToEmptyMailbox({ db }: Ctx): Promise<PageAnswer> {
  const [found] = await db.run(countMails, [])
  return emptyMailboxPage(found?.count ?? 0)
}

/** Deletes everything that was captured until now, in batches, and leads back to the list. */
export async function emptyMailbox({ db }: Ctx): Promise<PageAnswer> {
  for (let deleted = deletedAtOnce; deleted === deletedAtOnce; ) deleted = (await db.run(deleteMails, [deletedAtOnce]))[0]?.count ?? 0
  return { status: 303, headers: { Location: '/mailbox', 'Cache-Control': 'no-store' }, body: '' }
}

/** One captured mail: as HTML, text, source or headers. */
export async function readMailboxMail({ db }: Ctx, { params, query }: PageRequest): Promise<PageAnswer> {
  const mail = await findMail(db, params.id)
  if (!mail) return noSuchMailPage()
  const parsed = await PostalMime.parse(mail.raw)
  const tab: MailboxTab = mailboxTabs.find((name) => name === query.view) ?? (parsed.html ? 'html' : 'text')
  return mailPage({ mail, parsed, tab, source: mail.raw.toString('utf8') })
}

/** The HTML of a captured mail alone, for the frame of its page: sandboxed, without scripts, pictures only from here. */
export async function showMailboxBody({ db, world }: Ctx, { params }: PageRequest): Promise<PageAnswer> {
  const mail = await findMail(db, params.id)
  if (!mail) return noSuchMailPage()
  const parsed = await PostalMime.parse(mail.raw)
  const own = new URL(world.publicUrl).origin
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': `sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data: ${own}; frame-ancestors 'self'`,
    },
    body: `<!doctype html><meta charset="utf-8"><base target="_blank">${withPictures(mail.id, parsed)}`,
  }
}

/** An attachment of a captured mail, to save; pictures that stand in the mail are shown. */
export async function openMailboxFile({ db }: Ctx, { params }: PageRequest): Promise<PageAnswer> {
  const mail = await findMail(db, params.id)
  const file = mail && (await PostalMime.parse(mail.raw)).attachments[Number(params.position)]
  if (!file) return noSuchMailPage()
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
const deletedAtOnce = 500
const aboveAllIds = '~'

async function findMail(db: Ctx['db'], id = ''): Promise<(MailboxItem & { raw: Buffer }) | undefined> {
  const [mail] = await db.run(selectMail, [id])
  return mail
}

// Inline pictures are named by their Content-ID (RFC 2392).
function withPictures(id: string, { html = '', attachments }: ParsedMail): string {
  return attachments.reduce((text, { contentId }, position) => {
    const name = contentId?.replace(/^<|>$/g, '')
    return name ? text.replaceAll(`cid:${escapeHtml(name)}`, `/mailbox/${id}/files/${position}`) : text
  }, html)
}

function bytesOf({ content }: Attachment): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)
}
