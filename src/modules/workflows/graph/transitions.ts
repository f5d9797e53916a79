import type { Ctx } from '../../../kit/context.ts'
import { invalid, notFound } from '../../../kit/errors.ts'
import { newId } from '../../../kit/ids.ts'
import { exitNamed } from '../steps/kinds.ts'
import { changeGraph, shownTransition } from './graph.ts'
import { getWorkflowOfStep, getWorkflowOfTransition } from './relations.ts'
import {
  type Changed,
  type InAnyWorkflow,
  maxIncoming,
  maxOutgoing,
  type TransitionDraft,
  type TransitionRemoval,
  type TransitionReplacing,
  type WorkflowTransition,
} from './shapes.ts'
import { insertTransitions, removeTransitions, type StepRow, type TransitionRow } from './sql.ts'
import { type Graph, reachableFrom, requireExit, requireRoomForTransition, stepIn, transitionBy } from './structure.ts'

type Call = Pick<Ctx, 'db' | 'clock' | 'projectId'>

/** A transition, and whether it is new. */
export type TransitionMade = WorkflowTransition & Changed & { isNew: boolean }

/**
 * Leads from one step of a workflow to another; one that is there already is answered as it is. Fails with RESOURCE_NOT_FOUND, and with
 * VALIDATION_ERROR for a step that leads to itself, a circle, a step of the type EXIT, a branch that the step does not have or that
 * leads elsewhere (unless that is to be replaced), and a step that 100 transitions lead to. Fails with LIMIT_REACHED when the workflow has 300.
 */
export async function createWorkflowTransition(
  ctx: Call,
  { id: workflowId, replace = false, ...draft }: InAnyWorkflow<TransitionDraft> & TransitionReplacing,
): Promise<TransitionMade> {
  const { clock, projectId } = ctx
  const branch = draft.branch ?? draft.condition?.branch ?? ''
  const id = workflowId ?? (await getWorkflowOfStep(ctx, { id: draft.fromStepId }))
  return changeGraph(ctx, id, async (tx, { graph }) => {
    const from = stepIn(graph, draft.fromStepId)
    const to = stepIn(graph, draft.toStepId)
    requireExit(from, { branch })
    const existing = transitionBy(from, exitNamed(from, branch), graph)
    if (existing?.toStepId === to.id) return { ...shownTransition(existing), workflowId: id, isNew: false }
    if (existing && !replace) throw invalid('branch', taken(from, existing), 'duplicate')
    const others = { ...graph, transitions: graph.transitions.filter((one) => one !== existing) }
    requireRoomForTransition(others)
    requireWay(from, to, others)
    const now = clock.now()
    const row: TransitionRow = {
      id: newId('transition', now),
      fromStepId: from.id,
      toStepId: to.id,
      branch,
      priority: draft.priority ?? 0,
    }
    if (existing) await tx.run(removeTransitions, [projectId, id, [existing.id]])
    await tx.run(insertTransitions, [projectId, id, JSON.stringify([row]), now])
    return { ...shownTransition(row), workflowId: id, isNew: true }
  })
}

function taken({ name }: StepRow, { branch }: TransitionRow): string {
  const exit = branch === '' ? 'plain exit' : `branch "${branch}"`
  return `is taken: the ${exit} of the step "${name}" leads to another step; delete that transition first`
}

function requireWay(from: StepRow, to: StepRow, graph: Graph): void {
  if (from.id === to.id) throw invalid('toStepId', 'must be another step: a step cannot lead to itself', 'self')
  if (reachableFrom([to.id], graph).has(from.id))
    throw invalid('toStepId', `would make a circle: the step "${to.name}" leads to the step "${from.name}" already`, 'circular')
  const outgoing = graph.transitions.filter(({ fromStepId }) => fromStepId === from.id).length
  if (outgoing >= maxOutgoing)
    throw invalid('fromStepId', `has ${maxOutgoing} transitions that lead from it, which is the maximum`, 'too_big')
  const incoming = graph.transitions.filter(({ toStepId }) => toStepId === to.id).length
  if (incoming >= maxIncoming) throw invalid('toStepId', `has ${maxIncoming} transitions that lead to it, which is the maximum`, 'too_big')
}

/** Removes a transition; its steps stay. Fails with RESOURCE_NOT_FOUND. */
export async function deleteWorkflowTransition(ctx: Call, { transitionId, ...place }: InAnyWorkflow<TransitionRemoval>): Promise<Changed> {
  const id = place.id ?? (await getWorkflowOfTransition(ctx, { id: transitionId }))
  await changeGraph(ctx, id, async (tx, { graph }) => {
    if (!graph.transitions.some((one) => one.id === transitionId)) throw notFound()
    await tx.run(removeTransitions, [ctx.projectId, id, [transitionId]])
  })
  return { workflowId: id, id: transitionId }
}
