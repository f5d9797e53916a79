import { builder, selectionOf } from '../../kit/builder.ts'
import { ById } from '../../kit/shapes.ts'
import { enumOf, filterOf, inputOf } from '../../kit/zod-input.ts'
import { MailType, TemplateChange, TemplateDraft, TemplateFilter } from './shapes.ts'
import {
  connectTemplates,
  countSentOf,
  createTemplate,
  deleteTemplate,
  duplicateTemplate,
  getTemplate,
  updateTemplate,
} from './templates.ts'

const Type = enumOf('MailType', MailType, 'What kind of mail it makes.', {
  MARKETING: 'Has an unsubscribe footer and headers; withheld from contacts that opted out.',
  TRANSACTIONAL: 'Has neither, and reaches contacts that opted out of marketing.',
  HEADLESS: 'Has no footer, and is withheld from contacts that opted out.',
})

/** A stored mail, as GraphQL shows it. */
export const Template = builder.prismaNode('Template', {
  description: 'A stored mail: subject, body and sender, with Liquid in subject and body.',
  id: { resolve: ({ id }) => id, description: 'Opaque; starts with `tpl_`.' },
  nullable: true,
  findUnique: (id, { projectId }) => ({ projectId_id: { projectId, id } }),
  select: {
    id: true,
    name: true,
    description: true,
    subject: true,
    body: true,
    from: true,
    fromName: true,
    replyTo: true,
    type: true,
    createdAt: true,
    updatedAt: true,
  },
  fields: (t) => ({
    name: t.exposeString('name'),
    description: t.exposeString('description', { nullable: true, description: 'For people.' }),
    subject: t.exposeString('subject', { description: 'Liquid.' }),
    body: t.exposeString('body', { description: 'HTML with Liquid; values are escaped, `| raw` opts out.' }),
    from: t.exposeString('from', { description: 'The sender, on a verified domain.' }),
    fromName: t.exposeString('fromName', { nullable: true, description: 'The sender’s name.' }),
    replyTo: t.exposeString('replyTo', { nullable: true, description: 'Where answers go; null for the sender.' }),
    type: t.expose('type', { type: Type }),
    usage: t.field({ type: Usage, description: 'What uses the template.', resolve: (template) => template }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
})

const Usage = builder.objectRef<{ id: string }>('TemplateUsage').implement({
  description: 'What uses a template.',
  fields: (t) => ({
    emailsSent: t.int({ description: 'Mails made from it that have left.', resolve: (template, _args, ctx) => countSentOf(ctx, template) }),
  }),
})

const TemplateConnection = builder.connectionObject(
  { type: Template, name: 'TemplateConnection', description: 'Templates, newest first.' },
  { name: 'TemplateEdge' },
)

const filter = filterOf('TemplateFilter', TemplateFilter, 'Which templates a list holds: all conditions apply.')

builder.queryFields((t) => ({
  template: t.field({
    type: Template,
    nullable: true,
    description: 'One template; fails with TEMPLATE_NOT_FOUND.',
    args: { id: t.arg.id({ required: true }) },
    resolve: (_parent, args, ctx) => getTemplate(ctx, args),
  }),
  templates: t.connection(
    {
      type: Template,
      description: 'The templates of the project, newest first.',
      args: filter.args(t),
      resolve: async (_parent, args, ctx, info) => connectTemplates(ctx, filter.read(args), args, await selectionOf(ctx, info, 'Template')),
    },
    TemplateConnection,
  ),
}))

const draft = inputOf('CreateTemplateInput', TemplateDraft)
const change = inputOf('UpdateTemplateInput', TemplateChange, 'Only what is sent changes; null empties fromName, replyTo and description.')
const one = inputOf('TemplateInput', ById)

builder.mutationFields((t) => ({
  createTemplate: t.field({
    type: Template,
    description:
      'Makes a template. Liquid that does not parse is refused with line and column; `from` must be on a verified domain (DOMAIN_NOT_VERIFIED).',
    args: draft.args(t),
    resolve: (_parent, args, ctx) => createTemplate(ctx, draft.read(args)),
  }),
  updateTemplate: t.field({
    type: Template,
    description: 'Changes a template. Fails as createTemplate, and with TEMPLATE_NOT_FOUND.',
    args: change.args(t),
    resolve: (_parent, args, ctx) => updateTemplate(ctx, change.read(args)),
  }),
  duplicateTemplate: t.field({
    type: Template,
    description: 'Copies a template under its name with ` (Copy)` added. Fails with TEMPLATE_NOT_FOUND.',
    args: one.args(t),
    resolve: (_parent, args, ctx) => duplicateTemplate(ctx, one.read(args)),
  }),
  deleteTemplate: t.field({
    type: 'ID',
    description: 'Deletes a template; mails made from it stay. Answers its id; fails with TEMPLATE_NOT_FOUND.',
    args: one.args(t),
    resolve: (_parent, args, ctx) => deleteTemplate(ctx, one.read(args)).then(() => one.read(args).id),
  }),
}))
