import { newId } from '../../../kit/ids.ts'
import type { FrozenStep } from '../graph/structure.ts'
import type { Outcome } from '../steps/visit.ts'
import type { StepMove, TakenExecution } from './sql.ts'

/** A visit of a step, and how the worker holds the execution. */
export interface Visited {
  at: TakenExecution
  step: Pick<FrozenStep, 'id' | 'next'>
  /** When the visit began. */
  beganAt: Date
  /** After the step has run: when it ends, where it does. */
  now: Date
  /** The end of the lease, where the worker goes on; now, where it does not. */
  lease: Date
  /** Null where another worker goes on. */
  claim: string | null
}

/** The claim of an execution whose webhook is being called: see WorkflowCall. */
export const callClaim = 'call'

/** What is stored of a visit that had an outcome. */
export function moveOf(visited: Visited, outcome: Outcome): StepMove {
  if (outcome.kind === 'cancel') return cancelled(visited.at, outcome.reason, visited.now)
  const base = baseOf(visited, outcome)
  if (outcome.kind === 'wait') return waiting(visited, base, outcome)
  if (outcome.kind === 'call') return calling(visited, base)
  if (outcome.kind === 'fail') {
    const { error } = outcome
    return { ...base, ...ended(visited), stepStatus: 'FAILED', error, failed: 1, status: 'FAILED', reason: error }
  }
  const rest = outcome.kind === 'leave' ? outcome.rest : undefined
  const left = { ...base, completed: 1, restAt: rest?.at ?? null, restPlace: rest?.place ?? null }
  if (outcome.kind === 'exit') return { ...left, ...ended(visited), status: 'EXITED', reason: outcome.reason }
  const { exit } = outcome
  const next = visited.step.next.find((one) => one.exit === exit)
  if (!next) return { ...left, ...ended(visited), branch: exit, status: 'COMPLETED', nextStepId: null }
  return { ...left, branch: exit, status: 'RUNNING', nextStepId: next.stepId, wakeAt: visited.lease, claim: visited.claim }
}

/** What is stored of an execution that is cancelled at a step. */
export function cancelled({ stepId, record }: TakenExecution, reason: string, now: Date): StepMove {
  return {
    ...nothing,
    recordId: record?.id ?? null,
    stepId,
    stepStatus: 'CANCELLED',
    attempts: record?.attempts ?? 1,
    leftAt: now,
    status: 'CANCELLED',
    reason,
    endedAt: now,
  }
}

const nothing: StepMove = {
  recordId: null,
  stepId: '',
  stepStatus: null,
  output: null,
  error: null,
  branch: null,
  attempts: 1,
  input: null,
  endsAt: null,
  beganAt: null,
  leftAt: null,
  entered: 0,
  completed: 0,
  failed: 0,
  status: 'RUNNING',
  nextStepId: null,
  wakeAt: null,
  waitsFor: null,
  claim: null,
  reason: null,
  endedAt: null,
  restAt: null,
  restPlace: null,
}

function baseOf({ at: { record }, step, beganAt, now }: Visited, { output }: Outcome): StepMove {
  return {
    ...nothing,
    recordId: record?.id ?? newId('stepExecution', now),
    stepId: step.id,
    stepStatus: 'COMPLETED',
    output: output ?? null,
    attempts: record?.attempts ?? 1,
    endsAt: record?.scheduledFor ? new Date(record.scheduledFor) : null,
    beganAt: record ? null : beganAt,
    leftAt: now,
    entered: record ? 0 : 1,
  }
}

function ended({ step, now }: Visited): Pick<StepMove, 'nextStepId' | 'endedAt'> {
  return { nextStepId: step.id, endedAt: now }
}

// A wait for an event is looked at again at once by the same worker.
function waiting({ step, lease, claim, now }: Visited, base: StepMove, outcome: Outcome & { kind: 'wait' }): StepMove {
  const { wakeAt, endsAt, waitsFor = null } = outcome
  const goesOn = wakeAt !== null && wakeAt <= now
  return {
    ...base,
    stepStatus: 'WAITING',
    endsAt,
    leftAt: null,
    status: 'WAITING',
    nextStepId: step.id,
    wakeAt: goesOn ? lease : wakeAt,
    waitsFor,
    claim: goesOn ? claim : null,
  }
}

// Until the webhook has been called, nothing else looks at the execution.
function calling({ step }: Visited, base: StepMove): StepMove {
  return { ...base, stepStatus: 'RUNNING', leftAt: null, status: 'RUNNING', nextStepId: step.id, claim: callClaim }
}
