import { z } from 'zod'
import { Flag, Timestamp } from '../../../kit/shapes.ts'
import { Contact, ContactFilter } from '../shapes.ts'

/** The query of an export: which contacts. Strict, because without a part that is misspelt other contacts would be exported. */
export const ExportSearch = z.strictObject({
  search: ContactFilter.shape.search,
  subscribed: Flag.optional().describe('Only contacts that are, or are not, subscribed.'),
  segmentId: z.string().optional().describe('Only contacts that are members of this segment.'),
})
/** The query of an export. */
export type ExportSearch = z.output<typeof ExportSearch>

/** The CSV of an export. */
export const ContactsCsv = z.string().meta({
  id: 'ContactsCsv',
  examples: ['email,subscribed,createdAt,updatedAt,plan\r\nada@example.com,true,2026-01-31T09:30:00.000Z,2026-01-31T09:30:00.000Z,pro\r\n'],
})

const Person = z.object({ email: z.string(), name: z.string().nullable() })
const moment = Timestamp.nullable()

/** What is stored about one contact. */
export const PersonExport = z
  .object({
    exportedAt: Timestamp,
    contact: Contact,
    suppression: z.object({ reason: z.string(), since: Timestamp }).nullable().describe('Why no email is sent to the address, if so.'),
    subscriptions: z
      .array(z.object({ id: z.string(), subscribed: z.boolean(), source: z.string(), reason: z.string().nullable(), at: Timestamp }))
      .describe('Every change of the subscription, oldest first.'),
    events: z
      .array(
        z.object({
          id: z.string(),
          name: z.string(),
          emailId: z.string().nullable(),
          data: z.record(z.string(), z.unknown()).nullable(),
          createdAt: Timestamp,
        }),
      )
      .describe('Everything that happened to the contact, oldest first.'),
    emails: z
      .array(
        z.object({
          id: z.string(),
          status: z.string(),
          source: z.string(),
          subject: z.string(),
          to: Person,
          from: Person.nullable(),
          replyTo: z.string().nullable(),
          templateId: z.string().nullable(),
          tags: z.array(z.string()),
          attachments: z.array(z.object({ filename: z.string(), contentType: z.string(), size: z.number().int() })),
          reason: z.string().nullable(),
          opens: z.number().int(),
          clicks: z.number().int(),
          machineOpens: z.number().int().describe('How many of the opens were those of programs.'),
          machineClicks: z.number().int().describe('How many of the clicks were those of programs.'),
          createdAt: Timestamp,
          sentAt: moment,
          deliveredAt: moment,
          openedAt: moment,
          clickedAt: moment,
          bouncedAt: moment,
          complainedAt: moment,
        }),
      )
      .describe('Every email to the contact without its text, oldest first.'),
  })
  .meta({ id: 'PersonExport' })
