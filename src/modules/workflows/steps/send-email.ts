import { z } from 'zod'
import { EmailAddress } from '../../../kit/shapes.ts'
import { kind, plain } from './kind.ts'

const recipient = z.object({
  type: z.enum(['CONTACT', 'CUSTOM']),
  // The email is still one of the contact: its data and its links are those of the contact.
  customEmail: EmailAddress.optional(),
})

const config = z.object({ recipient: recipient.optional() })

/** Sends the template of the step to the contact, or to another address. */
export const sendEmail = kind({
  label: 'Send email',
  meaning: 'Sends a template to the contact, or to another address.',
  parts: '`templateId`; `recipient`: `{ "type": "CONTACT" }` (default) or `{ "type": "CUSTOM", "customEmail": … }`',
  config,
  exits: () => [plain],
  missing: ({ recipient: to }) => (to?.type === 'CUSTOM' && !to.customEmail ? '"recipient.customEmail"' : null),
})
