import type { SmtpMessage } from '../../../kit/smtp/message.ts'
import type { EmailType } from '../../templates/shapes.ts'

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
  cc: unknown
  bcc: unknown
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

/** What is sent, shared by all recipients of a call; it does not change after it was accepted. */
export interface Content extends ContentRow {
  attachments: Attachment[]
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
