import { type Statement, statement } from '../../kit/postgres/db.ts'

/** When the names ($2) were deleted that are still being removed from the log and its summaries. */
export const findDeletedNames = statement<{ name: string; at: Date }>(
  'filters_find_deleted_names',
  'select x.name, x.created_at as at from event_erasures x where x.project_id = $1 and x.name = any($2::text[])',
)

/** When events ($3 names, as they are summarised) last happened to a contact ($2). */
export const findLastEvents = statement<{ name: string; at: Date }>(
  'filters_find_last_events',
  `select s.name, s.last_at as at from contact_events s where s.project_id = $1 and s.contact_id = $2 and s.name = any($3::text[])
     and not exists (select from event_erasures x where x.project_id = $1 and x.name = s.name and x.created_at >= s.last_at)`,
)

// Statements with a condition have no name: each has another text, and would be prepared for nothing.
const unnamed = ''

/** Counts matching contacts (`matchingContacts`). */
export function countMatching(matching: string): Statement<{ count: number }> {
  return statement(unnamed, `select count(*)::int as count from ${matching}`)
}

/** The newest matching contacts, from an id and before another where these are given; all are placeholders. */
export function newestMatching(
  matching: string,
  { limit, skip, from, before }: { limit: string; skip?: string | undefined; from?: string | undefined; before?: string | undefined },
): Statement<{ id: string }> {
  const range = `${from ? ` and c.id >= ${from}` : ''}${before ? ` and c.id < ${before}` : ''}`
  const page = `limit ${limit}${skip ? ` offset ${skip}` : ''}`
  return statement(unnamed, `select c.id from ${matching}${range} order by c.id desc ${page}`)
}

/** The oldest matching contacts, after an id and before another where that is given; all are placeholders. */
export function oldestMatching(
  matching: string,
  { limit, after, before }: { limit: string; after: string; before?: string | undefined },
): Statement<{ id: string }> {
  const range = ` and c.id > ${after}${before ? ` and c.id < ${before}` : ''}`
  return statement(unnamed, `select c.id from ${matching}${range} order by c.id limit ${limit}`)
}

/** The matching contacts by address, between two addresses where these are given; all are placeholders. */
export function matchingByEmail(
  matching: string,
  { limit, direction, gt, lt }: { limit: string; direction: 'asc' | 'desc'; gt?: string | undefined; lt?: string | undefined },
): Statement<{ id: string; email: string }> {
  const range = `${gt ? ` and c.email > ${gt}` : ''}${lt ? ` and c.email < ${lt}` : ''}`
  return statement(unnamed, `select c.id, c.email from ${matching}${range} order by c.email ${direction} limit ${limit}`)
}

/** Those of the matching contacts that have one of some ids, a placeholder. */
export function matchingAmong(matching: string, ids: string): Statement<{ id: string }> {
  return statement(unnamed, `select c.id from ${matching} and c.id = any(${ids}::text[])`)
}

/** The first of the matching contacts after an id, up to and including another, oldest first; all are placeholders. */
export function matchingBetween(
  matching: string,
  { after, upTo, limit }: { after: string; upTo: string; limit: string },
): Statement<{ id: string }> {
  return statement(unnamed, `select c.id from ${matching} and c.id > ${after} and c.id <= ${upTo} order by c.id limit ${limit}`)
}

/** The last of the next $4 contacts after an id ($2), up to and including another ($3), and how many they are; null at the end. */
export const findRangeOfContacts = statement<{ last: string | null; count: number }>(
  'filters_find_range_of_contacts',
  `select max(id) as last, count(*)::int as count
   from (select id from contacts where project_id = $1 and deleted_at is null and id > $2 and id <= $3 order by id limit $4) next`,
)

/** The first of the newest $3 contacts before an id ($2), and how many they are. */
export const findNewestContacts = statement<{ from: string | null; count: number }>(
  'filters_find_newest_contacts',
  `select min(id) as "from", count(*)::int as count
   from (select id from contacts where project_id = $1 and deleted_at is null and id < $2 order by id desc limit $3) newest`,
)

/** The segments among some ids ($2), with the conditions of those that have one, as JSON, and when these were chosen. */
export const findSegments = statement<{ id: string; condition: string | null; since: Date }>(
  'filters_find_segments',
  'select s.id, s.condition::text as condition, coalesce(s.condition_at, s.created_at) as since from segments s where s.project_id = $1 and s.id = any($2::text[])',
)

/** Which of some contacts ($3) are stored members of segments ($2, one for each): one lookup each. */
export const findMembers = statement<{ segmentId: string; contactId: string }>(
  'filters_find_members',
  `select a.segment_id as "segmentId", a.contact_id as "contactId" from unnest($2::text[], $3::text[]) as a(segment_id, contact_id)
   cross join lateral (
     select from segment_members m where m.project_id = $1 and m.segment_id = a.segment_id and m.contact_id = a.contact_id limit 1) m`,
)

/**
 * SQL of a query of one column, `part`: the fields or the values of the filters of a condition, each as often as it has them. The value
 * of a filter may be any JSON, also JSON that looks like filters: nothing in it counts.
 */
export const partsOfFilters = (condition: string, part: 'field' | 'value'): string => `with recursive trees as (
     select ${condition}::jsonb as tree union all select jsonb_path_query(tree, '$.groups[*].conditions') from trees)
   select x.part from trees cross join lateral (
     select jsonb_path_query(tree, '$.${part}') as part union all select jsonb_path_query(tree, '$.groups[*].filters[*].${part}')) x`

/** SQL that is true for a row of segments whose members are stored: those that callers add, and those of a tracked condition. */
export const storesMembers = (row: string): string => `(${row}.condition is null or ${row}.track_membership)`

/** SQL that is true for a row of workflow_versions that executions are on which have not ended. */
export const hasExecutions = (version: string): string => `exists (
       select from workflow_executions x where x.project_id = ${version}.project_id and x.workflow_id = ${version}.workflow_id
         and x.status in ('RUNNING', 'WAITING') and x.version = ${version}.version)`

/** SQL of the array of the segments that a condition refers to. */
export const segmentsIn = (condition: string): string => `array(
     select substr(x.part #>> '{}', 9) from (${partsOfFilters(condition, 'field')}) x where x.part #>> '{}' like 'segment.%')`

const fieldsIn = (condition: string): string => `to_jsonb(array(${partsOfFilters(condition, 'field')}))`

/** How large the conditions of the segments of a project are: the fields of their filters, and how many values their lists have. */
export const selectSegmentSizes = statement<{ id: string; name: string; fields: string[]; values: number }>(
  'filters_select_segment_sizes',
  `select s.id, s.name, ${fieldsIn('s.condition')} as fields, (
     select coalesce(sum(jsonb_array_length(v.part)), 0)::int from (${partsOfFilters('s.condition', 'value')}) v
     where jsonb_typeof(v.part) = 'array') as values
   from segments s where s.project_id = $1 and s.condition is not null order by s.id desc`,
)

/** Something that has a condition, and those of some fields that the condition asks. */
export interface AskedFields {
  kind: 'segment' | 'campaign' | 'workflow'
  id: string
  name: string
  fields: string[]
}

// What the steps of a version ask that an earlier release stored: it has no list of that.
const askedByGraph = (graph: string): string => `array(
       select f #>> '{}' from jsonb_path_query(${graph}, '$.steps[*].config.**.field') f
       union select 'event.' || (n #>> '{}') from jsonb_path_query(${graph}, '$.steps[*].config.eventName') n
       union select 'data.' || (u #>> '{}') from jsonb_path_query(${graph}, '$.steps[*].config.updates.keyvalue().key') u)`

/**
 * SQL of what a workflow asks (`asked`), each as often as it does: whether it does so while it is enabled, with its steps as they are edited
 * or the version that executions start on, and whether executions that have not ended do (`under_way`).
 */
export const askedByWorkflow = (workflow: string): string => `
       select 'event.' || ${workflow}.event_name as asked, ${workflow}.enabled, false as under_way
         where ${workflow}.trigger_type = 'EVENT' and ${workflow}.event_name is not null
       union all select 'event.' || unnest(${workflow}.exit_events), ${workflow}.enabled, exists (select from workflow_executions x
         where x.project_id = ${workflow}.project_id and x.workflow_id = ${workflow}.id and x.status in ('RUNNING', 'WAITING'))
       union all select unnest(s.asks), ${workflow}.enabled, false from workflow_steps s
         where s.project_id = ${workflow}.project_id and s.workflow_id = ${workflow}.id
       union all select unnest(coalesce(v.asks, ${askedByGraph('v.graph')})), ${workflow}.enabled and v.version = ${workflow}.version,
         ${hasExecutions('v')} from workflow_versions v where v.project_id = ${workflow}.project_id and v.workflow_id = ${workflow}.id
           and (v.version = ${workflow}.version and ${workflow}.enabled or ${hasExecutions('v')})`

const wantedAmong = (asked: string): string => `array(
     select f.asked from (${asked}) f(asked) where f.asked in (select name from wanted)
       or f.asked like 'data.%.%' and exists (select from wanted w where starts_with(f.asked, w.name || '.')))`
const wantedIn = (condition: string): string => wantedAmong(`select x.part #>> '{}' from (${partsOfFilters(condition, 'field')}) x`)

/**
 * What asks some fields ($2) in a project ($1), or paths into their data, newest first, with those that it asks: only these leave the
 * database, because a project may ask very many. Every table with conditions belongs here. Of campaigns, of which a project may have any
 * number, 500 are looked at: those that are scheduled or being sent, then drafts, then ended ones, the newest first. Workflows also name
 * events that start or end them, and their steps fields that they change and events that they wait for, those of versions as well that
 * executions are on or start on.
 */
export const selectAskedFields = statement<AskedFields>(
  'filters_select_asked_fields',
  `with wanted as materialized (select unnest($2::text[]) as name), asking as (
   select 'segment' as kind, s.id, s.name, ${wantedIn('s.condition')} as fields
   from segments s where s.project_id = $1 and s.condition is not null
   union all
   select 'campaign', k.id, k.name, ${wantedIn('k.audience_filter')}
   from (select * from campaigns c where c.project_id = $1 and c.audience_filter is not null and c.deleted_at is null
     order by c.status in ('SCHEDULED', 'SENDING') desc, c.status = 'DRAFT' desc, c.id desc limit 500) k
   union all
   select 'workflow', w.id, w.name, ${wantedAmong(`select distinct a.asked from (${askedByWorkflow('w')}) a`)}
   from workflows w where w.project_id = $1)
   select * from asking where fields <> '{}' order by id desc`,
)
