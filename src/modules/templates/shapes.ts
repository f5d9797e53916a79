import { z } from 'zod'
import { NumberedSearch, numberedPageOf } from '../../kit/paging.ts'
import { EmailAddress, HeaderText, Text, Timestamp } from '../../kit/shapes.ts'

/** Most characters of a template's name. */
export const longestName = 100
/** Bytes a request with a template may have. */
export const templateBytes = 5 * 1024 * 1024

/** The kind of an email: it decides on footer and headers, and whether it is sent to unsubscribed contacts. */
export const MailType = z.enum(['MARKETING', 'TRANSACTIONAL', 'HEADLESS']).meta({
  description:
    'MARKETING has an unsubscribe footer and is withheld from contacts that opted out; TRANSACTIONAL has neither; HEADLESS has no footer but is withheld.',
  examples: ['TRANSACTIONAL'],
})
/** The kind of an email. */
export type MailType = z.output<typeof MailType>

const fields = {
  name: HeaderText.trim()
    .min(1)
    .max(longestName)
    .meta({ description: 'One line of 1 to 100 characters.', examples: ['Welcome'] }),
  subject: HeaderText.min(1)
    .max(998)
    .meta({ description: 'Liquid, one line of 1 to 998 characters (RFC 5322, 2.1.1).', examples: ['Welcome, {{ name ?? "friend" }}'] }),
  body: Text.min(1)
    .max(templateBytes)
    .meta({ description: 'HTML with Liquid; values are escaped, `| raw` opts out.', examples: ['<p>Hello {{ name ?? "friend" }}</p>'] }),
  from: EmailAddress.meta({ description: 'The sender; its domain must be verified in the project.', examples: ['hello@demo.test'] }),
  fromName: HeaderText.max(100)
    .nullable()
    .meta({ description: 'The sender’s name; null for none.', examples: ['Acme'] }),
  replyTo: EmailAddress.nullable().meta({ description: 'Where answers go; null for the sender.', examples: ['help@demo.test'] }),
  description: Text.max(500)
    .nullable()
    .meta({ description: 'For people, at most 500 characters.', examples: ['Sent after sign-up'] }),
  type: MailType,
}

/** A stored mail: subject, body and sender, with Liquid in subject and body. */
export const Template = z
  .object({
    id: z.string().meta({ examples: ['tpl_01m7y3mwcpfqhrhzca2e1aqg79'] }),
    name: z.string(),
    description: z.string().nullable(),
    subject: z.string().describe('Liquid.'),
    body: z.string().describe('HTML with Liquid.'),
    from: z.string().meta({ format: 'email' }),
    fromName: z.string().nullable(),
    replyTo: z.string().nullable(),
    type: MailType,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Template', description: 'A stored mail: subject, body and sender, with Liquid in subject and body.' })
/** A stored mail. */
export type Template = z.output<typeof Template>

/** What a template is made of. */
export const TemplateDraft = z
  .object({
    name: fields.name.optional().describe('One line of 1 to 100 characters. Default: the subject, cut to 100.'),
    subject: fields.subject,
    body: fields.body,
    from: fields.from,
    fromName: fields.fromName.optional(),
    replyTo: fields.replyTo.optional(),
    description: fields.description.optional(),
    type: fields.type.optional().describe('Default: MARKETING.'),
  })
  .meta({ id: 'TemplateDraft' })
/** What a template is made of. */
export type TemplateDraft = z.output<typeof TemplateDraft>

/** What changes a template: only what is sent changes, null empties fromName, replyTo and description. */
export const TemplateChange = z
  .object({ id: z.string(), ...fields })
  .partial()
  .required({ id: true })
  .meta({ id: 'TemplateChange' })
/** What changes a template. */
export type TemplateChange = z.output<typeof TemplateChange>

/** What templates can be searched by. */
export const TemplateFilter = z.object({
  search: Text.max(200).optional().describe('Part of the name, description or subject, in any case; `%` and `_` mean themselves.'),
  type: MailType.optional().describe('Only templates of this kind.'),
})
/** What templates can be searched by. */
export type TemplateFilter = z.output<typeof TemplateFilter>

/** The query of the list of templates. */
export const TemplateSearch = NumberedSearch.extend(TemplateFilter.shape)
/** The query of the list of templates. */
export type TemplateSearch = z.output<typeof TemplateSearch>

/** A page of templates, newest first; `templates` is the same list as `data`. */
export const TemplatePage = numberedPageOf(Template)
  .extend({ templates: z.array(Template) })
  .meta({ id: 'TemplatePage' })

const Named = z.object({ id: z.string(), name: z.string() })

/** What uses a template. */
export const TemplateUsage = z
  .object({
    campaigns: z.array(Named),
    workflowSteps: z.array(Named.extend({ workflowId: z.string(), workflowName: z.string() })),
    emailsSent: z.number().int().describe('Mails made from the template that have left.'),
  })
  .meta({ id: 'TemplateUsage' })
/** What uses a template. */
export type TemplateUsage = z.output<typeof TemplateUsage>
