import { type Statement, statement } from '../../../kit/postgres/db.ts'
import { eraserOf } from '../../../kit/postgres/erase.ts'
import type { ExclusionReason } from './shapes.ts'

// The reason of a contact `c` and its suppression `s`, for a type of email; null when the campaign is sent to it.
const reason = (type: string): string => `case
  when s.reason = 'BOUNCE' then 'BOUNCED' when s.reason = 'COMPLAINT' then 'COMPLAINED' when s.reason = 'MANUAL' then 'SUPPRESSED'
  when ${type} <> 'TRANSACTIONAL' and (s.reason = 'UNSUBSCRIBED' or not c.subscribed) then 'UNSUBSCRIBED' end`

/** Which of some contacts ($2) a campaign of a type ($3) is sent to, and why not to the others; those that were deleted are left out. */
export const selectReasons = statement<{ id: string; reason: ExclusionReason | null }>(
  'campaigns_select_reasons',
  `select c.id, ${reason('$3::text')} as reason
   from (select $1::text as project_id, u.id from unnest($2::text[]) as u(id) offset 0) i
   cross join lateral (select * from contacts o where o.project_id = i.project_id and o.id = i.id limit 1) c
   left join lateral (select * from suppressions o where o.project_id = i.project_id and o.email = c.email limit 1) s on true
   where c.deleted_at is null order by c.id`,
)

/** How many contacts of an audience a campaign is sent to (reason null), and to how many not, by reason. */
export interface ReasonCount {
  reason: ExclusionReason | null
  count: number
}

const counted = (contacts: string, type: string): string =>
  `select ${reason(type)} as reason, count(*)::int as count from ${contacts} group by 1`

const withSuppressions = 'left join suppressions s on s.project_id = c.project_id and s.email = c.email'

/** The same for all contacts of a project ($2 type). */
export const countAll = statement<ReasonCount>(
  'campaigns_count_all',
  counted(`contacts c ${withSuppressions} where c.project_id = $1 and c.deleted_at is null`, '$2::text'),
)

/** The same for the contacts that match (`matchingContacts`); `type` is a placeholder. */
export function countMatchingReasons(matching: string, type: string): Statement<ReasonCount> {
  return statement('', counted(`(select c.* from ${matching}) c ${withSuppressions}`, type))
}

const sourceOutcome = (outcome: string): string => `case ${outcome}
  when 'NOT_OPENED' then e.opens = e.machine_opens and e.clicks = e.machine_clicks and e.sent_at is not null
  when 'NOT_CLICKED' then e.clicks = e.machine_clicks and e.sent_at is not null
  else e.status in ('FAILED', 'BOUNCED', 'REJECTED') end`

/**
 * The same for the recipients of another campaign ($3) with an outcome ($4; $2 type). A limit of one row makes Postgres look each up by
 * its whole key, whatever the statistics say: before they know of many new rows, it would compare each with every other.
 */
export const countOfSource = statement<ReasonCount>(
  'campaigns_count_of_source',
  counted(
    `emails e cross join lateral (
       select * from contacts o where o.project_id = e.project_id and o.id = e.contact_id limit 1) c
     left join lateral (select * from suppressions o where o.project_id = e.project_id and o.email = c.email limit 1) s on true
     where e.project_id = $1 and e.campaign_id = $3 and ${sourceOutcome('$4')} and c.deleted_at is null`,
    '$2::text',
  ),
)

/** The next recipients of a campaign ($2) after a contact ($3), at most $5, with whether they have an outcome ($4). */
export const selectOfSource = statement<{ id: string; matches: boolean }>(
  'campaigns_select_of_source',
  `select e.contact_id as id, ${sourceOutcome('$4')} as matches from emails e
   where e.project_id = $1 and e.campaign_id = $2 and e.contact_id > $3 order by e.contact_id limit $5`,
)

/** The next contacts of a project after an id ($2), up to and including another ($3), at most $4. */
export const selectContactsUpTo = statement<{ id: string }>(
  'campaigns_select_contacts_up_to',
  'select c.id from contacts c where c.project_id = $1 and c.deleted_at is null and c.id > $2 and c.id <= $3 order by c.id limit $4',
)

/** Excludes contacts ($3) from a campaign ($2), each with its reason ($4). */
export const insertExclusions = statement<object>(
  'campaigns_insert_exclusions',
  `insert into campaign_exclusions (project_id, campaign_id, contact_id, reason)
   select $1, $2, i.id, i.reason::exclusion_reason 
   from (select $1::text as project_id, u.id, u.reason from unnest($3::text[], $4::text[]) as u(id, reason) offset 0) i
   cross join lateral (select from contacts o where o.project_id = i.project_id and o.id = i.id limit 1) c order by i.id on conflict do nothing`,
)

/** Removes one batch of the exclusions of a campaign; returns how many, 0 when none is left. */
export const eraseExclusionsOf = eraserOf('campaign_exclusions', { of: 'campaign_id', key: 'contact_id', max: 2_000 })
