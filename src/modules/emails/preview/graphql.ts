import { builder } from '../../../kit/builder.ts'
import { graphqlInput } from '../../../kit/zod-input.ts'
import { previewTemplate } from './preview.ts'
import { type TemplatePreview as Shape, TemplatePreviewDraft } from './shapes.ts'

const TemplatePreview = builder.objectRef<Shape>('TemplatePreview').implement({
  description: 'An email as a template makes it for a contact.',
  fields: (t) => ({
    subject: t.exposeString('subject', { description: 'The subject line.' }),
    html: t.exposeString('html', {
      description:
        'The HTML body with hidden preview text and footer. Its links are not tracked, and those of the contact’s own pages change nothing.',
      extensions: { large: true },
    }),
    text: t.exposeString('text', { description: 'The plain text body.', extensions: { large: true } }),
  }),
})

const draft = graphqlInput('PreviewTemplateInput', TemplatePreviewDraft)

builder.queryField('previewTemplate', (t) =>
  t.field({
    type: TemplatePreview,
    description:
      'A template as it would be sent to a contact, or to a sample one; nothing is stored or sent. Fails with TEMPLATE_NOT_FOUND, CONTACT_NOT_FOUND, and VALIDATION_ERROR with the reason when it cannot be rendered.',
    args: draft.args(t),
    resolve: (_parent, args, ctx) => previewTemplate(ctx, draft.read(args)),
  }),
)
