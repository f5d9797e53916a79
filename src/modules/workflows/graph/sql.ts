import { statement } from '../../../kit/postgres/db.ts'
import type { StepType } from '../steps/kinds.ts'

/** A step as it is stored. */
export interface StepRow {
  id: string
  type: StepType
  name: string
  x: number
  y: number
  config: object
  templateId: string | null
}

const step = `id, type::text as type, name, x, y, config, template_id as "templateId"`

/** The steps of a workflow ($2), in the order in which they were added. */
export const selectSteps = statement<StepRow>(
  'workflows_select_steps',
  `select ${step} from workflow_steps where project_id = $1 and workflow_id = $2 order by id`,
)

/** When a step ($3) of a workflow ($2) last changed. */
export const selectStepTime = statement<{ updatedAt: Date }>(
  'workflows_select_step_time',
  'select updated_at as "updatedAt" from workflow_steps where project_id = $1 and workflow_id = $2 and id = $3',
)

/** A transition as it is stored; its branch is empty for the plain exit. */
export interface TransitionRow {
  id: string
  fromStepId: string
  toStepId: string
  branch: string
  priority: number
}

const transition = 'id, from_step_id as "fromStepId", to_step_id as "toStepId", branch, priority'

/** The transitions of a workflow ($2), in the order in which they were added. */
export const selectTransitions = statement<TransitionRow>(
  'workflows_select_transitions',
  `select ${transition} from workflow_transitions where project_id = $1 and workflow_id = $2 order by id`,
)

/** Adds steps ($3, a list of StepRow with what each names) to a workflow ($2). Hand-written, as it runs under the lock of the workflow. */
export const insertSteps = statement<object>(
  'workflows_insert_steps',
  `insert into workflow_steps (project_id, workflow_id, id, type, name, x, y, config, template_id, asks, segment_ids, created_at, updated_at)
   select $1, $2, s.id, s.type, s.name, s.x, s.y, s.config, s."templateId", s.asks, s."segmentIds", $4, $4
   from json_to_recordset($3::json) as s(id text, type workflow_step_type, name text, x float8, y float8, config json, "templateId" text,
     asks text[], "segmentIds" text[])`,
)

/** Changes a step ($3) of a workflow ($2). */
export const changeStep = statement<object>(
  'workflows_change_step',
  `update workflow_steps set name = $4, x = $5, y = $6, config = $7::json, template_id = $8, asks = $9::text[], segment_ids = $10::text[],
     updated_at = $11
   where project_id = $1 and workflow_id = $2 and id = $3`,
)

/** Removes a step ($3) of a workflow ($2) with its transitions. */
export const removeStep = statement<object>(
  'workflows_remove_step',
  'delete from workflow_steps where project_id = $1 and workflow_id = $2 and id = $3',
)

/** Adds transitions ($3, a list of TransitionRow) to a workflow ($2). */
export const insertTransitions = statement<object>(
  'workflows_insert_transitions',
  `insert into workflow_transitions (project_id, workflow_id, id, from_step_id, to_step_id, branch, priority, created_at)
   select $1, $2, t.id, t."fromStepId", t."toStepId", t.branch, t.priority, $4
   from json_to_recordset($3::json) as t(id text, "fromStepId" text, "toStepId" text, branch text, priority int)`,
)

/** Removes transitions ($3) of a workflow ($2). */
export const removeTransitions = statement<object>(
  'workflows_remove_transitions',
  'delete from workflow_transitions where project_id = $1 and workflow_id = $2 and id = any($3::text[])',
)

/** Whether a template ($2) exists; it is locked against its deletion until the transaction ends. */
export const lockTemplate = statement<object>(
  'workflows_lock_template',
  'select 1 from templates where project_id = $1 and id = $2 for key share',
)

/**
 * Adds the version after $3 of a workflow ($2), unless version $3 has the same graph; returns its number. The version before it goes
 * when no execution has started on it.
 */
export const insertVersion = statement<{ version: number }>(
  'workflows_insert_version',
  `with made as (
     insert into workflow_versions (project_id, workflow_id, version, graph, created_at)
     select $1, $2, $3 + 1, $4::jsonb, $5
     where not exists (
       select from workflow_versions v where v.project_id = $1 and v.workflow_id = $2 and v.version = $3 and v.graph = $4::jsonb)
     returning version
   ), replaced as (
     delete from workflow_versions v using made
     where v.project_id = $1 and v.workflow_id = $2 and v.version = $3 and not v.used)
   select version from made`,
)
