import { z } from 'zod'
import type { ReadMessage } from '../parsing/thread.ts'

/** The message of an email as a file. */
export const EmailMessageFile = z.string().meta({
  id: 'EmailMessageFile',
  description: 'A message (RFC 5322).',
  examples: ['From: Acme <hello@demo.test>\r\nTo: ada@example.com\r\nSubject: Welcome\r\n\r\nHello\r\n'],
})

/** The message of an email, and how to read it. */
export interface EmailMessage {
  /** Its octets as text. */
  raw(): string
  /** Whether these are the octets that were sent; otherwise it was rendered again. */
  isExact: boolean
  /** What a mail program reads in it; once, however often it is called. Fails with SERVICE_UNAVAILABLE when that takes too long. */
  read(): Promise<ReadMessage>
}
