import { type BodyRow, bodiesOf } from '../../../../kit/bodies.ts'
import { statement } from '../../../../kit/postgres/db.ts'
import { exitsIn } from '../../graph/sql.ts'
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

/** The steps of versions ($1 projects, $2 workflows, $3 versions, in triples), without their configs, which may be large, in the order given. */
export const selectGraphs = statement<{ steps: StepOfGraph[] | null }>(
  'workflows_select_graphs',
  `select (
     select jsonb_agg(jsonb_build_object('id', s.step -> 'id', 'name', s.step -> 'name', 'type', s.step -> 'type', 'next', s.step -> 'next',
       'config', ${exitsIn("(s.step -> 'config')")}) order by s.nth)
     from workflow_versions v cross join lateral jsonb_array_elements(v.graph -> 'steps') with ordinality as s(step, nth)
     where v.project_id = q.project_id and v.workflow_id = q.workflow_id and v.version = q.version) as steps
   from unnest($1::text[], $2::text[], $3::int[]) with ordinality as q(project_id, workflow_id, version, ord) order by q.ord`,
)

// Steps `s` of versions, each once.
const frozen = (asked: string) => `(select distinct * from ${asked}) q
   join workflow_versions v on v.project_id = $1 and v.workflow_id = q.workflow_id and v.version = q.version
   cross join lateral (select s.value as step from jsonb_array_elements(v.graph -> 'steps') s where s.value ->> 'id' = q.step_id limit 1) s`
const inColumns = 'unnest($2::text[], $3::text[], $4::int[]) as q(workflow_id, step_id, version)'

/** Steps ($3) of versions ($2 workflows, $4 versions, in triples) as executions use them: for those of one workflow, as configs may be large. */
export const selectFrozenSteps = statement<{ workflowId: string; version: number; step: FrozenStep & { type: StepType } }>(
  'workflows_select_frozen_steps',
  `select q.workflow_id as "workflowId", q.version, s.step from ${frozen(inColumns)}`,
)

/** The names and types of such steps. */
export const selectFrozenNames = statement<{ workflowId: string; version: number; id: string; name: string; type: StepType }>(
  'workflows_select_frozen_names',
  `select q.workflow_id as "workflowId", q.version, s.step ->> 'id' as id, s.step ->> 'name' as name, s.step ->> 'type' as type
   from ${frozen(inColumns)}`,
)

const inKeys = `(select k.key, split_part(k.key, ' ', 1) as workflow_id, split_part(k.key, ' ', 2)::int as version, split_part(k.key, ' ', 3) as step_id
     from unnest($2::text[]) as k(key)) k`
const templateOf = `case when s.step ->> 'templateId' is null then '{}' else jsonb_build_object('templateId', s.step -> 'templateId') end`

/** What such steps ($2, by `keyOf`) are asked to do, as JSON: see bodiesOf. */
export const selectFrozenInputs = statement<BodyRow>(
  'workflows_select_frozen_inputs',
  bodiesOf(`select i.id, i.value, octet_length(i.value) as bytes from (
     select q.key as id, ((s.step -> 'config') || ${templateOf})::text as value from ${frozen(inKeys)} where s.step -> 'config' is not null offset 0) i`),
)
