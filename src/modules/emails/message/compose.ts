import { Mailbox } from '../shapes.ts'
import type { AttachmentRow, Content, Recipient } from './content.ts'
import { base64, type Entity, field, mailbox, multipart, parameter, textEntity, words } from './mime.ts'
import type { RenderedContent } from './render.ts'

/** What a message is composed of. */
export interface MessageParts {
  email: Pick<Recipient, 'id' | 'toAddress' | 'toName' | 'createdAt' | 'projectName'>
  content: Pick<Content, 'type' | 'fromAddress' | 'fromName' | 'replyTo' | 'cc' | 'headers' | 'attachments'>
  rendered: RenderedContent
}

/** The addresses a mail goes to on the wire: the recipient first, then copies; blind copies stand nowhere else. */
export function recipientsOf({ toAddress }: Pick<Recipient, 'toAddress'>, { cc, bcc }: Pick<Content, 'cc' | 'bcc'>): string[] {
  return [...new Set([toAddress, ...[...mailboxes(cc), ...mailboxes(bcc)].map(({ email }) => email)])]
}

/** The Message-ID of a mail without its brackets: fixed at acceptance, the same in every attempt. */
export function messageIdOf({ id }: { id: string }, { fromAddress }: { fromAddress: string }): string {
  return `${id}@${fromAddress.slice(fromAddress.lastIndexOf('@') + 1)}`
}

/**
 * The mail as MIME (RFC 5322, 2045–2047, 2231): text and HTML, inline pictures, attachments; every line ends with CRLF.
 * Message-ID and Date are those of the acceptance, so every attempt sends the same mail.
 */
export function composeMessage({ email, content, rendered }: MessageParts): Buffer {
  const { fields, body } = entityOf(email.id, content, rendered)
  const head = [...headOf({ email, content, rendered }), 'MIME-Version: 1.0', ...fields].join('\r\n')
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`), ...body])
}

// The caller's headers win over ours; acceptance refuses those that must stay ours.
function headOf({ email, content, rendered }: MessageParts): string[] {
  const given = new Set(Object.keys(content.headers).map((name) => name.toLowerCase()))
  const copies = mailboxes(content.cc)
  const unsubscribes = rendered.unsubscribable && !given.has('list-unsubscribe') && !given.has('list-unsubscribe-post')
  const own: [string, string][] = [
    ...(content.replyTo ? [['Reply-To', content.replyTo] as [string, string]] : []),
    // RFC 2369 and 8058: mail programs show a button and ask nobody.
    ...(unsubscribes
      ? ([
          ['List-Unsubscribe', `<${rendered.links.unsubscribeUrl}>`],
          ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
        ] as [string, string][])
      : []),
    ...(content.type === 'MARKETING' ? bulk : []),
  ]
  return [
    field('From', mailbox(content.fromName ?? email.projectName, content.fromAddress)),
    field('To', mailbox(email.toName, email.toAddress)),
    ...(copies.length > 0 ? [field('Cc', copies.map(({ name, email }) => mailbox(name, email)).join(', '))] : []),
    field('Subject', words(rendered.subject)),
    `Message-ID: <${messageIdOf(email, content)}>`,
    `Date: ${email.createdAt.toUTCString().replace('GMT', '+0000')}`,
    ...own.filter(([name]) => !given.has(name.toLowerCase())).map(([name, value]) => field(name, value)),
    ...Object.entries(content.headers).map(([name, value]) => field(name, words(value))),
  ]
}

// Not written by a person: nobody's absence note should answer (RFC 3834).
const bulk: [string, string][] = [
  ['Precedence', 'bulk'],
  ['Auto-Submitted', 'auto-generated'],
  ['X-Auto-Response-Suppress', 'All'],
]

function entityOf(id: string, { attachments }: Pick<Content, 'attachments'>, { text, html }: RenderedContent): Entity {
  const pictures = attachments.filter(({ inline, cid }) => inline && cid)
  const files = attachments.filter(({ inline, cid }) => !(inline && cid))
  const related = multipart('related', `${id}.related`, [textEntity('html', html), ...pictures.map(fileEntity)])
  const alternative = multipart('alternative', `${id}.alternative`, [textEntity('plain', text), related])
  return multipart('mixed', `${id}.mixed`, [alternative, ...files.map(fileEntity)])
}

// Encoded once for all recipients of a call.
const encoded = new WeakMap<AttachmentRow, Buffer>()

function fileEntity(file: AttachmentRow): Entity {
  const body = encoded.get(file) ?? base64(file.bytes)
  encoded.set(file, body)
  return {
    fields: [
      field('Content-Type', `${typeOf(file)}${parameter('name', file.filename)}`),
      field('Content-Disposition', `${file.inline ? 'inline' : 'attachment'}${parameter('filename', file.filename)}`),
      'Content-Transfer-Encoding: base64',
      ...(file.cid ? [`Content-ID: <${file.cid.replace(/[<>\s]/g, '')}>`] : []),
    ],
    body: [body],
  }
}

// Composite types must not be base64 (RFC 2045, 6.4), and what is no type at all is bytes.
function typeOf({ contentType }: AttachmentRow): string {
  const plain = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(contentType)
  return plain && !/^(message|multipart)\//i.test(contentType) ? contentType : 'application/octet-stream'
}

function mailboxes(stored: unknown): Mailbox[] {
  return Mailbox.array().parse(stored)
}
