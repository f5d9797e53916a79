import { recent } from '../../../kit/recent.ts'
import { createTally } from '../../../kit/tally.ts'
import { perWorld } from '../../../kit/world.ts'

/** How many receivers are called at the same time that were slow the last time: in all, and of one account. */
export const slowLimits = { inAll: 128, perOwner: 4 }
/** From when on an answer is slow, in ms; so is none in time. */
export const slowAfterMs = 8_000
const rememberMs = 3 * 60 * 60_000
const maxRemembered = 20_000
// How far apart the calls of a receiver are that wait for it, and how far ahead the last one may be.
const apartMs = 10_000
const maxAheadMs = 5 * 60_000

/** A receiver was slow the last time, and others are being tried: the call has to wait. */
export class ReceiverBusy extends Error {
  readonly waitMs: number

  constructor(place: string, waitMs: number) {
    super(`${place} was slow or did not answer the last time: its webhooks are tried one at a time.`)
    this.waitMs = waitMs
  }
}

interface Slow {
  /** Whether one is being tried. */
  busy: boolean
  /** When the next one that waits is tried. */
  nextAt: number
}

/**
 * What this process knows of receivers, for each account by itself, so that nobody can make the receiver of another wait. A place is a
 * host, or an address, with a port.
 */
const knownOf = perWorld(() => ({
  slow: recent<string, Slow | false>({ max: maxRemembered, ttlMs: rememberMs }),
  /** How many slow ones are being tried, of each account. */
  tried: createTally(),
}))
type Known = ReturnType<typeof knownOf>

/** One call of a receiver. */
export interface Approach {
  /** To be called before anything is sent to a place. Throws ReceiverBusy when it was slow the last time and there is no room to try it. */
  meet(place: string): void
  /** Ends the call: says whether the places it has met were slow. Without an answer to that nothing is learnt. */
  end(slow?: boolean): void
}

/** Begins a call for an account. */
export function approach(world: Parameters<typeof knownOf>[0], owner: string): Approach {
  const known = knownOf(world)
  const met = new Set<string>()
  const held: Slow[] = []

  return {
    meet(place) {
      if (met.has(place)) return
      const slow = known.slow.get(nameOf(owner, place))
      if (slow) {
        // The host and its address are one receiver.
        if (slow.busy || (held.length === 0 && !hasRoom(known, owner))) throw new ReceiverBusy(place, waitOf(slow))
        if (held.length === 0) known.tried.add(owner, 1)
        slow.busy = true
        held.push(slow)
      }
      met.add(place)
    },
    end(wasSlow) {
      if (held.length > 0) known.tried.add(owner, -1)
      for (const one of held) one.busy = false
      held.length = 0
      if (wasSlow === undefined) return
      for (const place of met) learn(known, nameOf(owner, place), wasSlow)
    },
  }
}

const nameOf = (owner: string, place: string) => `${owner} ${place}`

function hasRoom({ tried }: Known, owner: string): boolean {
  return tried.total < slowLimits.inAll && tried.of(owner) < slowLimits.perOwner
}

function learn({ slow }: Known, name: string, wasSlow: boolean): void {
  const before = slow.get(name)
  if (!wasSlow && before) slow.set(name, false)
  if (wasSlow) slow.set(name, before || { busy: false, nextAt: 0 })
}

function waitOf(slow: Slow): number {
  const now = performance.now()
  const at = Math.min(Math.max(now + apartMs, slow.nextAt), now + maxAheadMs)
  slow.nextAt = at + apartMs
  return Math.round(at - now)
}
