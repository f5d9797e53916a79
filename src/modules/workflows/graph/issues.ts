import type { StoredWorkflow, WorkflowIssue } from '../shapes.ts'
import { plain } from '../steps/kind.ts'
import { exitNamed, kinds, takenExitsOf } from '../steps/kinds.ts'
import { errorsFirst } from '../workflows.ts'
import type { StepRow } from './sql.ts'
import { entryOf, type Graph, reachableFrom, takenTransitions, transitionBy } from './structure.ts'

/**
 * What is wrong with a workflow by itself, errors first: what must fail where an execution comes along is an ERROR, the rest is a
 * WARNING.
 */
export function findIssues(workflow: Pick<StoredWorkflow, 'triggerType' | 'eventName'>, graph: Graph): WorkflowIssue[] {
  const entry = entryOf(graph)
  const reached = reachableFrom(entry ? [entry.id] : [], { transitions: takenTransitions(graph) })
  const issues = [
    ...triggerIssues(workflow, graph),
    ...graph.steps.flatMap((step) => [...stepIssues(step, reached), ...exitIssues(step, graph)]),
  ]
  return errorsFirst(issues)
}

function triggerIssues({ triggerType, eventName }: Pick<StoredWorkflow, 'triggerType' | 'eventName'>, { steps }: Graph): WorkflowIssue[] {
  if (triggerType !== 'EVENT' || eventName !== null || steps.length === 0) return []
  const message = 'The trigger is EVENT, and names no event that starts an execution.'
  return [{ code: 'missing_event', severity: 'ERROR', message, stepId: null }]
}

// A step that no execution comes to cannot fail.
function stepIssues(step: StepRow, reached: ReadonlySet<string>): WorkflowIssue[] {
  const { id: stepId, name, type, config, templateId } = step
  const isReached = reached.has(stepId)
  const severity = isReached ? 'ERROR' : 'WARNING'
  const { takesTemplate, missing: missingIn } = kinds[type]
  const missing = missingIn(config)
  const found: WorkflowIssue[] = []
  if (takesTemplate && templateId === null)
    found.push({ code: 'missing_template', severity, message: `The step "${name}" has no template.`, stepId })
  if (missing !== null) found.push({ code: 'incomplete', severity, message: `The config of the step "${name}" needs ${missing}.`, stepId })
  if (!isReached)
    found.push({
      code: 'unreachable',
      severity: 'WARNING',
      message: `No contact comes to the step "${name}": nothing that contacts come to leads to it.`,
      stepId,
    })
  return found
}

function exitIssues(step: StepRow, graph: Graph): WorkflowIssue[] {
  const { id: stepId, name, type, config } = step
  const { expects, mayWaitForever } = kinds[type]
  const taken = takenExitsOf(step)
  const warn = (code: WorkflowIssue['code'], message: string, branch?: string): WorkflowIssue => ({
    ...{ code, severity: 'WARNING', message, stepId },
    ...(branch !== undefined && { branch }),
  })
  const missing = (expects?.(config) ?? []).filter((exit) => !transitionBy(step, exit, graph))
  const unused = graph.transitions.filter(({ fromStepId, branch }) => fromStepId === stepId && !taken.includes(exitNamed(step, branch)))
  const endless = mayWaitForever?.(config) ?? false
  return [
    ...missing.map((exit) =>
      warn('missing_transition', `The branch "${exit}" of the step "${name}" leads nowhere: the execution ends there.`, exit),
    ),
    ...unused.map(({ branch }) =>
      warn(
        'unused_transition',
        `The step "${name}" never takes ${branch === plain ? 'its plain exit' : `the branch "${branch}"`}.`,
        branch,
      ),
    ),
    ...(endless ? [warn('endless_wait', `The step "${name}" has no timeout: an execution may wait there for ever.`)] : []),
  ]
}
