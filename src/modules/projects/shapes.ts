import { z } from 'zod'
import { invisible, line, Timestamp } from '../../kit/shapes.ts'

/** Which emails are tracked: get an open pixel and tracked links. */
export const Tracking = z.enum(['ENABLED', 'DISABLED', 'MARKETING_ONLY']).meta({
  description: 'Which emails get an open pixel and tracked links: all of them, none, or marketing emails only.',
  examples: ['ENABLED'],
})

// Control characters, and those that turn the text around them (Unicode Standard Annex 9, 2.1 to 2.4): in an email or on a page whose title
// has the name, what follows it would be read backwards.
const controls = '\\u0000-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069'
const hasControls = new RegExp(`[${controls}]`)

/** The name of a project. It is the sender's name of emails that have none, hence one line without control characters. */
export const ProjectName = line(100)
  .refine((name) => !hasControls.test(name), { error: 'must not contain control characters, nor those that turn the direction of text' })
  .meta({
    description: 'One line of 1 to 100 characters; the sender’s name of emails that have none.',
    pattern: `^[^${controls}]*[^${invisible}${controls}][^${controls}]*$`,
    examples: ['Acme'],
  })

/** The language of hosted pages and footers for contacts without a locale. */
export const Language = z
  .string()
  .regex(/^[a-z]{2}(-[A-Z]{2})?$/, { error: 'must be a language code such as en or pt-BR' })
  .meta({ description: 'Language of hosted pages and footers for contacts without a `locale`, such as `en` or `pt-BR`.', examples: ['en'] })

const UtmValue = line(100)

/** UTM parameters for the links of marketing email. */
export const Utm = z
  .object({
    source: UtmValue.describe('`utm_source`: 1 to 100 characters.').meta({ examples: ['newsletter'] }),
    medium: UtmValue.describe('`utm_medium`: 1 to 100 characters.').meta({ examples: ['email'] }),
    campaign: UtmValue.nullable().default(null).describe('`utm_campaign`: 1 to 100 characters; null for none.'),
  })
  .meta({
    id: 'Utm',
    description: 'UTM parameters for the links of MARKETING and HEADLESS emails that have none.',
  })
/** UTM parameters for the links of marketing email. */
export type Utm = z.output<typeof Utm>

/** What a member may do in a project. */
export const Role = z.enum(['OWNER', 'ADMIN', 'MEMBER']).meta({
  description:
    'OWNER may do everything; ADMIN everything except add, change or remove owners; MEMBER everything except settings, keys, members, domains and billing.',
  examples: ['MEMBER'],
})

/** A project, with the keys the caller may see. */
export const Project = z
  .object({
    id: z.string().meta({ examples: ['prj_01m7y3mwcpfqhrhzca2e1aqg79'] }),
    name: z.string(),
    public: z
      .string()
      .describe('The public key (`pk_…`), for browsers and apps: it may only call POST /v1/track.')
      .meta({ examples: [`pk_${'0a'.repeat(32)}`] }),
    secret: z
      .string()
      .optional()
      .describe('The secret key (`sk_…`), for servers only: it may call everything except what needs a signed-in user. Absent for members.')
      .meta({ examples: [`sk_${'0a'.repeat(32)}`] }),
    webhookSecret: z
      .string()
      .optional()
      .describe(
        'The secret (`whsec_…`) that signs the webhooks of its workflows (Standard Webhooks), for receivers to check them with. Absent for members.',
      )
      .meta({ examples: [`whsec_${Buffer.alloc(32, 'k').toString('base64')}`] }),
    role: Role.optional().describe('The role of the signed-in user; absent for a key.'),
    disabled: z.boolean().describe('Whether the project is suspended: it can be read but not changed, and sends nothing.'),
    disabledReason: z.string().nullable().describe('Why it is suspended; null while it is not.'),
    tracking: Tracking,
    language: z.string(),
    utm: Utm.nullable().describe('UTM parameters for the links of MARKETING and HEADLESS emails; null for none.'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Project', description: 'A tenant: every contact, email, domain and template belongs to exactly one project.' })
/** A project, with the keys the caller may see. */
export type Project = z.output<typeof Project>

/** Both keys of a project. */
export type KeyPair = Required<Pick<Project, 'public' | 'secret'>>

/** The secrets of a project that admins see. */
export type ProjectSecrets = KeyPair & Required<Pick<Project, 'webhookSecret'>>

/** The projects of the signed-in user, newest first. */
export const Projects = z.array(Project).meta({ id: 'Projects' })

/** A project to create. */
export const ProjectDraft = z.object({ name: ProjectName }).meta({ id: 'ProjectDraft' })
/** A project to create. */
export type ProjectDraft = z.output<typeof ProjectDraft>

/** Changes to a project; fields that are left out stay. */
export const ProjectChange = z
  .object({
    id: z.string(),
    name: ProjectName.optional(),
    tracking: Tracking.optional(),
    language: Language.optional(),
    utm: Utm.nullable()
      .optional()
      .describe('UTM parameters for the http(s) links of MARKETING and HEADLESS emails that have none yet; null removes them.'),
  })
  .meta({ id: 'ProjectChange' })
/** Changes to a project. */
export type ProjectChange = z.output<typeof ProjectChange>

/** Which steps of its setup a project has completed. */
export const SetupState = z
  .object({
    hasSubscription: z.boolean().describe('Whether it has a paid subscription.'),
    hasVerifiedDomain: z.boolean().describe('Whether it has a verified domain to send from.'),
    contactCount: z.int().describe('The number of its contacts, counted up to 100,000.'),
    lastCampaignSentAt: Timestamp.nullable().describe('When a campaign was last sent; null if none was.'),
    hasEnabledWorkflow: z.boolean().describe('Whether a workflow is enabled.'),
  })
  .meta({ id: 'SetupState', description: 'Which steps of its setup a project has completed.' })
/** Which steps of its setup a project has completed. */
export type SetupState = z.output<typeof SetupState>
