import type { Ctx } from '../kit/context.ts'
import { networkOf } from '../kit/networks.ts'
import { createTally } from '../kit/tally.ts'
import { perWorld } from '../kit/world.ts'

/** What one connection holds of something that all of a process share. */
export interface Held {
  /** Adds to it, or with a negative number gives back; says whether that is within the bounds, and counts in any case. */
  add(bytes: number): boolean
  /** Gives everything back. */
  release(): void
}

interface Bounds {
  max: number
  maxPerOwner: number
}

const megabyte = 1024 * 1024
const bounds = {
  memory: { max: 128 * megabyte, maxPerOwner: 32 * megabyte },
  disk: { max: 2_048 * megabyte, maxPerOwner: 256 * megabyte },
}

const heldIn = perWorld(({ metrics }) => {
  const held = { memory: createAccounts(bounds.memory), disk: createAccounts(bounds.disk) }
  metrics.reserved.watch('arriving_bodies', held.memory)
  metrics.reserved.watch('arriving_files', held.disk)
  return held
})

/**
 * Counts what the bodies that have not arrived completely hold: in memory 128 MB per process and 32 MB per client address (IPv6
 * by /64), and in files of bodies without a turn 2 GB and 256 MB.
 */
export function holdBytes({ world, client }: Pick<Ctx, 'world' | 'client'>, kind: keyof typeof bounds): Held {
  return heldIn(world)[kind].of(networkOf(client.address))
}

interface Accounts {
  /** A new account of a client address. */
  of(owner: string): Held
  /** How much all of them hold at the moment, and how much they may. */
  use(): { taken: number; max: number }
}

function createAccounts({ max, maxPerOwner }: Bounds): Accounts {
  const held = createTally()
  const of = (owner: string): Held => {
    let own = 0
    return {
      add(bytes) {
        own += bytes
        held.add(owner, bytes)
        return held.of(owner) <= maxPerOwner && held.total <= max
      },
      release() {
        held.add(owner, -own)
        own = 0
      },
    }
  }
  return { of, use: () => ({ taken: held.total, max }) }
}
