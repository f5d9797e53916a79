import { statement } from '../../kit/postgres/db.ts'
import { batchStatement } from '../../kit/postgres/erase.ts'

const across = { allProjects: 'a message is stored by its id before its project is known' }

/**
 * Claims a message ($1 id, $2 now) to handle it: one that is new, or that somebody claimed before $3 and did not finish. Returns when it
 * was received for the first time, null where it is not claimed, and whether it was handled before.
 */
export const claimSnsMessage = statement<{ receivedAt: Date | null; handled: boolean }>(
  'ses_claim_sns_message',
  `with claimed as (
     insert into sns_messages as m (id, received_at, claimed_at) values ($1, $2, $2)
     on conflict (id) do update set claimed_at = excluded.claimed_at
       where m.handled_at is null and coalesce(m.claimed_at, m.received_at) < $3 returning m.received_at)
   select (select received_at from claimed) as "receivedAt",
     coalesce((select m.handled_at is not null from sns_messages m where m.id = $1), false) as handled`,
  across,
)

/** Marks a message as handled ($1 id, $2 now). */
export const finishSnsMessage = statement<object>('ses_finish_sns_message', 'update sns_messages set handled_at = $2 where id = $1', across)

/** Says that a message ($1) is still being handled ($2 now), unless that has ended. */
export const renewSnsMessage = statement<object>(
  'ses_renew_sns_message',
  `update sns_messages set claimed_at = greatest(claimed_at, $2) where id = $1 and handled_at is null and claimed_at > 'epoch'`,
  across,
)

/** Gives back a message ($1) that could not be handled, so that it can be as soon as it comes again. When it was received stays: its handling may have committed. */
export const releaseSnsMessage = statement<object>(
  'ses_release_sns_message',
  `update sns_messages set claimed_at = 'epoch' where id = $1 and handled_at is null`,
  across,
)

/** Removes messages received before $1, at most $2 at once; returns one row per message. */
export const removeSnsMessages = batchStatement<{ id: string }>(
  'ses_remove_sns_messages',
  'delete from sns_messages where id = any(array(select id from sns_messages where received_at < $1 order by received_at limit $2)) returning id',
  across,
)
