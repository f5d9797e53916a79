import { statement } from '../../../kit/postgres/db.ts'
import { emailTallies, isByLink } from '../../emails/sql.ts'
import { inRange } from '../../events/reader/sql.ts'
import type { CampaignStatus } from '../shapes.ts'
import type { CountsRow } from '../sql.ts'

/**
 * Counts what became of the emails of campaigns in a range of the log ($1 to $5). A recipient who unsubscribes by links of one email again
 * and again counts once. Counts are not reduced when contacts are deleted; an
 * email that had failed, and did arrive after all, has not failed. A campaign that was removed has no counts any more. Returns the
 * projects whose campaigns were counted.
 */
export const countCampaigns = statement<{ projectId: string }>(
  'campaigns_count_campaigns',
  `with lines as (
     select e.project_id, e.name, e.email_id, e.data ->> 'campaignId' as campaign_id, e.data from events e where ${inRange('e')} and e.name like 'email.%'
       and exists (select from emails m where m.project_id = e.project_id and m.id = e.email_id)
     union all
     select e.project_id, e.name, e.email_id, m.campaign_id, e.data from events e
     join emails m on m.project_id = e.project_id and m.id = e.email_id
     where ${inRange('e')} and ${isByLink('e')} and not exists (
       select from events v where v.project_id = e.project_id and v.contact_id = e.contact_id and v.email_id = e.email_id and ${isByLink('v')}
         and (v.epoch, v.xid, v.id) < (e.epoch, e.xid, e.id))
   ), counted as (
     select l.project_id, l.campaign_id,
       ${emailTallies('l')},
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

const maxUrlLength = 2_048
const hashOf = (url: string) => `left(encode(sha256(convert_to(${url}, 'UTF8')), 'hex'), 32)`

/**
 * Counts how often the links of campaigns were followed in a range of the log ($1 to $5), by people and machines. A campaign has at most
 * $6 links; those that come later share one row. The rows of emails are locked, because a visit cannot be stored beside their removal.
 * Written without joins of its parts: Postgres expects few rows of each, and would compare every one with every other.
 */
export const countLinks = statement<object>(
  'campaigns_count_links',
  `with lines as materialized (
     select e.project_id, m.campaign_id, e.email_id, e.data ->> 'link' as url, ${hashOf("e.data ->> 'link'")} as hash,
       coalesce(e.data ->> 'bot' = 'true', false) as machine
     from events e join emails m on m.project_id = e.project_id and m.id = e.email_id
     where ${inRange('e')} and e.name = 'email.click' and e.data ->> 'link' is not null
       and exists (select from campaigns k where k.project_id = m.project_id and k.id = m.campaign_id)
   ), seen as materialized (
     select l.*, exists (select from campaign_links k where k.project_id = l.project_id and k.campaign_id = l.campaign_id and k.link_id = l.hash) as known
     from lines l
   ), ranked as materialized (
     select n.*, dense_rank() over (partition by n.project_id, n.campaign_id, n.known order by n.hash) as nth from seen n
   ), followed as materialized (
     select r.project_id, r.campaign_id, r.email_id, r.machine, r.url, case when r.known then r.hash
       when exists (select from campaign_links k where k.project_id = r.project_id and k.campaign_id = r.campaign_id and k.link_id = '') then ''
       when r.nth + (select count(*) from campaign_links k where k.project_id = r.project_id and k.campaign_id = r.campaign_id) <= $6 then r.hash
       else '' end as link_id
     from ranked r
   ), fresh as materialized (
     select p.project_id, p.campaign_id, p.email_id, p.link_id
     from (select distinct f.project_id, f.campaign_id, f.email_id, f.link_id from followed f where not f.machine) p
     join emails m on m.project_id = p.project_id and m.id = p.email_id
     where not exists (
       select from campaign_link_visits v where v.project_id = p.project_id and v.email_id = p.email_id and v.link_id = p.link_id)
     order by p.project_id, p.email_id for key share of m
   ), visits as (
     insert into campaign_link_visits (project_id, email_id, link_id) select f.project_id, f.email_id, f.link_id from fresh f
   )
   insert into campaign_links as k (project_id, campaign_id, link_id, url, clicks, unique_clicks, machine_clicks)
   select c.project_id, c.campaign_id, c.link_id, case when c.link_id <> '' then left(min(c.url), ${maxUrlLength}) else '' end,
     sum(c.clicks)::int, sum(c.visits)::int, sum(c.machine)::int
   from (
     select f.project_id, f.campaign_id, f.link_id, f.url, 1 as clicks, 0 as visits, f.machine::int as machine from followed f
     union all
     select f.project_id, f.campaign_id, f.link_id, null, 0, 1, 0 from fresh f) c
   group by c.project_id, c.campaign_id, c.link_id order by c.project_id, c.campaign_id, c.link_id
   on conflict (project_id, campaign_id, link_id) do update set clicks = k.clicks + excluded.clicks,
     unique_clicks = k.unique_clicks + excluded.unique_clicks, machine_clicks = k.machine_clicks + excluded.machine_clicks`,
  { allProjects: 'one reader reads the whole log' },
)

/** A link of a campaign, and how often it was followed. */
export interface LinkRow {
  /** Null for all links together that are not counted apart. */
  url: string | null
  clicks: number
  uniqueClicks: number
  machineClicks: number
}

/** The links of campaigns ($1 projects, $2 campaigns, in pairs; `ord` is the place of the pair) that most people have followed, at most $3 of each. */
export const selectLinks = statement<LinkRow & { ord: number }>(
  'campaigns_select_links',
  `select q.ord::int as ord, nullif(l.url, '') as url, l.clicks, l.unique_clicks as "uniqueClicks", l.machine_clicks as "machineClicks"
   from unnest($1::text[], $2::text[]) with ordinality as q(project_id, campaign_id, ord)
   cross join lateral (
     select * from campaign_links k where k.project_id = q.project_id and k.campaign_id = q.campaign_id
     order by k.unique_clicks desc, k.clicks desc, k.link_id desc limit $3) l
   order by q.ord, l.unique_clicks desc, l.clicks desc, l.link_id desc`,
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
