import type { IncomingMessage, RequestListener } from 'node:http'
import { createRecentCallers } from '../kit/callers.ts'
import { networkOf } from '../kit/networks.ts'
import { createRotation } from '../kit/rotation.ts'
import { createTally } from '../kit/tally.ts'
import type { World } from '../kit/world.ts'
import { ownerOfKey } from '../modules/auth/calls/keys.ts'
import { clientOf } from './caller.ts'

// How many requests are answered at the same time: in all, and of one caller while others call. Each takes the thread for up to a
// millisecond: with a thousand of them at once everybody would wait for all of them at every step of their own.
const maxInAll = 256
const maxBesideOthers = 32
// One that takes longer waits for something else, such as the database or a slow sender: it is in nobody's way.
const maxBusyMs = 250

/** A request that is being answered. */
interface Place {
  owners: readonly string[]
  since: number
}

// No address or id has it.
const between = '\n'

/**
 * Begins requests so that callers take turns, however many connections each has: of one client address (IPv6: its /64 network), and of
 * the projects of one account together, 32 at a time while others call, and of all together 256. Of those that wait the callers take
 * turns. A request that has taken 250 ms does not count any more.
 */
export function inAdmission(world: World, answer: RequestListener): RequestListener {
  const callers = createRecentCallers()
  const taken = createTally()
  const places = new Set<Place>()
  const waiting = createRotation<{ begin(): void }>()
  let isWatched = false

  const hasRoom = (caller: string, owners: readonly string[]): boolean => {
    if (places.size >= maxInAll) return false
    const max = callers.hasOtherThan(caller) ? maxBesideOthers : maxInAll
    return owners.every((owner) => taken.of(owner) < max)
  }

  // Gives a place back; more than once has no effect.
  function leave(place: Place): void {
    if (places.delete(place)) taken.add(place.owners, -1)
  }

  function startNext(): void {
    for (;;) {
      const next = waiting.take(undefined, (caller) => hasRoom(caller, caller.split(between)))
      if (!next) break
      next.begin()
    }
    if (!waiting.isEmpty()) watch()
  }

  // Looks for those that have taken long, as long as others wait.
  function watch(): void {
    if (isWatched) return
    isWatched = true
    setTimeout(() => {
      isWatched = false
      for (const place of places) {
        if (performance.now() - place.since < maxBusyMs) break
        leave(place)
      }
      startNext()
    }, maxBusyMs / 5).unref()
  }

  return (request, response) => {
    const owners = ownersOf(world, request)
    const caller = owners.join(between)
    callers.add(caller)
    const begin = (): void => {
      if (response.closed) return
      const place = { owners, since: performance.now() }
      places.add(place)
      taken.add(owners, 1)
      response.once('close', () => {
        // In the next turn of the loop: what has been answered meanwhile would otherwise be followed by all that wait.
        if (waiting.isEmpty()) leave(place)
        else
          setImmediate(() => {
            leave(place)
            startNext()
          })
      })
      answer(request, response)
    }
    if (!waiting.has(caller) && hasRoom(caller, owners)) return begin()
    waiting.add(caller, { begin })
    watch()
  }
}

// The account is known of those whose key has been used lately.
function ownersOf(world: World, request: IncomingMessage): readonly string[] {
  const network = `network ${networkOf(clientOf(world, request).address)}`
  const owner = ownerOfKey(world, request.headers.authorization)
  return owner === undefined ? [network] : [network, owner]
}
