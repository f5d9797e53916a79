import { type BodyRow, bodiesSql } from '../../../kit/bodies.ts'
import type { Count } from '../../../kit/counts.ts'
import { statement } from '../../../kit/postgres/db.ts'
import { changedAt } from '../../../kit/unchanged.ts'
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
     updated_at = ${changedAt('$11', 'workflow_steps')}
   where project_id = $1 and workflow_id = $2 and id = $3`,
)

/** Moves steps ($3, a list of ids with x and y) of a workflow ($2); those that stand there already stay as they are. */
export const moveSteps = statement<object>(
  'workflows_move_steps',
  `update workflow_steps s set x = p.x, y = p.y, updated_at = ${changedAt('$4', 's')}
   from json_to_recordset($3::json) as p(id text, x float8, y float8)
   where s.project_id = $1 and s.workflow_id = $2 and s.id = p.id and (s.x, s.y) <> (p.x, p.y)`,
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
 * Adds the version after $3 of a workflow ($2) with its graph, and the segments ($6) and whatever else ($7) this asks for, unless version $3
 * has the same graph; returns its number. The version before it goes when no execution has started on it.
 */
export const insertVersion = statement<{ version: number }>(
  'workflows_insert_version',
  `with made as (
     insert into workflow_versions (project_id, workflow_id, version, graph, segment_ids, asks, created_at)
     select $1, $2, $3 + 1, $4::jsonb, $6::text[], $7::text[], $5
     where not exists (
       select from workflow_versions v where v.project_id = $1 and v.workflow_id = $2 and v.version = $3 and v.graph = $4::jsonb)
     returning version
   ), replaced as (
     delete from workflow_versions v using made
     where v.project_id = $1 and v.workflow_id = $2 and v.version = $3 and not v.used)
   select version from made`,
)

/** How many of the newest versions of a workflow keep what their steps are to do, also when no execution is on them. */
export const maxWholeVersions = 20

/** A version of a workflow. */
export interface VersionRow {
  projectId: string
  workflowId: string
  version: number
}

/** The next $4 versions behind one ($1 project, $2 workflow, $3 version) that are whole and not among the newest of their workflow. */
export const selectOldVersions = statement<VersionRow>(
  'workflows_select_old_versions',
  `select v.project_id as "projectId", v.workflow_id as "workflowId", v.version from workflow_versions v
   join workflows w on w.project_id = v.project_id and w.id = v.workflow_id
   where (v.project_id, v.workflow_id, v.version) > ($1, $2, $3::int) and not v.stripped and v.version <= w.version - ${maxWholeVersions}
   order by v.project_id, v.workflow_id, v.version limit $4`,
  { allProjects: 'the versions of all projects are looked at, in batches; rows are joined by their project_id' },
)

/** Leaves of versions ($1 projects, $2 workflows, $3 versions, in triples) on which no execution is any more the names and types of their steps. */
export const stripVersions = statement<object>(
  'workflows_strip_versions',
  `with asked as materialized (
     select q.* from unnest($1::text[], $2::text[], $3::int[]) as q(project_id, workflow_id, version)),
   active as materialized (
     select distinct x.project_id, x.workflow_id, x.version from (select distinct project_id, workflow_id from asked) a
     join workflow_executions x on x.project_id = a.project_id and x.workflow_id = a.workflow_id and x.status in ('RUNNING', 'WAITING'))
   update workflow_versions v set stripped = true, segment_ids = '{}', asks = '{}', graph = jsonb_build_object('entry', v.graph -> 'entry', 'steps', (
     select coalesce(jsonb_agg(jsonb_build_object('id', s.step -> 'id', 'name', s.step -> 'name', 'type', s.step -> 'type') order by s.nth), '[]')
     from jsonb_array_elements(v.graph -> 'steps') with ordinality as s(step, nth)))
   from asked q
   where v.project_id = q.project_id and v.workflow_id = q.workflow_id and v.version = q.version and not exists (
     select from active a where a.project_id = q.project_id and a.workflow_id = q.workflow_id and a.version = q.version)`,
)

/** The number of steps that send each of some templates ($2). */
export const countStepsOfTemplates = statement<Count>(
  'workflows_count_steps_of_templates',
  `select q.id, (select count(*)::int from workflow_steps s where s.project_id = $1 and s.template_id = q.id) as count
   from unnest($2::text[]) as q(id)`,
)

/** The configs of some steps ($2), as JSON: see bodiesSql. */
export const selectConfigs = statement<BodyRow>(
  'workflows_select_configs',
  bodiesSql({ table: 'workflow_steps', body: 't.config::text', bytes: 'octet_length(t.config::text)' }),
)

/** SQL for what of a config, as jsonb, says which exits its step takes and what people call them. */
export function exitsIn(config: string): string {
  const branches = `${config} -> 'branches'`
  return `jsonb_strip_nulls(jsonb_build_object('mode', ${config} -> 'mode', 'timeout', ${config} -> 'timeout', 'branches', (
         select coalesce(jsonb_agg(jsonb_build_object('id', b.branch -> 'id', 'name', b.branch -> 'name') order by b.nth), '[]')
         from jsonb_array_elements(case when jsonb_typeof(${branches}) = 'array' then ${branches} else '[]' end) with ordinality as b(branch, nth))))`
}

/** The same of some steps ($2), whose configs may be large. */
export const selectExitConfigs = statement<{ id: string; config: object }>(
  'workflows_select_exit_configs',
  `select s.id, ${exitsIn('s.config')} as config
   from (select o.id, o.config::jsonb as config from workflow_steps o where o.project_id = $1 and o.id = any($2::text[]) offset 0) s`,
)
