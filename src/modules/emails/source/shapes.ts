import { z } from 'zod'

/** The message of an email as a file. */
export const EmailMessageFile = z.string().meta({
  id: 'EmailMessageFile',
  description: 'A message (RFC 5322).',
  examples: ['From: Acme <hello@demo.test>\r\nTo: ada@example.com\r\nSubject: Welcome\r\n\r\nHello\r\n'],
})

/** The message of an email. */
export interface EmailMessage {
  source: string
  /** Whether these are the octets that were sent; otherwise it was rendered again. */
  isExact: boolean
}
