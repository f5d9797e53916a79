import type { GraphQLResolveInfo } from 'graphql'
import { builder, payloadOf, selectionOf } from '../../kit/builder.ts'
import type { Ctx } from '../../kit/context.ts'
import { ById } from '../../kit/shapes.ts'
import { IfUnchanged } from '../../kit/unchanged.ts'
import { enumOf, filterOf, graphqlInput } from '../../kit/zod-input.ts'
import {
  ContentMode,
  type EditedTemplate,
  EmailType,
  type StoredTemplate,
  TemplateFilter,
  WrittenTemplateChange,
  WrittenTemplateDraft,
} from './shapes.ts'
import { selectBodies, selectDocuments, selectWritten } from './sql.ts'
import {
  connectTemplates,
  connectTemplatesByIds,
  createTemplate,
  deleteTemplate,
  duplicateTemplate,
  getStoredTemplate,
  getTemplateBody,
  getTemplateDocument,
  templateColumns,
  updateTemplate,
} from './templates.ts'
import { countSentOf } from './usage.ts'
import { readingWholes } from './visual/whole.ts'

const Type = enumOf('EmailType', EmailType, 'What kind of email a template or a campaign makes.', {
  MARKETING: 'Has an unsubscribe footer and unsubscribe headers; is not sent to unsubscribed contacts.',
  TRANSACTIONAL: 'Has no unsubscribe footer; is also sent to unsubscribed contacts.',
  HEADLESS: 'Has no unsubscribe footer; is not sent to unsubscribed contacts.',
})

const Mode = enumOf('ContentMode', ContentMode, 'What a template or a campaign is written in.', {
  HTML: 'HTML with Liquid.',
  VISUAL: 'A document, of which the server makes the HTML.',
})

const wholes = readingWholes({ bodies: selectBodies, documents: selectDocuments, written: selectWritten })

// Bodies are large, and read only when they are asked for.
const { body: _body, ...columns } = templateColumns

/** A stored email, as GraphQL shows it. */
export const Template = builder.prismaNode('Template', {
  description: 'A stored email: subject, body and sender, with Liquid in subject and body.',
  id: { resolve: ({ id }) => id, description: 'Opaque; starts with `tpl_`.' },
  nullable: true,
  findUnique: (id, { projectId }) => ({ projectId_id: { projectId, id } }),
  select: columns,
  fields: (t) => ({
    name: t.exposeString('name', { description: 'What people call it, 1 to 100 characters.' }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'What it is for, as people wrote it; at most 500 characters.',
    }),
    subject: t.exposeString('subject', { description: 'The subject line; a Liquid template.' }),
    previewText: t.exposeString('previewText', {
      nullable: true,
      description: 'What mail programs show beside the subject; a Liquid template, hidden in the body. Null for none.',
    }),
    body: t.string({
      nullable: true,
      description:
        'HTML with Liquid; values are HTML-escaped unless they end in `| raw`. Null, with PAYLOAD_TOO_LARGE beside it, where the bodies that are read at once for an answer have more than 4 MB together: read such a template alone.',
      extensions: { large: true },
      resolve: (template, _args, ctx) => getTemplateBody(ctx, template),
    }),
    mode: t.expose('mode', { type: Mode, description: 'What it is written in.' }),
    document: t.field({
      type: 'JSON',
      nullable: true,
      description:
        'The document of a visual template, as TipTap has it, which `body` is made of; null for HTML. Within the same bound as bodies.',
      resolve: (template, _args, ctx) => getTemplateDocument(ctx, template),
    }),
    from: t.exposeString('from', { description: 'The sender, on a verified domain.' }),
    fromName: t.exposeString('fromName', { nullable: true, description: 'The sender’s name; null for none.' }),
    replyTo: t.exposeString('replyTo', { nullable: true, description: 'The address replies go to; null for the sender.' }),
    type: t.expose('type', { type: Type, description: 'What kind of email it makes.' }),
    usage: t.field({ type: Usage, description: 'How much it is used.', resolve: (template) => template }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
})

const Usage = builder.objectType('TemplateUsage', {
  description: 'How much a template is used.',
  fields: (t) => ({
    emailsSent: t.int({
      description: 'Emails made from it that were sent; those of its campaigns are at most 2 s behind.',
      resolve: (template, _args, ctx) => countSentOf(ctx, template),
    }),
  }),
})

const TemplateConnection = builder.connectionObject(
  { type: Template, name: 'TemplateConnection', description: 'Templates, newest first.' },
  { name: 'TemplateEdge' },
)

builder.objectField('DomainUsage', 'templates', (t) =>
  t.connection(
    {
      type: Template,
      description: 'The templates that send from it, newest first, at most 500.',
      resolve: async ({ templates }, args, ctx, info) =>
        connectTemplatesByIds(ctx, templates, args, await selectionOf(ctx, info, 'Template')),
    },
    TemplateConnection,
  ),
)

const filter = filterOf('TemplateFilter', TemplateFilter, 'Which templates a list holds: all conditions apply.')

builder.queryFields((t) => ({
  template: t.field({
    type: Template,
    nullable: true,
    description: 'One template; fails with TEMPLATE_NOT_FOUND.',
    args: { id: t.arg.id({ required: true, description: 'Id of the template.' }) },
    resolve: async (_parent, args, ctx, info) => (await wholes.find(ctx, args, info)) ?? getStoredTemplate(ctx, args),
  }),
  templates: t.connection(
    {
      type: Template,
      description: 'The templates of the project, newest first.',
      args: filter.args(t),
      resolve: async (_parent, args, ctx, info) =>
        wholes.inPage(ctx, await connectTemplates(ctx, filter.read(args), args, await selectionOf(ctx, info, 'Template')), info),
    },
    TemplateConnection,
  ),
}))

const draft = graphqlInput('CreateTemplateInput', WrittenTemplateDraft)
const change = graphqlInput('UpdateTemplateInput', WrittenTemplateChange.safeExtend(IfUnchanged.shape), {
  description: 'Only what is given changes; null empties previewText, fromName, replyTo and description.',
})
const original = graphqlInput('DuplicateTemplateInput', ById)
const deletion = graphqlInput('DeleteTemplateInput', ById)

/** The template that a mutation answers, with what is asked for of its body and document. */
export async function changedTemplate({ template }: { template: StoredTemplate }, _args: object, ctx: Ctx, info: GraphQLResolveInfo) {
  return (await wholes.find(ctx, template, info)) ?? template
}

interface Changed {
  template: EditedTemplate
}
const CreateTemplatePayload = payloadOf<Changed>('CreateTemplatePayload', (t) => ({
  template: t.field({ type: Template, description: 'The new template.', resolve: changedTemplate }),
}))
const UpdateTemplatePayload = payloadOf<Changed>('UpdateTemplatePayload', (t) => ({
  template: t.field({ type: Template, description: 'The template as it is now.', resolve: changedTemplate }),
}))
const DuplicateTemplatePayload = payloadOf<Changed>('DuplicateTemplatePayload', (t) => ({
  template: t.field({ type: Template, description: 'The copy.', resolve: changedTemplate }),
}))
const DeleteTemplatePayload = payloadOf<{ id: string }>('DeleteTemplatePayload', (t) => ({
  deletedTemplateId: t.exposeID('id', { description: 'Id of the template that was deleted.' }),
}))

builder.mutationFields((t) => ({
  createTemplate: t.field({
    type: CreateTemplatePayload,
    extensions: { waits: true },
    description:
      'Creates a template. Liquid that does not parse is refused with VALIDATION_ERROR, naming line and column, and so is a document with other nodes than it may have; `from` must be on a verified domain (DOMAIN_NOT_VERIFIED).',
    args: draft.args(t),
    resolve: async (_parent, args, ctx) => ({ template: await createTemplate(ctx, draft.read(args)) }),
  }),
  updateTemplate: t.field({
    type: UpdateTemplatePayload,
    extensions: { waits: true },
    description:
      'Changes a template. Another `body`, or the mode HTML, makes a visual template one of HTML; its versions keep the document. Fails like createTemplate, with TEMPLATE_NOT_FOUND, with VALIDATION_ERROR for a document of an HTML template, and with CONFLICT when it has changed since `ifUpdatedAt`.',
    args: change.args(t),
    resolve: async (_parent, args, ctx) => ({ template: await updateTemplate(ctx, change.read(args)) }),
  }),
  duplicateTemplate: t.field({
    type: DuplicateTemplatePayload,
    description:
      'Copies a template under its name with ` (Copy)` added, for which one of more than 93 characters is cut. Fails with TEMPLATE_NOT_FOUND.',
    args: original.args(t),
    resolve: async (_parent, args, ctx) => ({ template: await duplicateTemplate(ctx, original.read(args)) }),
  }),
  deleteTemplate: t.field({
    type: DeleteTemplatePayload,
    description:
      'Deletes a template; emails made from it stay, and campaigns keep what they have copied. Fails with TEMPLATE_NOT_FOUND, and with TEMPLATE_IN_USE while a step of a workflow sends it.',
    args: deletion.args(t),
    resolve: async (_parent, args, ctx) => {
      const { id } = deletion.read(args)
      await deleteTemplate(ctx, { id })
      return { id }
    },
  }),
}))
