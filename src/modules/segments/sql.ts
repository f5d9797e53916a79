import { type BodyRow, bodiesSql } from '../../kit/bodies.ts'
import { statement } from '../../kit/postgres/db.ts'
import { eraser } from '../../kit/postgres/erase.ts'
import { changedAt } from '../../kit/unchanged.ts'
import { askedByWorkflow, hasExecutions, partsOfFilters, segmentsIn, storesMembers } from '../filters/sql.ts'
import type { Named } from './members/log.ts'
import type { Segment } from './shapes.ts'

const besideCondition = `id, name, description, type::text as type, track_membership as "trackMembership", member_count as "memberCount",
   created_at as "createdAt", updated_at as "updatedAt"`
const record = `condition, ${besideCondition}`

/**
 * The number of segments of a project, the bytes of their conditions as JSON, and those of one of them ($2); a statement of its own,
 * so that its snapshot is taken after the lock.
 */
export const countSegments = statement<{ count: number; bytes: number; own: number }>(
  'segments_count_segments',
  `select count(*)::int as count, coalesce(sum(octet_length(condition::text)), 0)::int as bytes,
     coalesce(sum(octet_length(condition::text)) filter (where id = $2), 0)::int as own
   from segments where project_id = $1`,
)

/** Adds a segment. Hand-written, as it runs in the transaction of the lock. */
export const insertSegment = statement<Segment>(
  'segments_insert_segment',
  `insert into segments (project_id, id, name, description, type, condition, condition_at, track_membership, member_count, counted_at, due_at, created_at, updated_at, slug)
   values ($1, $2, $3, $4, $5::segment_type, $6::json, $11::timestamptz, $7, $8, case when $6 is not null then $10::timestamptz end, $9::timestamptz,
     $10::timestamptz, $10::timestamptz, $12) returning ${record}`,
)

const changed = `(coalesce($3, s.name), case when $4 then $5 else s.description end, coalesce($6::jsonb, s.condition::jsonb),
     coalesce($7, s.track_membership)) is distinct from (s.name, s.description, s.condition::jsonb, s.track_membership)`

/**
 * Changes a segment: null leaves a column as it is, $12 is the slug where the name is given, $4 says whether the description changes, and $11 when the condition was chosen, if it is another one; returns no row when there is none,
 * or nothing of it changes. A count alone ($8) is stored with its time, and does not change what was updated when. Another condition or tracking
 * ends a computation that is under way, because it would write what is no longer true, and makes the next one due.
 */
export const changeSegment = statement<Segment>(
  'segments_change_segment',
  `update segments s set name = coalesce($3, s.name), slug = coalesce($12, s.slug), description = case when $4 then $5 else s.description end,
     condition = coalesce($6::json, s.condition),
     condition_at = coalesce($11::timestamptz, s.condition_at), track_membership = coalesce($7, s.track_membership),
     member_count = coalesce($8, s.member_count), counted_at = case when $8 is null then s.counted_at else $9::timestamptz end, updated_at = case when ${changed} then ${changedAt('$9', 's')} else s.updated_at end,
     due_at = case when $6 is null and $7 is null then s.due_at else $9::timestamptz end,
     claim = case when $6 is null and $7 is null then s.claim end,
     claimed_until = case when $6 is null and $7 is null then s.claimed_until end
   where s.project_id = $1 and s.id = $2 and (${changed} or $8::int is not null)
     and ($10::timestamptz is null or s.updated_at = $10) returning ${record}`,
)

// Whether a condition asks a segment: most do not even have its id, which is a matter of reading them as text.
const asks = (condition: string, id: string): string => `(position('"segment.' || ${id} || '"' in ${condition}::text) > 0
       and exists (select from (${partsOfFilters(condition, 'field')}) f where f.part = to_jsonb('segment.' || ${id})))`
const asksSegment = (id: string): string => asks('k.audience_filter', id)

/** A segment ($2), and those whose conditions lead to it, directly or through others. */
export const selectLeading = statement<{ id: string }>(
  'segments_select_leading',
  `with recursive reaching(id) as (
     select $2::text
     union
     select s.id from reaching l join segments s on s.project_id = $1 and s.condition is not null and ${asks('s.condition', 'l.id')})
   select id from reaching`,
)

/** The campaign that is scheduled or being written down for one of some segments ($2), or whose condition refers to one; there may be none. */
export const findCampaignOf = statement<{ name: string }>(
  'segments_find_campaign_of',
  `select k.name from campaigns k where k.project_id = $1 and k.status in ('SCHEDULED', 'SENDING') and k.deleted_at is null
     and (k.segment_id = any($2::text[]) or exists (select from unnest($2::text[]) i(id) where ${asksSegment('i.id')})) limit 1`,
)

// A version of an earlier program has no list of its segments.
const askingVersion = (workflow: string, ids: string, inUse: string): string => `exists (select from workflow_versions v
       where v.project_id = ${workflow}.project_id and v.workflow_id = ${workflow}.id and ${inUse} and (v.segment_ids && ${ids}
         or v.segment_ids is null and exists (select from jsonb_path_query(v.graph, '$.steps[*].config.**.field') f
           where regexp_replace(f #>> '{}', '^(contact[.])?segment[.]', '') = any(${ids}))))`

// While it is enabled, by its steps as they are edited, or by the version that executions start on: with errors that is an earlier one.
const asksEnabled = (workflow: string, ids: string): string => `(${workflow}.enabled and (exists (
       select from workflow_steps s where s.project_id = ${workflow}.project_id and s.workflow_id = ${workflow}.id and s.segment_ids && ${ids})
     or ${askingVersion(workflow, ids, `v.version = ${workflow}.version`)}))`
const asksUnderWay = (workflow: string, ids: string): string => askingVersion(workflow, ids, hasExecutions('v'))

/**
 * A workflow that asks for one of some segments ($2) while it is enabled, or whose executions do that are under way (`enabled` false);
 * there may be none.
 */
export const findWorkflowOf = statement<{ name: string; enabled: boolean }>(
  'segments_find_workflow_of',
  `select w.name, q.enabled from workflows w cross join lateral (select ${asksEnabled('w', '$2::text[]')} as enabled) q
   where w.project_id = $1 and (q.enabled or ${asksUnderWay('w', '$2::text[]')}) order by q.enabled desc limit 1`,
)

/** The names of the segments of a project and of their events, in the order of their ids. A statement of its own, so that its snapshot is taken after the lock. */
export const selectNames = statement<Named & { logs: boolean; tracked: boolean }>(
  'segments_select_names',
  `select s.id, s.name, s.slug, ${storesMembers('s')} as logs, s.condition is not null and s.track_membership as tracked
   from segments s where s.project_id = $1 order by s.id`,
)

/** A workflow that names an event of a segment. */
export interface WorkflowOfSegment {
  segmentId: string
  id: string
  name: string
  /** It does so while it is enabled, with its steps as they are edited or the version that executions start on. */
  enabled: boolean
  /** Executions that have not ended go on, or end, by the event. */
  underWay: boolean
}

/** The workflows that name events of some segments ($2): enabled ones first, then those with executions, newest first. */
export const findWorkflowsByEvent = statement<WorkflowOfSegment>(
  'segments_find_workflows_by_event',
  `with wanted as materialized (
     select s.id, e.asked from segments s
     cross join lateral (values ('event.segment.' || s.slug || '.entry'), ('event.segment.' || s.slug || '.exit')) e(asked)
     where s.project_id = $1 and s.id = any($2::text[])
   ), named as (
     select w.id, w.name, n.asked, n.enabled, n.under_way from workflows w cross join lateral (${askedByWorkflow('w')}) n
     where w.project_id = $1 and n.asked in (select asked from wanted))
   select e.id as "segmentId", n.id, n.name, bool_or(n.enabled) as enabled, bool_or(n.under_way) as "underWay"
   from wanted e join named n on n.asked = e.asked group by e.id, n.id, n.name order by 4 desc, 5 desc, n.id desc`,
)

/** A campaign that has to do with a segment. */
export interface CampaignOfSegment {
  projectId: string
  segmentId: string
  id: string
  name: string
}

/**
 * The campaigns that are for some segments ($1 projects, $2 segments, in pairs), and those whose conditions ask for one while they are
 * scheduled or being sent: at most 500 for each segment, these and the newest ones first.
 */
export const findCampaignsOf = statement<CampaignOfSegment>(
  'segments_find_campaigns_of',
  `with w as (select * from unnest($1::text[], $2::text[]) as w(project_id, id)), users as (
     select w.project_id, w.id as segment_id, k.id, k.name, k.status in ('SCHEDULED', 'SENDING') as active
     from w join campaigns k on k.project_id = w.project_id and k.segment_id = w.id and k.deleted_at is null
     union all
     select w.project_id, w.id, k.id, k.name, true
     from w join campaigns k on k.project_id = w.project_id and k.status in ('SCHEDULED', 'SENDING') and k.deleted_at is null
       and k.segment_id is distinct from w.id and ${asksSegment('w.id')})
   select u.project_id as "projectId", u.segment_id as "segmentId", u.id, u.name
   from (select *, row_number() over (partition by project_id, segment_id order by active desc, id desc) as nth from users) u
   where u.nth <= 500`,
)

/** The segments of a project whose conditions refer to others, with these. */
export const selectAskingSegments = statement<{ id: string; segmentIds: string[] }>(
  'segments_select_asking_segments',
  `select s.id, ${segmentsIn('s.condition')} as "segmentIds" from segments s
   where s.project_id = $1 and s.condition is not null and position('"segment.' in s.condition::text) > 0`,
)

/** Those of some segments ($2) that a campaign or a workflow needs as findCampaignOf and findWorkflowOf say. */
export const selectNeeded = statement<{ id: string }>(
  'segments_select_needed',
  `select i.id from unnest($2::text[]) as i(id) where exists (
       select from campaigns k where k.project_id = $1 and k.status in ('SCHEDULED', 'SENDING') and k.deleted_at is null
         and (k.segment_id = i.id or ${asksSegment('i.id')}))
     or exists (select from workflows w where w.project_id = $1
       and (${asksEnabled('w', 'array[i.id]')} or ${asksUnderWay('w', 'array[i.id]')}))`,
)

/** Locks a segment ($2) that is to be deleted, so that nothing begins to ask for it meanwhile. Hand-written for the lock. */
export const lockToDelete = statement<object>(
  'segments_lock_to_delete',
  'select 1 from segments where project_id = $1 and id = $2 for update',
)

/** Removes a segment; its members are removed behind it. */
export const removeSegment = statement<object>('segments_remove_segment', 'delete from segments where project_id = $1 and id = $2')

/** Some segments ($2, their ids) that have a condition, with that as it was stored: see bodiesSql. */
export const selectWithConditions = statement<Omit<Segment, 'condition'> & BodyRow>(
  'segments_select_with_conditions',
  bodiesSql({ table: 'segments', columns: besideCondition, body: 't.condition::text', having: 't.condition is not null' }),
)

/** Stores the count of a segment ($3), whose condition is still the one that was counted ($4), at the time it was ($5). */
export const storeCount = statement<object>(
  'segments_store_count',
  `update segments set member_count = $3, counted_at = $5 where project_id = $1 and id = $2 and condition::jsonb = $4::jsonb`,
)

/** Deletes one batch of the segments of a project; returns how many, 0 when none is left. */
export const eraseSomeSegments = eraser('segments', 'id', 500)
