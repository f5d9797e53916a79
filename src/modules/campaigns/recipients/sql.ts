import type { ListSql } from '../../../kit/postgres/list.ts'
import type { ExclusionReason } from '../audience/shapes.ts'
import type { RecipientOutcome } from './shapes.ts'

/** The conditions of the recipients of a campaign. */
export interface RecipientSql {
  campaignId: string
  outcome?: RecipientOutcome | undefined
  opened?: boolean | undefined
  clicked?: boolean | undefined
}

/** A recipient; its id is that of the contact. */
export interface RecipientRow {
  id: string
  email: string
  emailId: string | null
  outcome: RecipientOutcome
  reason: string | null
  sentAt: Date | null
  openedAt: Date | null
  clickedAt: Date | null
}

/** The ledger of a campaign, by contact; without deleted contacts, whose emails are removed behind their deletion. */
export const recipientListSql: ListSql<RecipientSql> = {
  name: 'campaigns_recipients',
  table: `(select e.project_id, e.campaign_id, e.contact_id as id, e.id as "emailId", e.to_address as email, e.status, e.reason, e.sent_at as "sentAt",
    e.opened_at as "openedAt", e.clicked_at as "clickedAt", e.opens - e.machine_opens as opens, e.clicks - e.machine_clicks as clicks from emails e where e.campaign_id is not null)`,
  columns: `l.id, l.email, l."emailId", l.status::text as outcome, l.reason, l."sentAt", l."openedAt", l."clickedAt"`,
  conditions: [
    ['campaignId', (at) => `l.campaign_id = ${at}`],
    ['outcome', (at) => `l.status = ${at}::text::email_status`],
    ['opened', (at) => `(l.opens > 0) = ${at}::bool`],
    ['clicked', (at) => `(l.clicks > 0) = ${at}::bool`],
  ],
  hidden: '(select true from contacts d where d.project_id = $1 and d.id = v.id and d.deleted_at is not null) is true',
  shown: 'not exists (select 1 from contacts d where d.project_id = $1 and d.id = v.id and d.deleted_at is not null)',
}

/** Somebody who is not sent a campaign. */
export interface ExcludedRow {
  id: string
  email: string
  exclusion: ExclusionReason
}

/** Who is not sent a campaign, by contact. */
export const excludedListSql: ListSql<Pick<RecipientSql, 'campaignId'>> = {
  name: 'campaigns_excluded',
  table: `(select x.project_id, x.campaign_id, x.contact_id as id, x.reason as exclusion, c.email from campaign_exclusions x
    join contacts c on c.project_id = x.project_id and c.id = x.contact_id and c.deleted_at is null)`,
  columns: 'l.id, l.email, l.exclusion::text as exclusion',
  conditions: [['campaignId', (at) => `l.campaign_id = ${at}`]],
}
