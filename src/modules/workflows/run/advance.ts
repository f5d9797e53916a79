import { callIn } from '../../../kit/context.ts'
import { Failure } from '../../../kit/errors.ts'
import { newId } from '../../../kit/ids.ts'
import { isTransient, type Transaction } from '../../../kit/postgres/db.ts'
import type { World } from '../../../kit/world.ts'
import { readContext } from '../executions/inputs/inputs.ts'
import { contactDeleted, logEnds, projectDisabled } from '../executions/log.ts'
import type { FrozenStep } from '../graph/structure.ts'
import { kinds } from '../steps/kinds.ts'
import type { Act, Outcome, Visit } from '../steps/visit.ts'
import { executionsTopic } from '../wake.ts'
import { cancelled, moveOf } from './move.ts'
import { applyMove, putBack, type StepMove, type TakenExecution } from './sql.ts'
import { stepOfVersion } from './versions.ts'

const laterMs = 1_000
const maxSteps = 10
const maxMs = 250

/**
 * Takes an execution that this worker has claimed from step to step, until it waits or ends: each step is one transaction with its
 * record, in which the claim must still be valid. What another worker has taken over is left to it. After 10 steps, or a step that
 * ends later than 250 ms, it returns the execution at its next step, which stays claimed, so that others have their turn; otherwise
 * null.
 */
export async function advanceExecution(world: World, claim: string, taken: TakenExecution): Promise<TakenExecution | null> {
  const { projectId, id } = taken
  const since = performance.now()
  let at: TakenExecution | null = taken
  for (let steps = 0; at && steps < maxSteps && performance.now() - since < maxMs; steps++) {
    try {
      at = await takeStep(world, claim, at)
    } catch (error) {
      if (!isTransient(error)) throw error
      await world.db.run(putBack, [projectId, id, claim, new Date(world.clock.now().getTime() + laterMs)])
      return null
    }
    world.notices.publish(executionsTopic, projectId)
  }
  return at
}

// Returns the execution at its next step, when it can be taken at once.
async function takeStep(world: World, claim: string, at: TakenExecution): Promise<TakenExecution | null> {
  const reason = at.contactDeleted ? contactDeleted : at.disabled ? projectDisabled : null
  if (reason !== null) return store(world, claim, at, () => cancelled(at, reason, world.clock.now()))
  const step = await stepOfVersion(world, at, at.stepId)
  if (!step)
    return store(world, claim, at, () => ({ ...cancelled(at, 'Its version has no such step.', world.clock.now()), status: 'FAILED' }))
  const visit = visitOf(world, at, step)
  const next = lease(world)
  const found = await runStep(world, step, visit)
  const move = (outcome: Outcome): StepMove => moveOf({ at, step, beganAt: visit.now, now: world.clock.now(), lease: next, claim }, outcome)
  if (typeof found !== 'function') return storePlain(world, claim, at, move(found))
  try {
    return await store(world, claim, at, async (tx) => move(await found(tx)))
  } catch (error) {
    const outcome = failureOf(world, visit, error)
    return store(world, claim, at, () => move(outcome))
  }
}

function lease({ clock, config }: World): Date {
  return new Date(clock.now().getTime() + config.CLAIM_SECONDS * 1_000)
}

function visitOf(world: World, at: TakenExecution, step: FrozenStep): Visit {
  const { projectId, id, workflowId, workflowName, contactId, startedAt, depth } = at
  const record = at.record && {
    ...at.record,
    startedAt: new Date(at.record.startedAt),
    scheduledFor: at.record.scheduledFor === null ? null : new Date(at.record.scheduledFor),
  }
  return {
    ctx: callIn(world, { projectId, actor: { kind: 'system' }, requestId: id }),
    executionId: id,
    workflow: { id: workflowId, name: workflowName },
    contactId,
    startedAt,
    restAt: at.restAt,
    cameAt: at.cameAt ?? world.clock.now(),
    depth: depth + 1,
    step,
    record,
    now: world.clock.now(),
    readContext: () => readContext(world, { projectId, id }),
  }
}

async function runStep(world: World, { type }: FrozenStep, visit: Visit): Promise<Outcome | Act> {
  try {
    return await kinds[type].run(visit)
  } catch (error) {
    return failureOf(world, visit, error)
  }
}

// A bug fails the execution as well: to try again would fail again, and do to the contact what came before twice.
function failureOf({ log }: World, { executionId, step }: Visit, error: unknown): Outcome {
  if (isTransient(error)) throw error
  if (error instanceof Failure && error.code === 'CONTACT_NOT_FOUND') return { kind: 'cancel', reason: contactDeleted }
  if (error instanceof Failure && error.status < 500) return { kind: 'fail', error: error.message }
  log.error({ err: error, execution: executionId, step: step.id }, 'workflows: a step failed unexpectedly')
  return { kind: 'fail', error: 'Something went wrong on our side.' }
}

// Most steps are one statement.
async function storePlain(world: World, claim: string, at: TakenExecution, move: StepMove): Promise<TakenExecution | null> {
  if (move.endedAt) return store(world, claim, at, () => move)
  const now = world.clock.now()
  const [applied] = await world.db.run(applyMove, [at.projectId, at.id, claim, now, JSON.stringify(move)])
  return applied && move.claim === claim ? nextOf(at, move, { ...applied, now }) : null
}

type Moving = (tx: Transaction) => StepMove | Promise<StepMove>

/**
 * Stores what `moving` returns, in the transaction that it may use, as far as the execution still has that claim. Returns the execution
 * at its next step when that can be taken at once.
 */
export async function store(world: World, claim: string, at: TakenExecution, moving: Moving): Promise<TakenExecution | null> {
  try {
    return await world.db.transaction(async (tx) => {
      const move = await moving(tx)
      const now = world.clock.now()
      const [applied] = await tx.run(applyMove, [at.projectId, at.id, claim, now, JSON.stringify(move)])
      if (!applied) throw new ClaimLost()
      if (move.endedAt) {
        await logEnds(tx, world, [{ ...at, status: move.status, reason: move.reason }])
      }
      return move.claim === claim ? nextOf(at, move, { ...applied, now }) : null
    })
  } catch (error) {
    if (error instanceof ClaimLost) return null
    throw error
  }
}

/** Somebody has cancelled the execution meanwhile, or another worker has taken it over: nothing is stored. */
export class ClaimLost extends Error {}

type Applied = { disabled: boolean; contactDeleted: boolean; now: Date }

function nextOf(at: TakenExecution, move: StepMove, now: Applied): TakenExecution {
  const { disabled, contactDeleted: isDeleted } = now
  const stepId = move.nextStepId ?? at.stepId
  const stays = stepId === at.stepId && move.recordId !== null && move.stepStatus !== null
  const record = stays
    ? {
        id: move.recordId ?? '',
        status: move.stepStatus ?? 'RUNNING',
        input: move.input,
        output: move.output,
        attempts: move.attempts,
        startedAt: at.record?.startedAt ?? move.beganAt ?? now.now,
        scheduledFor: move.endsAt,
      }
    : null
  return {
    ...at,
    stepId,
    record,
    disabled,
    contactDeleted: isDeleted,
    restAt: move.restAt ?? at.restAt,
    cameAt: move.restAt ?? move.leftAt ?? at.cameAt,
  }
}

/** The id of the claim of one batch. */
export function newClaim({ clock }: Pick<World, 'clock'>): string {
  return newId('claim', clock.now())
}
