import { callerOf, isKnown, nameOf } from '../kit/callers.ts'
import type { Ctx } from '../kit/context.ts'
import { siteOf } from '../kit/networks.ts'
import { perWorld } from '../kit/world.ts'
import { createByteBudget } from './byte-budget.ts'

/** What one connection holds of something that all of a process share. */
export interface Held {
  /** Adds to it, or with a negative number gives back; says whether that is within the bounds, and counts in any case. */
  add(bytes: number): boolean
  /** From now on the connection is cut off when others need its room. */
  yields(cutOff: () => void): void
  /** Gives everything back, once and for all. */
  release(): void
}

const megabyte = 1024 * 1024
// Who holds little finds room however much others do; for that, what has been on its way for long is cut off.
const shared = { maxPerOwnerAtOnce: Number.POSITIVE_INFINITY, littlePerOwner: megabyte, oldMs: 10_000 }
const plans = {
  memory: { ...shared, max: 128 * megabyte, maxAtOnce: 256 * megabyte, maxPerOwner: 32 * megabyte },
  disk: { ...shared, max: 2_048 * megabyte, maxAtOnce: 4_096 * megabyte, maxPerOwner: 256 * megabyte },
  // Of each account two have their turn, whose sizes are limited.
  diskInTurn: { ...shared, max: 2_048 * megabyte, maxAtOnce: 4_096 * megabyte, maxPerOwner: Number.POSITIVE_INFINITY },
}

const heldIn = perWorld(({ metrics, clock }) => {
  const now = () => clock.now().getTime()
  const held = {
    memory: createByteBudget(plans.memory, now),
    disk: createByteBudget(plans.disk, now),
    diskInTurn: createByteBudget(plans.diskInTurn, now),
  }
  metrics.reserved.watch('arriving_bodies', held.memory)
  metrics.reserved.watch('arriving_files', held.disk)
  metrics.reserved.watch('arriving_files', held.diskInTurn)
  return held
})

/** Whose body it is: of a client address, and once it is authenticated of an account as well. */
export type Sender = Pick<Ctx, 'world' | 'client'> & Partial<Pick<Ctx, 'account' | 'projectId' | 'actor'>>

/**
 * Counts what the bodies that nobody works on yet hold, after decompression: in memory 128 MB per process and 32 MB per client address
 * (IPv6 by /48) and account, in files of bodies without a turn 2 GB and 256 MB, and in files of those that have their turn 2 GB. Where
 * all together hold so much, an address and account that hold 1 MB find room nevertheless, and what holds memory for 10 s, of who
 * holds most, is cut off.
 */
export function holdBytes({ world, client, ...sender }: Sender, kind: keyof typeof plans): Held {
  const { account = '', projectId = '', actor = { kind: 'nobody' } } = sender
  const caller = { account, projectId, actor, client }
  const address = siteOf(client.address)
  const taken = heldIn(world)[kind].of(isKnown(caller) ? [address, nameOf(callerOf(caller))] : [address])
  return {
    add(bytes) {
      const fits = bytes <= 0 || taken.full(bytes) === undefined
      taken.add(bytes)
      return fits
    },
    yields: taken.yields,
    release: taken.release,
  }
}
