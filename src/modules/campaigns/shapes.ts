import { z } from 'zod'
import { listOf } from '../../kit/bounded.ts'
import { CursorSearch, NumberedSearch, numberedPageOf, pageOf } from '../../kit/paging.ts'
import { HeaderText, line, SenderAddress, Text, Timestamp } from '../../kit/shapes.ts'
import { Condition } from '../filters/condition.ts'
import { StoredCondition } from '../filters/shapes.ts'
import { ContentMode, EmailType, maxTemplateBytes } from '../templates/shapes.ts'
import { documentText, isWrittenOnce, VisualDocumentInput, writtenTwice } from '../templates/visual/shapes.ts'
import { CampaignAudience, type Meant, missingOf } from './audience/shapes.ts'
import { publishedAudience, publishedAudienceChange, publishedContent } from './published.ts'

/** Maximum number of characters of the name of a campaign. */
export const maxNameLength = 100

/** How far a campaign is. */
export const CampaignStatus = z.enum(['DRAFT', 'SCHEDULED', 'SENDING', 'SENT', 'CANCELLED'])
/** How far a campaign is. */
export type CampaignStatus = z.output<typeof CampaignStatus>

/** Which recipients of another campaign a copy of it is for. */
export const SourceOutcome = z.enum(['NOT_OPENED', 'NOT_CLICKED', 'FAILED'])
/** Which recipients of another campaign a copy of it is for. */
export type SourceOutcome = z.output<typeof SourceOutcome>

const fields = {
  name: line(maxNameLength).meta({ description: 'What people call it, one line of 1 to 100 characters.', examples: ['Spring news'] }),
  description: Text.max(500).nullable().meta({ description: 'What it is for, for people; at most 500 characters.' }),
  subject: HeaderText.min(1)
    .max(998)
    .meta({
      description: 'The subject line; a Liquid template on one line of 1 to 998 characters (RFC 5322, 2.1.1).',
      examples: ['News for {{ name ?? "you" }}'],
    }),
  previewText: HeaderText.max(200)
    .nullable()
    .meta({
      description: 'What mail programs show beside the subject: a Liquid template of at most 200 characters, hidden in the body.',
      examples: ['What is new in spring'],
    }),
  body: Text.min(1)
    .max(maxTemplateBytes)
    .meta({
      description: 'HTML with Liquid, at most 5 MB; values are HTML-escaped unless they end in `| raw`.',
      examples: ['<p>Hello {{ name ?? "friend" }}</p>'],
    }),
  from: SenderAddress.meta({ description: 'The sender; its domain must be verified in the project.', examples: ['news@demo.test'] }),
  fromName: HeaderText.max(100)
    .nullable()
    .meta({ description: 'The sender’s name, at most 100 characters; null for the name of the project.', examples: ['Acme'] }),
  replyTo: SenderAddress.nullable().meta({ description: 'The address replies go to; null for the sender.', examples: ['help@demo.test'] }),
  type: EmailType,
  audienceType: CampaignAudience,
  segmentId: z.string().nullable().describe('The segment, for SEGMENT; as it is when the campaign starts.'),
  audienceFilter: Condition.nullable().meta({
    description: 'Which contacts, for FILTERED: a condition, as segments have it.',
    examples: [{ field: 'data.plan', operator: 'equals', value: 'pro' }],
  }),
  maxPerHour: z
    .int()
    .min(1)
    .max(10_000_000)
    .nullable()
    .meta({
      description:
        'How many emails leave per hour at most, 1 to 10,000,000, those included that a mail server had put off; null for no limit.',
      examples: [10_000],
    }),
}

const templateId = z.string().nullable()

const count = (text: string) => z.int().describe(text)

/** A campaign as lists return it. */
export const Campaign = z
  .object({
    id: z.string().meta({ examples: ['cmp_01m7y3mwcpfqhrhzca2e1aqg79'] }),
    name: z.string(),
    description: z.string().nullable(),
    subject: z.string().describe('The subject line, a Liquid template.'),
    previewText: z.string().nullable(),
    body: z.string().describe('The body, HTML with Liquid.'),
    from: z.string().meta({ format: 'email' }),
    fromName: z.string().nullable(),
    replyTo: z.string().nullable(),
    type: EmailType,
    templateId: templateId.describe('The template its content was copied from; null for none, and once the template was deleted.'),
    audienceType: CampaignAudience,
    segmentId: z.string().nullable(),
    audienceFilter: StoredCondition.nullable(),
    audienceCondition: StoredCondition.nullable().describe('The same as `audienceFilter`.'),
    sourceCampaignId: z
      .string()
      .nullable()
      .describe('The campaign whose recipients it is sent to, instead of all of its audience; null for the audience.'),
    sourceOutcome: SourceOutcome.nullable().describe('Which of the recipients of the source campaign.'),
    status: CampaignStatus,
    statusReason: z
      .string()
      .nullable()
      .describe('Why the platform made it a draft again, or why its emails wait: a sentence; null otherwise.'),
    paused: z.boolean().describe('Whether its sending is paused.'),
    maxPerHour: z.int().nullable(),
    scheduledAt: Timestamp.nullable().describe('When it is sent, or was to be sent.'),
    scheduledFor: Timestamp.nullable().describe('The same as `scheduledAt`.'),
    totalRecipients: count('How many contacts are sent it, once it has started; before that 0.'),
    sentCount: count('How many emails left: a mail server accepted them, or refused their address for good.'),
    deliveredCount: count('How many are known to have reached the mailbox.'),
    openedCount: count('How many were opened by a person, as far as can be told.'),
    clickedCount: count('In how many a person followed a link, as far as can be told.'),
    bouncedCount: count('How many were refused for good because of their address.'),
    complainedCount: count('How many were reported as spam.'),
    unsubscribedCount: count('How many recipients unsubscribed by a link of it.'),
    sentAt: Timestamp.nullable().describe('When the first email was ready to leave.'),
    finishedAt: Timestamp.nullable().describe('When it became SENT, or CANCELLED after something had left; null before.'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Campaign', description: 'An email to many contacts, sent once.' })
/** A campaign. */
export type Campaign = z.output<typeof Campaign>

/** A campaign with what it is written in, which REST does not show. */
export type EditedCampaign = Campaign & { mode: ContentMode }

function requireAudience(meant: Meant, ctx: z.core.$RefinementCtx<unknown>): void {
  const missing = missingOf(meant)
  if (missing) ctx.addIssue({ code: 'custom', path: [missing.field], message: missing.message, params: { code: 'required' } })
}

const contentFields = ['subject', 'body', 'from'] as const

function requireContent(
  draft: { templateId?: string | null | undefined; document?: unknown } & { [Name in (typeof contentFields)[number]]?: string | undefined },
  ctx: z.core.$RefinementCtx<unknown>,
): void {
  for (const name of draft.templateId == null ? contentFields : [])
    if (draft[name] === undefined && (name !== 'body' || draft.document === undefined))
      ctx.addIssue({ code: 'custom', path: [name], message: 'is required without a template', params: { code: 'required' } })
}

const withoutTemplate = (text = '') => `${text} Required without \`templateId\`.`

const optional = {
  description: fields.description.optional(),
  templateId: templateId
    .optional()
    .describe(
      'Copies subject, preview text, body, sender, reply-to address and type from this template as it is now; fields given here win. Null forgets the template and changes nothing else.',
    ),
  previewText: fields.previewText.optional(),
  fromName: fields.fromName.optional(),
  replyTo: fields.replyTo.optional(),
  type: fields.type.optional().describe('Default: that of the template, otherwise MARKETING.'),
  segmentId: fields.segmentId.optional(),
  audienceFilter: fields.audienceFilter.optional(),
  maxPerHour: fields.maxPerHour.optional(),
}

const DraftFields = z.object({
  name: fields.name,
  subject: fields.subject
    .optional()
    .describe(withoutTemplate('The subject line; a Liquid template on one line of 1 to 998 characters (RFC 5322, 2.1.1).')),
  body: fields.body
    .optional()
    .describe(withoutTemplate('HTML with Liquid, at most 5 MB; values are HTML-escaped unless they end in `| raw`.')),
  from: fields.from.optional().describe(withoutTemplate('The sender; its domain must be verified in the project.')),
  audienceType: fields.audienceType,
  ...optional,
})

const campaignExample = { name: 'Spring news', subject: 'News', body: '<p>Hello</p>', from: 'news@demo.test', audienceType: 'ALL' }

/** A campaign to create. */
export const CampaignDraft = DraftFields.superRefine(requireContent)
  .superRefine(requireAudience)
  .meta({
    id: 'CampaignDraft',
    examples: [campaignExample],
    allOf: [publishedAudience, publishedContent],
  })
/** A campaign to create. */
export type CampaignDraft = z.output<typeof CampaignDraft>

/** A campaign to create, written as HTML or as a document. */
export const WrittenCampaignDraft = CampaignDraft.safeExtend({
  body: DraftFields.shape.body.describe(
    'HTML with Liquid, at most 5 MB; values are HTML-escaped unless they end in `| raw`. Either this or `document`; of a template that is taken, another than it has makes HTML.',
  ),
  document: VisualDocumentInput.optional().describe(`${documentText('campaign')} Either this or \`body\`.`),
}).refine(isWrittenOnce, writtenTwice)
/** A campaign to create, written as HTML or as a document. */
export type WrittenCampaignDraft = z.output<typeof WrittenCampaignDraft>

/**
 * Changes to a campaign: with all required fields, given or copied from a template, it is replaced, and optional ones that are left out
 * become null; otherwise only what is given changes.
 */
export const CampaignChange = DraftFields.partial()
  .extend({ id: z.string() })
  .meta({ id: 'CampaignChange', examples: [campaignExample], ...publishedAudienceChange })
/** Changes to a campaign. */
export type CampaignChange = z.output<typeof CampaignChange>

/** Changes to a campaign of which only what is given changes. */
export const CampaignPatch = z
  .object({ ...fields, templateId: optional.templateId })
  .partial()
  .extend({
    id: z.string(),
    body: fields.body.optional().describe('HTML with Liquid, at most 5 MB; another than it has makes a visual campaign an HTML one.'),
    document: VisualDocumentInput.optional().describe(
      `${documentText('campaign')} Only for a visual campaign, or with a visual template; not with \`body\`.`,
    ),
    mode: ContentMode.optional().describe(
      'HTML makes a visual campaign an HTML one, with the HTML it has; there is no way back but to take a visual template. An HTML campaign cannot become VISUAL.',
    ),
  })
  .refine(isWrittenOnce, writtenTwice)
/** Changes to a campaign of which only what is given changes. */
export type CampaignPatch = z.output<typeof CampaignPatch>

/** An audience to count before there is a campaign for it. */
export const AudienceDraft = z
  .object({
    audienceType: fields.audienceType,
    segmentId: optional.segmentId,
    audienceFilter: optional.audienceFilter,
    type: fields.type
      .optional()
      .describe('Decides whether unsubscribed contacts are left out: only TRANSACTIONAL reaches them. Default: MARKETING.'),
  })
  .superRefine(requireAudience)
/** An audience to count before there is a campaign for it. */
export type AudienceDraft = z.output<typeof AudienceDraft>

/** The conditions of a list of campaigns. */
export const CampaignFilter = z.object({
  status: CampaignStatus.optional().describe('Only campaigns in this state.'),
  search: Text.max(200)
    .optional()
    .describe('Part of the name or subject, at most 200 characters, ignoring case; `%` and `_` are not wildcards.'),
  templateId: z.string().optional().describe('Only campaigns whose content was copied from this template.'),
})
/** The conditions of a list of campaigns. */
export type CampaignFilter = z.output<typeof CampaignFilter>

/** The conditions of a list of campaigns in GraphQL. */
export const CampaignListFilter = CampaignFilter.omit({ status: true }).extend({
  statuses: listOf(CampaignStatus, { min: 1, max: CampaignStatus.options.length })
    .optional()
    .describe('Only campaigns in one of these states.'),
})
/** The conditions of a list of campaigns in GraphQL. */
export type CampaignListFilter = z.output<typeof CampaignListFilter>

/** The query of the list of campaigns: pages by cursor, or by number when `page` or `pageSize` is given. */
export const CampaignSearch = CursorSearch.extend({
  page: NumberedSearch.shape.page.unwrap().optional().describe('The page, from 1; instead of a cursor.'),
  pageSize: NumberedSearch.shape.pageSize.unwrap().optional().describe('The same as `limit`, in place of it.'),
}).extend(CampaignFilter.shape)
/** The query of the list of campaigns. */
export type CampaignSearch = z.output<typeof CampaignSearch>

/** A page of campaigns, newest first; `campaigns` is the same list as `data`. */
export const CampaignPage = numberedPageOf(Campaign)
  .extend(pageOf(Campaign).shape)
  .extend({ campaigns: z.array(Campaign) })
  .meta({ id: 'CampaignPage' })

/** A copy of a campaign. */
export const CampaignCopy = z
  .object({
    id: z.string(),
    audience: SourceOutcome.optional().describe(
      'Only recipients of the copied campaign: NOT_OPENED, NOT_CLICKED (by a person; machines do not count) or FAILED (failed, rejected or bounced). Default: the same audience.',
    ),
    templateId: z
      .string()
      .optional()
      .describe(
        'Takes subject, preview text, body, sender, reply-to address and type from this template as it is now. Default: those of the copied campaign.',
      ),
  })
  .meta({ id: 'CampaignCopy', examples: [{ templateId: 'tpl_01m7y3mwcpfqhrhzca2e1aqg79' }] })
/** A copy of a campaign. */
export type CampaignCopy = z.output<typeof CampaignCopy>
