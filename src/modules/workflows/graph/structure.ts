import { Failure, invalid, notFound } from '../../../kit/errors.ts'
import { branchesSentence, type Configured, exitNamed, exitsOf, namedExitsOf, type StepType, takenExitsOf } from '../steps/kinds.ts'
import { maxTransitions } from './shapes.ts'
import type { StepRow, TransitionRow } from './sql.ts'

/** The steps and transitions of a workflow, each in the order in which they were added. */
export interface Graph {
  steps: StepRow[]
  transitions: TransitionRow[]
}

/** The graph of a version, as executions use it. */
export interface FrozenGraph {
  /** The step that executions begin with; null in a workflow without steps. */
  entry: string | null
  steps: FrozenStep[]
}

/** A step of a version. */
export interface FrozenStep extends Configured {
  id: string
  name: string
  templateId: string | null
  /**
   * What each exit leads to, by the name of the exit, which is empty for the plain one; where there is nothing the execution ends. A
   * list, because an exit may have any name, also that of a member of every object.
   */
  next: { exit: string; stepId: string }[]
}

/** What of a workflow says where executions begin: its steps in the order in which they were added. */
interface Entered<Step> {
  steps: Step[]
  transitions: { toStepId: string }[]
}

/** The step that executions begin with: the oldest one that no transition leads to; null in a workflow without steps. */
export function entryOf<Step extends { id: string }>({ steps, transitions }: Entered<Step>): Step | null {
  const targets = new Set(transitions.map(({ toStepId }) => toStepId))
  return steps.find(({ id }) => !targets.has(id)) ?? null
}

/** A step of a graph. Fails with RESOURCE_NOT_FOUND. */
export function stepIn({ steps }: Graph, id: string): StepRow {
  const step = steps.find((one) => one.id === id)
  if (!step) throw notFound()
  return step
}

/** The ids of the steps that can be reached from some of them, with these. */
export function reachableFrom(ids: string[], { transitions }: Pick<Graph, 'transitions'>): Set<string> {
  const next = Map.groupBy(transitions, ({ fromStepId }) => fromStepId)
  const reached = new Set(ids)
  // A set is walked through with what is added meanwhile.
  for (const id of reached) for (const { toStepId } of next.get(id) ?? []) reached.add(toStepId)
  return reached
}

/** The transitions that executions can take: some lead from exits that their step, as it is, never takes. */
export function takenTransitions({ steps, transitions }: Graph): TransitionRow[] {
  const from = new Map(steps.map((step) => [step.id, { step, taken: new Set(takenExitsOf(step)) }]))
  return transitions.filter(({ fromStepId, branch }) => {
    const found = from.get(fromStepId)
    return found?.taken.has(exitNamed(found.step, branch))
  })
}

/** The transition that a step takes by an exit; undefined where the execution ends. */
export function transitionBy(step: StepRow, exit: string, { transitions }: Pick<Graph, 'transitions'>): TransitionRow | undefined {
  return transitions.find(({ fromStepId, branch }) => fromStepId === step.id && exitNamed(step, branch) === exit)
}

/** Requires that a step has an exit that a transition may name. Fails with VALIDATION_ERROR, which names `field` where one input has both. */
export function requireExit(from: StepRow, { branch, field }: { branch: string; field?: string }): void {
  const { type, name } = from
  if (exitsOf(from).length === 0)
    throw invalid(field ?? 'fromStepId', `names the step "${name}", which ends the execution: nothing comes after it`, 'not_allowed')
  if (exitsOf(from).includes(exitNamed(from, branch))) return
  const [code, what] = branch === '' ? ['required', 'is required'] : ['unknown_branch', 'names no exit of this step']
  throw invalid(field ? `${field}.branch` : 'branch', `${what}: a step of the type ${type} has ${branchesSentence(from)}`, code)
}

/** An exit of a step, what people call it, and the transition that it leads by; null where the execution ends. */
export interface StepExit {
  exit: string
  name: string
  transitionId: string | null
}

/** The exits that a stored step takes, in order. */
export function listExits(stored: { type: StepType; config: unknown; outgoing: { id: string; branch: string }[] }): StepExit[] {
  // Only configs that were checked are stored, which the type of the column does not say.
  const step = { type: stored.type, config: (stored.config ?? {}) as object }
  return namedExitsOf(step).map(({ exit, name }) => ({
    exit,
    name,
    transitionId: stored.outgoing.find(({ branch }) => exitNamed(step, branch) === exit)?.id ?? null,
  }))
}

/** Requires that a workflow may have one more transition. Fails with LIMIT_REACHED. */
export function requireRoomForTransition({ transitions }: Graph): void {
  if (transitions.length >= maxTransitions)
    throw new Failure('LIMIT_REACHED', `This workflow has ${maxTransitions} transitions, which is the maximum.`)
}

/** The graph of a version. Where steps are shown is no part of it. */
export function frozenOf(graph: Graph): FrozenGraph {
  return {
    entry: entryOf(graph)?.id ?? null,
    steps: graph.steps.map((step) => {
      const { id, type, name, config, templateId } = step
      const own = graph.transitions.filter(({ fromStepId }) => fromStepId === id)
      return { id, type, name, config, templateId, next: own.map((one) => ({ exit: exitNamed(step, one.branch), stepId: one.toStepId })) }
    }),
  }
}
