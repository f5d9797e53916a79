import { loop } from '../../../kit/loop.ts'
import { createSlots } from '../../../kit/slots.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import type { DeliverJob } from '../shapes.ts'
import { deliverClaimed, deliverEmail } from './attempt.ts'
import { claimDueEmails, keepClaims } from './claim.ts'
import { paceProcess } from './throttle.ts'
import { checkTransport, transportOf } from './transport.ts'

/**
 * Starts delivering the emails of a job and returns, waiting only while every slot is in use. The rows record what is
 * still to do: a slow delivery does not block the job, and after a crash the emails are delivered at their wake_at.
 */
export async function deliverEmails(world: World, { emails }: DeliverJob): Promise<void> {
  for (const [projectId, id] of emails) {
    if (world.closing.aborted) return
    await paceProcess(world)
    await slotsOf(world).start(() => deliverEmail(world, { projectId, id }))
  }
}

/** Delivers emails that are due: next attempts, expired claims, lost jobs. Returns whether there may be more. */
export async function sweepEmails(world: World): Promise<boolean> {
  const slots = slotsOf(world)
  const free = Math.min(maxSwept, slots.free())
  if (free === 0 || world.closing.aborted) return false
  const emails = await claimDueEmails(world, free)
  for (const email of emails) {
    await paceProcess(world)
    await slots.start(() => deliverClaimed(world, email))
  }
  return emails.length === maxSwept
}

/** Waits until this process is delivering no email. */
export function deliveryIdle(world: World): Promise<void> {
  return slotsOf(world).idle()
}

/** Starts the loops of a delivering process; they end with the world, once every delivery under way is settled. */
export function startDelivery(world: World): void {
  const loops = [
    keepClaims(world),
    loop(world, { name: 'emails sweep', everyMs: sweepMs, work: () => sweepEmails(world) }),
    loop(world, { name: 'mail server check', everyMs: checkMs, work: () => checkTransport(world) }),
  ]
  world.atClose(async () => {
    await deliveryIdle(world)
    await Promise.all(loops)
    await transportOf(world).close()
  })
}

const sweepMs = 2_000
// Only while the mail server is not known to work; otherwise each delivery reports its state.
const checkMs = 30_000
const maxSwept = 100
const maxUnderWay = 200

const slotsOf = perWorld((world) =>
  createSlots(maxUnderWay, (error) => world.log.error({ err: error }, 'emails: a delivery failed unexpectedly and will be tried again')),
)
