import { loop } from '../../../kit/loop.ts'
import { createSlots } from '../../../kit/slots.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import type { DeliverJob } from '../shapes.ts'
import { deliverClaimed, deliverEmail } from './attempt.ts'
import { claimDueEmails, keepClaims } from './claim.ts'
import { paceProcess } from './throttle.ts'
import { checkTransport, transportOf } from './transport.ts'

/**
 * Takes the mails of a job into this process and returns, waiting only while it is full: the rows keep what is still to
 * do, so a slow mail holds up no job, and a crash only costs the time until their wake_at.
 */
export async function deliverEmails(world: World, { emails }: DeliverJob): Promise<void> {
  for (const [projectId, id] of emails) {
    if (world.closing.aborted) return
    await paceProcess(world)
    await slotsOf(world).start(() => deliverEmail(world, { projectId, id }))
  }
}

/** Picks up mails whose time has come: next attempts, lapsed claims, lost jobs. True when there may be more. */
export async function sweepEmails(world: World): Promise<boolean> {
  const slots = slotsOf(world)
  const free = Math.min(maxSwept, slots.free())
  if (free === 0 || world.closing.aborted) return false
  const mails = await claimDueEmails(world, free)
  for (const mail of mails) {
    await paceProcess(world)
    await slots.start(() => deliverClaimed(world, mail))
  }
  return mails.length === maxSwept
}

/** Waits until no mail is under way in this process. */
export function deliveryIdle(world: World): Promise<void> {
  return slotsOf(world).idle()
}

/** Starts what a delivering process does beside its jobs; ends with the world, when every mail under way is settled. */
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
// While the mail server cannot be used; otherwise what is sent tells.
const checkMs = 30_000
const maxSwept = 100
const maxUnderWay = 200

const slotsOf = perWorld((world) =>
  createSlots(maxUnderWay, (error) => world.log.error({ err: error }, 'emails: a mail was given back to be taken up later')),
)
