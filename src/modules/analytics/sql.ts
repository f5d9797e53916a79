import { statement } from '../../kit/postgres/db.ts'
import { batchStatement, eraser } from '../../kit/postgres/erase.ts'
import type { CampaignStatus } from '../campaigns/shapes.ts'
import type { CountsRow } from '../campaigns/sql.ts'
import { emailTallies } from '../emails/sql.ts'
import { inRange } from '../events/reader/sql.ts'

/**
 * Adds what became of emails in a range of the log ($1 to $5) to the quarters of an hour in which it happened. Counts are not reduced when
 * contacts are deleted.
 */
export const countQuarters = statement<object>(
  'analytics_count_quarters',
  `with lines as (
     select e.project_id, e.name, e.email_id, e.data, date_bin('15 minutes', e.created_at, timestamptz '2000-01-01 00:00:00+00') as at
     from events e where ${inRange('e')} and e.name in ('email.sent', 'email.delivery', 'email.open', 'email.click', 'email.bounce', 'email.complaint', 'email.failed',
         'contact.unsubscribed')
   ), counted as (
     select l.project_id, l.at,
       ${emailTallies('l')}
     from lines l group by l.project_id, l.at
   )
   insert into email_quarters as q (project_id, at, sent, delivered, opened, clicked, machine_opened, machine_clicked, bounced, complained,
     unsubscribed, failed)
   select * from counted order by project_id, at
   on conflict (project_id, at) do update set sent = q.sent + excluded.sent, delivered = q.delivered + excluded.delivered,
     opened = q.opened + excluded.opened, clicked = q.clicked + excluded.clicked, machine_opened = q.machine_opened + excluded.machine_opened,
     machine_clicked = q.machine_clicked + excluded.machine_clicked, bounced = q.bounced + excluded.bounced,
     complained = q.complained + excluded.complained, failed = q.failed + excluded.failed, unsubscribed = q.unsubscribed + excluded.unsubscribed`,
  { allProjects: 'one reader reads the whole log' },
)

/** What became of emails in a part of a series, from 1 on. */
export interface PartRow {
  nth: number
  emails: number
  delivered: number
  opens: number
  clicks: number
  bounces: number
  machineOpens: number
  machineClicks: number
  complained: number
  failed: number
  unsubscribed: number
}

/** The sums of the parts of a series between some times ($2), of which each begins a part and the last one ends it; parts without counts are left out. An email that arrived in another part than it had failed in cannot make that negative. */
export const sumQuarters = statement<PartRow>(
  'analytics_sum_quarters',
  `select width_bucket(q.at, $2::timestamptz[]) as nth, sum(q.sent)::float8 as emails, sum(q.delivered)::float8 as delivered,
     sum(q.opened)::float8 as opens, sum(q.clicked)::float8 as clicks, sum(q.bounced)::float8 as bounces,
     sum(q.machine_opened)::float8 as "machineOpens", sum(q.machine_clicked)::float8 as "machineClicks",
     sum(q.complained)::float8 as complained, greatest(sum(q.failed), 0)::float8 as failed, sum(q.unsubscribed)::float8 as unsubscribed
   from email_quarters q
   where q.project_id = $1 and q.at >= ($2::timestamptz[])[1] and q.at < ($2::timestamptz[])[cardinality($2::timestamptz[])] group by 1`,
)

/** Removes up to $2 quarters from before $1; returns how many. */
export const removeOldQuarters = batchStatement<{ count: number }>(
  'analytics_remove_old_quarters',
  `with gone as (
     delete from email_quarters where ctid = any(array(select ctid from email_quarters where at < $1 order by at limit $2 for update skip locked))
     returning 1)
   select count(*)::int as count from gone`,
  { allProjects: 'counts of all projects are stored for the same time' },
)

/** Removes one batch of the quarters of a project; returns how many, 0 when none is left. */
export const eraseSomeQuarters = eraser('email_quarters', 'at', 5_000)

// The parts of a rate are of the same campaign; one of which nothing was sent has none.
const rate = (counted: string) => `n.${counted} * 100::float8 / nullif(n.sent, 0)`

/** The $2 best of the SENT campaigns of a project by a metric ($3), sent from $4 and before $5 unless these are null, the best first. */
export const rankCampaigns = statement<{ id: string }>(
  'analytics_rank_campaigns',
  `select k.id from campaigns k left join campaign_counts n on n.project_id = k.project_id and n.campaign_id = k.id
   where k.project_id = $1 and k.status = 'SENT' and k.deleted_at is null
     and ($4::timestamptz is null or k.sent_at >= $4) and ($5::timestamptz is null or k.sent_at < $5)
   order by case $3 when 'opens' then n.opened when 'clicks' then n.clicked when 'sent' then n.sent when 'openRate' then ${rate('opened')}
     when 'clickRate' then ${rate('clicked')} end desc nulls last, n.sent desc nulls last, k.id desc limit $2`,
)

/** The newest $2 campaigns of a project. */
export const listNewest = statement<{ id: string }>(
  'analytics_list_newest',
  'select k.id from campaigns k where k.project_id = $1 and k.deleted_at is null order by k.id desc limit $2',
)

/** How many campaigns a project has, and the mean rates of those that were sent. */
export const summarizeAll = statement<{
  total: number
  active: number
  completed: number
  openRate: number | null
  clickRate: number | null
}>(
  'analytics_summarize_all',
  `select count(*)::int as total, count(*) filter (where k.status in ('DRAFT', 'SCHEDULED', 'SENDING'))::int as active,
     count(*) filter (where k.status = 'SENT')::int as completed,
     avg(${rate('opened')}) filter (where k.status = 'SENT') as "openRate", avg(${rate('clicked')}) filter (where k.status = 'SENT') as "clickRate"
   from campaigns k left join campaign_counts n on n.project_id = k.project_id and n.campaign_id = k.id
   where k.project_id = $1 and k.deleted_at is null`,
)

/** A campaign with what was counted of it; null where nothing was. */
export type ResultRow = { [Name in keyof CountsRow]: number | null } & {
  id: string
  name: string
  subject: string
  status: CampaignStatus
  sentAt: Date | null
  totalRecipients: number
}

/** Some campaigns ($2) of a project with what was counted of them, in any order. */
export const selectResults = statement<ResultRow>(
  'analytics_select_results',
  `select k.id, k.name, k.subject, k.status::text as status, k.sent_at as "sentAt", k.total_recipients as "totalRecipients", n.sent, n.delivered,
     n.opened, n.clicked, n.machine_opened as "machineOpened", n.machine_clicked as "machineClicked", n.bounced, n.complained, n.unsubscribed,
     n.failed, n.suppressed
   from campaigns k left join campaign_counts n on n.project_id = k.project_id and n.campaign_id = k.id
   where k.project_id = $1 and k.id = any($2::text[]) and k.deleted_at is null`,
)
