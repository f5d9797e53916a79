import { type BodyRow, bodiesOf } from '../../../../kit/bodies.ts'
import { statement } from '../../../../kit/postgres/db.ts'
import { batchStatement, eraser } from '../../../../kit/postgres/erase.ts'
import { bytesOf } from '../../../../kit/postgres/list.ts'

/** The data of an event that is stored with more bytes is not copied into each execution that it starts: see WorkflowInput. */
export const maxCopiedBytes = 16 * 1024

/** What an execution x was started with; needs `withInput`. */
export const contextColumn = 'coalesce(x.context, i.data)'

/** Joins an execution x with the long data of the event that started it. */
export const withInput = 'left join workflow_inputs i on i.project_id = x.project_id and i.id = x.started_by'

/** What an execution ($2) was started with, unless that is long. */
export const selectContext = statement<{ context: unknown; isLong: boolean }>(
  'workflows_select_context',
  `select x.context, x.context is null and i.id is not null as "isLong"
   from workflow_executions x ${withInput} where x.project_id = $1 and x.id = $2`,
)

/** What an execution ($2) was started with, where it is long. */
export const selectLongContext = statement<{ context: unknown }>(
  'workflows_select_long_context',
  `select i.data as context from workflow_executions x ${withInput} where x.project_id = $1 and x.id = $2`,
)

/** What executions ($2) were started with, those that were started with anything, as JSON: see bodiesOf. */
export const selectContexts = statement<BodyRow>(
  'workflows_select_contexts',
  bodiesOf(`select x.id, ${contextColumn} as value, ${bytesOf(contextColumn)} as bytes from workflow_executions x ${withInput}
     where x.project_id = $1 and x.id = any($2::text[]) and ${contextColumn} is not null`),
)

/** Removes the long data of the events that started some executions ($2): all that an event starts is about one contact. */
export const removeInputsOf = statement<object>(
  'workflows_remove_inputs_of',
  `delete from workflow_inputs i where i.project_id = $1 and i.id in (
     select x.started_by from workflow_executions x where x.project_id = $1 and x.id = any($2::text[]))`,
)

/**
 * Locks the long data of the events that started the oldest executions of a deleted workflow ($2), at most $3: of two workflows that
 * are removed at the same time, the second one sees what the first one has left.
 */
export const lockInputsOf = batchStatement<{ id: string }>(
  'workflows_lock_inputs_of',
  `select i.id from workflow_inputs i where i.project_id = $1 and i.id = any(array(
     select x.started_by from workflow_executions x where x.project_id = $1 and x.workflow_id = $2 order by x.id limit $3))
   order by i.id for update of i`,
)

/** Removes data of events ($2) by which no execution was started that is still there. */
export const removeUnusedInputs = statement<object>(
  'workflows_remove_unused_inputs',
  `delete from workflow_inputs i where i.project_id = $1 and i.id = any($2::text[]) and not exists (
     select from workflow_executions x where x.project_id = i.project_id and x.started_by = i.id)`,
)

/** Removes one batch of the long data that started a project's executions; returns how many, 0 when none is left. */
export const eraseSomeInputs = eraser('workflow_inputs', 'id', 20)
