import { type BodyRow, bodiesSql, bodiesWithDocuments, documents } from '../../kit/bodies.ts'
import { statement, type Transaction } from '../../kit/postgres/db.ts'
import { eraser } from '../../kit/postgres/erase.ts'
import { changedAt } from '../../kit/unchanged.ts'
import type { ContentMode } from '../templates/shapes.ts'
import type { Meant } from './audience/shapes.ts'
import type { CampaignPatch, CampaignStatus } from './shapes.ts'
import type { StoredCampaign } from './stored.ts'

/** What became of the emails of a campaign. */
export interface CountsRow {
  sent: number
  delivered: number
  opened: number
  clicked: number
  machineOpened: number
  machineClicked: number
  bounced: number
  complained: number
  unsubscribed: number
  failed: number
  suppressed: number
}

/** The counts of some campaigns ($2); one row per campaign that has any. */
export const selectCounts = statement<{ id: string } & CountsRow>(
  'campaigns_select_counts',
  `select n.campaign_id as id, n.sent, n.delivered, n.opened, n.clicked, n.machine_opened as "machineOpened",
     n.machine_clicked as "machineClicked", n.bounced, n.complained, n.unsubscribed, n.failed, n.suppressed
   from campaign_counts n where n.project_id = $1 and n.campaign_id = any($2::text[])`,
)

const shownColumns = `t.id, t.name, t.description, t.subject, t.preview_text as "previewText", t."from", t.from_name as "fromName",
  t.reply_to as "replyTo", t.mode::text as mode, t.type::text as type, t.template_id as "templateId",
  t.audience_type::text as "audienceType", t.segment_id as "segmentId", t.audience_filter as "audienceFilter", t.source_id as "sourceId",
  t.source_outcome as "sourceOutcome", t.status::text as status, t.status_reason as "statusReason", t.paused,
  t.max_per_hour as "maxPerHour", t.scheduled_for as "scheduledFor", t.total_recipients as "totalRecipients", t.sent_at as "sentAt",
  t.finished_at as "finishedAt", t.created_at as "createdAt", t.updated_at as "updatedAt"`

const shown = { table: 'campaigns', columns: shownColumns, having: 't.deleted_at is null' }
const contentBytes = 'octet_length(t.body) + coalesce(octet_length(t.audience_filter::text), 0)'

/**
 * Some campaigns ($2, their ids) with their bodies, in their order, with their sizes in bytes, to which those of their conditions are added;
 * null when they have more than $3 bytes together.
 */
export const selectBodies = statement<StoredCampaign & BodyRow>(
  'campaigns_select_bodies',
  bodiesSql({ ...shown, body: 't.body', bytes: contentBytes }),
)

/** The documents of some campaigns ($2, their ids) that have one, as JSON text, like selectBodies. */
export const selectDocuments = statement<StoredCampaign & BodyRow>('campaigns_select_documents', bodiesSql({ ...shown, ...documents }))

/** Some campaigns ($2, their ids) with their bodies and documents as JSON text, like selectBodies. */
export const selectWritten = statement<StoredCampaign & BodyRow>(
  'campaigns_select_written',
  bodiesSql({ ...shown, ...bodiesWithDocuments }),
)

/** What a worker does next for a campaign. */
export type Stage = 'CLEAR' | 'SNAPSHOT' | 'DELIVER' | 'CANCEL' | 'ERASE'

/** A campaign that is locked until the transaction ends. */
export interface LockedCampaign {
  status: CampaignStatus
  stage: Stage | null
  paused: boolean
  name: string
  lastContact: string
  totalRecipients: number
  chargedAt: Date | null
  maxPerHour: number | null
  mode: ContentMode
  updatedAt: Date
  /** Whether its body is the one that was asked about; null without one. */
  sameBody: boolean | null
}

/** Locks a campaign ($2) until the transaction ends, and compares its body with $3, unless that is null. */
export const selectForChange = statement<LockedCampaign>(
  'campaigns_select_for_change',
  `select status::text as status, stage::text as stage, paused, name, last_contact as "lastContact",
     total_recipients as "totalRecipients", charged_at as "chargedAt", max_per_hour as "maxPerHour", mode::text as mode, updated_at as "updatedAt",
     body = $3 as "sameBody"
   from campaigns where project_id = $1 and id = $2 and deleted_at is null for update`,
)

/** Locks a campaign, so that its state changes one step after the other, and compares its body with one; null when there is none. */
export async function lockCampaign(
  tx: Transaction,
  { projectId, id, body }: { projectId: string; id: string; body?: string | undefined },
): Promise<LockedCampaign | null> {
  return (await tx.run(selectForChange, [projectId, id, body ?? null]))[0] ?? null
}

/**
 * From whom and to whom a campaign ($2) is to be sent, and since when it is to them, without the condition where it goes to recipients of another one: a statement of
 * its own, so that it is read after the campaign is locked.
 */
export const selectNeeded = statement<Meant & { from: string; since: Date }>(
  'campaigns_select_needed',
  `select "from", audience_type::text as "audienceType", segment_id as "segmentId",
     case when source_id is null then audience_filter end as "audienceFilter", coalesce(audience_at, created_at) as since
   from campaigns where project_id = $1 and id = $2`,
)

/** Whom a campaign ($2) is for, as it is stored; a statement of its own, so that it is read after the campaign is locked. */
export const selectAudience = statement<Meant>(
  'campaigns_select_audience',
  `select audience_type::text as "audienceType", segment_id as "segmentId", audience_filter as "audienceFilter"
   from campaigns where project_id = $1 and id = $2`,
)

const written: Record<Exclude<keyof CampaignPatch, 'id'> | 'sourceId' | 'sourceOutcome' | 'audienceAt', [column: string, type: string]> = {
  name: ['name', 'text'],
  description: ['description', 'text'],
  subject: ['subject', 'text'],
  previewText: ['preview_text', 'text'],
  body: ['body', 'text'],
  mode: ['mode', 'template_mode'],
  document: ['document', 'jsonb'],
  from: ['"from"', 'text'],
  fromName: ['from_name', 'text'],
  replyTo: ['reply_to', 'text'],
  type: ['type', 'mail_type'],
  templateId: ['template_id', 'text'],
  audienceType: ['audience_type', 'campaign_audience'],
  segmentId: ['segment_id', 'text'],
  audienceFilter: ['audience_filter', 'json'],
  maxPerHour: ['max_per_hour', 'int'],
  sourceId: ['source_id', 'text'],
  sourceOutcome: ['source_outcome', 'text'],
  audienceAt: ['audience_at', 'timestamptz'],
}

/** What is changed of a campaign; what is left out stays. */
export type CampaignWriting = Partial<Record<keyof typeof written, unknown>>

const columns = Object.entries(written)
  .map(([name, [column, type]]) => {
    const at = `array_position($4::text[], '${name}')`
    return `${column} = case when ${at} is null then ${column} else ($5::text[])[${at}]::${type} end`
  })
  .join(', ')

/**
 * Changes a campaign ($2) that the transaction has locked, at $3: the fields $4 become $5. Hand-written for the transaction that holds
 * what the campaign comes to need.
 */
export const writeCampaign = statement<object>(
  'campaigns_write_campaign',
  `update campaigns set ${columns}, updated_at = ${changedAt('$3', 'campaigns')} where project_id = $1 and id = $2`,
)

/** Locks a project until the transaction ends, so that its campaigns begin one after the other. */
export const lockProjectCampaigns = statement<object>(
  'campaigns_lock_project_campaigns',
  'select 1 from projects p where p.id = $1 for no key update',
  { allProjects: 'a project is found by its own id' },
)

/** How many campaigns of a project are scheduled or being sent; a statement of its own, so that its snapshot is taken after the lock. */
export const countActive = statement<{ count: number }>(
  'campaigns_count_active',
  `select count(*)::int as count from campaigns k
   where k.project_id = $1 and k.status in ('SCHEDULED', 'SENDING') and k.deleted_at is null`,
)

/** Removes one batch of a project's campaigns; returns how many, 0 when none is left. */
export const eraseSomeCampaigns = eraser('campaigns', 'id', 200)

/** Removes one batch of who was not sent the campaigns of a project; returns how many, 0 when nobody is left. */
export const eraseSomeExclusions = eraser('campaign_exclusions', 'contact_id', 5_000)

/** Removes one batch of the counts of a project's campaigns; returns how many, 0 when none is left. */
export const eraseSomeCounts = eraser('campaign_counts', 'campaign_id', 1_000)

/** Removes one batch of the links of a project's campaigns; returns how many, 0 when none is left. */
export const eraseSomeLinks = eraser('campaign_links', 'campaign_id', 20)
