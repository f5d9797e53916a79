import type { SmtpMessage } from '../../../kit/smtp/message.ts'
import type { EmailType } from '../../templates/shapes.ts'
import type { NamedAddress } from '../shapes.ts'

/** The row of a content, without its attachments. */
export interface ContentRow {
  projectId: string
  id: string
  templateId: string | null
  type: EmailType
  subject: string
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

/** The bytes a content takes in memory. */
export function contentWeight({ subject, html, text, attachments }: Content): number {
  const characters = subject.length + html.length + (text?.length ?? 0)
  const files = attachments.reduce((sum, { base64 }) => sum + base64.length, 0)
  return rowBytes + characters * bytesPerCharacter + files
}

/** The recipient of an email, with everything a message is rendered from besides the content. */
export interface Recipient {
  projectId: string
  /** Id of the email. */
  id: string
  contactId: string
  toAddress: string
  toName: string | null
  createdAt: Date
  subscribed: boolean
  contactData: Record<string, unknown>
  projectName: string
  tracking: 'ENABLED' | 'DISABLED' | 'MARKETING_ONLY'
  language: string
}

/** An email ready for the wire: its envelope and octets, and what identifies it. */
export interface RenderedEmail extends SmtpMessage {
  projectId: string
  emailId: string
  subject: string
}
