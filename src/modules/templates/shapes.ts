import { z } from 'zod'
import { NumberedSearch, numberedPageOf } from '../../kit/paging.ts'
import { HeaderText, line, SenderAddress, Text, Timestamp } from '../../kit/shapes.ts'
import { documentText, isWrittenOnce, type VisualDocument, VisualDocumentInput, writtenTwice } from './visual/shapes.ts'

/** Maximum number of characters of the name of a template. */
export const maxNameLength = 100
/** Maximum number of bytes of a request with a template. */
export const maxTemplateBytes = 5 * 1024 * 1024

/** The kind of an email: it decides on footer and headers, and whether it is sent to unsubscribed contacts. */
export const EmailType = z.enum(['MARKETING', 'TRANSACTIONAL', 'HEADLESS']).meta({
  description:
    'MARKETING has an unsubscribe footer and is not sent to unsubscribed contacts; TRANSACTIONAL has no footer and is sent to everybody; HEADLESS has no footer and is not sent to unsubscribed contacts.',
  examples: ['TRANSACTIONAL'],
})
/** The kind of an email. */
export type EmailType = z.output<typeof EmailType>

/** What a template or a campaign is written in: HTML, or a document that HTML is made of. */
export const ContentMode = z.enum(['HTML', 'VISUAL'])
/** What a template or a campaign is written in. */
export type ContentMode = z.output<typeof ContentMode>

/** What mail programs show beside the subject, in the list of emails. */
export const PreviewText = HeaderText.min(1)
  .max(200)
  .meta({
    description: 'What mail programs show beside the subject: a Liquid template on one line of 1 to 200 characters, hidden in the body.',
    examples: ['Three things to try first'],
  })

const fields = {
  name: line(maxNameLength).meta({ description: 'One line of 1 to 100 characters.', examples: ['Welcome'] }),
  subject: HeaderText.min(1)
    .max(998)
    .meta({
      description: 'The subject line; a Liquid template on one line of 1 to 998 characters (RFC 5322, 2.1.1).',
      examples: ['Welcome, {{ name ?? "friend" }}'],
    }),
  previewText: PreviewText.nullable().describe(
    'What mail programs show beside the subject: a Liquid template on one line of 1 to 200 characters, hidden in the body; null for none.',
  ),
  body: Text.min(1)
    .max(maxTemplateBytes)
    .meta({
      description: 'HTML with Liquid, at most 5 MB; values are HTML-escaped unless they end in `| raw`.',
      examples: ['<p>Hello {{ name ?? "friend" }}</p>'],
    }),
  from: SenderAddress.meta({ description: 'The sender; its domain must be verified in the project.', examples: ['hello@demo.test'] }),
  fromName: HeaderText.max(100)
    .nullable()
    .meta({ description: 'The sender’s name, at most 100 characters; null for none.', examples: ['Acme'] }),
  replyTo: SenderAddress.nullable().meta({ description: 'The address replies go to; null for the sender.', examples: ['help@demo.test'] }),
  description: Text.max(500)
    .nullable()
    .meta({ description: 'What it is for, for people; at most 500 characters.', examples: ['Sent after sign-up'] }),
  type: EmailType,
}

/** A stored template of an email: subject, body and sender, with Liquid in subject and body. */
export const Template = z
  .object({
    id: z.string().meta({ examples: ['tpl_01m7y3mwcpfqhrhzca2e1aqg79'] }),
    name: z.string(),
    description: z.string().nullable(),
    subject: z.string().describe('The subject line, a Liquid template.'),
    previewText: z.string().nullable().describe('What mail programs show beside the subject, a Liquid template; null for none.'),
    body: z.string().describe('The body, HTML with Liquid.'),
    from: z.string().meta({ format: 'email' }),
    fromName: z.string().nullable(),
    replyTo: z.string().nullable(),
    type: EmailType,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Template', description: 'A stored template of an email: subject, body and sender, with Liquid in subject and body.' })
/** A stored template of an email. */
export type Template = z.output<typeof Template>

/** A template with what it is written in, which REST does not show. */
export type EditedTemplate = Template & { mode: ContentMode }

/** A template as it is stored, without its body. */
export type StoredTemplate = Omit<EditedTemplate, 'body'>

/** A template to create. */
export const TemplateDraft = z
  .object({
    name: fields.name.optional().describe('One line of 1 to 100 characters. Default: the first 100 characters of the subject.'),
    subject: fields.subject,
    previewText: fields.previewText.optional(),
    body: fields.body,
    from: fields.from,
    fromName: fields.fromName.optional(),
    replyTo: fields.replyTo.optional(),
    description: fields.description.optional(),
    type: fields.type.optional().describe('Default: MARKETING.'),
  })
  .meta({ id: 'TemplateDraft' })
/** A template to create. */
export type TemplateDraft = z.output<typeof TemplateDraft>

/** Changes to a template: fields that are left out stay; null clears previewText, fromName, replyTo and description. */
export const TemplateChange = z
  .object({ id: z.string(), ...fields })
  .partial()
  .required({ id: true })
  .meta({ id: 'TemplateChange' })
/** Changes to a template. */
export type TemplateChange = z.output<typeof TemplateChange>

/** A template to create, written as HTML or as a document. */
export const WrittenTemplateDraft = TemplateDraft.extend({
  body: fields.body
    .optional()
    .describe('HTML with Liquid, at most 5 MB; values are HTML-escaped unless they end in `| raw`. Either this or `document`.'),
  document: VisualDocumentInput.optional().describe(`${documentText('template')} Either this or \`body\`.`),
}).refine(({ body, document }) => (body === undefined) !== (document === undefined), {
  path: ['document'],
  error: 'must be given, or `body`, and not both',
  params: { code: 'not_allowed' },
})
/** A template to create, written as HTML or as a document. */
export type WrittenTemplateDraft =
  | TemplateDraft
  | (Omit<TemplateDraft, 'body'> & { body?: string | undefined; document?: VisualDocument | undefined })

/** Changes to a template, also to its document. */
export const WrittenTemplateChange = TemplateChange.extend({
  body: fields.body.optional().describe('HTML with Liquid, at most 5 MB; another than it has makes a visual template an HTML one.'),
  document: VisualDocumentInput.optional().describe(`${documentText('template')} Only for a visual template; not with \`body\`.`),
  mode: ContentMode.optional().describe(
    'HTML makes a visual template an HTML one, with the HTML it has; there is no way back but to restore a version. An HTML template cannot become VISUAL.',
  ),
}).refine(isWrittenOnce, writtenTwice)
/** Changes to a template, also to its document. */
export type WrittenTemplateChange = TemplateChange & { document?: VisualDocument | undefined; mode?: ContentMode | undefined }

/** The conditions of a list of templates. */
export const TemplateFilter = z.object({
  search: Text.max(200)
    .optional()
    .describe('Part of the name, description or subject, at most 200 characters, ignoring case; `%` and `_` are not wildcards.'),
  type: EmailType.optional().describe('Only templates of this type.'),
})
/** The conditions of a list of templates. */
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
    campaigns: z
      .array(Named)
      .describe('The campaigns whose content was copied from it, newest first, at most 500; `GET /campaigns?templateId=` lists all.'),
    workflowSteps: z
      .array(Named.extend({ workflowId: z.string(), workflowName: z.string() }))
      .describe('The steps of workflows that send it, newest first, at most 1,000.'),
    emailsSent: z.number().int().describe('How many emails were sent with the template; those of its campaigns are at most 2 s behind.'),
  })
  .meta({ id: 'TemplateUsage' })
/** What uses a template. */
export type TemplateUsage = z.output<typeof TemplateUsage>
