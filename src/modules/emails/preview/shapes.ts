import { z } from 'zod'
import { CustomData } from '../../../kit/shapes.ts'

/** For whom a template is previewed. */
export const TemplatePreviewDraft = z
  .object({
    id: z.string(),
    contactId: z.string().nullable().optional().describe('The contact it is rendered for. Default: a subscribed one without data.'),
    data: CustomData.optional().describe(
      'Custom data as a call of `/v1/send` would give it: it overrides that of the contact, and nothing is stored.',
    ),
  })
  .meta({ id: 'TemplatePreviewDraft', examples: [{ data: { name: 'Ada' } }] })
/** For whom a template is previewed. */
export type TemplatePreviewDraft = z.output<typeof TemplatePreviewDraft>

/** An email as its content makes it for a contact, and what an editor says of it. */
export interface EmailPreview {
  subject: string
  /** What mail programs show beside the subject; null for none. */
  previewText: string | null
  html: string
  text: string
  /** Null when nothing says who sends it. */
  from: string | null
  /** What the sender is shown as: by default the name of the project. */
  fromName: string
  replyTo: string | null
  /** The variables that have no value for the contact. */
  missing: string[]
  /** The http(s) targets of its links, each once. */
  links: string[]
  /** How many bytes the HTML has as it is sent, in UTF-8. */
  sizeBytes: number
}

/** An email as a template makes it. */
export const TemplatePreview = z
  .object({
    subject: z.string(),
    html: z
      .string()
      .describe(
        'The HTML body with hidden preview text and footer. Its links are not tracked, and those of the contact’s own pages change nothing.',
      ),
    text: z.string().describe('The plain text body.'),
  })
  .meta({ id: 'TemplatePreview', description: 'An email as a template makes it for a contact.' })
/** An email as a template makes it. */
export type TemplatePreview = z.output<typeof TemplatePreview>
