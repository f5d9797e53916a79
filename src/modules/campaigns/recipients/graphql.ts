import { builder } from '../../../kit/builder.ts'
import { enumOf, filterOf, graphqlInput } from '../../../kit/zod-input.ts'
import { findContact } from '../../contacts/contacts.ts'
import { findEmail } from '../../emails/emails.ts'
import { previewAudience, previewAudienceOf } from '../audience/preview.ts'
import { type AudiencePreview, ExclusionReason, exclusionSentences } from '../audience/shapes.ts'
import { AudienceDraft } from '../shapes.ts'
import { connectRecipients } from './recipients.ts'
import { RecipientListFilter, RecipientOutcome } from './shapes.ts'
import type { RecipientRow } from './sql.ts'

const Outcome = enumOf('CampaignRecipientOutcome', RecipientOutcome, 'What became of a contact of the audience of a campaign.', {
  PENDING: 'The email waits, or is being sent.',
  SENT: 'A mail server accepted it.',
  DELIVERED: 'It is known to have reached the mailbox.',
  OPENED: 'It was opened, by a person or a program.',
  CLICKED: 'A link in it was followed, by a person or a program.',
  BOUNCED: 'The address refused it for good.',
  COMPLAINED: 'It was reported as spam.',
  FAILED: 'It will not be sent, for the reason in `reason`.',
  CANCELLED: 'The campaign was cancelled, the contact deleted, or its address changed, before it was sent.',
  SUPPRESSED: 'Withheld: the contact unsubscribed, or the address was suppressed, after the campaign had started.',
  REJECTED: 'The platform refused to send it, for the reason in `reason`.',
  EXCLUDED: 'There is no email, for the reason in `reason`.',
})
const Reason = enumOf(
  'CampaignExclusionReason',
  ExclusionReason,
  'Why a contact of the audience is not sent a campaign.',
  exclusionSentences,
)

const Recipient = builder.objectRef<RecipientRow>('CampaignRecipient').implement({
  description: 'A contact of the audience of a campaign, and what became of the email.',
  fields: (t) => ({
    contact: t.prismaField({
      type: 'Contact',
      nullable: true,
      description: 'The contact; null once it was deleted.',
      resolve: (query, { id }, _args, ctx) => findContact(ctx, { id }, query),
    }),
    email: t.prismaField({
      type: 'Email',
      nullable: true,
      description: 'The email; null for a contact that was excluded.',
      resolve: (query, { emailId }, _args, ctx) => findEmail(ctx, { id: emailId }, query),
    }),
    address: t.exposeString('email', { description: 'The address; of an email, the one it was sent to.' }),
    outcome: t.expose('outcome', {
      type: Outcome,
      description: 'The last that is known of it: an email that was opened, and in which a link was followed then, is CLICKED.',
    }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: 'Why it was not sent, or why there is none: a sentence; null otherwise.',
    }),
  }),
})

const RecipientConnection = builder.connectionObject(
  { type: Recipient, name: 'CampaignRecipientConnection', description: 'Recipients of a campaign, in the order of their contacts.' },
  { name: 'CampaignRecipientEdge' },
)

const Excluded = builder.objectRef<AudiencePreview['excluded'][number]>('CampaignExclusion').implement({
  description: 'How many of an audience are not sent a campaign for one reason.',
  fields: (t) => ({
    reason: t.expose('reason', { type: Reason, description: 'Why.' }),
    count: t.exposeInt('count', { description: 'How many contacts.' }),
  }),
})

const Preview = builder.objectRef<AudiencePreview>('CampaignAudiencePreview').implement({
  description: 'Who would be sent a campaign if it started now.',
  fields: (t) => ({
    recipients: t.exposeInt('recipients', { description: 'How many contacts would be sent it.' }),
    excluded: t.expose('excluded', { type: [Excluded], description: 'How many of the audience would not be sent it, by reason.' }),
  }),
})

const filter = filterOf('CampaignRecipientFilter', RecipientListFilter, 'Which recipients a list holds: all conditions apply.')

builder.prismaObjectFields('Campaign', (t) => ({
  recipients: t.connection(
    {
      type: Recipient,
      description:
        'Everybody it is sent to, in the order of their contacts, or those who were excluded. `GET /campaigns/:id/recipients` with `Accept: text/csv`, and `outcome` if you like, streams all of them as CSV.',
      args: filter.args(t),
      resolve: ({ id }, args, ctx) => connectRecipients(ctx, { id, ...filter.read(args) }, args),
    },
    RecipientConnection,
  ),
  audiencePreview: t.field({
    type: Preview,
    nullable: true,
    description:
      'Who would be sent it if it started now, by the rules by which it starts. Fails with SERVICE_UNAVAILABLE when that takes longer than 15 s.',
    // Every contact of the project is looked at.
    extensions: { cost: 100, waits: true },
    resolve: (campaign, _args, ctx) => previewAudience(ctx, campaign),
  }),
}))

const audience = graphqlInput('AudiencePreviewInput', AudienceDraft, { names: { audienceFilter: 'condition' } })

builder.queryField('audiencePreview', (t) =>
  t.field({
    type: Preview,
    description:
      'Who would be sent a campaign for an audience if it started now, before there is one. Fails with VALIDATION_ERROR for an audience that is not complete, SEGMENT_NOT_FOUND, and SERVICE_UNAVAILABLE when that takes longer than 15 s. Costs 100.',
    extensions: { cost: 100, waits: true },
    args: audience.args(t),
    resolve: (_parent, args, ctx) => previewAudienceOf(ctx, audience.read(args)),
  }),
)
