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
  .meta({ description: 'One line of 1 to 100 characters; the sender’s name of mails that have none.', examples: ['Acme'] })

/** The language of pages and footers for contacts that have none of their own. */
export const Language = z
  .string()
  .regex(/^[a-z]{2}(-[A-Z]{2})?$/, { error: 'must be a language code such as en or pt-BR' })
  .meta({ description: 'Language of hosted pages and footers for contacts without a `locale`, such as `en` or `pt-BR`.', examples: ['en'] })

/** What a member may do: an owner everything, an admin everything but with owners, a member no settings, keys, members or billing. */
export const Role = z.enum(['OWNER', 'ADMIN', 'MEMBER']).meta({
  description:
    'OWNER may do everything; ADMIN everything except add, change or remove owners; MEMBER everything except settings, keys, members, domains and billing.',
  examples: ['MEMBER'],
})

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
      .optional()
      .describe('The secret key (`sk_…`): may call everything. Keep it on your servers. Only for admins and owners.')
      .meta({ examples: [`sk_${'0a'.repeat(32)}`] }),
    role: Role.optional().describe('What the caller may do in it; absent for keys.'),
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

/** Both keys of a project. */
export type KeyPair = Required<Pick<Project, 'public' | 'secret'>>

/** The projects of who is signed in, newest first. */
export const Projects = z.array(Project).meta({ id: 'Projects' })

/** What a project is made of. */
export const ProjectDraft = z.object({ name: ProjectName }).meta({ id: 'ProjectDraft' })
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

/** How far a project has come. */
export const SetupState = z
  .object({
    hasSubscription: z.boolean().describe('Whether it pays for its mail.'),
    hasVerifiedDomain: z.boolean().describe('Whether it may send from a domain.'),
    contactCount: z.int().describe('Its contacts, counted up to 100,000.'),
    lastCampaignSentAt: Timestamp.nullable().describe('When a campaign was last sent; null when none was.'),
    hasEnabledWorkflow: z.boolean().describe('Whether a workflow is enabled.'),
  })
  .meta({ id: 'SetupState', description: 'How far a project has come.' })
/** How far a project has come. */
export type SetupState = z.output<typeof SetupState>
