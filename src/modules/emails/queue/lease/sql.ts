import { statement } from '../../../../kit/postgres/db.ts'
import { clock } from '../sql.ts'
import { copiesWorker } from '../waits.ts'

const across = { allProjects: 'one worker delivers for all projects' }

/**
 * Renews the lease of a worker ($1 id, $2 seconds, $3 clock offset), or takes it. Returns whether it held until now: if not, other
 * workers may have claimed its emails; and its end by Postgres's clock, in ms since 1970.
 */
export const renewLease = statement<{ held: boolean | null; endMs: number }>(
  'emails_renew_lease',
  `with ${clock('$3')}, copies as (
    insert into delivery_workers (id, until) values ('${copiesWorker}:' || $1, '9999-12-31') on conflict do nothing)
  insert into delivery_workers as w (id, until) select $1, c.now + $2::float8 * interval '1 s' from clock c
  on conflict (id) do update set until = excluded.until
  returning old.until > new.until - $2::float8 * interval '1 s' as held, extract(epoch from new.until)::float8 * 1000 as "endMs"`,
  across,
)

/** Ends the lease of a worker ($1) that holds no email any more, and removes those that expired more than an hour ago ($2 clock offset). */
export const endLease = statement<object>(
  'emails_end_lease',
  `with ${clock('$2')} delete from delivery_workers w using clock c where w.id = $1 or w.until < c.now - interval '1 hour'
     or w.id like '${copiesWorker}:%' and not exists (select from delivery_workers l where l.id <> $1 and l.id = split_part(w.id, ':', 2))
       and not exists (select from deliveries d where d.worker = w.id)`,
  across,
)
