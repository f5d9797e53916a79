import { createBudget } from '../../../kit/budget.ts'
import { type OutboundAnswer, OutboundError, type OutboundRequest } from '../../../kit/outbound.ts'
import { isTransient } from '../../../kit/postgres/db.ts'
import { createSignal } from '../../../kit/signal.ts'
import { TaskDropped } from '../../../kit/threads.ts'
import { createTurns } from '../../../kit/turns.ts'
import { parseUrl } from '../../../kit/urls.ts'
import { signatureHeaders } from '../../../kit/webhook-signature.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { getSigningSecrets } from '../../projects/webhook-secrets.ts'
import { contactDeleted, projectDisabled } from '../executions/log.ts'
import type { FrozenStep } from '../graph/structure.ts'
import type { TakenExecution } from '../run/sql.ts'
import { stepOfVersion } from '../run/versions.ts'
import type { WebhookConfig } from '../steps/webhook.ts'
import { executionsTopic } from '../wake.ts'
import { type Attempted, linesBefore, maxAttempts, resultOf, shownRequest } from './outcomes.ts'
import type { Place } from './places.ts'
import { approach, ReceiverBusy, slowAfterMs } from './receivers.ts'
import { buildRequest } from './request.ts'
import { type Begun, fail, type Held, postpone, recordAttempt, stop } from './settle.ts'
import { beginCall, type ClaimedCall, loadCall, releaseCall, removeStale, selectHeld, storeRequest } from './sql.ts'

/** How long a receiver may take in all, in ms, and how much of its answer is read, in bytes. */
export const callLimits = { timeoutMs: 10_000, maxBytes: 64 * 1024 }

// Of the requests that are under way: those at quick places, and all others. And of those that are being rendered.
const maxBytesUnderWay = { quick: 32 * 1024 * 1024, slow: 64 * 1024 * 1024 }
const bytesPerCall = 128 * 1024
const maxRendering = 3
// Of these few take most of the memory, and those of one account not all of their places.
const largeBytes = 512 * 1024
const maxLarge = 4
// From the end of the receivers on that are being called while the process stops.
const closeMs = 5_000
const insistMs = 500

const shared = perWorld((world) => {
  const ending = new AbortController()
  const end = (): void => void setTimeout(() => ending.abort(), closeMs).unref()
  if (world.closing.aborted) end()
  else world.closing.addEventListener('abort', end, { once: true })
  const roomOf = (group: Place['group'], name: string) => {
    const memory = createBudget(maxBytesUnderWay[group])
    world.metrics.reserved.watch(name, memory)
    return { memory, large: createTurns({ max: maxLarge, maxPerOwner: 1 }) }
  }
  return {
    quick: roomOf('quick', 'webhooks'),
    slow: roomOf('slow', 'slow_webhooks'),
    rendering: createTurns({ max: maxRendering, maxPerOwner: 1 }),
    ending: ending.signal,
  }
})

/** A webhook that this worker has claimed, and its place. */
export interface PlacedCall extends ClaimedCall {
  claim: string
  place: Place
}

/**
 * Calls a webhook that this worker has claimed: renders its request, unless that was done before; counts the attempt; calls, with
 * nothing of the database held meanwhile; and records what came of it. What another worker has taken over, or somebody has cancelled,
 * is left as it is.
 */
export async function makeCall(world: World, { claim, projectId, executionId, place, bytes: known }: PlacedCall): Promise<void> {
  const held: Held = { world, claim, place, projectId, executionId }
  try {
    const bytes = known ?? (await shared(world).rendering.run(projectId, () => prepare(held)))
    if (bytes === null) return
    if (bytes < largeBytes) await attemptWithin(held, bytes)
    else await attemptLarge(held, bytes)
  } catch (error) {
    await recover(held, error)
  }
}

// One that takes long leaves its turn to others.
async function attemptLarge(held: Held, bytes: number): Promise<void> {
  const { world, place } = held
  let attempted: Promise<void> | undefined
  await shared(world)[place.group].large.run(place.owner, () => {
    attempted = attemptWithin(held, bytes)
    return Promise.race([attempted, place.moved])
  })
  await attempted
}

// The text, its octets and their way out; and what is read of the answer.
async function attemptWithin(held: Held, bytes: number): Promise<void> {
  const { world, place } = held
  const { slow } = shared(world)
  const amount = bytes * 3 + bytesPerCall
  const { group, owner } = place
  const taken = [await shared(world)[group].memory.take(amount, owner)]
  const giveBack = (): void => {
    for (const one of taken) one()
  }
  let ended = false
  // One that takes long gives the memory of the quick ones back as soon as it has some of the others'.
  if (group === 'quick')
    void place.moved
      .then(() => slow.memory.take(amount, owner))
      .then((one) => {
        giveBack()
        if (ended) one()
        else taken.push(one)
      })
  try {
    await attempt(held)
  } finally {
    ended = true
    giveBack()
  }
}

// Renders the request and stores it, so that every attempt sends the same; returns its size, or null where there is nothing to call.
async function prepare(held: Held): Promise<number | null> {
  const { world, claim, projectId, executionId } = held
  const [call] = await world.db.run(loadCall, [projectId, executionId, claim])
  if (!call?.record) return drop(held)
  const reason = whyStopped(call)
  if (reason !== null) return stop(held, call, reason)
  const step = await stepOf(world, call)
  if (!step) return fail(held, call, { error: 'Its version has no such step.' })
  const built = await buildRequest(world, step.config as WebhookConfig, call)
  if (built.kind === 'failed') return fail(held, call, { step, error: built.reason })
  const request = JSON.stringify(built.request)
  const shown = JSON.stringify(shownRequest(built.request))
  const [stored] = await world.db.run(storeRequest, [projectId, executionId, claim, request, call.record.id, shown])
  return stored ? Buffer.byteLength(request) : null
}

function whyStopped({ contactDeleted: isDeleted, disabled }: TakenExecution): string | null {
  return isDeleted ? contactDeleted : disabled ? projectDisabled : null
}

async function stepOf(world: World, at: TakenExecution): Promise<FrozenStep | null> {
  return stepOfVersion(world, at, at.stepId)
}

async function attempt(held: Held): Promise<void> {
  const { world, claim, projectId, executionId } = held
  if (world.closing.aborted) return release(held)
  const secrets = await getSigningSecrets({ ...world, projectId })
  const leaseMs = callLimits.timeoutMs + world.config.CLAIM_SECONDS * 1_000
  const [row] = await world.db.run(beginCall, [projectId, executionId, claim, leaseMs, world.clock.aheadMs, maxAttempts])
  if (!row?.record) return void (await drop(held))
  const reason = whyStopped(row)
  if (reason !== null) return void (await stop(held, row, reason))
  const step = await stepOf(world, row)
  if (row.attempts === null || row.request === null) {
    const error = 'The process that called ended before it could record the answer, several times.'
    return void (await fail(held, row, { step, error, output: { attempts: linesBefore(row.record.output, maxAttempts) } }))
  }
  world.notices.publish(executionsTopic, projectId)
  const begun: Begun = { at: row, record: row.record, step, attempts: row.attempts, request: JSON.parse(row.request) as OutboundRequest }
  const at = world.clock.now()
  const started = performance.now()
  const attempted = await exchange(held, begun, secrets)
  if (attempted instanceof ReceiverBusy) return insist(world, () => postpone(held, begun, attempted))
  const durationMs = Math.round(performance.now() - started)
  const interrupted = 'error' in attempted && shared(world).ending.aborted
  world.metrics.webhookCalls.inc({ result: interrupted ? 'interrupted' : resultOf(attempted, begun.attempts) })
  await insist(world, () => recordAttempt(held, begun, { attempted, at, durationMs, interrupted }))
}

// The receiver has been called: while Postgres is away, to begin again would call it twice.
async function insist(world: World, work: () => Promise<void>): Promise<void> {
  const pause = createSignal(world.closing)
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isTransient(error) || world.closing.aborted) throw error
      await pause.wait(insistMs)
    }
  }
}

async function exchange({ world, place }: Held, { request, record }: Begun, secrets: string[]): Promise<Attempted | ReceiverBusy> {
  const signature = signatureHeaders({ id: record.id, at: world.clock.now(), body: request.body ?? '' }, secrets)
  const receiver = approach(world, place.owner)
  const answered = place.call()
  const started = performance.now()
  let wasSlow: boolean | undefined
  try {
    // Also where its name cannot be looked up.
    receiver.meet(parseUrl(request.url)?.host ?? request.url)
    const signed = { ...request, headers: { ...request.headers, ...signature } }
    const limits = { ...callLimits, signal: shared(world).ending, meets: receiver.meet }
    const answer: OutboundAnswer = await world.outbound.send(signed, limits)
    wasSlow = performance.now() - started >= slowAfterMs
    return { answer }
  } catch (error) {
    if (error instanceof ReceiverBusy) return error
    if (!(error instanceof OutboundError)) throw error
    wasSlow = shared(world).ending.aborted ? undefined : error.late || performance.now() - started >= slowAfterMs
    return { error: error.message, mayRetry: error.kind === 'unavailable' }
  } finally {
    receiver.end(wasSlow)
    if (wasSlow !== undefined) answered()
  }
}

// Another worker has it, or it goes with its execution; where an older version of this program has ended that, it is still there.
async function drop({ world, claim, projectId, executionId }: Held): Promise<null> {
  await world.db.run(removeStale, [projectId, executionId, claim])
  return null
}

async function release({ world, claim, projectId, executionId }: Held): Promise<void> {
  await world.db.run(releaseCall, [projectId, executionId, claim, world.clock.aheadMs])
}

// What passes is tried again when the lease has run out. A bug would come again each time, and the receiver be called each time.
async function recover(held: Held, error: unknown): Promise<void> {
  const { world, claim, projectId, executionId } = held
  if (error instanceof TaskDropped) return release(held)
  if (isTransient(error)) return world.log.debug({ err: error }, 'webhooks: will be tried again')
  world.log.error({ err: error, execution: executionId }, 'webhooks: a call failed unexpectedly')
  const [at] = await world.db.run(selectHeld, [projectId, executionId, claim])
  if (at) await fail(held, at, { step: await stepOf(world, at), error: 'Something went wrong on our side.' })
}
