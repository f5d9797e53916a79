import { loop } from '../../../kit/loop.ts'
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
    await benchOf(world).seat(() => deliverEmail(world, { projectId, id }))
  }
}

/** Picks up mails whose time has come: next attempts, lapsed claims, lost jobs. True when there may be more. */
export async function sweepEmails(world: World): Promise<boolean> {
  const bench = benchOf(world)
  const most = Math.min(mostSwept, bench.free())
  if (most === 0 || world.closing.aborted) return false
  const mails = await claimDueEmails(world, most)
  for (const mail of mails) {
    await paceProcess(world)
    await bench.seat(() => deliverClaimed(world, mail))
  }
  return mails.length === mostSwept
}

/** Waits until no mail is under way in this process. */
export function deliveryIdle(world: World): Promise<void> {
  return benchOf(world).idle()
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
const mostSwept = 100
const seats = 200

// Mails under way in this process, at most so many.
const benchOf = perWorld((world) => {
  let taken = 0
  let waiting: (() => void)[] = []
  const stir = (): void => {
    const woken = waiting
    waiting = []
    for (const wake of woken) wake()
  }
  const change = (): Promise<void> => new Promise((resolve) => waiting.push(resolve))
  return {
    free: () => seats - taken,
    async seat(work: () => Promise<void>): Promise<void> {
      while (taken >= seats) await change()
      taken++
      void work()
        .catch((error: unknown) => world.log.error({ err: error }, 'emails: a mail was given back to be taken up later'))
        .finally(() => {
          taken--
          stir()
        })
    },
    async idle(): Promise<void> {
      while (taken > 0) await change()
    },
  }
})
