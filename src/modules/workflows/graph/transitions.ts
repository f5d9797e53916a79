import type { Ctx } from '../../../kit/context.ts'
import { invalid, notFound } from '../../../kit/errors.ts'
import { newId } from '../../../kit/ids.ts'
import { branchesSentence, exitNamed, exitsOf } from '../steps/kinds.ts'
import { changeGraph, shownTransition } from './graph.ts'
import { maxExits, maxIncoming, type TransitionDraft, type TransitionRemoval, type WorkflowTransition } from './shapes.ts'
import { insertTransitions, removeTransitions, type StepRow, type TransitionRow } from './sql.ts'
import { stepIn } from './steps.ts'
import { type Graph, reachableFrom, requireRoomForTransition, transitionBy } from './structure.ts'

type Call = Pick<Ctx, 'db' | 'clock' | 'projectId'>

/** A transition, and whether it is new. */
export type TransitionMade = WorkflowTransition & { isNew: boolean }

/**
 * Leads from one step of a workflow to another; one that is there already is answered as it is. Fails with RESOURCE_NOT_FOUND, and with
 * VALIDATION_ERROR for a step that leads to itself, a circle, a step of the type EXIT, a branch that the step does not have or that
 * leads elsewhere, and a step that 100 transitions lead to. Fails with LIMIT_REACHED when the workflow has 300.
 */
export async function createWorkflowTransition(ctx: Call, { id, ...draft }: TransitionDraft): Promise<TransitionMade> {
  const { clock, projectId } = ctx
  const branch = draft.branch ?? draft.condition?.branch ?? ''
  return changeGraph(ctx, id, async (tx, { graph }) => {
    const from = stepIn(graph, draft.fromStepId)
    const to = stepIn(graph, draft.toStepId)
    requireExit(from, branch)
    const existing = transitionBy(from, exitNamed(from, branch), graph)
    if (existing?.toStepId === to.id) return { ...shownTransition(existing), isNew: false }
    if (existing) throw invalid('branch', taken(from, existing), 'duplicate')
    requireRoomForTransition(graph)
    requireWay(from, to, graph)
    const now = clock.now()
    const row: TransitionRow = {
      id: newId('transition', now),
      fromStepId: from.id,
      toStepId: to.id,
      branch,
      priority: draft.priority ?? 0,
    }
    await tx.run(insertTransitions, [projectId, id, JSON.stringify([row]), now])
    return { ...shownTransition(row), isNew: true }
  })
}

function requireExit(from: StepRow, branch: string): void {
  const { type, name } = from
  if (exitsOf(from).length === 0)
    throw invalid('fromStepId', `names the step "${name}", which ends the execution: nothing comes after it`, 'not_allowed')
  if (exitsOf(from).includes(exitNamed(from, branch))) return
  const [code, what] = branch === '' ? ['required', 'is required'] : ['unknown_branch', 'names no exit of this step']
  throw invalid('branch', `${what}: a step of the type ${type} has ${branchesSentence(from)}`, code)
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
  if (outgoing >= maxExits) throw invalid('fromStepId', `has ${maxExits} transitions that lead from it, which is the maximum`, 'too_big')
  const incoming = graph.transitions.filter(({ toStepId }) => toStepId === to.id).length
  if (incoming >= maxIncoming) throw invalid('toStepId', `has ${maxIncoming} transitions that lead to it, which is the maximum`, 'too_big')
}

/** Removes a transition; its steps stay. Fails with RESOURCE_NOT_FOUND. */
export async function deleteWorkflowTransition(ctx: Call, { id, transitionId }: TransitionRemoval): Promise<void> {
  await changeGraph(ctx, id, async (tx, { graph }) => {
    if (!graph.transitions.some((one) => one.id === transitionId)) throw notFound()
    await tx.run(removeTransitions, [ctx.projectId, id, [transitionId]])
  })
}
