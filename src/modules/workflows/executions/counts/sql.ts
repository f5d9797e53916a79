import { statement } from '../../../../kit/postgres/db.ts'
import type { ExecutionStatus } from '../../shapes.ts'

/** How many executions of a workflow are in each state, and how many that have not ended are at each step, of those that have any. */
export interface CountsRow {
  id: string
  states: Partial<Record<ExecutionStatus, number>>
  steps: Record<string, number>
}

const inState = (columns: string) => `select ${columns} from workflow_executions x
       where x.project_id = $1 and x.workflow_id = q.id and x.status = s.state limit $3::bigint`

/** The executions of workflows ($2) by state and by step, counted up to $3 in each state. */
export const selectExecutionCounts = statement<CountsRow>(
  'workflows_select_execution_counts',
  `select q.id,
     (select jsonb_object_agg(s.state, (select count(*) from (${inState('')}) c))
      from unnest(enum_range(null::workflow_execution_status)) as s(state)) as states,
     (select coalesce(jsonb_object_agg(a.step_id, a.count), '{}') from (
        select c.step_id, count(*) as count from unnest('{RUNNING,WAITING}'::workflow_execution_status[]) as s(state)
        cross join lateral (${inState('x.current_step_id as step_id')}) c where c.step_id is not null group by c.step_id) a) as steps
   from unnest($2::text[]) as q(id)`,
)

/** What is watched of a workflow besides those counts. */
export interface WorkflowState {
  projectId: string
  id: string
  updatedAt: Date
  /** How many executions have come to each step, left it, and failed at it. */
  visits: Record<string, [entered: number, completed: number, failed: number]>
}

/** When workflows ($1 projects, $2 ids, in pairs) last changed, and the visits of their steps; one row per workflow that exists. */
export const selectWorkflowStates = statement<WorkflowState>(
  'workflows_select_workflow_states',
  `select w.project_id as "projectId", w.id, w.updated_at as "updatedAt",
     (select coalesce(jsonb_object_agg(n.step_id, jsonb_build_array(n.entered, n.completed, n.failed)), '{}') from (
        select c.step_id, sum(c.entered) as entered, sum(c.completed) as completed, sum(c.failed) as failed from workflow_step_counts c
        where c.project_id = w.project_id and c.workflow_id = w.id group by c.step_id) n) as visits
   from unnest($1::text[], $2::text[]) as q(project_id, id) join workflows w on w.project_id = q.project_id and w.id = q.id`,
)
