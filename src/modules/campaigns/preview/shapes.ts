import { z } from 'zod'
import { TemplatePreviewDraft } from '../../emails/preview/shapes.ts'
import { TemplateDraft, WrittenTemplateChange } from '../../templates/shapes.ts'

const { subject, previewText, body, from, fromName, type } = TemplateDraft.shape

/** A content to preview, of which a part or all may be unsaved, and for whom. */
export const EmailPreviewDraft = z
  .object({
    templateId: z.string().optional().describe('The template that what is left out of the content is taken from.'),
    campaignId: z.string().optional().describe('The campaign that what is left out of the content is taken from.'),
    subject: subject
      .optional()
      .describe('The subject line, a Liquid template. Default: that of the template or campaign, otherwise empty.'),
    previewText: previewText.describe('The preview text, a Liquid template; null for none. Default: that of the template or campaign.'),
    body: body.optional().describe('HTML with Liquid, at most 5 MB. Required without a template, a campaign and a document.'),
    document: WrittenTemplateChange.shape.document.describe('The document of a visual template, of which the body is made.'),
    type: type.describe('Decides on the footer. Default: that of the template or campaign, otherwise MARKETING.'),
    from: from
      .optional()
      .describe('The sender, on whose domain the links of the recipient’s pages are. Default: that of the template or campaign.'),
    fromName: fromName.describe('The sender’s name; null for that of the project. Default: that of the template or campaign.'),
    contactId: TemplatePreviewDraft.shape.contactId,
    data: TemplatePreviewDraft.shape.data.describe(
      'Custom data as `sendEmail` would be given: it overrides that of the contact, and nothing is stored.',
    ),
  })
  .refine(({ templateId, campaignId }) => templateId === undefined || campaignId === undefined, {
    path: ['campaignId'],
    error: 'cannot be given together with templateId',
    params: { code: 'not_allowed' },
  })
  .refine(({ body: given, document }) => given === undefined || document === undefined, {
    path: ['document'],
    error: 'cannot be given together with body',
    params: { code: 'not_allowed' },
  })
  .refine(({ templateId, campaignId, body: given, document }) => (templateId ?? campaignId ?? given ?? document) !== undefined, {
    path: ['body'],
    error: 'is required without a template, a campaign and a document',
    params: { code: 'required' },
  })
/** A content to preview. */
export type EmailPreviewDraft = z.output<typeof EmailPreviewDraft>
