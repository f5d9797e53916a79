import { builder } from '../../../kit/builder.ts'
import { graphqlInput } from '../../../kit/zod-input.ts'
import type { EmailPreview as Shape } from '../../emails/preview/shapes.ts'
import { previewEmail } from './preview.ts'
import { EmailPreviewDraft } from './shapes.ts'

const EmailPreview = builder.objectRef<Shape>('EmailPreview').implement({
  description: 'An email as its content makes it for a contact, before it is sent.',
  fields: (t) => ({
    subject: t.exposeString('subject', { description: 'The subject line.' }),
    previewText: t.exposeString('previewText', {
      nullable: true,
      description:
        'What mail programs show beside the subject, on one line of at most 200 characters; null for none, where they take the beginning of the body.',
    }),
    html: t.exposeString('html', {
      description:
        'The HTML body with hidden preview text and footer. Its links are not tracked, and those of the contact’s own pages change nothing.',
      extensions: { large: true },
    }),
    text: t.exposeString('text', { description: 'The plain text body.', extensions: { large: true } }),
    from: t.exposeString('from', { nullable: true, description: 'The sender; null where nothing says it.' }),
    fromName: t.exposeString('fromName', {
      description: 'What the sender is shown as: the name that the content gives, otherwise that of the project.',
    }),
    replyTo: t.exposeString('replyTo', { nullable: true, description: 'The address replies go to; null for the sender.' }),
    missing: t.exposeStringList('missing', {
      description:
        'The variables that subject, preview text and body name and that have no value for the contact, such as `plan` or `profile.tier`, at most 100. One that is only printed with a default (`??` or the filter `default`) is left out.',
      extensions: { maxItems: 100 },
    }),
    links: t.exposeStringList('links', {
      description:
        'The http and https addresses that its links lead to, each once, in order, at most 500; without those marked `data-no-track` and those of the contact’s own pages.',
      extensions: { maxItems: 500 },
    }),
    sizeBytes: t.exposeInt('sizeBytes', {
      description:
        'Bytes of the HTML (UTF-8) as it is sent, with the tracking of the project. Gmail shows the first 102 KB (104,448 bytes) and hides the rest behind a link.',
    }),
  }),
})

const draft = graphqlInput('PreviewEmailInput', EmailPreviewDraft)

builder.queryField('previewEmail', (t) =>
  t.field({
    type: EmailPreview,
    description:
      'An email as it would be sent to a contact, or to a sample one: the content that is given, also unsaved, and what it leaves out from a template or a campaign. Nothing is stored or sent. Fails with TEMPLATE_NOT_FOUND, RESOURCE_NOT_FOUND for the campaign, CONTACT_NOT_FOUND, VALIDATION_ERROR with line and column for Liquid that does not parse and with the reason when it cannot be rendered, and SERVICE_UNAVAILABLE when its turn has not come after 15 s. Costs 100.',
    extensions: { cost: 100, waits: true },
    args: draft.args(t),
    resolve: (_parent, args, ctx) => previewEmail(ctx, draft.read(args)),
  }),
)
