import { z } from 'zod'
import { HeaderText, Timestamp } from '../../kit/shapes.ts'

/** Which mails carry an open pixel and counted links. */
export const Tracking = z.enum(['ENABLED', 'DISABLED', 'MARKETING_ONLY']).meta({
  description: 'Which mails get an open pixel and counted links: all, none, or marketing mail only.',
  examples: ['ENABLED'],
})

/** The name of a project: the sender's name where a mail says none, so one line without control characters. */
export const ProjectName = HeaderText.trim()
  .min(1)
  .max(100)
  .refine((name) => !/\p{Cc}/u.test(name), { error: 'must not contain control characters' })
  .meta({ description: 'One line of 1 to 100 characters; stands as the sender’s name where a mail gives none.', examples: ['Acme'] })

/** The language of pages and footers for contacts that have none of their own. */
export const Language = z
  .string()
  .regex(/^[a-z]{2}(-[A-Z]{2})?$/, { error: 'must be a language code such as en or pt-BR' })
  .meta({ description: 'Language of hosted pages and footers where a contact has no `locale` of its own.', examples: ['en'] })

/** A project with both of its keys. */
export const Project = z
  .object({
    id: z.string().meta({ examples: ['prj_01m7y3mwcpfqhrhzca2e1aqg79'] }),
    name: z.string(),
    public: z
      .string()
      .describe('The public key (`pk_…`): may only call POST /v1/track.')
      .meta({ examples: [`pk_${'0a'.repeat(32)}`] }),
    secret: z
      .string()
      .describe('The secret key (`sk_…`): may call everything. Keep it on your servers.')
      .meta({ examples: [`sk_${'0a'.repeat(32)}`] }),
    disabled: z.boolean().describe('A suspended project can be read but not changed, and sends nothing.'),
    disabledReason: z.string().nullable(),
    tracking: Tracking,
    language: z.string(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Project', description: 'A tenant: contacts, mails, domains and templates belong to exactly one project.' })
/** A project with both of its keys. */
export type Project = z.output<typeof Project>

/** What a project is made of. */
export const ProjectDraft = z.object({ name: ProjectName, ownerId: z.string().optional() })
/** What a project is made of. */
export type ProjectDraft = z.output<typeof ProjectDraft>

/** What of a project may be changed; only what is sent changes. */
export const ProjectChange = z
  .object({
    id: z.string(),
    name: ProjectName.optional(),
    tracking: Tracking.optional(),
    language: Language.optional(),
  })
  .meta({ id: 'ProjectChange' })
/** What of a project may be changed. */
export type ProjectChange = z.output<typeof ProjectChange>
