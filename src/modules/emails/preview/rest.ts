import { route } from '../../../kit/route.ts'
import { previewTemplate } from './preview.ts'
import { TemplatePreview, TemplatePreviewDraft } from './shapes.ts'

/** The endpoint that shows what a template makes. */
export const routes = [
  route('POST', '/templates/:id/preview', 'secret', TemplatePreviewDraft, TemplatePreview, previewTemplate, {
    summary: 'Preview a template',
    description:
      'Renders subject, HTML and text as they would be sent to the contact, with footer and hidden preview text. Nothing is stored or sent. Links are not tracked, and those of the contact’s own pages change nothing. A template that cannot be rendered is answered with 422 and the sentence that would be the `reason` of its email.',
    errors: ['RESOURCE_NOT_FOUND', 'TEMPLATE_NOT_FOUND', 'CONTACT_NOT_FOUND'],
    whileSuspended: true,
    reads: true,
  }),
]
