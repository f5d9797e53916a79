import type { Client } from '@urql/core'
import { type Problem, problemOf } from '../../../data/failures.ts'
import {
  ConnectDocument,
  CreateStepDocument,
  type EditedWorkflowFragment,
  type WorkflowStepItemFragment,
} from '../../../graphql/graphql.ts'
import { toast } from '../../../parts/toast.tsx'
import { entryOf } from '../graph.ts'
import { exitsOf } from '../kinds.ts'

/**
 * Whether a step that is deleted can be brought back. It is the newest step then, and executions begin with the oldest that nothing
 * leads to: the step they begin with would be another one where nothing leads to another step besides.
 */
export function canRestore(workflow: EditedWorkflowFragment, step: WorkflowStepItemFragment): boolean {
  const { steps, transitions } = workflow
  if (entryOf(workflow)?.id !== step.id) return true
  return steps.every(({ id }) => id === step.id || transitions.some(({ toStepId }) => toStepId === id))
}

/** Brings a step back that was deleted, with its config and its connections, as the workflow was: why not, or not all of it. */
export async function restore(
  client: Client,
  { workflow, step }: { workflow: EditedWorkflowFragment; step: WorkflowStepItemFragment },
): Promise<Problem | undefined> {
  const { id, name, type, config, position, template } = step
  const { x, y } = position
  const input = { workflowId: workflow.id, name, type, config, position: { x, y }, ...(template && { templateId: template.id }) }
  const { data, error } = await client.mutation(CreateStepDocument, { input })
  if (error) return problemOf(error)
  const made = data?.createWorkflowStep.step.id ?? ''
  const restored = (one: string) => (one === id ? made : one)
  for (const { fromStepId, toStepId, branch, priority } of connectionsOf(step, workflow)) {
    const way = { fromStepId: restored(fromStepId), toStepId: restored(toStepId), branch, priority, replace: true }
    const { error: refusal } = await client.mutation(ConnectDocument, { input: way })
    if (refusal) return { ...problemOf(refusal), suggestion: `“${name}” is back, but not all of its connections: connect it by hand.` }
  }
  toast(`“${name}” is back`)
}

// Those that are never taken cannot be made again, and change nothing.
function connectionsOf({ id }: WorkflowStepItemFragment, workflow: EditedWorkflowFragment) {
  const unused = workflow.steps.flatMap((step) => exitsOf(step, workflow).flatMap((exit) => (exit.unused ? exit.transition : [])))
  return workflow.transitions.filter((one) => (one.fromStepId === id || one.toStepId === id) && !unused.includes(one.id))
}
