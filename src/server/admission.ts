import type { IncomingMessage, RequestListener } from 'node:http'
import { createRecentCallers } from '../kit/callers.ts'
import type { Ctx } from '../kit/context.ts'
import { networkOf } from '../kit/networks.ts'
import { createRotation } from '../kit/rotation.ts'
import { createTally } from '../kit/tally.ts'
import { perWorld, type World } from '../kit/world.ts'
import { ownerOfKey } from '../modules/auth/calls/keys.ts'
import { clientOf } from './caller.ts'

// How many requests are answered at the same time: in all, and of one caller while others call. Each takes the thread for up to a
// millisecond: with a thousand of them at once everybody would wait for all of them at every step of their own.
const maxInAll = 256
const maxBesideOthers = 32
// One that takes longer waits for something else, such as the database or a slow sender: it is in nobody's way.
const maxBusyMs = 250

/** Ends a request; more than once has no effect. */
export type Leave = () => void

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
export interface Admission {
  /** Calls `begin` as soon as a request of these owners may begin, with what ends it. */
  admit(owners: readonly string[], begin: (leave: Leave) => void): void
}

/** The admission of requests to this process, over HTTP and over sockets. */
export const admissionOf = perWorld(createAdmission)

function createAdmission(): Admission {
  const callers = createRecentCallers()
  const taken = createTally()
  const places = new Set<Place>()
  const waiting = createRotation<{ begin(): void }>()
  // Those that have ended in this turn of the loop.
  const left: Place[] = []
  let isWatched = false

  const hasRoom = (caller: string, owners: readonly string[]): boolean => {
    if (places.size >= maxInAll) return false
    const max = callers.hasOtherThan(caller) ? maxBesideOthers : maxInAll
    return owners.every((owner) => taken.of(owner) < max)
  }

  function take(owners: readonly string[]): Leave {
    const place = { owners, since: performance.now() }
    places.add(place)
    taken.add(owners, 1)
    return () => {
      left.push(place)
      if (left.length === 1) setImmediate(giveBackLeft)
    }
  }

  // In the next turn of the loop: with what is answered at once, all that wait would otherwise have the same turn.
  function giveBackLeft(): void {
    for (const place of left.splice(0)) giveBack(place)
    startNext()
  }

  function giveBack(place: Place): void {
    if (places.delete(place)) taken.add(place.owners, -1)
  }

  function startNext(): void {
    if (waiting.isEmpty()) return
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
        giveBack(place)
      }
      startNext()
    }, maxBusyMs / 5).unref()
  }

  return {
    admit(owners, begin) {
      const caller = owners.join(between)
      callers.add(caller)
      if (!waiting.has(caller) && hasRoom(caller, owners)) return begin(take(owners))
      waiting.add(caller, { begin: () => begin(take(owners)) })
      watch()
    },
  }
}

/** Answers HTTP requests by admission. */
export function inAdmission(world: World, answer: RequestListener): RequestListener {
  const { admit } = admissionOf(world)
  return (request, response) =>
    admit(ownersOf(world, request), (leave) => {
      // Its caller has left while it waited.
      if (response.closed) return leave()
      response.once('close', leave)
      answer(request, response)
    })
}

// The account is known of those whose key has been used lately.
function ownersOf(world: World, request: IncomingMessage): readonly string[] {
  const { address } = clientOf(world, request)
  return callerOf(address, ownerOfKey(world, request.headers.authorization))
}

/** Waits until an operation of an authenticated call may begin, and returns what ends it. */
export function admitted({ world, account, projectId, client }: Pick<Ctx, 'world' | 'account' | 'projectId' | 'client'>): Promise<Leave> {
  return new Promise((begin) => admissionOf(world).admit(callerOf(client.address, account || projectId), begin))
}

function callerOf(address: string | undefined, owner: string | undefined): readonly string[] {
  const network = `network ${networkOf(address)}`
  return owner ? [network, owner] : [network]
}
