import { networkOf, siteOf } from '../networks.ts'
import { createTally } from '../tally.ts'

/** How many sessions a port has. */
export interface PlacesPlan {
  max: number
  /** Of one client address (IPv6: of one /64 network). */
  maxPerNetwork: number
}

/** The place of one session. */
export interface Place {
  /** The session has shown what a stranger cannot know: it gives way only where its site has many from now on. */
  prove(): void
  /** Frees the place; again changes nothing. */
  leave(): void
}

/** What became of a newcomer: it has a place, its network has as many as it may, or all are taken by those that give way to nobody. */
export type Entered = { kind: 'entered'; place: Place } | { kind: 'crowded' } | { kind: 'full' }

/** The places of a port that anybody may connect to. */
export interface Places {
  /**
   * Asks for a place for a session of a client address. When all are taken, the oldest unproven session of the site with the most
   * sessions (IPv6: a /48, RFC 6177) has lost its place to the newcomer, and its `giveWay` is called; of sites with equally many, the
   * one with the oldest of them. When all are proven, the oldest of the site with the most, if that has more than the newcomer's will have.
   */
  enter(address: string, giveWay: () => void): Entered
  /** How many are taken. */
  taken(): number
}

interface Session {
  network: string
  site: string
  proven: boolean
  giveWay(): void
}

/** Creates the places of a port. */
export function createPlaces({ max, maxPerNetwork }: PlacesPlan): Places {
  // In the order of their arrival.
  const sessions = new Set<Session>()
  const networks = createTally()
  const sites = createTally()

  function remove(session: Session): void {
    if (!sessions.delete(session)) return
    networks.add(session.network, -1)
    sites.add(session.site, -1)
  }

  function findWeakest(mayGiveWay: (session: Session) => boolean): Session | null {
    let weakest: Session | null = null
    for (const session of sessions) {
      if (mayGiveWay(session) && (weakest === null || sites.of(session.site) > sites.of(weakest.site))) weakest = session
    }
    return weakest
  }

  function makeRoom(site: string): boolean {
    if (sessions.size < max) return true
    const weakest = findWeakest(({ proven }) => !proven) ?? findWeakest((session) => sites.of(session.site) > sites.of(site) + 1)
    if (weakest === null) return false
    remove(weakest)
    weakest.giveWay()
    return true
  }

  return {
    enter(address, giveWay) {
      const network = networkOf(address)
      if (networks.of(network) >= maxPerNetwork) return { kind: 'crowded' }
      const site = siteOf(address)
      if (!makeRoom(site)) return { kind: 'full' }
      const session: Session = { network, site, proven: false, giveWay }
      sessions.add(session)
      networks.add(network, 1)
      sites.add(session.site, 1)
      const prove = (): void => {
        session.proven = true
      }
      return { kind: 'entered', place: { prove, leave: () => remove(session) } }
    },
    taken: () => sessions.size,
  }
}
