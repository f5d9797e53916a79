import { type BodyRow, bodiesSql, jsonOf } from '../../kit/bodies.ts'
import type { Count } from '../../kit/counts.ts'
import { statement } from '../../kit/postgres/db.ts'
import type { Conditions, ListSql } from '../../kit/postgres/list.ts'

/** Appends lines of one project to the log. Hand-written: Prisma cannot write xid, and it runs in the caller's transaction. */
export const appendLines = statement<object>(
  'events_append_lines',
  `insert into events (project_id, id, name, contact_id, email_id, data, created_at)
   select $1, l.id, l.name, l.contact_id, l.email_id, l.data, $7::timestamptz
   from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::jsonb[]) as l(id, name, contact_id, email_id, data)`,
)

/** The data of events ($2), as JSON: see bodiesSql. */
export const selectEventData = statement<BodyRow>('events_select_event_data', bodiesSql({ table: 'events', ...jsonOf('data') }))

const textOf = (key: string) => `case when jsonb_typeof(e.data -> '${key}') = 'string' then e.data ->> '${key}' end`

/** What some events ($2) name. */
export const selectNamed = statement<{ id: string; campaignId: string | null; executionId: string | null }>(
  'events_select_named',
  `select e.id, ${textOf('campaignId')} as "campaignId", ${textOf('executionId')} as "executionId"
   from events e where e.project_id = $1 and e.id = any($2::text[])`,
)

/** Whether the log has lines of a project that cannot be read yet, because a transaction that began before them has not ended. */
export const findUnsettled = statement<object>(
  'events_find_unsettled',
  'select 1 from events where project_id = $1 and xid >= pg_snapshot_xmin(pg_current_snapshot()) limit 1',
)

/** A line of the log as it is read. */
export interface EventRow {
  id: string
  name: string
  contactId: string | null
  emailId: string | null
  data: Record<string, unknown> | null
  createdAt: Date
}

/**
 * Whether a line is hidden, although not removed yet: its contact is deleted, or all lines with its name up to this one.
 * Each condition is one lookup in an index that holds only pending erasures. Postgres never plans a scalar subquery as a
 * join, so that a page costs the same however much is being removed.
 */
const hidden = `((select true from contacts d where d.project_id = $1 and d.id = v."contactId" and d.deleted_at is not null) is true
  or coalesce((select x.before from event_erasures x where x.project_id = $1 and x.name = v.name) >= v.id, false))`

/** The opposite, for statements that read many lines, where a join is the better plan: the visible rows of the alias `v`. */
const shown = `not exists (select 1 from contacts d where d.project_id = $1 and d.id = v."contactId" and d.deleted_at is not null)
  and not exists (select 1 from event_erasures x where x.project_id = $1 and x.name is not null and x.name = v.name and x.before >= v.id)`

/** A contact and a period of time; each end of the period comes with the id that bounds it, so that the range is read from the index. */
export interface LineBounds {
  contactId?: string | undefined
  from?: Date | undefined
  fromId?: string | undefined
  to?: Date | undefined
  toId?: string | undefined
}

// Hides from the planner that a condition on the time selects few lines: it takes time and id for independent, would
// expect a handful of lines, and would read and sort the whole range.
const moment = (condition: string): string => `coalesce(l.created_at ${condition}, false)`

/** The conditions of LineBounds on the alias `l`. Whether the contact is deleted is looked up once, not for each line. */
export const boundConditions: Conditions<LineBounds> = [
  [
    'contactId',
    (at) => `l.contact_id = ${at}
      and (select true from contacts d where d.project_id = $1 and d.id = ${at} and d.deleted_at is not null) is not true`,
  ],
  ['fromId', (at) => `l.id >= ${at}`],
  ['from', (at) => moment(`>= ${at}`)],
  ['toId', (at) => `l.id < ${at}`],
  ['to', (at) => moment(`< ${at}`)],
]

/** The list of the lines of a project. */
export const eventListSql: ListSql<LineBounds & { name?: string | undefined }> = {
  name: 'events',
  table: 'events',
  columns: 'l.id, l.name, l.contact_id as "contactId", l.email_id as "emailId", l.data, l.created_at as "createdAt"',
  conditions: [
    ...boundConditions,
    [
      'name',
      (at) => `l.name = ${at} and l.id > coalesce((select x.before from event_erasures x where x.project_id = $1 and x.name = ${at}), '')`,
    ],
  ],
  hidden,
  shown,
  long: 'v.data',
}

/** Which of some event names ($1 projects, $2 names, in pairs) are being erased, and up to which line. */
export const findNameErasures = statement<{ projectId: string; name: string; before: string }>(
  'events_find_name_erasures',
  `select x.project_id as "projectId", x.name, x.before from event_erasures x
   where (x.project_id, x.name) in (select * from unnest($1::text[], $2::text[]))`,
)

/** The number of lines of each of some contacts ($2), counted up to 100,000. */
export const countEventsOfContacts = statement<Count>(
  'events_count_events_of_contacts',
  `select q.id, (select count(*)::int from (
      select 1 from (select l.id, l.name from events l where l.project_id = q.project_id and l.contact_id = q.id limit 200000) v
      where not exists (select 1 from event_erasures x where x.project_id = $1 and x.name = v.name and x.before >= v.id)
      limit 100000) bounded) as count
   from (select $1::text as project_id, u.id from unnest($2::text[]) as u(id) offset 0) q`,
)

/** A line of the log about an email. */
export type EmailEvent = EventRow & { projectId: string; epoch: number }

/** Maximum number of lines returned for one email. */
const maxOfEmail = 100

// Lines of one email that are of the names, oldest first.
const someOfEmail = (rank: number, names: string) => `(
       select ${rank} as rank, e.project_id as "projectId", e.id, e.epoch, e.name, e.contact_id as "contactId", e.email_id as "emailId", e.data, e.created_at as "createdAt"
       from events e where e.project_id = q.project_id and e.contact_id = q.contact_id and e.email_id = q.email_id and e.id >= q.from_id and e.name ${names}
       order by e.id limit ${maxOfEmail})`

/**
 * The lines about some emails ($1 projects, $2 contacts, $3 emails, $4 the lowest event id to look at), oldest first: opens and clicks,
 * of which there may be any number, are what is left out. It needs no index by email, because few lines of the contact are newer than
 * the email. It needs no check for deletions either: these names cannot be deleted, and the emails of a deleted contact are hidden.
 */
export const readEventsOfEmails = statement<EmailEvent & { ord: number }>(
  'events_read_events_of_emails',
  `select q.ord::int as ord, e."projectId", e.id, e.epoch, e.name, e."contactId", e."emailId", e.data, e."createdAt"
   from unnest($1::text[], $2::text[], $3::text[], $4::text[]) with ordinality q(project_id, contact_id, email_id, from_id, ord)
   cross join lateral (
     select * from (${someOfEmail(1, "not in ('email.open', 'email.click')")} union all ${someOfEmail(2, "in ('email.open', 'email.click')")}) ranked
     order by ranked.rank, ranked.id limit ${maxOfEmail}) e order by q.ord, e.id`,
)

/** One row if the contact exists and is not deleted. */
export const findVisibleContact = statement<object>(
  'events_find_visible_contact',
  'select 1 from contacts where project_id = $1 and id = $2 and deleted_at is null',
)

/**
 * The newest id of a name and the number of visible lines up to it: those that are erased when the name is deleted. Where
 * retention has removed all lines, but what they were counted or summarised to is left, it is the id $3.
 */
export const findNewestOfName = statement<{ id: string | null; count: number }>(
  'events_find_newest_of_name',
  `select coalesce(max(l.id), (select $3 where exists (select from contact_events s where s.project_id = $1 and s.name = $2)
       or exists (select from event_counts c where c.project_id = $1 and c.name = $2 and c.count > 0))) as id, count(*)::int as count
   from events l where l.project_id = $1 and l.name = $2
     and l.id > coalesce((select x.before from event_erasures x where x.project_id = $1 and x.name = $2), '')
     and not exists (select 1 from contacts d where d.project_id = $1 and d.id = l.contact_id and d.deleted_at is not null)`,
)
