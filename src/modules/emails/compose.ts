import MailComposer from 'nodemailer/lib/mail-composer'
import type { Mail } from './claim.ts'
import type { Content } from './contents.ts'
import { messageIdOf } from './links.ts'
import type { Message } from './render.ts'
import { Mailbox } from './shapes.ts'

/** Everything a mail's MIME is made of. */
export interface Letter {
  mail: Pick<Mail, 'id' | 'toAddress' | 'toName' | 'createdAt' | 'projectName'>
  content: Pick<Content, 'type' | 'fromAddress' | 'fromName' | 'replyTo' | 'cc' | 'headers' | 'attachments'>
  message: Message
}

/** The addresses a mail goes to on the wire: the recipient first, then copies; blind copies stand nowhere else. */
export function recipientsOf({ toAddress }: Pick<Mail, 'toAddress'>, { cc, bcc }: Pick<Content, 'cc' | 'bcc'>): string[] {
  return [...new Set([toAddress, ...[...mailboxes(cc), ...mailboxes(bcc)].map(({ email }) => email)])]
}

/**
 * The mail as MIME (RFC 5322, 2045–2047, 2231): text and HTML, inline pictures, attachments. Message-ID and Date are those
 * of the acceptance, so every attempt sends the same mail.
 */
export function composeMail({ mail, content, message }: Letter): Promise<Buffer> {
  const ours = bulkHeaders(content, message)
  const given = new Set(Object.keys(content.headers).map((name) => name.toLowerCase()))
  const takesOverUnsubscribe = given.has('list-unsubscribe') || given.has('list-unsubscribe-post')
  const headers = Object.entries(ours).filter(([name]) => !given.has(name.toLowerCase()) && !(takesOverUnsubscribe && name.startsWith('List-Unsubscribe')))
  const composer = new MailComposer({
    from: { name: plainWords(content.fromName ?? mail.projectName), address: content.fromAddress },
    to: [{ name: plainWords(mail.toName ?? ''), address: mail.toAddress }],
    cc: mailboxes(content.cc).map(({ name, email }) => ({ name: plainWords(name ?? ''), address: email })),
    ...(content.replyTo && !given.has('reply-to') && { replyTo: content.replyTo }),
    subject: plainWords(message.subject),
    messageId: `<${messageIdOf(mail, content)}>`,
    date: mail.createdAt,
    headers: [...headers, ...Object.entries(content.headers)].map(([key, value]) => ({ key, value: { prepared: false, value: plainWords(value) } })),
    text: lines(message.text),
    html: lines(message.html),
    attachments: content.attachments.map(({ filename, contentType, cid, inline, bytes }) => ({
      filename,
      contentType,
      content: bytes,
      contentTransferEncoding: 'base64',
      contentDisposition: inline ? 'inline' : 'attachment',
      ...(cid && { cid }),
    })),
    // Content comes from acceptance only: no file and no address is ever read from here.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return new Promise((resolve, reject) => composer.compile().build((error, raw) => (error ? reject(error) : resolve(raw as Buffer))))
}

// Headers of mail sent in bulk (RFC 2369, RFC 8058, RFC 3834).
function bulkHeaders({ type }: Pick<Content, 'type'>, { unsubscribable, links }: Message): Record<string, string> {
  const unsubscribe = { 'List-Unsubscribe': `<${links.unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
  const bulk = { Precedence: 'bulk', 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }
  return { ...(unsubscribable && unsubscribe), ...(type === 'MARKETING' && bulk) }
}

// A value that looks like an encoded word would be decoded by mail programs into something nobody typed.
function plainWords(text: string): string {
  return text.replaceAll('=?', '=\u200b?')
}

// Lines end with CRLF, and a lone CR or LF is nowhere: mail servers disagree on what it means (RFC 5321, 2.3.8).
function lines(text: string): string {
  return text.replace(/\r\n|\r|\n/g, '\r\n').replaceAll('\0', '')
}

function mailboxes(stored: unknown): Mailbox[] {
  return Mailbox.array().parse(stored)
}
