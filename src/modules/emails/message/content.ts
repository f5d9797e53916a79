import type { MailType } from '../shapes.ts'

/** A stored content without its attachments. */
export interface ContentRow {
  projectId: string
  id: string
  templateId: string | null
  type: MailType
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
  attached: boolean
}

/** One attachment, decoded. */
export interface AttachmentRow {
  filename: string
  contentType: string
  cid: string | null
  inline: boolean
  bytes: Buffer
}

/** What is sent, shared by all recipients of a call; it never changes once accepted. */
export interface Content extends ContentRow {
  attachments: AttachmentRow[]
}

/** Whom an email goes to, with what its message is made of beside the content. */
export interface Recipient {
  projectId: string
  /** The email. */
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
