import { decodeWords } from 'postal-mime'
import { page } from '../../../kit/html/layout.ts'
import { html, type Markup, type PageAnswer } from '../../../kit/html/page.ts'
import type { MessageFile, ReadMessage } from '../parsing/thread.ts'
import { type CapturedEmails, maxShownBytes, type ParsedCapturedEmail } from './mailbox.ts'

// The tabs of the page of an email.
const mailboxTabs = ['html', 'text', 'source', 'headers'] as const
type MailboxTab = (typeof mailboxTabs)[number]

/** The list of captured emails, with a search and a link to the next page. */
export function mailboxPage({ emails, search, older, first }: CapturedEmails): PageAnswer {
  const list = html`<table><thead><tr><th scope="col">To</th><th scope="col" class="main">Subject</th><th scope="col">Sent (UTC)</th></tr></thead><tbody>
${emails.map((email) => html`<tr><td class="cut">${email.to.join(', ')}</td><td class="cut"><a href="/mailbox/${email.id}">${email.subject || '(no subject)'}</a></td><td>${timeOf(email.createdAt)}</td></tr>`)}
</tbody></table>`
  const link = (title: string, more: Record<string, string>) =>
    html`<a href="/mailbox?${new URLSearchParams({ ...(search && { search }), ...more }).toString()}">${title}</a> `
  return page({
    title: 'Mailbox',
    wide: true,
    body: html`<h1>Mailbox</h1><p class="quiet">Emails are stored here instead of being sent (EMAIL_TRANSPORT=capture).</p>
<form method="get" role="search"><label for="search">Search subject and addresses</label><input id="search" type="search" name="search" value="${search}"></form>
${emails.length > 0 ? list : emptyList({ search, first })}
<p>${first ? null : link('Newest', {})}${older ? link('Older', { before: older }) : null}${search ? html`<a href="/mailbox">Show all</a> ` : null}${emails.length > 0 ? html`<a href="/mailbox/empty">Delete all</a>` : null}</p>`,
  })
}

function emptyList({ search, first }: Pick<CapturedEmails, 'search' | 'first'>): Markup {
  if (search) return html`<p>No email with “${search}” in its subject or addresses.</p>`
  if (!first) return html`<p>No older email.</p>`
  return html`<p>No email yet. Send an email with <code>POST /v1/send</code> and reload this page.</p>`
}

/** Asks whether to delete all captured emails. */
export function confirmEmptyPage(count: number): PageAnswer {
  return page({
    title: 'Delete all email',
    body: html`<h1>Delete all email</h1><p>${count === 1 ? 'The only email' : `All ${count} emails`} in this mailbox, of every project, will be deleted. Their records in the API are kept.</p>
<form method="post"><button>Delete all</button></form><p><a href="/mailbox">Back to the mailbox</a></p>`,
  })
}

/** A captured email, with one of its tabs open: without the name of one, its HTML if it has any, else its text. */
export function emailPage(email: ParsedCapturedEmail, tabName?: string): PageAnswer {
  const { headers = [], attachments = [], html: hasHtml } = email.message ?? {}
  const tab = mailboxTabs.find((name) => name === tabName) ?? (hasHtml ? 'html' : 'text')
  const files = attachments.map((file, position) => ({ name: file.filename ?? 'attachment', position, size: sizeOf(file.size) }))
  return page({
    title: email.subject || '(no subject)',
    wide: true,
    body: html`<p><a href="/mailbox">Mailbox</a></p><h1>${email.subject || '(no subject)'}</h1>
<dl><dt>From</dt><dd>${headerOf(headers, 'from') ?? email.from}</dd><dt>To</dt><dd>${headerOf(headers, 'to') ?? email.to.join(', ')}</dd>
<dt>Delivered to</dt><dd>${email.to.join(', ')}</dd><dt>Sent</dt><dd>${when(email.createdAt)}</dd></dl>
${email.isPart ? html`<p class="quiet">Only the beginning of this email is shown: with ${sizeOf(email.bytes)} it takes too long to read.</p>` : null}
${files.length > 0 ? html`<p>Attachments: ${files.map(({ name, position, size }) => html`<a href="/mailbox/${email.id}/files/${position}">${name}</a> (${size}) `)}</p>` : null}
<nav aria-label="View">${mailboxTabs.map((name) => tabLink(email.id, name, tab))}</nav>
${tabBody(email, tab)}`,
  })
}

/** The HTML of a captured email for the frame of its page: sandboxed, without scripts, pictures of this origin only. */
export function htmlAnswer(text: string, origin: string): PageAnswer {
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': `sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data: ${origin}; frame-ancestors 'self'`,
    },
    body: `<!doctype html><meta charset="utf-8"><base target="_blank">${text}`,
  }
}

/** An attachment of a captured email, as a download; pictures are shown. */
export function attachmentAnswer({ contentType, filename, content }: MessageFile): PageAnswer {
  const picture = /^image\/(png|jpeg|gif|webp)$/.test(contentType)
  const name = encodeURIComponent(filename ?? 'attachment').replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)
  return {
    status: 200,
    headers: {
      'Content-Type': picture ? contentType : 'application/octet-stream',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': "sandbox; default-src 'none'",
      'Content-Disposition': `${picture ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`,
    },
    body: content,
  }
}

/** The page for a captured email that does not exist. */
export function emailNotFoundPage(): PageAnswer {
  return page({
    title: 'Email not found',
    status: 404,
    body: html`<h1>Email not found</h1><p>It does not exist, or it was deleted. <a href="/mailbox">Mailbox</a></p>`,
  })
}

const titles: Record<MailboxTab, string> = { html: 'HTML', text: 'Text', source: 'Source', headers: 'Headers' }

function tabLink(id: string, name: MailboxTab, open: MailboxTab): Markup {
  return name === open
    ? html`<a href="/mailbox/${id}?view=${name}" aria-current="page">${titles[name]}</a>`
    : html`<a href="/mailbox/${id}?view=${name}">${titles[name]}</a>`
}

function tabBody({ id, message, beginning, bytes }: ParsedCapturedEmail, tab: MailboxTab): Markup {
  if (tab === 'html' && message?.html) {
    return html`<iframe title="The email" sandbox="allow-popups allow-popups-to-escape-sandbox" src="/mailbox/${id}/body"></iframe>`
  }
  if (tab === 'html') return html`<p class="quiet">This email has no HTML part.</p>`
  if (tab === 'text') return html`<pre>${message?.text?.slice(0, maxShownBytes)}</pre>`
  if (tab === 'source') return html`${rest(bytes - beginning.length)}<pre>${beginning.toString('utf8')}</pre>`
  return html`<table><tbody>${message?.headers.map(({ name, value }) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}</tbody></table>`
}

function rest(bytes: number): Markup | null {
  return bytes > 0 ? html`<p class="quiet">The first ${sizeOf(maxShownBytes)}; ${sizeOf(bytes)} more follow.</p>` : null
}

function headerOf(headers: ReadMessage['headers'], wanted: string): string | undefined {
  const value = headers.find(({ name }) => name.toLowerCase() === wanted)?.value
  return value && decodeWords(value)
}

function when(at: Date): string {
  return `${timeOf(at)} UTC`
}

function timeOf(at: Date): string {
  return at.toISOString().slice(0, 19).replace('T', ' ')
}

function sizeOf(bytes: number): string {
  return bytes < 1024 ? `${bytes} B` : `${Math.ceil(bytes / 1024)} KB`
}
