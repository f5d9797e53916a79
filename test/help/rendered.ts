import type { Content, Recipient } from '../../src/modules/emails/message/content.ts'

/** A recipient as delivery loads one; tests change what they are about. */
export const recipient: Recipient = {
  projectId: 'prj_x',
  id: 'eml_01m7y5a6pwe8ma0w1rp9ta1xh8',
  contactId: 'cnt_x',
  source: 'TRANSACTIONAL',
  toAddress: 'ada@example.com',
  toName: null,
  createdAt: new Date('2026-01-31T09:30:00Z'),
  subscribed: true,
  contactData: {},
  projectName: 'Acme & Söhne',
  campaignId: null,
  tracking: 'ENABLED',
  utm: null,
  language: 'en',
}

/** A content as delivery loads one; tests change what they are about. */
export const content: Content = {
  projectId: 'prj_x',
  id: 'ctt_x',
  templateId: null,
  type: 'TRANSACTIONAL',
  subject: 'Hi {{ name }}',
  previewText: null,
  html: '',
  text: null,
  fromAddress: 'hello@demo.test',
  fromName: null,
  replyTo: null,
  cc: [],
  bcc: [],
  headers: {},
  data: {},
  tracking: null,
  attached: false,
  bytes: 1_000,
  attachments: [],
}
