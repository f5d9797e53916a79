import { statement } from '../../kit/postgres/db.ts'

const across = { allProjects: 'a message is stored by its id before its project is known' }

/**
 * Claims a message ($1 id, $2 now) to handle it: one that is new, or that somebody claimed before $3 and did not finish. Also
 * returns whether it was handled before.
 */
export const claimSnsMessage = statement<{ claimed: boolean; handled: boolean }>(
  'ses_claim_sns_message',
  `with claimed as (
     insert into sns_messages as m (id, received_at) values ($1, $2)
     on conflict (id) do update set received_at = excluded.received_at where m.handled_at is null and m.received_at < $3 returning id)
   select exists (select from claimed) as claimed,
     coalesce((select m.handled_at is not null from sns_messages m where m.id = $1), false) as handled`,
  across,
)

/** Marks a message as handled ($1 id, $2 now). */
export const finishSnsMessage = statement<object>('ses_finish_sns_message', 'update sns_messages set handled_at = $2 where id = $1', across)

/** Gives back a message ($1) that could not be handled, so that it can be as soon as it comes again. */
export const releaseSnsMessage = statement<object>(
  'ses_release_sns_message',
  'delete from sns_messages where id = $1 and handled_at is null',
  across,
)

/** Removes messages received before $1, at most $2 at once; returns one row per message. */
export const removeSnsMessages = statement<{ id: string }>(
  'ses_remove_sns_messages',
  'delete from sns_messages where id in (select id from sns_messages where received_at < $1 order by received_at limit $2) returning id',
  across,
)
