import type { Ctx } from '../../../kit/context.ts'
import { contentOfTemplate, type PreviewContent, previewContent } from '../../emails/preview/preview.ts'
import type { EmailPreview } from '../../emails/preview/shapes.ts'
import { requireLiquid } from '../../templates/check.ts'
import { getTemplate } from '../../templates/templates.ts'
import { bodyOfDocument } from '../../templates/visual/document.ts'
import { getCampaign } from '../campaigns.ts'
import type { EmailPreviewDraft } from './shapes.ts'

/**
 * Renders an email as it would be sent to a contact: the content that is given, and what it leaves out from a template or campaign.
 * Nothing is stored or sent. Fails with TEMPLATE_NOT_FOUND, RESOURCE_NOT_FOUND for the campaign, CONTACT_NOT_FOUND, and
 * VALIDATION_ERROR for Liquid that cannot be parsed, with line and column, or not be rendered.
 */
export async function previewEmail(ctx: Ctx, { document, ...given }: EmailPreviewDraft): Promise<EmailPreview> {
  const draft = document ? { ...given, body: bodyOfDocument(ctx, document) } : given
  const { contactId, data } = draft
  await requireLiquid(ctx, draft)
  return previewContent(ctx, { contactId, data }, async () => withGiven(await storedContent(ctx, draft), draft))
}

type Draft = Omit<EmailPreviewDraft, 'document'>

const empty: PreviewContent = {
  type: 'MARKETING',
  subject: '',
  previewText: null,
  html: '',
  fromAddress: null,
  fromName: null,
  replyTo: null,
}

async function storedContent(ctx: Ctx, { templateId, campaignId }: Draft): Promise<PreviewContent> {
  if (templateId !== undefined) return contentOfTemplate(await getTemplate(ctx, { id: templateId }))
  return campaignId === undefined ? empty : contentOfTemplate(await getCampaign(ctx, { id: campaignId }))
}

function withGiven(stored: PreviewContent, { subject, previewText, body, type, from, fromName }: Draft): PreviewContent {
  return {
    ...stored,
    type: type ?? stored.type,
    subject: subject ?? stored.subject,
    previewText: previewText === undefined ? stored.previewText : previewText,
    html: body ?? stored.html,
    fromAddress: from ?? stored.fromAddress,
    fromName: fromName === undefined ? stored.fromName : fromName,
  }
}
