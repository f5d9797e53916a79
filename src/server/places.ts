import type { Ctx } from '../kit/context.ts'
import { networkOf, siteFactor, siteOfNetwork } from '../kit/networks.ts'
import { createTally } from '../kit/tally.ts'
import { perWorld, type World } from '../kit/world.ts'

/** Gives a place back; more than once has no effect. */
export type Release = () => void

/** In how many seconds whoever was refused a place may try again. */
export const placesRetrySeconds = 5

/**
 * Takes a place for one more connection, socket or event stream of an owner in this process; null when it has `max` already, or when it
 * is an IPv6 network and its site (/48) has ten times as many.
 */
export function takePlace(world: World, owner: string, max: number): Release | null {
  const taken = takenIn(world)
  const site = siteOfNetwork(owner)
  if (taken.of(owner) >= max || taken.of(site) >= max * siteFactor) return null
  const owners = site === owner ? owner : [owner, site]
  taken.add(owners, 1)
  let released = false
  return () => {
    if (released) return
    released = true
    taken.add(owners, -1)
  }
}

const takenIn = perWorld(createTally)

/** The owner of the places of a client address (IPv6 by /64), and of those of sockets that have not sent connection_init. */
export function addressOwner(address: string | undefined): { all: string; uninitialised: string } {
  const network = networkOf(address)
  return { all: `address ${network}`, uninitialised: `uninitialised ${network}` }
}

/** The owner of the places of a key or, for people, of all sessions of one person. */
export function keyOwner({ actor, projectId }: Pick<Ctx, 'actor' | 'projectId'>): string {
  return actor.kind === 'user' ? `user ${actor.userId}` : `key ${projectId}`
}
