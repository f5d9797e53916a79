import { decodeWords, type Email as ParsedEmail } from 'postal-mime'
import { page } from '../../../kit/html/layout.ts'
import { html, type Markup, type PageAnswer } from '../../../kit/html/page.ts'

/** A captured email as the list shows it. */
export interface CapturedEmail {
  id: string
  from: string
  to: string[]
  subject: string
  createdAt: Date
}

/** The tabs of the page of an email. */
export const mailboxTabs = ['html', 'text', 'source', 'headers'] as const
export type MailboxTab = (typeof mailboxTabs)[number]

/** The list of captured emails; `older` is the id below which the next page begins. */
export function mailboxPage(view: { emails: CapturedEmail[]; search: string; older: string | undefined; first: boolean }): PageAnswer {
  const { emails, search, older, first } = view
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
${emails.length > 0 ? list : emptyList(search, first)}
<p>${first ? null : link('Newest', {})}${older ? link('Older', { before: older }) : null}${search ? html`<a href="/mailbox">Show all</a> ` : null}${emails.length > 0 ? html`<a href="/mailbox/empty">Delete all</a>` : null}</p>`,
  })
}

function emptyList(search: string, first: boolean): Markup {
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

/** A captured email, with one of its tabs open. */
export function emailPage({
  email,
  parsed,
  tab,
  source,
}: {
  email: CapturedEmail
  parsed: ParsedEmail
  tab: MailboxTab
  source: string
}): PageAnswer {
  const files = parsed.attachments.map((file, position) => ({ name: file.filename ?? 'attachment', position, size: sizeOf(file.content) }))
  return page({
    title: email.subject || '(no subject)',
    wide: true,
    body: html`<p><a href="/mailbox">Mailbox</a></p><h1>${email.subject || '(no subject)'}</h1>
<dl><dt>From</dt><dd>${headerOf(parsed, 'from') ?? email.from}</dd><dt>To</dt><dd>${headerOf(parsed, 'to') ?? email.to.join(', ')}</dd>
<dt>Delivered to</dt><dd>${email.to.join(', ')}</dd><dt>Sent</dt><dd>${when(email.createdAt)}</dd></dl>
${files.length > 0 ? html`<p>Attachments: ${files.map(({ name, position, size }) => html`<a href="/mailbox/${email.id}/files/${position}">${name}</a> (${size}) `)}</p>` : null}
<nav aria-label="View">${mailboxTabs.map((name) => tabLink(email.id, name, tab))}</nav>
${tabBody(email.id, tab, parsed, source)}`,
  })
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

function tabBody(id: string, tab: MailboxTab, parsed: ParsedEmail, source: string): Markup {
  if (tab === 'html' && parsed.html) {
    return html`<iframe title="The email" sandbox="allow-popups allow-popups-to-escape-sandbox" src="/mailbox/${id}/body"></iframe>`
  }
  if (tab === 'html') return html`<p class="quiet">This email has no HTML part.</p>`
  if (tab === 'text') return html`<pre>${parsed.text ?? ''}</pre>`
  if (tab === 'source') return html`<pre>${source}</pre>`
  return html`<table><tbody>${parsed.headers.map(({ originalKey, value }) => html`<tr><th scope="row">${originalKey}</th><td>${value}</td></tr>`)}</tbody></table>`
}

function headerOf({ headers }: ParsedEmail, key: string): string | undefined {
  const value = headers.find((header) => header.key === key)?.value
  return value && decodeWords(value)
}

function when(at: Date): string {
  return `${timeOf(at)} UTC`
}

function timeOf(at: Date): string {
  return at.toISOString().slice(0, 19).replace('T', ' ')
}

function sizeOf(content: ArrayBuffer | Uint8Array | string): string {
  const bytes = typeof content === 'string' ? content.length : content.byteLength
  return bytes < 1024 ? `${bytes} B` : `${Math.ceil(bytes / 1024)} KB`
}
