import { statement } from '../../../kit/postgres/db.ts'
import { emailTallies } from '../../emails/sql.ts'
import { inRange } from '../../events/reader/sql.ts'
import type { CampaignStatus } from '../shapes.ts'
import type { CountsRow } from '../sql.ts'

/**
 * Counts what became of the emails of campaigns in a range of the log ($1 to $5). Counts are not reduced when contacts are deleted; an
 * email that had failed, and did arrive after all, has not failed. A campaign that was removed has no counts any more. Returns the
 * projects whose campaigns were counted.
 */
export const countCampaigns = statement<{ projectId: string }>(
  'campaigns_count_campaigns',
  `with lines as (
     select e.project_id, e.name, e.email_id, e.data ->> 'campaignId' as campaign_id, e.data from events e where ${inRange('e')} and e.name like 'email.%'
       and exists (select from emails m where m.project_id = e.project_id and m.id = e.email_id)
     union all
     select e.project_id, e.name, e.email_id, m.campaign_id, null from events e
     join emails m on m.project_id = e.project_id and m.id = e.email_id
     where ${inRange('e')} and e.name = 'contact.unsubscribed'
   ), counted as (
     select l.project_id, l.campaign_id,
       ${emailTallies('l')},
       count(*) filter (where name = 'email.complaint')::int as complained,
       count(*) filter (where name = 'contact.unsubscribed')::int as unsubscribed,
       (count(*) filter (where name = 'email.failed' and data ->> 'status' in ('FAILED', 'REJECTED')) - count(*) filter (where data ? 'replaces'))::int as failed,
       count(*) filter (where name = 'email.failed' and data ->> 'status' = 'SUPPRESSED')::int as suppressed
     from lines l
     where exists (select from campaigns k where k.project_id = l.project_id and k.id = l.campaign_id) group by l.project_id, l.campaign_id
   )
   insert into campaign_counts as n (project_id, campaign_id, sent, delivered, opened, clicked, machine_opened, machine_clicked, bounced,
     complained, unsubscribed, failed, suppressed)
   select * from counted order by project_id, campaign_id
   on conflict (project_id, campaign_id) do update set sent = n.sent + excluded.sent, delivered = n.delivered + excluded.delivered,
     opened = n.opened + excluded.opened, clicked = n.clicked + excluded.clicked, machine_opened = n.machine_opened + excluded.machine_opened,
     machine_clicked = n.machine_clicked + excluded.machine_clicked, bounced = n.bounced + excluded.bounced,
     complained = n.complained + excluded.complained, unsubscribed = n.unsubscribed + excluded.unsubscribed,
     failed = n.failed + excluded.failed, suppressed = n.suppressed + excluded.suppressed
   returning project_id as "projectId"`,
  { allProjects: 'one reader reads the whole log' },
)

/** How far a campaign is. */
export interface ProgressRow extends Partial<CountsRow> {
  projectId: string
  id: string
  status: CampaignStatus
  statusReason: string | null
  paused: boolean
  totalRecipients: number
}

/** How far some campaigns are ($1 projects, $2 ids, in pairs); one row per campaign that exists. */
export const selectProgress = statement<ProgressRow>(
  'campaigns_select_progress',
  `select k.project_id as "projectId", k.id, k.status::text as status, k.status_reason as "statusReason", k.paused,
     k.total_recipients as "totalRecipients", n.sent, n.delivered,
     n.opened, n.clicked, n.machine_opened as "machineOpened", n.machine_clicked as "machineClicked", n.bounced, n.complained,
     n.unsubscribed, n.failed, n.suppressed
   from unnest($1::text[], $2::text[]) as w(project_id, id)
   join campaigns k on k.project_id = w.project_id and k.id = w.id and k.deleted_at is null
   left join campaign_counts n on n.project_id = k.project_id and n.campaign_id = k.id`,
)
