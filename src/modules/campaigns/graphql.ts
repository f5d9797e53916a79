import { builder, payloadOf, selectionOf } from '../../kit/builder.ts'
import { ById } from '../../kit/shapes.ts'
import { enumMadeOf, enumOf, filterOf, graphqlInput } from '../../kit/zod-input.ts'
import { findSegment } from '../segments/segments.ts'
import { EmailType } from '../templates/shapes.ts'
import { campaignColumns, connectCampaigns, findCampaign, getCampaignBody, getStoredCampaign, type StoredCampaign } from './campaigns.ts'
import { createCampaign, deleteCampaign, duplicateCampaign, updateCampaign } from './changes.ts'
import type { CampaignStats as StatsShape } from './counts/shapes.ts'
import { findStats } from './counts/stats.ts'
import { watchCampaign } from './counts/watch.ts'
import { sendCampaign } from './sending/send.ts'
import { cancelCampaign, pauseCampaign, resumeCampaign } from './sending/stop.ts'
import {
  CampaignAudience,
  CampaignChange,
  CampaignCopy,
  CampaignDraft,
  CampaignFilter,
  CampaignSending,
  CampaignStatus,
  SourceOutcome,
} from './shapes.ts'

const Status = enumOf('CampaignStatus', CampaignStatus, 'How far a campaign is.', {
  DRAFT: 'It can be changed, and sent.',
  SCHEDULED: 'It is sent at `scheduledAt`; until then it can be changed.',
  SENDING: 'Its recipients are written down, and its emails leave.',
  SENT: 'Every email has left, or will not. Final.',
  CANCELLED: 'It was cancelled after something had left. Final.',
})

const Audience = enumOf('CampaignAudience', CampaignAudience, 'Who is meant by a campaign.', {
  ALL: 'All contacts of the project.',
  SEGMENT: 'The members of a segment when the campaign starts.',
  FILTERED: 'The contacts that match a condition when the campaign starts.',
})

const Outcome = enumOf('CampaignSourceOutcome', SourceOutcome, 'Which recipients of another campaign a copy of it is for.', {
  NOT_OPENED: 'Those it was sent to who have not opened it; what machines opened does not count.',
  NOT_CLICKED: 'Those it was sent to who have not followed a link of it; what machines followed does not count.',
  FAILED: 'Those it did not reach: it failed or bounced.',
})

const counts = {
  totalRecipients: 'How many contacts are sent it.',
  sentCount: 'How many emails left: a mail server accepted them, or refused their address for good.',
  deliveredCount: 'How many are known to have reached the mailbox.',
  openedCount: 'How many were opened, the first time by a person as far as can be told.',
  clickedCount: 'In how many a link was followed, the first time by a person as far as can be told.',
  bouncedCount: 'How many were refused for good because of their address.',
  complainedCount: 'How many were reported as spam.',
  unsubscribedCount: 'How many recipients unsubscribed by a link of it.',
  failedCount: 'How many failed: refused for another reason, or not rendered.',
  suppressedCount: 'How many were withheld, because their recipient had unsubscribed or was suppressed meanwhile.',
  machineOpens: 'How often machines, such as mail scanners, opened it.',
  machineClicks: 'How often machines followed a link of it.',
} as const
const rates = {
  deliveryRate: 'Delivered',
  openRate: 'Opened',
  clickRate: 'Clicked',
  bounceRate: 'Bounced',
  complaintRate: 'Complaints',
  unsubscribeRate: 'Unsubscribed',
} as const

const Stats = builder.objectRef<StatsShape>('CampaignStats').implement({
  description: 'What became of a campaign so far, at most 2 s behind what happened.',
  fields: (t) => ({
    ...Object.fromEntries(
      (Object.keys(counts) as (keyof typeof counts)[]).map((name) => [name, t.exposeInt(name, { description: counts[name] })]),
    ),
    ...Object.fromEntries(
      (Object.keys(rates) as (keyof typeof rates)[]).map((name) => [
        name,
        t.exposeFloat(name, { description: `${rates[name]}, in percent of \`sentCount\` with two decimals; 0 while nothing was sent.` }),
      ]),
    ),
  }),
})

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
      description: 'HTML with Liquid; values are HTML-escaped unless they end in `| raw`.',
      extensions: { large: true },
      resolve: (campaign, _args, ctx) => getCampaignBody(ctx, campaign),
    }),
    from: t.exposeString('from', { description: 'The sender, on a verified domain.' }),
    fromName: t.exposeString('fromName', { nullable: true, description: 'The sender’s name; null for the name of the project.' }),
    replyTo: t.exposeString('replyTo', { nullable: true, description: 'The address replies go to; null for the sender.' }),
    type: t.expose('type', { type: enumMadeOf(EmailType), description: 'What kind of email it is.' }),
    audienceType: t.expose('audienceType', { type: Audience, description: 'Who is meant.' }),
    segment: t.prismaField({
      type: 'Segment',
      nullable: true,
      description: 'The segment that is meant; null for another audience, and when it was deleted.',
      resolve: (query, { segmentId }, _args, ctx) => findSegment(ctx, { id: segmentId }, query),
    }),
    audienceFilter: t.field({
      type: 'JSON',
      nullable: true,
      description: 'The condition of the contacts that are meant, as it was sent; null for another audience.',
      resolve: ({ audienceFilter }) => audienceFilter,
    }),
    source: t.prismaField({
      type: 'Campaign',
      nullable: true,
      description: 'Only recipients of this campaign are meant, instead of the audience; null for the audience.',
      resolve: (query, { sourceId }, _args, ctx) => findCampaign(ctx, { id: sourceId }, query),
    }),
    sourceOutcome: t.field({
      type: Outcome,
      nullable: true,
      description: 'Which of the recipients of `source` are meant; null for the audience.',
      // Only outcomes that were checked are stored.
      resolve: ({ sourceOutcome }) => sourceOutcome as SourceOutcome | null,
    }),
    status: t.expose('status', { type: Status, description: 'How far it is.' }),
    statusReason: t.exposeString('statusReason', {
      nullable: true,
      description: 'Why the platform made it a draft again or cancelled it: a sentence; null otherwise.',
    }),
    paused: t.exposeBoolean('paused', { description: 'Whether its sending is paused.' }),
    maxPerHour: t.exposeInt('maxPerHour', { nullable: true, description: 'How many emails leave per hour at most; null for no limit.' }),
    scheduledAt: t.expose('scheduledFor', { type: 'DateTime', nullable: true, description: 'When it is sent, or was to be sent.' }),
    stats: t.field({
      type: Stats,
      description: 'What became of it so far.',
      resolve: (campaign, _args, ctx) => findStats(ctx, campaign),
    }),
    sentAt: t.expose('sentAt', { type: 'DateTime', nullable: true, description: 'When the first email was ready to leave.' }),
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

const filter = filterOf('CampaignFilter', CampaignFilter, 'Which campaigns a list holds: all conditions apply.')

builder.queryFields((t) => ({
  campaign: t.field({
    type: Campaign,
    description: 'One campaign; fails with RESOURCE_NOT_FOUND.',
    args: { id: t.arg.id({ required: true, description: 'Id of the campaign.' }) },
    resolve: (_parent, args, ctx) => getStoredCampaign(ctx, args),
  }),
  campaigns: t.connection(
    {
      type: Campaign,
      description: 'The campaigns of the project, newest first.',
      args: filter.args(t),
      resolve: async (_parent, args, ctx, info) => connectCampaigns(ctx, filter.read(args), args, await selectionOf(ctx, info, 'Campaign')),
    },
    CampaignConnection,
  ),
}))

builder.subscriptionField('campaignProgress', (t) =>
  t.field({
    type: Campaign,
    description:
      'A campaign: first as it is, then whenever its state or a count has changed, at most ten times a second. A slow reader is sent the newest state only. The stream ends when the campaign is deleted. Fails with RESOURCE_NOT_FOUND.',
    args: { id: t.arg.id({ required: true, description: 'Id of the campaign.' }) },
    subscribe: (_parent, args, ctx) => watchCampaign(ctx, args),
    resolve: ({ id }, _args, ctx) => getStoredCampaign(ctx, { id }),
  }),
)

const draft = graphqlInput('CreateCampaignInput', CampaignDraft)
const change = graphqlInput('UpdateCampaignInput', CampaignChange, {
  description: 'With all fields that a new campaign needs it is replaced; otherwise only what is given changes.',
})
const copy = graphqlInput('DuplicateCampaignInput', CampaignCopy)
const sending = graphqlInput('SendCampaignInput', CampaignSending, { names: { scheduledFor: 'scheduledAt' } })

const payload = (name: `${string}Payload`, description: string) =>
  payloadOf<{ campaign: StoredCampaign }>(name, (t) => ({ campaign: t.expose('campaign', { type: Campaign, description }) }))
const one = (name: string) => graphqlInput(name, ById)
const [cancellation, pausing, resuming, deletion] = [
  one('CancelCampaignInput'),
  one('PauseCampaignInput'),
  one('ResumeCampaignInput'),
  one('DeleteCampaignInput'),
]
const now = 'The campaign as it is now.'
const Payloads = {
  create: payload('CreateCampaignPayload', 'The new campaign.'),
  update: payload('UpdateCampaignPayload', now),
  duplicate: payload('DuplicateCampaignPayload', 'The copy.'),
  send: payload('SendCampaignPayload', now),
  cancel: payload('CancelCampaignPayload', now),
  pause: payload('PauseCampaignPayload', now),
  resume: payload('ResumeCampaignPayload', now),
}
const DeleteCampaignPayload = payloadOf<{ id: string }>('DeleteCampaignPayload', (t) => ({
  deletedCampaignId: t.exposeID('id', { description: 'Id of the campaign that was deleted.' }),
}))

builder.mutationFields((t) => ({
  createCampaign: t.field({
    type: Payloads.create,
    description:
      'Creates a campaign as a draft. Liquid that does not parse is refused with VALIDATION_ERROR, naming line and column; `from` must be on a verified domain (DOMAIN_NOT_VERIFIED), and a segment must exist (SEGMENT_NOT_FOUND).',
    args: draft.args(t),
    resolve: async (_parent, args, ctx) => ({ campaign: stored(await createCampaign(ctx, draft.read(args))) }),
  }),
  updateCampaign: t.field({
    type: Payloads.update,
    description:
      'Changes a campaign that is DRAFT or SCHEDULED; `maxPerHour` alone also while it is SENDING. Fails like createCampaign, with RESOURCE_NOT_FOUND, and with CONFLICT in another state.',
    args: change.args(t),
    resolve: async (_parent, args, ctx) => ({ campaign: stored(await updateCampaign(ctx, change.read(args))) }),
  }),
  duplicateCampaign: t.field({
    type: Payloads.duplicate,
    description: 'Copies a campaign as a draft, with `audience` for a part of its recipients. Fails with RESOURCE_NOT_FOUND and CONFLICT.',
    args: copy.args(t),
    resolve: async (_parent, args, ctx) => ({ campaign: stored(await duplicateCampaign(ctx, copy.read(args))) }),
  }),
  sendCampaign: t.field({
    type: Payloads.send,
    description:
      'Sends a campaign now or at a time in the future. Fails with RESOURCE_NOT_FOUND, CONFLICT unless it is DRAFT or SCHEDULED, DOMAIN_NOT_VERIFIED, VALIDATION_ERROR, and BILLING_LIMIT_EXCEEDED when not all would fit under the caps: then nobody is sent it.',
    args: sending.args(t),
    resolve: async (_parent, args, ctx) => ({ campaign: stored(await sendCampaign(ctx, sending.read(args))) }),
  }),
  cancelCampaign: t.field({
    type: Payloads.cancel,
    description:
      'Cancels a campaign: nothing of it leaves after the answer. It becomes a DRAFT again when nothing has left yet, otherwise CANCELLED for good. Fails with RESOURCE_NOT_FOUND and CONFLICT.',
    args: cancellation.args(t),
    resolve: async (_parent, args, ctx) => ({ campaign: stored(await cancelCampaign(ctx, cancellation.read(args))) }),
  }),
  pauseCampaign: t.field({
    type: Payloads.pause,
    description:
      'Pauses a campaign: nothing of it leaves after the answer, until it is resumed. Fails with RESOURCE_NOT_FOUND and CONFLICT.',
    args: pausing.args(t),
    resolve: async (_parent, args, ctx) => ({ campaign: stored(await pauseCampaign(ctx, pausing.read(args))) }),
  }),
  resumeCampaign: t.field({
    type: Payloads.resume,
    description: 'Goes on with a paused campaign. Fails with RESOURCE_NOT_FOUND and CONFLICT.',
    args: resuming.args(t),
    resolve: async (_parent, args, ctx) => ({ campaign: stored(await resumeCampaign(ctx, resuming.read(args))) }),
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

const stored = ({ sourceCampaignId, ...campaign }: Awaited<ReturnType<typeof createCampaign>>): StoredCampaign => ({
  ...campaign,
  sourceId: sourceCampaignId,
})
