import type { Ctx } from '../kit/context.ts'
import { networkOf } from '../kit/networks.ts'
import { perWorld, type World } from '../kit/world.ts'

/** Gives a place back; more than once has no effect. */
export type Release = () => void

/** Takes a place for one more socket or event stream of an owner in this process; null when it has `max` already. */
export function takePlace(world: World, owner: string, max: number): Release | null {
  const taken = takenIn(world)
  const count = taken.get(owner) ?? 0
  if (count >= max) return null
  taken.set(owner, count + 1)
  let released = false
  return () => {
    if (released) return
    released = true
    const left = (taken.get(owner) ?? 0) - 1
    if (left > 0) taken.set(owner, left)
    else taken.delete(owner)
  }
}

const takenIn = perWorld(() => new Map<string, number>())

/** The owner of the places of a client address (IPv6 by /64), and of those of sockets that have not sent connection_init. */
export function addressOwner(address: string | undefined): { all: string; uninitialised: string } {
  const network = networkOf(address)
  return { all: `address ${network}`, uninitialised: `uninitialised ${network}` }
}

/** The owner of the places of a key or, for people, of all sessions of one person. */
export function keyOwner({ actor, projectId }: Pick<Ctx, 'actor' | 'projectId'>): string {
  return actor.kind === 'user' ? `user ${actor.userId}` : `key ${projectId}`
}
