import { statement } from '../../../kit/postgres/db.ts'

/** Leaves a webhook that an execution ($2) has to call, due at once; $3 is how far a test has turned the clock, in ms. */
export const insertCall = statement<object>(
  'workflows_insert_call',
  `insert into workflow_calls (project_id, execution_id, due_at)
   values ($1, $2, clock_timestamp() + $3::float8 * interval '1 ms')`,
)
