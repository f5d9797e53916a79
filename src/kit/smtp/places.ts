import { networkOf, siteOf } from '../networks.ts'
import { recent } from '../recent.ts'
import { createTally } from '../tally.ts'

/** How many sessions a port has. */
export interface PlacesPlan {
  max: number
  /** Of one client address (IPv6: of one /64 network). */
  maxPerNetwork: number
  /** For how long a session may take to prove itself, and from then on, until others may have its place, in ms. */
  unprovenMs: number
  provenMs: number
  /** A network that has had a session within so many ms has returned. */
  returnMs: number
  /** The time in ms. Default: the machine's. */
  now?: () => number
}

/** The place of one session. */
export interface Place {
  /** The session has shown what a stranger cannot know: from now on it gives way only where its site has many, or for a while. */
  prove(): void
  /** What the session was proven for is done: it gives way where otherwise none would, until it is proven again. */
  finish(): void
  /** Frees the place; again changes nothing. */
  leave(): void
}

/** What became of a newcomer: it has a place, its network has as many as it may, or all are taken by those that give way to nobody. */
export type Entered = { kind: 'entered'; place: Place } | { kind: 'crowded' } | { kind: 'full' }

/** The places of a port that anybody may connect to. */
export interface Places {
  /**
   * Asks for a place for a session of a client address. When all are taken, one session has lost its place to the newcomer, and its
   * `giveWay` is called: the oldest unproven one of the site (IPv6: a /48, RFC 6177) that has more than an eighth of all places, and more
   * than one network may have, or its oldest proven one where it has no other. Where no site has as many, the oldest of the site with the
   * most sessions: an unproven one whose time is over, otherwise a proven one that has finished or whose time is over, otherwise an
   * unproven one; of those of networks that have returned where the newcomer has. When there is none, the oldest of the site with the
   * most, if that has more than the newcomer's will have. Of several such sites it is the one with the most, and of those with equally
   * many the one with the oldest such session. A proven session gives way to none of its own site.
   */
  enter(address: string, giveWay: () => void): Entered
  /** How many are taken. */
  taken(): number
}

interface Session {
  network: string
  site: string
  /** Whether its network had a session shortly before. */
  hasReturned: boolean
  proven: boolean
  finished: boolean
  /** Since when it is there, and then since when it is proven. */
  since: number
  giveWay(): void
}

const maxRemembered = 10_000

/** Creates the places of a port. */
export function createPlaces({ max, maxPerNetwork, unprovenMs, provenMs, returnMs, now = () => performance.now() }: PlacesPlan): Places {
  const maxPerSite = Math.max(max / 8, maxPerNetwork)
  // In the order of their arrival.
  const sessions = new Set<Session>()
  const networks = createTally()
  const sites = createTally()

  const left = recent<string, true>({ max: maxRemembered, ttlMs: returnMs, clock: { now: () => new Date(now()) } })

  function remove(session: Session): void {
    if (!sessions.delete(session)) return
    left.set(session.network, true)
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

  // Anybody may have a site with one real return path, so that of a large one a proven session says little.
  function findOfLarge(): Session | null {
    const large = findWeakest(({ site }) => sites.of(site) > maxPerSite)
    return large && (findWeakest(({ site, proven }) => site === large.site && !proven) ?? large)
  }

  function isOver({ proven, finished, since }: Session): boolean {
    return finished || now() - since >= (proven ? provenMs : unprovenMs)
  }

  // Anybody may have addresses that each prove a session and keep it, or come again at once when it ends: a mail server does not.
  function findOver(hasReturned: boolean): Session | null {
    const may = (session: Session): boolean => !hasReturned || session.hasReturned
    return (
      findWeakest((session) => may(session) && !session.proven && isOver(session)) ??
      findWeakest((session) => may(session) && isOver(session)) ??
      findWeakest((session) => may(session) && !session.proven)
    )
  }

  function makeRoom({ site, hasReturned }: Pick<Session, 'site' | 'hasReturned'>): boolean {
    if (sessions.size < max) return true
    const weakest = findOfLarge() ?? findOver(hasReturned) ?? findWeakest((session) => sites.of(session.site) > sites.of(site) + 1)
    if (weakest === null || (weakest.proven && weakest.site === site)) return false
    remove(weakest)
    weakest.giveWay()
    return true
  }

  return {
    enter(address, giveWay) {
      const network = networkOf(address)
      if (networks.of(network) >= maxPerNetwork) return { kind: 'crowded' }
      const newcomer = { network, site: siteOf(address), hasReturned: left.get(network) === true }
      if (!makeRoom(newcomer)) return { kind: 'full' }
      const session: Session = { ...newcomer, proven: false, finished: false, since: now(), giveWay }
      sessions.add(session)
      networks.add(network, 1)
      sites.add(session.site, 1)
      const prove = (): void => {
        if (!session.proven) session.since = now()
        session.proven = true
        session.finished = false
      }
      const finish = (): void => {
        session.finished = true
      }
      return { kind: 'entered', place: { prove, finish, leave: () => remove(session) } }
    },
    taken: () => sessions.size,
  }
}
