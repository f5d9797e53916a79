import { asciiAddress, domainOf } from '../../../kit/address.ts'
import { base64, type Entity, field, formatAddress, headerText, joinSmall, multipart, parameter, textEntity } from '../mime/mime.ts'
import type { RenderedMessage } from './compiled.ts'
import type { Attachment, Content, EncodedAttachment, Recipient } from './content.ts'

/** The parts a message is composed of. */
export interface MessageParts {
  email: Pick<Recipient, 'projectId' | 'id' | 'source' | 'campaignId' | 'toAddress' | 'toName' | 'createdAt' | 'projectName'>
  content: Pick<Content, 'type' | 'templateId' | 'fromAddress' | 'fromName' | 'replyTo' | 'cc' | 'headers' | 'attachments'>
  rendered: RenderedMessage
}

/**
 * The envelope recipients of an email: its recipient first, then cc and bcc, each once, however the domain is spelled. The bcc addresses
 * appear nowhere else.
 */
export function recipientsOf({ toAddress }: Pick<Recipient, 'toAddress'>, { cc, bcc }: Pick<Content, 'cc' | 'bcc'>): string[] {
  const named = [toAddress, ...[...cc, ...bcc].map(({ email }) => email)]
  return [...Map.groupBy(named, asciiAddress).values()].flatMap(([first]) => first ?? [])
}

/** The Message-ID of an email without angle brackets: fixed at acceptance, the same in every attempt. */
export function messageIdOf({ id }: { id: string }, { fromAddress }: { fromAddress: string }): string {
  return `${id}@${domainOf(fromAddress)}`
}

/** What the sender of an email is shown as: the name that the content gives, otherwise that of the project. */
export function senderName({ fromName }: Pick<Content, 'fromName'>, { projectName }: Pick<Recipient, 'projectName'>): string {
  return fromName ?? projectName
}

/**
 * The email as a MIME message (RFC 5322, 2045–2047, 2231): text and HTML, inline pictures, attachments; every line ends
 * with CRLF. Message-ID and Date are those of its acceptance, so that every attempt sends the same message. It comes in pieces
 * (SmtpMessage): large attachments are not copied into it.
 */
export function composeMessage({ email, content, rendered }: MessageParts): Uint8Array[] {
  const { fields, body } = entityOf(email.id, content, rendered)
  const head = [...headerFields({ email, content, rendered }), 'MIME-Version: 1.0', ...fields].join('\r\n')
  return joinSmall([Buffer.from(`${head}\r\n\r\n`), ...body])
}

// Headers of the caller override ours; acceptance refuses those that callers must not set.
function headerFields({ email, content, rendered }: MessageParts): string[] {
  const given = new Set(Object.keys(content.headers).map((name) => name.toLowerCase()))
  const copies = content.cc
  const unsubscribes = rendered.unsubscribable && !given.has('list-unsubscribe') && !given.has('list-unsubscribe-post')
  const own: [string, string][] = [
    ...(content.replyTo ? [['Reply-To', content.replyTo] as [string, string]] : []),
    // RFC 2369 and 8058: mail programs show a button that unsubscribes with one click.
    ...(unsubscribes
      ? ([
          ['List-Unsubscribe', `<${rendered.links.unsubscribeUrl}>`],
          ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
        ] as [string, string][])
      : []),
    ...(content.type === 'MARKETING' || email.source === 'CAMPAIGN' ? bulkHeaders : []),
    ...(content.type === 'TRANSACTIONAL' ? [] : [['Feedback-ID', feedbackIdOf(email, content)] as [string, string]]),
  ]
  return [
    field('From', formatAddress(senderName(content, email), content.fromAddress)),
    field('To', formatAddress(email.toName, email.toAddress)),
    ...(copies.length > 0 ? [field('Cc', copies.map(({ name, email }) => formatAddress(name, email)).join(', '))] : []),
    field('Subject', headerText(rendered.subject)),
    `Message-ID: <${messageIdOf(email, content)}>`,
    `Date: ${email.createdAt.toUTCString().replace('GMT', '+0000')}`,
    ...own.filter(([name]) => !given.has(name.toLowerCase())).map(([name, value]) => field(name, value)),
    ...Object.entries(content.headers).map(([name, value]) => field(name, headerText(value))),
  ]
}

// What Gmail groups complaints about bulk email by, from right to left: installation, type, project, campaign or template
// (support.google.com/mail/answer/6254652). It holds nothing about the recipient, and is signed.
function feedbackIdOf({ projectId, campaignId }: MessageParts['email'], { type, templateId }: MessageParts['content']): string {
  return [campaignId ?? templateId ?? '', projectId, type, 'postwire'].join(':')
}

// Asks automatic responders, such as absence notes, not to reply (RFC 3834).
const bulkHeaders: [string, string][] = [
  ['Precedence', 'bulk'],
  ['Auto-Submitted', 'auto-generated'],
  ['X-Auto-Response-Suppress', 'All'],
]

function entityOf(id: string, { attachments }: MessageParts['content'], { text, html }: RenderedMessage): Entity {
  const pictures = attachments.filter(({ inline, cid }) => inline && cid)
  const files = attachments.filter(({ inline, cid }) => !(inline && cid))
  const related = multipart('related', `${id}.related`, [textEntity('html', html), ...pictures.map(attachmentEntity)])
  const alternative = multipart('alternative', `${id}.alternative`, [textEntity('plain', text), related])
  return multipart('mixed', `${id}.mixed`, [alternative, ...files.map(attachmentEntity)])
}

/** Encodes an attachment; all messages composed with the result share its octets. */
export function encodeAttachment({ bytes, ...file }: Attachment): EncodedAttachment {
  return { ...file, base64: base64(bytes) }
}

function attachmentEntity(file: EncodedAttachment): Entity {
  return {
    fields: [
      field('Content-Type', `${mediaTypeOf(file)}${parameter('name', file.filename)}`),
      field('Content-Disposition', `${file.inline ? 'inline' : 'attachment'}${parameter('filename', file.filename)}`),
      'Content-Transfer-Encoding: base64',
      ...(file.cid ? [`Content-ID: <${contentIdOf(file.cid)}>`] : []),
    ],
    body: [file.base64],
  }
}

// Acceptance refuses what cannot stand in a Content-ID (RFC 2045, 7, and RFC 5322, 3.6.4); emails accepted before it did may
// have such ids.
function contentIdOf(id: string): string {
  return id.toWellFormed().replace(/[^\w!$&'*+\-/=^`{|}~.@]+/g, encodeURIComponent)
}

// Composite types must not be encoded in base64 (RFC 2045, 6.4); an invalid type becomes that of arbitrary bytes.
function mediaTypeOf({ contentType }: Pick<Attachment, 'contentType'>): string {
  const plain = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(contentType)
  return plain && !/^(message|multipart)\//i.test(contentType) ? contentType : 'application/octet-stream'
}
