import { statement } from '../../../../kit/postgres/db.ts'
import type { FrozenStep } from '../../graph/structure.ts'
import type { StepType } from '../../steps/kinds.ts'

/** A step of a version; what its exits lead to is missing in one of which only the names and types of its steps are left. */
export interface StepOfGraph {
  id: string
  name: string
  type: StepType
  /** Of its config what says the names of its exits. */
  config: object
  next: { exit: string; stepId: string }[] | null
}

const branches = "s.step #> '{config,branches}'"
const namesOfExits = `jsonb_build_object('mode', s.step #> '{config,mode}', 'branches', (
         select coalesce(jsonb_agg(jsonb_build_object('id', b.branch -> 'id', 'name', b.branch -> 'name') order by b.nth), '[]')
         from jsonb_array_elements(case when jsonb_typeof(${branches}) = 'array' then ${branches} else '[]' end) with ordinality as b(branch, nth)))`

/** The steps of versions ($1 projects, $2 workflows, $3 versions, in triples), without their configs, which may be large, in the order given. */
export const selectGraphs = statement<{ steps: StepOfGraph[] | null }>(
  'workflows_select_graphs',
  `select (
     select jsonb_agg(jsonb_build_object('id', s.step -> 'id', 'name', s.step -> 'name', 'type', s.step -> 'type', 'next', s.step -> 'next',
       'config', ${namesOfExits}) order by s.nth)
     from workflow_versions v cross join lateral jsonb_array_elements(v.graph -> 'steps') with ordinality as s(step, nth)
     where v.project_id = q.project_id and v.workflow_id = q.workflow_id and v.version = q.version) as steps
   from unnest($1::text[], $2::text[], $3::int[]) with ordinality as q(project_id, workflow_id, version, ord) order by q.ord`,
)

/** The steps ($3) of versions ($2 workflows, $4 versions, in triples) as executions use them. */
export const selectFrozenSteps = statement<{ workflowId: string; version: number; step: FrozenStep & { type: StepType } }>(
  'workflows_select_frozen_steps',
  `select q.workflow_id as "workflowId", q.version, s.step
   from (select distinct * from unnest($2::text[], $3::text[], $4::int[]) as q(workflow_id, step_id, version)) q
   join workflow_versions v on v.project_id = $1 and v.workflow_id = q.workflow_id and v.version = q.version
   cross join lateral (select s.value as step from jsonb_array_elements(v.graph -> 'steps') s where s.value ->> 'id' = q.step_id limit 1) s`,
)
