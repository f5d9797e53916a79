import type { Ctx } from '../../../kit/context.ts'
import { Failure, notFound } from '../../../kit/errors.ts'
import type { Executor, Transaction } from '../../../kit/postgres/db.ts'
import { holdSegments, lockReferences } from '../../filters/segments/needed.ts'
import type { StoredWorkflow, WorkflowIssue } from '../shapes.ts'
import { changeWorkflow, lockWorkflow } from '../sql.ts'
import { namedBy } from '../steps/kinds.ts'
import { type BrokenStep, findBrokenSteps, getStoredWorkflow, issuesOfBroken, maxIssues, shown } from '../workflows.ts'
import { findIssues } from './issues.ts'
import type { WorkflowStep, WorkflowTransition, WorkflowWithGraph } from './shapes.ts'
import { insertVersion, type StepRow, selectSteps, selectTransitions, type TransitionRow } from './sql.ts'
import { frozenOf, type Graph } from './structure.ts'

/** The steps and transitions of a workflow, each in the order in which they were added. */
export async function readGraph(on: Executor, projectId: string, workflowId: string): Promise<Graph> {
  const steps = await on.run(selectSteps, [projectId, workflowId])
  return { steps, transitions: await on.run(selectTransitions, [projectId, workflowId]) }
}

/** A workflow with its steps and transitions. Fails with RESOURCE_NOT_FOUND. */
export async function getWorkflow(ctx: Pick<Ctx, 'db' | 'projectId'>, { id }: { id: string }): Promise<WorkflowWithGraph> {
  const [row, graph, broken] = await Promise.all([
    getStoredWorkflow(ctx, { id }),
    readGraph(ctx.db, ctx.projectId, id),
    findBrokenSteps(ctx.db, ctx.projectId, [id]),
  ])
  const transitions = graph.transitions.map(shownTransition)
  const steps = graph.steps.map((step) => shownStep(step, graph.transitions))
  return { ...shown(row, broken), steps, transitions }
}

/** A step as it is answered, with those of some transitions that are its own. */
export function shownStep({ x, y, config, templateId, ...step }: StepRow, transitions: TransitionRow[]): WorkflowStep {
  return {
    ...step,
    position: { x, y },
    config: { ...config, ...(templateId !== null && { templateId }) },
    templateId,
    outgoingTransitions: transitions.filter(({ fromStepId }) => fromStepId === step.id).map(shownTransition),
    incomingTransitions: transitions.filter(({ toStepId }) => toStepId === step.id).map(shownTransition),
  }
}

/** A transition as it is answered. */
export function shownTransition({ branch, ...transition }: TransitionRow): WorkflowTransition {
  return { ...transition, branch: branch || null, condition: branch ? { branch } : null }
}

/** A workflow that is locked until the transaction ends, with its graph. */
interface Locked {
  workflow: StoredWorkflow
  graph: Graph
}

/**
 * Changes the steps or transitions of a workflow, one call after the other, in one transaction. What is wrong with the workflow is
 * found again, and while it is enabled a changed graph without errors becomes the next version. Fails with
 * RESOURCE_NOT_FOUND.
 */
export async function changeGraph<Result>(
  ctx: Pick<Ctx, 'db' | 'clock' | 'projectId'>,
  id: string,
  change: (tx: Transaction, locked: Locked) => Promise<Result>,
): Promise<Result> {
  const { db, projectId } = ctx
  return db.transaction(async (tx) => {
    await lockReferences(tx, projectId)
    const workflow = await takeWorkflow(tx, projectId, id)
    const result = await change(tx, { workflow, graph: await readGraph(tx, projectId, id) })
    await storeWorkflow(ctx, tx, workflow)
    return result
  })
}

/** Locks a workflow until the transaction ends. Fails with RESOURCE_NOT_FOUND. */
export async function takeWorkflow(tx: Transaction, projectId: string, id: string): Promise<StoredWorkflow> {
  const [workflow] = await tx.run(lockWorkflow, [projectId, id])
  if (!workflow) throw notFound()
  return workflow
}

/** Which errors of a workflow refuse a change of it, and what is said then. */
export interface Refusal {
  of(error: WorkflowIssue): boolean
  sentence: string
  suggestion: string
}

/**
 * Stores the settings of a workflow that the transaction has locked, with what is wrong with it and, while it is enabled, its version:
 * that stays as it is while there are errors. Fails with VALIDATION_ERROR for errors that `refusal` is about.
 */
export async function storeWorkflow(
  { clock, projectId }: Pick<Ctx, 'clock' | 'projectId'>,
  tx: Transaction,
  workflow: StoredWorkflow,
  refusal?: Refusal,
): Promise<StoredWorkflow> {
  const now = clock.now()
  const { id, name, description, enabled, triggerType, eventName, exitEvents, allowReentry } = workflow
  const graph = await readGraph(tx, projectId, id)
  const issues = findIssues(workflow, graph)
  const broken = enabled ? await brokenOf(tx, projectId, { id, graph }) : []
  const errors = [...issues, ...issuesOfBroken(broken, issues)].filter(({ severity }) => severity === 'ERROR')
  const refused = refusal ? errors.filter(refusal.of) : []
  if (refusal && refused.length > 0) throw notReady(refusal, refused)
  const frozen = enabled && errors.length === 0 ? JSON.stringify(frozenOf(graph)) : null
  const asked = askedIn(graph)
  const row = [projectId, id, workflow.version, frozen, now, asked.segmentIds, asked.asks]
  const [made] = frozen === null ? [] : await tx.run(insertVersion, row)
  const version = made?.version ?? workflow.version
  const values = [
    name,
    description,
    enabled,
    triggerType,
    eventName,
    exitEvents,
    allowReentry,
    version,
    JSON.stringify(issues.slice(0, maxIssues)),
    now,
  ]
  const [stored] = await tx.run(changeWorkflow, [projectId, id, ...values])
  if (!stored) throw notFound()
  return stored
}

async function brokenOf(tx: Transaction, projectId: string, { id, graph }: { id: string; graph: Graph }): Promise<BrokenStep[]> {
  const missing = await holdSegments(tx, projectId, askedIn(graph).segmentIds)
  return missing.size > 0 ? findBrokenSteps(tx, projectId, [id]) : []
}

function askedIn({ steps }: Graph): ReturnType<typeof namedBy> {
  const named = steps.map(namedBy)
  return { asks: [...new Set(named.flatMap(({ asks }) => asks))], segmentIds: [...new Set(named.flatMap(({ segmentIds }) => segmentIds))] }
}

function notReady({ sentence, suggestion }: Refusal, errors: WorkflowIssue[]): Failure {
  const [first] = errors
  return new Failure('VALIDATION_ERROR', `${sentence}: ${first?.message ?? ''}`, {
    errors: errors.map(({ stepId, message, code }) => ({
      field: stepId === null ? 'triggerConfig.eventName' : `steps.${stepId}`,
      message,
      code,
    })),
    suggestion,
  })
}
