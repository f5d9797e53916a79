import type { SmtpMessage } from '../../../kit/smtp/message.ts'
import type { Utm } from '../../projects/shapes.ts'
import type { EmailType } from '../../templates/shapes.ts'
import type { EmailSource, NamedAddress } from '../shapes.ts'
import type { LinkSubject } from '../subscription/links.ts'

/** The row of a content, without its attachments. */
export interface ContentRow {
  projectId: string
  id: string
  templateId: string | null
  type: EmailType
  subject: string
  /** What mail programs show beside the subject: a Liquid template. */
  previewText: string | null
  html: string
  text: string | null
  fromAddress: string
  fromName: string | null
  replyTo: string | null
  cc: NamedAddress[]
  bcc: NamedAddress[]
  headers: Record<string, string>
  data: Record<string, unknown>
  tracking: boolean | null
  /** Whether it has attachments. */
  attached: boolean
  /** About how many bytes it takes in memory, with its attachments. */
  bytes: number
}

/** An attachment of a content, decoded. */
export interface Attachment {
  filename: string
  contentType: string
  cid: string | null
  inline: boolean
  bytes: Buffer
}

/** An attachment as it is sent, in base64. Its octets are in memory that all messages and threads share. */
export interface EncodedAttachment extends Omit<Attachment, 'bytes'> {
  base64: Uint8Array
}

/** What is sent, shared by all recipients of a call; it does not change after it was accepted. */
export interface Content extends ContentRow {
  attachments: EncodedAttachment[]
}

/** The bytes of contents that a cache may hold: enough for the largest content, which each of its recipients would read again. */
export const maxContentBytes = 80_000_000
const rowBytes = 1_000
const bytesPerCharacter = 2
// A file becomes base64 with line breaks (RFC 2045, 6.8).
const base64Growth = 1.37

/** How many times the bytes that data has as JSON it takes in memory, at worst. */
export const dataGrowth = 10

/** About how many bytes a content takes in memory, with its attachments. */
export function contentBytes(
  content: Pick<ContentRow, 'subject' | 'html' | 'text'> & { dataBytes: number; attachments: Attachment[] },
): number {
  const characters = content.subject.length + content.html.length + (content.text?.length ?? 0)
  const files = content.attachments.reduce((sum, { bytes }) => sum + bytes.length, 0)
  return Math.ceil(rowBytes + characters * bytesPerCharacter + content.dataBytes * dataGrowth + files * base64Growth)
}

/** The recipient of an email, with everything a message is rendered from besides the content. */
export interface Recipient {
  projectId: string
  /** Id of the email. */
  id: string
  contactId: string
  source: EmailSource
  /** The campaign it is of. */
  campaignId: string | null
  toAddress: string
  toName: string | null
  /** Of a preview or a test: it is no email that anybody could unsubscribe from. */
  isSample?: true
  createdAt: Date
  subscribed: boolean
  contactData: Record<string, unknown>
  projectName: string
  tracking: 'ENABLED' | 'DISABLED' | 'MARKETING_ONLY'
  /** What is added to the links of marketing email. */
  utm: Utm | null
  language: string
}

/** What the subscription links of an email are about. */
export function linkSubjectOf({ projectId, contactId, id, toAddress, isSample }: Recipient): LinkSubject {
  return { projectId, contactId, emailId: id, ...(!isSample && { address: toAddress }) }
}

/** An email ready for the wire: its envelope and octets, and what identifies it. */
export interface RenderedEmail extends SmtpMessage {
  projectId: string
  /** Null for a test, of which nothing is stored. */
  emailId: string | null
  subject: string
}
