import { statement } from '../../kit/postgres/db.ts'
import { batchStatement, eraser } from '../../kit/postgres/erase.ts'
import { countsAsSent, isPermanent } from '../events/outcomes/sql.ts'
import { inRange } from '../events/reader/sql.ts'

/** SQL that is true for an address of the mailbox simulator of Amazon SES, which bounces and complains on demand: Amazon does not count it either. */
export const isSimulated = (address: string): string => `${address} like '%@simulator.amazonses.com'`

// Adds `counted` to the counts: in one way, so that rows are always locked in one order.
const addCounted = `hours as (
     insert into reputation_hours as h (project_id, hour, sent, bounces, complaints)
     select project_id, hour, sum(sent), sum(bounces), sum(complaints) from counted group by project_id, hour order by project_id, hour
     on conflict (project_id, hour) do update set sent = h.sent + excluded.sent, bounces = h.bounces + excluded.bounces,
       complaints = h.complaints + excluded.complaints
   )
   insert into reputations as r (project_id, sent, bounces, complaints, base_sent, base_bounces, base_complaints, bounces_moved, complaints_moved)
     select project_id, sum(sent), sum(bounces), sum(complaints), coalesce(sum(sent) filter (where forgiven), 0),
       coalesce(sum(bounces) filter (where forgiven), 0), coalesce(sum(complaints) filter (where forgiven), 0),
       coalesce(sum(bounces) filter (where not forgiven), 0) > 0, coalesce(sum(complaints) filter (where not forgiven), 0) > 0
     from counted group by project_id order by project_id
     on conflict (project_id) do update set sent = r.sent + excluded.sent, bounces = r.bounces + excluded.bounces,
       complaints = r.complaints + excluded.complaints, base_sent = r.base_sent + excluded.base_sent,
       base_bounces = r.base_bounces + excluded.base_bounces, base_complaints = r.base_complaints + excluded.base_complaints,
       bounces_moved = r.bounces_moved or excluded.bounces_moved, complaints_moved = r.complaints_moved or excluded.complaints_moved`

/**
 * Counts emails sent, hard bounces and complaints of a range of the log ($1 to $5), by project and hour, and marks the
 * projects whose bounces or complaints increased. Counts are not reduced when contacts or lines are deleted, so that deleting is no way to improve
 * a reputation. A line from before the last lift that is counted only now belongs to what was forgiven. Emails to the mailbox simulator
 * of Amazon SES do not count, nor those of a project that was deleted.
 */
export const countReputations = statement<object>(
  'security_count_reputations',
  `with next as (
     select e.project_id, e.name, e.created_at, e.email_id, e.data from events e
     where ${inRange('e')} and (e.name in ('email.sent', 'email.bounce', 'email.complaint')
       or e.name in ('email.delivery', 'email.open', 'email.click') and e.data ? 'early')
   ), mails as (
     select project_id, name, created_at,
       ${countsAsSent('n')} as handed,
       coalesce(created_at <= (select f.forgiven_at from reputations f where f.project_id = n.project_id), false) as forgiven
     from next n where (name <> 'email.bounce' or ${isPermanent('n')})
       and (select ${isSimulated('m.to_address')} from emails m where m.project_id = n.project_id and m.id = n.email_id) is not true
       and exists (select from projects p where p.id = n.project_id)
   ), counted as (
     select project_id, date_trunc('hour', created_at, 'UTC') as hour, forgiven, count(*) filter (where handed) as sent,
       count(*) filter (where name = 'email.bounce') as bounces, count(*) filter (where name = 'email.complaint') as complaints
     from mails group by 1, 2, 3
   ), ${addCounted}`,
  { allProjects: 'one reader reads the whole log' },
)

/** Counts emails sent ($3), hard bounces ($4) and complaints ($5) of a project at $2 that no line of the log says; not of one that is deleted. */
export const countMore = statement<object>(
  'security_count_more',
  `with counted as (
     select p.id as project_id, date_trunc('hour', $2::timestamptz, 'UTC') as hour, false as forgiven, $3::int as sent, $4::int as bounces,
       $5::int as complaints from projects p where p.id = $1
   ), ${addCounted}`,
  { allProjects: 'a project is found by its own id' },
)

/** The counts of a project by period, since its last suspension for bounces or complaints was lifted. */
export interface ReputationRow {
  projectId: string
  createdAt: Date
  disabled: boolean
  daySent: number
  dayBounces: number
  dayComplaints: number
  weekSent: number
  weekBounces: number
  weekComplaints: number
  sent: number
  bounces: number
  complaints: number
}

const window = (name: string, hours: number): string =>
  ['sent', 'bounces', 'complaints']
    .map(
      (
        column,
      ) => `least(coalesce(sum(h.${column}) filter (where h.hour > date_trunc('hour', $2::timestamptz, 'UTC') - interval '${hours} hours'), 0),
      coalesce(r.${column} - r.base_${column}, 0))::float8 as "${name}${column[0]?.toUpperCase()}${column.slice(1)}"`,
    )
    .join(',\n    ')

/**
 * The counts of each of some projects ($1) at a moment ($2): in the current hour and the 23 or 167 before it, and in total. What came
 * before the last lift is left out: no period can have more than the total since then.
 */
export const readReputation = statement<ReputationRow>(
  'security_read_reputation',
  `select p.id as "projectId", p.created_at as "createdAt", p.disabled,
    ${window('day', 24)},
    ${window('week', 168)},
    coalesce(r.sent - r.base_sent, 0)::float8 as sent, coalesce(r.bounces - r.base_bounces, 0)::float8 as bounces,
    coalesce(r.complaints - r.base_complaints, 0)::float8 as complaints
   from projects p left join reputations r on r.project_id = p.id
   left join reputation_hours h on h.project_id = p.id and h.hour > $2::timestamptz - interval '169 hours'
   where p.id = any($1::text[])
   group by p.id, r.project_id`,
  { allProjects: 'a project is found by its own id' },
)

/** Takes up to $1 projects whose bounces or complaints have increased, and marks them as reviewed. */
export const takeChanged = statement<{ projectId: string; bounces: boolean; complaints: boolean }>(
  'security_take_changed',
  `update reputations r set bounces_moved = false, complaints_moved = false
   from (select project_id from reputations where bounces_moved or complaints_moved limit $1 for update skip locked) m
   where r.project_id = m.project_id
   returning r.project_id as "projectId", old.bounces_moved as bounces, old.complaints_moved as complaints`,
  { allProjects: 'one scheduled job reviews all projects' },
)

/** Removes up to $2 hourly counts from before $1; returns how many. */
export const dropHours = batchStatement<{ count: number }>(
  'security_drop_hours',
  `with gone as (delete from reputation_hours where ctid = any(array(
     select ctid from reputation_hours where hour < $1 limit $2 for update skip locked)) returning 1)
   select count(*)::int as count from gone`,
  { allProjects: 'hourly counts of all projects are kept for the same time' },
)

/** Inserts a suspension for a reason; returns no row if the project is already suspended for it. */
export const openSuspension = statement<{ id: string }>(
  'security_open_suspension',
  `insert into suspensions (project_id, id, reason, detail, suspended_at) values ($1, $2, $3, $4, $5)
   on conflict (project_id, reason) where lifted_at is null do nothing returning id`,
)

/** Lifts the suspensions for a reason, or all of them with null. */
export const endSuspensions = statement<{ reason: string }>(
  'security_end_suspensions',
  `update suspensions set lifted_at = $3 where project_id = $1 and lifted_at is null and ($2::text is null or reason = $2) returning reason`,
)

/** The oldest suspension in force. */
export const findOpenSuspension = statement<{ reason: string }>(
  'security_find_open_suspension',
  'select reason from suspensions where project_id = $1 and lifted_at is null order by id limit 1',
)

/** Locks the reputation of a project against reviews; taken before the lock of the project, in the order of a review. */
export const lockReputation = statement<object>('security_lock_reputation', 'select sent from reputations where project_id = $1 for update')

/** Makes only lines after $2 count towards a suspension, even if the log has not been counted up to then. */
export const forgive = statement<object>(
  'security_forgive',
  `update reputations set base_sent = sent, base_bounces = bounces, base_complaints = complaints, bounces_moved = false,
   complaints_moved = false, forgiven_at = $2 where project_id = $1`,
)

/** The latest suspensions of each of some projects ($1), newest first, at most $2 per project. */
export const listSuspensions = statement<{
  projectId: string
  id: string
  reason: string
  detail: string
  suspendedAt: Date
  liftedAt: Date | null
}>(
  'security_list_suspensions',
  `select v.* from unnest($1::text[]) as p(project_id) cross join lateral (
     select s.project_id as "projectId", s.id, s.reason, s.detail, s.suspended_at as "suspendedAt", s.lifted_at as "liftedAt"
     from suspensions s where s.project_id = p.project_id order by s.id desc limit $2) v
   order by v."projectId", v.id desc`,
)

/** A project that is suspended at present, and why. */
export interface SuspendedRow {
  projectId: string
  name: string
  reason: string
  detail: string
  suspendedAt: Date
}

/** Up to $1 suspensions in force, newest first. */
export const listOpen = statement<SuspendedRow>(
  'security_list_open',
  `select s.project_id as "projectId", p.name, s.reason, s.detail, s.suspended_at as "suspendedAt"
   from suspensions s join projects p on p.id = s.project_id where s.lifted_at is null order by s.id desc limit $1`,
  { allProjects: 'the operator lists the suspended projects of the installation' },
)

/** Removes the reputation of a deleted project; returns how many rows. */
export const eraseReputation = eraser('reputations', 'project_id', 1)

/** Removes one batch of a project's hourly counts; returns how many, 0 when none is left. */
export const eraseSomeHours = eraser('reputation_hours', 'hour', 1_000)

/** Removes one batch of a project's suspensions; returns how many, 0 when none is left. */
export const eraseSomeSuspensions = eraser('suspensions', 'id', 1_000)
