import { callerOf, isKnown, nameOf } from '../kit/callers.ts'
import type { Ctx } from '../kit/context.ts'
import { siteOf } from '../kit/networks.ts'
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
  // Of each account two have their turn, whose sizes are limited.
  diskInTurn: { max: 2_048 * megabyte, maxPerOwner: Number.POSITIVE_INFINITY },
}

const heldIn = perWorld(({ metrics }) => {
  const held = {
    memory: createAccounts(bounds.memory),
    disk: createAccounts(bounds.disk),
    diskInTurn: createAccounts(bounds.diskInTurn),
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
 * (IPv6 by /48) and account, in files of bodies without a turn 2 GB and 256 MB, and in files of those that have their turn 2 GB.
 */
export function holdBytes({ world, client, ...sender }: Sender, kind: keyof typeof bounds): Held {
  const { account = '', projectId = '', actor = { kind: 'nobody' } } = sender
  const caller = { account, projectId, actor, client }
  const address = siteOf(client.address)
  return heldIn(world)[kind].of(isKnown(caller) ? [address, nameOf(callerOf(caller))] : [address])
}

interface Accounts {
  /** What one body holds, which counts for each of its owners. */
  of(owners: readonly string[]): Held
  /** How much all of them hold at the moment, and how much they may. */
  use(): { taken: number; max: number }
}

function createAccounts({ max, maxPerOwner }: Bounds): Accounts {
  const held = createTally()
  const of = (owners: readonly string[]): Held => {
    let own = 0
    return {
      add(bytes) {
        own += bytes
        held.add(owners, bytes)
        return held.total <= max && owners.every((owner) => held.of(owner) <= maxPerOwner)
      },
      release() {
        held.add(owners, -own)
        own = 0
      },
    }
  }
  return { of, use: () => ({ taken: held.total, max }) }
}
