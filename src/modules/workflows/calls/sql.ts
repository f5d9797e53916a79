import { statement } from '../../../kit/postgres/db.ts'
import { turnsOwnerOf } from '../../projects/owner.ts'
import { contextColumn, withInput } from '../executions/inputs/sql.ts'
import { callClaim } from '../run/move.ts'
import { type TakenExecution, takenColumns, takenRows } from '../run/sql.ts'

const across = { allProjects: 'one worker calls for all projects; rows are joined by their project_id' }

// The clock of Postgres, because those of machines differ ($n: how far a test has turned it, in ms), and a span after it.
const now = (ahead: string) => `clock_timestamp() + ${ahead}::float8 * interval '1 ms'`
const after = (ahead: string, ms: string) => `clock_timestamp() + (${ahead}::float8 + ${ms}::float8) * interval '1 ms'`

/** A project that has webhooks to call, the account that owns it, and whether one is due. */
export interface CallTurn {
  projectId: string
  owner: string
  due: boolean
}

/** The next $2 projects after $1 that have webhooks to call, and whether one is due ($3: a test's offset in ms): one lookup each. */
export const findCallTurns = statement<CallTurn>(
  'workflows_find_call_turns',
  `with recursive turn as (
     (select k.project_id, k.due_at, 1 as nth from workflow_calls k where k.project_id > $1 order by k.project_id, k.due_at limit 1)
     union all
     select n.project_id, n.due_at, t.nth + 1 from turn t cross join lateral (
       select k.project_id, k.due_at from workflow_calls k where k.project_id > t.project_id order by k.project_id, k.due_at limit 1) n
     where t.nth < $2)
   select t.project_id as "projectId", ${turnsOwnerOf('t.project_id')} as owner, t.due_at <= ${now('$3')} as due from turn t`,
  across,
)

/** A webhook that this worker has claimed. */
export interface ClaimedCall {
  projectId: string
  executionId: string
  /** The size of its request; null when it has to be rendered. */
  bytes: number | null
}

/** Claims webhooks ($3 claim, $4 ms until the lease ends, $5 a test's offset in ms) of projects ($1) that are due, at most $2 of each. */
export const takeCalls = statement<ClaimedCall>(
  'workflows_take_calls',
  `with due as materialized (
     select r.project_id, r.execution_id from unnest($1::text[], $2::int[]) as q(project_id, want) cross join lateral (
       select k.project_id, k.execution_id from workflow_calls k
       where k.project_id = q.project_id and k.due_at <= ${now('$5')} order by k.due_at limit q.want for no key update skip locked) r)
   update workflow_calls k set claim = $3, due_at = ${after('$5', '$4')} from due d
   where k.project_id = d.project_id and k.execution_id = d.execution_id
   returning k.project_id as "projectId", k.execution_id as "executionId", octet_length(k.request) as bytes`,
  across,
)

// The execution ($2) of a webhook that is still claimed by $3, locked before anything else of it: whoever ends it does the same.
const held = `taken as materialized (
     select ${takenColumns} from workflow_executions x join workflow_calls k on k.project_id = x.project_id and k.execution_id = x.id
     where x.project_id = $1 and x.id = $2 and x.claim = '${callClaim}' and k.claim = $3 for no key update of x)`

/** What a request is made of. */
export interface LoadedCall extends TakenExecution {
  context: Record<string, unknown> | null
  email: string
  subscribed: boolean
  data: Record<string, unknown>
  language: string
}

/** The execution ($2) of a webhook that is claimed by $3, with its contact and what it was started with. */
export const loadCall = statement<LoadedCall>(
  'workflows_load_call',
  `with ${held}, found as materialized (${takenRows})
   select r.*, ${contextColumn} as context, c.email, c.subscribed, c.data, p.language from found r
   cross join lateral (select * from workflow_executions o where o.project_id = r."projectId" and o.id = r.id limit 1) x ${withInput}
   join contacts c on c.project_id = r."projectId" and c.id = r."contactId" join projects p on p.id = $1`,
)

/** Stores the request ($4) of a webhook that is claimed by $3, and shows it ($6) with the step ($5); returns no row when it is not. */
export const storeRequest = statement<object>(
  'workflows_store_request',
  `with ${held},
   kept as (
     update workflow_calls k set request = $4 from taken t where k.project_id = t.project_id and k.execution_id = t.id and k.claim = $3
     returning k.project_id, k.execution_id)
   update workflow_step_executions s set input = $6 from kept k
   where s.project_id = k.project_id and s.execution_id = k.execution_id and s.id = $5 returning 1`,
)

/** An attempt that may begin; `attempts` is null when it may not. */
export interface BegunCall extends TakenExecution {
  attempts: number | null
  request: string | null
}

/**
 * Begins an attempt of a webhook that is claimed by $3, whose lease now ends $4 ms later ($5: a test's offset in ms): counts it, unless
 * the project is suspended, the contact was deleted, or $6 attempts have begun before. Returns no row when it is not claimed any more.
 */
export const beginCall = statement<BegunCall>(
  'workflows_begin_call',
  `with ${held}, found as materialized (${takenRows}),
   begun as (
     update workflow_calls k set attempts = k.attempts + 1, due_at = ${after('$5', '$4')} from found r
     where k.project_id = r."projectId" and k.execution_id = r.id and k.claim = $3 and not r.disabled and not r."contactDeleted" and k.attempts < $6
     returning k.attempts, k.request),
   marked as (
     update workflow_step_executions s set attempts = b.attempts, scheduled_for = null from found r cross join begun b
     where s.project_id = r."projectId" and s.execution_id = r.id and s.id = r.record ->> 'id')
   select r.*, b.attempts, b.request from found r left join begun b on true`,
)

/**
 * Lets a webhook that is claimed by $3 wait for its next attempt: $4 attempts have been made, the next is due after $5 ms ($6: a test's
 * offset in ms). Its step ($7) shows when ($8) and what came of the attempts ($9); $10 now. Returns no row when it is not claimed any more.
 */
export const delayCall = statement<object>(
  'workflows_delay_call',
  `with ${held},
   seen as (update workflow_executions x set updated_at = $10 from taken t where x.project_id = t.project_id and x.id = t.id),
   delayed as (
     update workflow_calls k set claim = null, attempts = $4, due_at = ${after('$6', '$5')} from taken t
     where k.project_id = t.project_id and k.execution_id = t.id and k.claim = $3 returning k.project_id, k.execution_id)
   update workflow_step_executions s set attempts = $4, scheduled_for = $8, output = $9 from delayed d
   where s.project_id = d.project_id and s.execution_id = d.execution_id and s.id = $7 returning 1`,
)

/** Leaves a webhook that is claimed by $3 and was not called to another worker, at once ($4: a test's offset in ms). */
export const releaseCall = statement<object>(
  'workflows_release_call',
  `update workflow_calls set claim = null, due_at = ${now('$4')} where project_id = $1 and execution_id = $2 and claim = $3`,
)

/** Removes a webhook that is claimed by $3; returns no row when it is not. */
export const removeCall = statement<object>(
  'workflows_remove_call',
  `with ${held}
   delete from workflow_calls k using taken t where k.project_id = t.project_id and k.execution_id = t.id and k.claim = $3 returning 1`,
)

/** The execution ($2) of a webhook that is claimed by $3. */
export const selectHeld = statement<TakenExecution>('workflows_select_held', `with ${held} ${takenRows}`)

/** Removes a webhook that is claimed by $3 and whose execution does not wait for it any more. */
export const removeStale = statement<object>(
  'workflows_remove_stale',
  `delete from workflow_calls k where k.project_id = $1 and k.execution_id = $2 and k.claim = $3 and not exists (
     select from workflow_executions x where x.project_id = k.project_id and x.id = k.execution_id and x.claim = '${callClaim}')`,
)
