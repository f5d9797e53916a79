import type { OutboundRequest } from '../../../kit/outbound.ts'
import type { World } from '../../../kit/world.ts'
import type { FrozenStep } from '../graph/structure.ts'
import { ClaimLost, store } from '../run/advance.ts'
import { callClaim, cancelled, moveOf } from '../run/move.ts'
import type { StepMove, StoredRecord, TakenExecution } from '../run/sql.ts'
import { plain } from '../steps/kind.ts'
import type { Outcome } from '../steps/visit.ts'
import { errorExit } from '../steps/webhook.ts'
import { dueCallsTopic, dueExecutionsTopic, executionsTopic } from '../wake.ts'
import {
  type Attempted,
  type AttemptLine,
  delayAfter,
  isRetried,
  lineOf,
  linesBefore,
  maxAttempts,
  outputBefore,
  shownAnswer,
  whyGivenUp,
} from './outcomes.ts'
import type { Place } from './places.ts'
import type { ReceiverBusy } from './receivers.ts'
import { delayCall, removeCall } from './sql.ts'

/** A webhook that this worker has claimed. */
export interface Held {
  world: World
  claim: string
  place: Place
  projectId: string
  executionId: string
}

/** A webhook whose attempt has begun. */
export interface Begun {
  at: TakenExecution
  record: StoredRecord
  /** Null where its version has no such step any more. */
  step: FrozenStep | null
  attempts: number
  request: OutboundRequest
}

/** What came of an attempt, and when it was made; `interrupted` where this process has given it up itself, because it stops. */
export interface Made {
  attempted: Attempted
  at: Date
  durationMs: number
  interrupted: boolean
}

/** Records what came of an attempt: the step is done, or fails, or is tried again later. */
export async function recordAttempt(held: Held, begun: Begun, made: Made): Promise<void> {
  const { attempted, interrupted } = made
  const { attempts, record, request } = begun
  const lines = [...linesBefore(record.output, attempts - 1), lineOf(attempted, made)]
  if (isRetried(attempted) && (attempts < maxAttempts || interrupted)) return delay(held, begun, made, lines)
  const output = { url: request.url, method: request.method, ...('answer' in attempted && shownAnswer(attempted.answer)) }
  const durationMs = made.durationMs
  if (isRetried(attempted) || 'error' in attempted) {
    const error = whyGivenUp(attempts, attempted)
    return void (await fail(held, counted(begun), { step: begun.step, error, output: { ...output, durationMs, attempts: lines } }))
  }
  await settle(held, counted(begun), begun.step, { kind: 'leave', exit: plain, output: { ...output, durationMs, attempts: lines } })
}

// One that this process gave up is not counted, and made again at once by another.
async function delay(held: Held, { record, attempts }: Begun, made: Made, lines: AttemptLine[]): Promise<void> {
  const { world, claim, projectId, executionId } = held
  const now = world.clock.now()
  const waitMs = made.interrupted ? 0 : delayAfter(attempts, made.attempted, now)
  const count = made.interrupted ? attempts - 1 : attempts
  const next = new Date(now.getTime() + waitMs)
  const output = JSON.stringify({ attempts: made.interrupted ? lines.slice(0, -1) : lines })
  await world.db.run(delayCall, [projectId, executionId, claim, count, waitMs, world.clock.aheadMs, record.id, next, output, now])
  world.notices.publish(executionsTopic, projectId)
  if (made.interrupted) world.notices.publish(dueCallsTopic, projectId)
}

/** Lets a webhook whose receiver is slow wait for its turn, which is no attempt; its step says so. */
export async function postpone(held: Held, { record, attempts }: Begun, { message, waitMs }: ReceiverBusy): Promise<void> {
  const { world, claim, projectId, executionId } = held
  const now = world.clock.now()
  const next = new Date(now.getTime() + waitMs)
  const output = JSON.stringify({ attempts: linesBefore(record.output, attempts - 1), waiting: message })
  await world.db.run(delayCall, [projectId, executionId, claim, attempts - 1, waitMs, world.clock.aheadMs, record.id, next, output, now])
  world.notices.publish(executionsTopic, projectId)
}

function counted({ at, record, attempts }: Begun): TakenExecution {
  return { ...at, record: { ...record, attempts } }
}

/** A webhook that cannot be called, or was given up: takes the branch for that, or fails the execution. */
export async function fail(
  held: Held,
  at: TakenExecution,
  { step = null, error, output = {} }: { step?: FrozenStep | null; error: string; output?: object },
): Promise<null> {
  const hasBranch = step?.next.some(({ exit }) => exit === errorExit)
  const shown = { success: false, ...outputBefore(at.record?.output), ...output, error }
  return settle(held, at, step, hasBranch ? { kind: 'leave', exit: errorExit, output: shown } : { kind: 'fail', error, output: shown })
}

/** Cancels an execution instead of calling its webhook. */
export async function stop(held: Held, at: TakenExecution, reason: string): Promise<null> {
  return move(held, at, cancelled(at, reason, held.world.clock.now()))
}

async function settle(held: Held, at: TakenExecution, step: FrozenStep | null, outcome: Outcome): Promise<null> {
  const now = held.world.clock.now()
  const left = step ?? { id: at.stepId, next: [] }
  const record = at.record && { ...at.record, scheduledFor: null }
  return move(held, at, moveOf({ at: { ...at, record }, step: left, beganAt: now, now, lease: now, claim: null }, outcome))
}

// The execution moves on, or ends, together with what is recorded of its webhook.
async function move({ world, claim, projectId, executionId }: Held, at: TakenExecution, to: StepMove): Promise<null> {
  await store(world, callClaim, at, async (tx) => {
    const [removed] = await tx.run(removeCall, [projectId, executionId, claim])
    if (!removed) throw new ClaimLost()
    tx.afterCommit(() => {
      world.notices.publish(executionsTopic, projectId)
      if (to.wakeAt) world.notices.publish(dueExecutionsTopic, projectId)
    })
    return to
  })
  return null
}
