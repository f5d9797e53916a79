import { statement } from '../../../kit/postgres/db.ts'
import { eraser } from '../../../kit/postgres/erase.ts'
import { linesAfter } from '../order.ts'

const wholeLog = { allProjects: 'one reader reads the whole log' }

/**
 * Inserts a reader ($1) before the first line, or at the end ($2) before the first line that is not final yet, unless it
 * exists; either way it is active now ($3).
 */
export const placeReader = statement<object>(
  'events_place_reader',
  `insert into log_readers as r (reader, epoch, xid, id, active_at)
   select $1, p.epoch, p.xid, '', $3 from (values ('first', 0, '0'::xid8), ('end', log_epoch(), pg_snapshot_xmin(pg_current_snapshot()))) p (place, epoch, xid)
   where p.place = $2
   on conflict (reader) do update set active_at = greatest(r.active_at, excluded.active_at)`,
  wholeLog,
)

/** Removes the readers that are none of $1 and have not been active since $2; returns their names. */
export const removeReaders = statement<{ reader: string }>(
  'events_remove_readers',
  'delete from log_readers where reader <> all($1::text[]) and active_at < $2 returning reader',
  wholeLog,
)

/** A position in the log, as statements return it. */
export interface PositionRow {
  epoch: number
  xid: string
  id: string
}

/** Locks a reader ($1) until the transaction ends; returns no row when another process has locked it or it does not exist. */
export const lockReader = statement<PositionRow & { failures: number }>(
  'events_lock_reader',
  'select epoch, xid::text as xid, id, failures from log_readers where reader = $1 for update skip locked',
  wholeLog,
)

/** Locks a reader ($1) until the transaction ends, after waiting for the batch that another process handles; returns its position. */
export const waitForReader = statement<PositionRow>(
  'events_wait_for_reader',
  'select epoch, xid::text as xid, id from log_readers where reader = $1 for update',
  wholeLog,
)

/**
 * The last of the next $4 lines after a position ($1 to $3) that are in one epoch, how many lines that is, and how many were
 * found in all; no row at the end of the log. The range ends before the first line that an open transaction may still precede.
 */
export const findRangeEnd = statement<PositionRow & { count: number; found: number }>(
  'events_find_range_end',
  `with lines as materialized (${linesAfter({
    select: 'e.epoch, e.xid, e.id',
    position: ['$1::smallint', '$2::text::xid8', '$3'],
    and: '(e.xid < pg_snapshot_xmin(pg_current_snapshot()) or e.epoch < log_epoch())',
    limit: '$4',
  })})
   select epoch, xid::text as xid, id, (count(*) over ())::int as count, (select count(*)::int from lines) as found from lines
   where epoch = (select min(epoch) from lines) order by lines.xid desc, id desc limit 1`,
  wholeLog,
)

/** How many lines the slowest reader that was active since $1 has not handled, counted up to $2. */
export const countBehind = statement<{ lines: number }>(
  'events_count_behind',
  `with slowest as (select epoch, xid, id from log_readers where active_at > $1 order by epoch, xid, id limit 1)
   select count(*)::int as lines from slowest s cross join lateral (${linesAfter({
     select: 'e.epoch, e.xid, e.id',
     position: ['s.epoch', 's.xid', 's.id'],
     and: 'true',
     limit: '$2',
   })}) l`,
  wholeLog,
)

/** Moves a reader ($1) to a position ($2 to $4); after failures its batches grow again step by step. */
export const moveReader = statement<object>(
  'events_move_reader',
  `update log_readers set epoch = $2, xid = $3::text::xid8, id = $4, failures = greatest(failures - 1, 0) where reader = $1`,
  wholeLog,
)

/** Counts a failure of a reader ($1), so that its next batch is smaller. */
export const countFailure = statement<object>(
  'events_count_failure',
  'update log_readers set failures = failures + 1 where reader = $1',
  wholeLog,
)

/** Records a line ($2 to $4) that a reader ($1) could not handle, with the error ($5) and the time ($6). */
export const setRangeAside = statement<{ projectId: string; name: string }>(
  'events_set_range_aside',
  `insert into log_lines_set_aside (reader, project_id, id, name, error, created_at)
   select $1, e.project_id, e.id, e.name, $5, $6 from events e where e.epoch = $2 and e.xid = $3::text::xid8 and e.id = $4
   on conflict do nothing returning project_id as "projectId", name`,
  wholeLog,
)

/** The same for a line ($2) of a project, by its id: $3 reader, $4 error, $5 time. */
export const setLogLineAside = statement<{ name: string }>(
  'events_set_log_line_aside',
  `insert into log_lines_set_aside (reader, project_id, id, name, error, created_at)
   select $3, e.project_id, e.id, e.name, $4, $5 from events e where e.project_id = $1 and e.id = $2
   on conflict do nothing returning name`,
)

/** Removes one batch of a project's lines that were set aside; returns how many, 0 when none is left. */
export const eraseSomeSetAside = eraser('log_lines_set_aside', 'id', 1_000)

/** The name of the reader that counts. */
export const countsReader = 'counts'

/**
 * Selects the position up to which every reader has handled the log; no row before the counting has begun, because lines that
 * are removed are subtracted from the counts.
 */
export const handledByAll = `select epoch, xid, id from log_readers
     where exists (select from log_readers where reader = '${countsReader}') order by epoch, xid, id limit 1`

/** A condition that selects the lines that some reader has not handled: rows of `alias`. */
export function isUnhandled(alias: string): string {
  return `exists (select from log_readers r where (${alias}.epoch, ${alias}.xid, ${alias}.id) > (r.epoch, r.xid, r.id))`
}

/** Whether a project ($1) has lines of some names ($2) that a reader ($3) has not handled: looked for from its position on, not among all lines. */
export const hasUnhandled = statement<{ found: boolean }>(
  'events_has_unhandled',
  `select exists (select from log_readers r cross join lateral (
     select from events e where (e.epoch, e.xid, e.id) > (r.epoch, r.xid, r.id) and e.project_id = $1 and e.name = any($2::text[])
     limit 1) e where r.reader = $3) as found`,
)

/** Selects the position up to which a reader has handled the log; no row before it has begun. */
export function handledBy(reader: string): string {
  return `select r.epoch, r.xid, r.id from log_readers r where r.reader = '${reader}'`
}

/** Selects the position up to which lines are counted, which is before the first line when counting has not begun. */
export const countedUpTo = `select epoch, xid, id from log_readers where reader = '${countsReader}'
     union all select 0::smallint, '0'::xid8, '' where not exists (select from log_readers where reader = '${countsReader}')`

/** A condition that selects the lines of a range: rows of `alias` in the epoch $1, after $2 and $3 (xid and id), up to $4 and $5. */
export function inRange(alias: string): string {
  // The bounds of the xid alone tell Postgres how few lines that are.
  return `${alias}.epoch = $1::smallint and ${alias}.xid >= $2::text::xid8 and ${alias}.xid <= $4::text::xid8
    and (${alias}.xid, ${alias}.id) > ($2::text::xid8, $3) and (${alias}.xid, ${alias}.id) <= ($4::text::xid8, $5)`
}

/** The time of the first line after the position of each reader that is final and not handled; null where it has handled all. */
export const firstUnhandled = statement<{ reader: string; since: Date | null }>(
  'events_first_unhandled',
  `select r.reader, n.created_at as since from log_readers r left join lateral (${linesAfter({
    select: 'e.epoch, e.xid, e.id, e.created_at',
    position: ['r.epoch', 'r.xid', 'r.id'],
    and: '(e.xid < pg_snapshot_xmin(pg_current_snapshot()) or e.epoch < log_epoch())',
    limit: '1',
  })}) n on true`,
  wholeLog,
)
