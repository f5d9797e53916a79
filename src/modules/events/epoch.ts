import { statement } from '../../kit/postgres/db.ts'
import type { World } from '../../kit/world.ts'

const epochOf = `select coalesce((select substring(pg_get_expr(d.adbin, d.adrelid) from '[0-9]+')::int from pg_attrdef d
  join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum where d.adrelid = 'events'::regclass and a.attname = 'epoch'), 1)`

const readEpoch = statement<{ epoch: number }>('events_epoch', `${epochOf} as epoch`, { allProjects: 'the epoch is of the whole database' })

// Raising needs a DDL with a literal, so it is a block of its own: read, decide and alter under one lock.
const raise = statement<object>(
  'events_raise_epoch',
  `do $$ declare now_at int; begin
     perform pg_advisory_xact_lock(hashtext('postwire events epoch'));
     now_at := (${epochOf});
     if exists (select 1 from events where epoch >= now_at and xid >= pg_snapshot_xmax(pg_current_snapshot())) then
       execute format('alter table events alter column epoch set default %s', greatest(now_at, (select max(epoch) from events)) + 1);
     end if;
   end $$`,
  { allProjects: 'the epoch is of the whole database' },
)

/**
 * Makes the log readable after a dump was restored into another cluster: lines whose transaction ids lie in that
 * cluster's future would stay invisible, so what is written from now on begins a new epoch, and the old one counts as
 * settled. Call it once at start, after migrating and before anything writes; safe in several processes at once.
 *
 * @returns the epoch lines are written in
 */
export async function raiseEpoch({ db }: Pick<World, 'db'>): Promise<number> {
  await db.run(raise, [])
  return currentEpoch({ db })
}

/** The epoch lines are written in at present. */
export async function currentEpoch({ db }: Pick<World, 'db'>): Promise<number> {
  const [row] = await db.run(readEpoch, [])
  return row?.epoch ?? 1
}
