import type { GraphQLResolveInfo } from 'graphql'
import { builder, payloadOf, selectionOf } from '../../kit/builder.ts'
import type { Ctx } from '../../kit/context.ts'
import { ById } from '../../kit/shapes.ts'
import { IfUnchanged } from '../../kit/unchanged.ts'
import { enumMadeOf, filterOf, graphqlInput } from '../../kit/zod-input.ts'
import { findCampaignIdOf } from '../events/relations/campaign.ts'
import { ContentMode, EmailType } from '../templates/shapes.ts'
import { findTemplate } from '../templates/templates.ts'
import { readingWholes } from '../templates/visual/whole.ts'
import {
  connectCampaigns,
  connectCampaignsByIds,
  connectCampaignsOfTemplate,
  findCampaign,
  getCampaignBody,
  getCampaignDocument,
  getStoredCampaign,
  storedOf,
} from './campaigns.ts'
import { createCampaign, deleteCampaign, duplicateCampaign, updateCampaign } from './changes.ts'
import { CampaignCopy, CampaignListFilter, CampaignPatch, WrittenCampaignDraft } from './shapes.ts'
import { selectBodies, selectDocuments, selectWritten } from './sql.ts'
import { campaignColumns, type StoredCampaign } from './stored.ts'

const wholes = readingWholes({ bodies: selectBodies, documents: selectDocuments, written: selectWritten })

/** A campaign, as GraphQL shows it. */
export const Campaign = builder.prismaNode('Campaign', {
  description: 'An email to many contacts, sent once: audience and content are those of the moment it starts.',
  id: { resolve: ({ id }) => id, description: 'Opaque; starts with `cmp_`.' },
  nullable: true,
  findUnique: (id, { projectId }) => ({ projectId_id: { projectId, id }, deletedAt: null }),
  select: campaignColumns,
  fields: (t) => ({
    name: t.exposeString('name', { description: 'What people call it, 1 to 100 characters.' }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'What it is for, as people wrote it; at most 500 characters.',
    }),
    subject: t.exposeString('subject', { description: 'The subject line; a Liquid template.' }),
    previewText: t.exposeString('previewText', {
      nullable: true,
      description: 'What mail programs show beside the subject; a Liquid template.',
    }),
    body: t.string({
      nullable: true,
      description:
        'HTML with Liquid; values are HTML-escaped unless they end in `| raw`. Null, with PAYLOAD_TOO_LARGE beside it, where the bodies that are read at once for an answer have more than 4 MB together: read such a campaign alone.',
      extensions: { large: true },
      resolve: (campaign, _args, ctx) => getCampaignBody(ctx, campaign),
    }),
    mode: t.expose('mode', { type: enumMadeOf(ContentMode), description: 'What it is written in.' }),
    document: t.field({
      type: 'JSON',
      nullable: true,
      description:
        'The document of a visual campaign, as TipTap has it, which `body` is made of; null for HTML. Within the same bound as bodies.',
      resolve: (campaign, _args, ctx) => getCampaignDocument(ctx, campaign),
    }),
    from: t.exposeString('from', { description: 'The sender, on a verified domain.' }),
    fromName: t.exposeString('fromName', { nullable: true, description: 'The sender’s name; null for the name of the project.' }),
    replyTo: t.exposeString('replyTo', { nullable: true, description: 'The address replies go to; null for the sender.' }),
    type: t.expose('type', { type: enumMadeOf(EmailType), description: 'What kind of email it is.' }),
    template: t.prismaField({
      type: 'Template',
      nullable: true,
      description: 'The template its content was copied from; null for none, and once the template has been deleted.',
      resolve: (query, { templateId }, _args, ctx) => findTemplate(ctx, { id: templateId }, query),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
})

const CampaignConnection = builder.connectionObject(
  { type: Campaign, name: 'CampaignConnection', description: 'Campaigns, newest first.' },
  { name: 'CampaignEdge' },
)

builder.prismaObjectField('Email', 'campaign', (t) =>
  t.prismaField({
    type: Campaign,
    nullable: true,
    description: 'The campaign it is of; null where there is none, and once the campaign has been deleted.',
    select: { campaignId: true },
    resolve: (query, { campaignId }, _args, ctx) => findCampaign(ctx, { id: campaignId }, query),
  }),
)

builder.prismaObjectField('Event', 'campaign', (t) =>
  t.prismaField({
    type: Campaign,
    nullable: true,
    description: 'The campaign it is about, also by one of its emails; null where there is none, and once the campaign has been deleted.',
    select: { id: true, name: true },
    resolve: async (query, event, _args, ctx) => findCampaign(ctx, { id: await findCampaignIdOf(ctx, event) }, query),
  }),
)

builder.objectField('TemplateUsage', 'campaigns', (t) =>
  t.connection(
    {
      type: Campaign,
      description: 'The campaigns whose content was copied from it, newest first, at most 500; `campaigns` lists all of them.',
      resolve: async (template, args, ctx, info) =>
        connectCampaignsOfTemplate(ctx, template, args, await selectionOf(ctx, info, 'Campaign')),
    },
    CampaignConnection,
  ),
)

builder.objectField('DomainUsage', 'campaigns', (t) =>
  t.connection(
    {
      type: Campaign,
      description: 'The campaigns that are scheduled or being sent from it, newest first, at most 500.',
      resolve: async ({ campaigns }, args, ctx, info) =>
        connectCampaignsByIds(ctx, campaigns, args, await selectionOf(ctx, info, 'Campaign')),
    },
    CampaignConnection,
  ),
)

for (const [usage, description] of [
  [
    'ContactFieldUsage',
    'The campaigns whose audience is a condition that asks it, newest first, of 500: those that are scheduled or being sent, then drafts, then ended ones.',
  ],
  [
    'EventUsage',
    'The campaigns whose audience is a condition that asks for it, newest first, of 500: those that are scheduled or being sent, then drafts, then ended ones.',
  ],
  [
    'SegmentUsage',
    'The campaigns that are for it, at most 500, and those whose audience is a condition that refers to it, of 500: those that are scheduled or being sent, then drafts, then ended ones. Newest first.',
  ],
] as const)
  builder.objectField(usage, 'campaigns', (t) =>
    t.connection(
      {
        type: Campaign,
        description,
        resolve: async ({ usedInCampaigns }, args, ctx, info) =>
          connectCampaignsByIds(ctx, usedInCampaigns, args, await selectionOf(ctx, info, 'Campaign')),
      },
      CampaignConnection,
    ),
  )

const filter = filterOf('CampaignFilter', CampaignListFilter, 'Which campaigns a list holds: all conditions apply.')

builder.queryFields((t) => ({
  campaign: t.field({
    type: Campaign,
    nullable: true,
    description: 'One campaign; fails with RESOURCE_NOT_FOUND.',
    args: { id: t.arg.id({ required: true, description: 'Id of the campaign.' }) },
    resolve: async (_parent, args, ctx, info) => (await wholes.find(ctx, args, info)) ?? getStoredCampaign(ctx, args),
  }),
  campaigns: t.connection(
    {
      type: Campaign,
      description: 'The campaigns of the project, newest first.',
      args: filter.args(t),
      resolve: async (_parent, args, ctx, info) =>
        wholes.inPage(ctx, await connectCampaigns(ctx, filter.read(args), args, await selectionOf(ctx, info, 'Campaign')), info),
    },
    CampaignConnection,
  ),
}))

const names = { audienceFilter: 'condition' }
const draft = graphqlInput('CreateCampaignInput', WrittenCampaignDraft, { names })
const change = graphqlInput('UpdateCampaignInput', CampaignPatch.safeExtend(IfUnchanged.shape), {
  names,
  description: 'Only what is given changes; null empties a field that may be empty, and of `templateId` forgets the template.',
})
const copy = graphqlInput('DuplicateCampaignInput', CampaignCopy, { names: { audience: 'sourceOutcome' } })

const deletion = graphqlInput('DeleteCampaignInput', ById)

/** The campaign that a mutation answers, with what is asked for of its body and document. */
export async function changedCampaign({ campaign }: Changed, _args: object, ctx: Ctx, info: GraphQLResolveInfo) {
  return (await wholes.find(ctx, campaign, info)) ?? campaign
}

interface Changed {
  campaign: StoredCampaign & { body: string }
}
const CreateCampaignPayload = payloadOf<Changed>('CreateCampaignPayload', (t) => ({
  campaign: t.field({ type: Campaign, description: 'The new campaign.', resolve: changedCampaign }),
}))
const UpdateCampaignPayload = payloadOf<Changed>('UpdateCampaignPayload', (t) => ({
  campaign: t.field({ type: Campaign, description: 'The campaign as it is now.', resolve: changedCampaign }),
}))
const DuplicateCampaignPayload = payloadOf<Changed>('DuplicateCampaignPayload', (t) => ({
  campaign: t.field({ type: Campaign, description: 'The copy.', resolve: changedCampaign }),
}))
const DeleteCampaignPayload = payloadOf<{ id: string }>('DeleteCampaignPayload', (t) => ({
  deletedCampaignId: t.exposeID('id', { description: 'Id of the campaign that was deleted.' }),
}))

builder.mutationFields((t) => ({
  createCampaign: t.field({
    type: CreateCampaignPayload,
    extensions: { waits: true },
    description:
      'Creates a campaign as a draft, which needs a name, an audience, and subject, body and sender of its own or of a template. Liquid that does not parse is refused with VALIDATION_ERROR, naming line and column; `from` must be on a verified domain (DOMAIN_NOT_VERIFIED); a segment and a template must exist (SEGMENT_NOT_FOUND, TEMPLATE_NOT_FOUND). With `templateId` what is left out of the content is copied from the template, with the document of a visual one.',
    args: draft.args(t),
    resolve: async (_parent, args, ctx) => ({ campaign: storedOf(await createCampaign(ctx, draft.read(args))) }),
  }),
  updateCampaign: t.field({
    type: UpdateCampaignPayload,
    extensions: { waits: true },
    description:
      'Changes what is given of a campaign that is DRAFT or SCHEDULED; `maxPerHour` alone also while it is SENDING. Another `body`, or the mode HTML, makes a visual campaign one of HTML. A copy for a part of the recipients of another campaign stays one until its audience becomes another. Fails like createCampaign, with RESOURCE_NOT_FOUND, with VALIDATION_ERROR for a document of an HTML campaign, and with CONFLICT in another state, and when it has changed since `ifUpdatedAt`.',
    args: change.args(t),
    resolve: async (_parent, args, ctx) => ({ campaign: storedOf(await updateCampaign(ctx, change.read(args))) }),
  }),
  duplicateCampaign: t.field({
    extensions: { waits: true },
    type: DuplicateCampaignPayload,
    description:
      'Copies a campaign as a draft, with `sourceOutcome` for a part of its recipients, with `templateId` with the content of a template. Fails with RESOURCE_NOT_FOUND, TEMPLATE_NOT_FOUND, DOMAIN_NOT_VERIFIED and CONFLICT.',
    args: copy.args(t),
    resolve: async (_parent, args, ctx) => ({ campaign: storedOf(await duplicateCampaign(ctx, copy.read(args))) }),
  }),
  deleteCampaign: t.field({
    type: DeleteCampaignPayload,
    description: 'Deletes a campaign; its emails, and what is logged of it, stay. Fails with RESOURCE_NOT_FOUND and CAMPAIGN_ACTIVE.',
    args: deletion.args(t),
    resolve: async (_parent, args, ctx) => {
      const { id } = deletion.read(args)
      await deleteCampaign(ctx, { id })
      return { id }
    },
  }),
}))
