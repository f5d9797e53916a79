import { randomBytes } from 'node:crypto'
import { perWorld, type World } from '../../../../kit/world.ts'
import { endLease, renewLease } from './sql.ts'

/**
 * The lease of this process: the claims of its emails hold as long as it is renewed. Times are Postgres's and the monotonic
 * clock's, because the clocks of two machines may differ.
 */
export interface Lease {
  /** The name of this process in claims. */
  readonly worker: string
  /**
   * Whether the lease holds, as far as this process knows: as long as it does, no other worker claims its emails. A process that
   * was stopped sees that it has run out meanwhile; where the whole machine was suspended, its clock may have stood still.
   */
  holds(): boolean
  /**
   * Renews the lease, unless it was renewed recently. When it had ended meanwhile, other workers may have claimed emails of this
   * process: then `afterEnd` finds out which, before the lease holds again.
   */
  renew(afterEnd: () => Promise<void>): Promise<void>
  /** Its end by Postgres's clock, in ms since 1970, as of its last renewal; 0 before the first. */
  endMs(): number
  /** Whether this process may take over the emails of workers whose lease has ended. */
  mayTakeOver(): boolean
}

/** The lease of this process. */
export const leaseOf: (world: World) => Lease = perWorld((world) => {
  const { db, clock, config } = world
  const lengthMs = config.CLAIM_SECONDS * 1_000
  const worker = `wrk_${randomBytes(9).toString('base64url')}`
  const now = (): number => performance.now() + clock.aheadMs
  let until = Number.NEGATIVE_INFINITY
  let endMs = 0
  // When this process starts, and after Postgres was unavailable, the others get the time to record what they have sent and to
  // renew their leases.
  let takesOverFrom = now() + lengthMs
  let failed = false
  let ended = false

  return {
    worker,
    holds: () => now() < until,
    endMs: () => endMs,
    mayTakeOver: () => !failed && now() >= takesOverFrom,
    async renew(afterEnd) {
      const started = now()
      if (!failed && started < until - (lengthMs * 2) / 3) return
      const first = until === Number.NEGATIVE_INFINITY
      const interrupted = failed
      failed = true
      const [row] = await db.run(renewLease, [worker, config.CLAIM_SECONDS, clock.aheadMs])
      ended ||= !first && row?.held !== true
      if (interrupted || ended) takesOverFrom = now() + lengthMs
      if (ended) await afterEnd()
      ended = false
      failed = false
      until = started + lengthMs
      endMs = row?.endMs ?? 0
    },
  }
})

/**
 * Keeps the lease until the returned function is called, also while the world closes, because emails are still being handed over
 * then: `renew` is called often enough to renew it three times per CLAIM_SECONDS, and soon after a failure.
 */
export function keepLease({ config, log }: World, renew: () => Promise<void>): () => void {
  const everyMs = Math.min(500, (config.CLAIM_SECONDS * 1_000) / 6)
  const timer = setInterval(() => {
    renew().catch((error: unknown) => log.debug({ err: error }, 'delivery lease: failed, will be retried'))
  }, everyMs).unref()
  return () => clearInterval(timer)
}

/** Ends the lease of this process, which holds no emails any more. */
export async function releaseLease(world: World): Promise<void> {
  await world.db.run(endLease, [leaseOf(world).worker, world.clock.aheadMs])
}
