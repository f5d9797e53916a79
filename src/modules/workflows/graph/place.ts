import { Failure, invalid } from '../../../kit/errors.ts'
import { exitNamed, exitsOf } from '../steps/kinds.ts'
import { maxOutgoing, maxTransitions, type StepPlace } from './shapes.ts'
import type { StepRow, TransitionRow } from './sql.ts'
import { entryOf, type Graph, requireExit, stepIn, transitionBy } from './structure.ts'

type Way = Pick<TransitionRow, 'fromStepId' | 'toStepId' | 'branch'>

/** The transitions that change so that a new step stands at its place. */
export interface Placing {
  removed: TransitionRow[]
  added: Way[]
}

/**
 * Which transitions bring a new step to its place in a graph. Fails with RESOURCE_NOT_FOUND and VALIDATION_ERROR for a place that does
 * not exist, and with LIMIT_REACHED when the workflow would have more than 300 transitions.
 */
export function placingOf(step: StepRow, { autoConnect = false, after, asFirst = false }: StepPlace, graph: Graph): Placing {
  if ([autoConnect, after, asFirst].filter(Boolean).length > 1)
    throw invalid('after', 'must be the only place that is named: one of after, asFirst and autoConnect', 'not_allowed')
  const placing = after ? behind(step, after, graph) : asFirst ? atStart(step, graph) : autoConnect ? behindNewest(step, graph) : nowhere
  if (graph.transitions.length - placing.removed.length + placing.added.length > maxTransitions)
    throw new Failure('LIMIT_REACHED', `This workflow would have more than ${maxTransitions} transitions, which is the maximum.`)
  return placing
}

const nowhere: Placing = { removed: [], added: [] }

// What the exit has led to follows the new step.
function behind(step: StepRow, { stepId, branch }: NonNullable<StepPlace['after']>, graph: Graph): Placing {
  const from = stepIn(graph, stepId)
  const named = branch ?? ''
  requireExit(from, { branch: named, field: 'after' })
  const taken = transitionBy(from, exitNamed(from, named), graph)
  if (!taken && graph.transitions.filter(({ fromStepId }) => fromStepId === from.id).length >= maxOutgoing)
    throw invalid('after', `names a step with ${maxOutgoing} transitions that lead from it, which is the maximum`, 'too_big')
  const added = [{ fromStepId: from.id, toStepId: step.id, branch: taken?.branch ?? named }]
  return { removed: taken ? [taken] : [], added: [...added, ...onward(step, taken?.toStepId)] }
}

// Executions begin with the oldest step that nothing leads to, so that there must be no other.
function atStart(step: StepRow, graph: Graph): Placing {
  const entry = entryOf(graph)
  const targets = new Set(graph.transitions.map(({ toStepId }) => toStepId))
  const loose = graph.steps.find((one) => one !== entry && !targets.has(one.id))
  if (loose)
    throw invalid(
      'asFirst',
      `needs every other step connected: nothing leads to the step "${loose.name}"; connect or delete it first`,
      'not_allowed',
    )
  if (entry && exitsOf(step).length === 0)
    throw invalid(
      'asFirst',
      `is refused for a step of the type ${step.type}, which ends the execution: nothing comes after it`,
      'not_allowed',
    )
  return { removed: [], added: onward(step, entry?.id) }
}

// The newest step that has an exit and leads nowhere.
function behindNewest(step: StepRow, { steps, transitions }: Graph): Placing {
  const sources = new Set(transitions.map(({ fromStepId }) => fromStepId))
  const last = steps.findLast((one) => !sources.has(one.id) && exitsOf(one).length > 0)
  return last ? { removed: [], added: onward(last, step.id) } : nowhere
}

function onward(from: StepRow, toStepId: string | undefined): Way[] {
  const [branch] = exitsOf(from)
  return toStepId === undefined || branch === undefined ? [] : [{ fromStepId: from.id, toStepId, branch }]
}
