import { loop } from '../../../kit/loop.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { renewClaims, undoUnanswered } from '../queue/claim.ts'
import { keepLease, releaseLease } from '../queue/lease/lease.ts'
import { createQueue } from '../queue/queue.ts'
import { findTurns, wakeDue } from '../queue/sql.ts'
import { pausedMs } from '../queue/waits.ts'
import { type DeliverJob, lanes } from '../shapes.ts'
import { deliverClaimed } from './attempt.ts'
import { maxClaimed } from './connect.ts'
import { wakeResumed } from './pauses.ts'
import { closeRenderers, openRenderers } from './renderers.ts'
import { wakeAhead } from './sql.ts'
import { checkTransport, transportOf, transportState } from './transport.ts'

/**
 * Starts delivering the emails of the projects in a job and returns at once: the queue table says which emails there are. A
 * lost job only delays them until the next sweep.
 */
export async function deliverEmails(world: World, { turns }: DeliverJob): Promise<void> {
  queueOf(world).offer(turns.map(([projectId, lane]) => ({ projectId, lane })))
}

/**
 * Finds what jobs do not announce: emails whose next attempt is due, whose job was lost, or whose worker has stopped. Returns
 * whether there may be more that is due.
 */
export async function sweepEmails(world: World): Promise<boolean> {
  if (world.closing.aborted) return false
  await renewClaims(world)
  await undoUnanswered(world)
  const resumed = await wakeResumed(world, maxWoken)
  const woken = await world.db.lookups.run(wakeDue, [world.clock.aheadMs, maxWoken])
  const turns = await world.db.lookups.run(findTurns, [])
  queueOf(world).offer(turns.flatMap(({ projectId, lane }) => (lanes[lane] ? [{ projectId, lane: lanes[lane] }] : [])))
  return resumed || woken.length === maxWoken
}

/**
 * Lets emails be attempted that wait for a time which is further away than any that an email waits for, because the clock of Postgres was
 * set back: otherwise they would wait for as long. Returns whether there may be more.
 */
export async function wakeStalled(world: World): Promise<boolean> {
  const woken = await world.db.lookups.run(wakeAhead, [world.clock.aheadMs, maxWoken, pausedMs + hourMs])
  return woken.length === maxWoken
}

/** Waits until this process is delivering no email and may deliver none now. */
export function deliveryIdle(world: World): Promise<void> {
  return queueOf(world).idle()
}

/** Starts the loops of a delivering process; they end with the world, once every delivery under way is settled. */
export function startDelivery(world: World): void {
  openRenderers(world)
  const stopKeeping = keepLease(world, () => renewClaims(world))
  const loops = [
    loop(world, { name: 'emails sweep', everyMs: sweepMs, work: () => sweepEmails(world) }),
    loop(world, { name: 'stalled emails', everyMs: stalledMs, work: () => wakeStalled(world) }),
    loop(world, { name: 'mail server check', everyMs: checkMs, work: () => checkTransport(world) }),
  ]
  world.atClose(async () => {
    await Promise.all(loops)
    await deliveryIdle(world)
    stopKeeping()
    await releaseLease(world)
  })
}

const sweepMs = 2_000
const stalledMs = 30_000
// What is put aside is due again by the clock of then: a few seconds more are no reason to look at all of it.
const hourMs = 3_600_000
// Only while the mail server is not known to work; otherwise each delivery reports its state.
const checkMs = 10_000
const maxWoken = 1_000

const queueOf = perWorld((world) => {
  const queue = createQueue(world, {
    deliver: (email) => deliverClaimed(world, email),
    // While the mail server cannot be used, emails stay in the queue: what was attempted would wait longer than the server does.
    mayStart: () => transportState(world).state !== 'unavailable',
    maxClaimed: (lane, account) => maxClaimed(world, lane, account),
  })
  world.atClose(async () => {
    await queue.idle()
    await Promise.all([transportOf(world).close(), closeRenderers(world)])
  })
  return queue
})
