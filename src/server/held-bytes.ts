import type { Ctx } from '../kit/context.ts'
import { networkOf } from '../kit/networks.ts'
import { perWorld } from '../kit/world.ts'

/** What one unfinished body holds of something that all of a process share. */
export interface Held {
  /** Adds to it, and says whether that is within the bounds; it counts in any case. */
  add(bytes: number): boolean
  /** Gives everything back. */
  release(): void
}

interface Bounds {
  max: number
  maxPerAddress: number
}

const megabyte = 1024 * 1024
const bounds = {
  memory: { max: 128 * megabyte, maxPerAddress: 32 * megabyte },
  disk: { max: 2_048 * megabyte, maxPerAddress: 256 * megabyte },
}

const heldIn = perWorld(() => ({ memory: createAccounts(bounds.memory), disk: createAccounts(bounds.disk) }))

/**
 * Counts what the bodies that have not arrived completely hold: in memory 128 MB per process and 32 MB per client address (IPv6
 * by /64), and in files of bodies without a turn 2 GB and 256 MB.
 */
export function holdBytes({ world, client }: Pick<Ctx, 'world' | 'client'>, kind: keyof typeof bounds): Held {
  return heldIn(world)[kind](networkOf(client.address))
}

function createAccounts({ max, maxPerAddress }: Bounds): (address: string) => Held {
  const ofAddresses = new Map<string, number>()
  let total = 0
  const change = (address: string, bytes: number): number => {
    total += bytes
    const left = (ofAddresses.get(address) ?? 0) + bytes
    if (left > 0) ofAddresses.set(address, left)
    else ofAddresses.delete(address)
    return left
  }
  return (address) => {
    let own = 0
    return {
      add(bytes) {
        own += bytes
        return change(address, bytes) <= maxPerAddress && total <= max
      },
      release() {
        change(address, -own)
        own = 0
      },
    }
  }
}
