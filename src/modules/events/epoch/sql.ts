import { statement } from '../../../kit/postgres/db.ts'

const wholeLog = { allProjects: 'the epoch is of the whole database' }

// The timeline is in the name of every WAL file. In a plan this is a constant, because no connection outlives a timeline.
const timeline = `('x' || left(pg_walfile_name('0/1'), 8))::bit(32)::int`

const notAvailable = 'insufficient_privilege or undefined_function or feature_not_supported or object_not_in_prerequisite_state'

/**
 * Makes the function log_epoch(), the default of events.epoch, return an epoch that no line of another history has: the
 * timeline of the server plus a constant, so that a promoted standby writes in a new epoch from its first transaction on.
 * The constant is raised when the newest line is of a higher epoch or of a transaction that has not begun yet, and when the
 * database is in another cluster than before: then it comes from a dump. Where the timeline cannot be read, the function
 * returns a constant. A block, because the function needs a literal: it reads, decides and replaces under one lock.
 */
export const renewEpoch = statement<object>(
  'events_renew_epoch',
  `do $$ declare
     timeline int; cluster text; present int; wanted int; newest record;
     before text; after text; replacing text;
   begin
     perform pg_advisory_xact_lock(hashtext('postwire events epoch'));
     before := (select prosrc from pg_proc where oid = 'log_epoch()'::regprocedure);
     begin timeline := ${timeline}; exception when ${notAvailable} then null; end;
     begin cluster := (select system_identifier from pg_control_system()); exception when ${notAvailable} then null; end;
     begin present := log_epoch(); exception when ${notAvailable} then present := 0; end;
     select epoch, xid into newest from events order by epoch desc, xid desc limit 1;
     wanted := greatest(present, 1);
     if newest.epoch > present or newest.epoch = present and newest.xid >= pg_snapshot_xmax(pg_current_snapshot())
       or before like '%cluster %' and before not like '%cluster ' || cluster || ' %' then
       wanted := greatest(present, newest.epoch) + 1;
     end if;
     after := format('select (%s)::smallint', coalesce((wanted - timeline) || $expression$ + ${timeline}$expression$, wanted::text))
       || coalesce(' /* cluster ' || cluster || ' */', '');
     replacing := format('create or replace function log_epoch() returns smallint language sql stable parallel safe as %L', after);
     if wanted <> present then
       -- Waits for the writers of the epoch that ends, and makes all others plan their next insert anew.
       lock table events in access exclusive mode;
       execute replacing;
     elsif after <> before then
       -- The function may belong to another role, which migrates: then the epoch stays a constant.
       begin execute replacing; exception when insufficient_privilege then null; end;
     end if;
   end $$`,
  wholeLog,
)

/** The epoch in which lines are written at present, and whether it follows the timeline of the server. */
export const readEpoch = statement<{ epoch: number; followsTimeline: boolean }>(
  'events_read_epoch',
  `select log_epoch() as epoch, prosrc like '%pg_walfile_name%' as "followsTimeline" from pg_proc where oid = 'log_epoch()'::regprocedure`,
  wholeLog,
)
