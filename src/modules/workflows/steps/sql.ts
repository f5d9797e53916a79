import { statement } from '../../../kit/postgres/db.ts'
import { comesAfterRest } from '../sql.ts'

/** Leaves a webhook that an execution ($2) has to call, due at once; $3 is how far a test has turned the clock, in ms. */
export const insertCall = statement<object>(
  'workflows_insert_call',
  `insert into workflow_calls (project_id, execution_id, due_at)
   values ($1, $2, clock_timestamp() + $3::float8 * interval '1 ms')`,
)

/** An event that ends a wait. */
export interface AwaitedEvent {
  id: string
  epoch: number
  xid: string
  createdAt: Date
  data: unknown
}

const awaited = 'e.id, e.epoch, e.xid::text as xid, e.created_at as "createdAt", e.data'

/**
 * The first event of the contact of an execution ($2) with a name ($3) that comes after the moment at which the execution last rested,
 * up to a time ($6, null for no end). No id of such an event is below $4; $5 is the beginning of the wait.
 */
export const findAwaitedEvent = statement<AwaitedEvent>(
  'workflows_find_awaited_event',
  `select e.* from workflow_executions x cross join lateral (
     select ${awaited} from events e
     where e.project_id = $1 and e.contact_id = x.contact_id and e.name = $3 and e.id >= $4 and ${comesAfterRest('$5::timestamptz')}
       and ($6::timestamptz is null or e.created_at <= $6)
     order by e.epoch, e.xid, e.id limit 1) e
   where x.project_id = $1 and x.id = $2`,
)

/** An event ($2) that has ended a wait. */
export const selectAwaitedEvent = statement<AwaitedEvent>(
  'workflows_select_awaited_event',
  `select ${awaited} from events e where e.project_id = $1 and e.id = $2`,
)
