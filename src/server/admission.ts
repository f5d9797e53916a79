import type { IncomingMessage, RequestListener } from 'node:http'
import { callerOf, callersOf, isKnown, nameOf, visitorOf } from '../kit/callers.ts'
import type { Ctx } from '../kit/context.ts'
import { createRotation } from '../kit/rotation.ts'
import { createTally } from '../kit/tally.ts'
import { perWorld, type World } from '../kit/world.ts'
import { callerOfKey } from '../modules/auth/calls/keys.ts'
import { userOfSession } from '../modules/auth/sessions/sessions.ts'
import { clientOf } from './caller.ts'

// How many requests are answered at the same time: in all, of all visitors, and of one caller while others call. Each takes the thread
// for up to a millisecond: with a thousand of them at once everybody would wait for all of them at every step of their own.
const maxInAll = 256
const maxOfVisitors = 128
const maxBesideOthers = 32
// One that takes longer waits for something else, such as the database or a slow sender: it is in nobody's way.
const maxBusyMs = 250

/** Who sends a request, by the name that `callerOf` gives them. */
interface Sender {
  name: string
  /** Whether it is an account or a project, by its secret key or a session. Anyone else is a visitor. */
  isKnown: boolean
  /** Whether it watches over this process, at all times: nobody has to be considerate of it. */
  isMonitor?: boolean
}

/** Ends a request; more than once has no effect. */
export type Leave = () => void

/** A request that is being answered. */
interface Place {
  owners: string[]
  since: number
}

/**
 * Begins requests so that callers take turns, however many connections each has: 32 at a time of one account (whichever of its projects,
 * and from whichever addresses) or of one visitor (a client address, IPv6 by /64, with the public key of one project or with none), more
 * while nobody else calls; of all visitors 128, of all together 256. Visitors, of whom there may be many, have every second turn.
 * A request that has taken 250 ms does not count any more.
 */
export interface Admission {
  /** Calls `begin` as soon as a request of a sender may begin, with what ends it. */
  admit(sender: Sender, begin: (leave: Leave) => void): void
}

/** The admission of requests to this process, over HTTP and over sockets. Who asks for it counts as a caller. */
export const admissionOf = perWorld(createAdmission)

// The name of all visitors together, which no owner has.
const visitors = 'visitors'

function createAdmission(world: World): Admission {
  const callers = callersOf(world)
  const taken = createTally()
  const places = new Set<Place>()
  // Those that have ended in this turn of the loop.
  const left: Place[] = []
  const [known, unknown] = [createRotation<{ begin(): void }>(), createRotation<{ begin(): void }>()]
  let turn = { of: known, next: unknown }
  let isWatched = false

  function hasRoom({ name, isKnown }: Sender): boolean {
    if (places.size >= maxInAll || (!isKnown && taken.of(visitors) >= maxOfVisitors)) return false
    return taken.of(name) < (callers.hasOtherThan(name) ? maxBesideOthers : maxInAll)
  }

  function take({ name, isKnown }: Sender): Leave {
    const place = { owners: isKnown ? [name] : [name, visitors], since: performance.now() }
    places.add(place)
    taken.add(place.owners, 1)
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

  // Returns when the next one will have taken long.
  function giveBackLong(): number {
    const now = performance.now()
    for (const place of places) {
      if (now - place.since < maxBusyMs) return maxBusyMs - (now - place.since)
      giveBack(place)
    }
    return maxBusyMs
  }

  function takeFrom(rotation: typeof known): { begin(): void } | undefined {
    return rotation.take(undefined, (name) => hasRoom({ name, isKnown: rotation === known }))
  }

  function startNext(): void {
    for (;;) {
      const waiting = takeFrom(turn.of) ?? takeFrom(turn.next)
      if (!waiting) break
      turn = { of: turn.next, next: turn.of }
      waiting.begin()
    }
    if (!known.isEmpty() || !unknown.isEmpty()) watch()
  }

  // Until nobody waits.
  function watch(): void {
    if (isWatched) return
    isWatched = true
    setTimeout(() => {
      isWatched = false
      giveBackLong()
      startNext()
    }, giveBackLong()).unref()
  }

  return {
    admit(sender, begin) {
      const { name } = sender
      const rotation = sender.isKnown ? known : unknown
      if (!sender.isMonitor) callers.add(name)
      if (!hasRoom(sender)) giveBackLong()
      if (!rotation.has(name) && hasRoom(sender)) return begin(take(sender))
      rotation.add(name, { begin: () => begin(take(sender)) })
      watch()
    },
  }
}

/** Answers HTTP requests by admission. */
export function inAdmission(world: World, answer: RequestListener): RequestListener {
  const { admit } = admissionOf(world)
  return (request, response) =>
    admit(senderOf(world, request), (leave) => {
      // Its caller has left while it waited.
      if (response.closed) return leave()
      response.once('close', leave)
      answer(request, response)
    })
}

const monitored = /^\/(healthz|readyz|metrics)$/

// Before anything is looked up: who has called before with this key or session.
function senderOf(world: World, request: IncomingMessage): Sender {
  const { authorization, cookie } = request.headers
  const { address } = clientOf(world, request)
  const caller = authorization === undefined ? undefined : callerOfKey(world, authorization)
  const owner = authorization === undefined ? userOfSession(world, cookie) : caller?.owner
  if (owner !== undefined) return { name: owner, isKnown: true }
  return { name: visitorOf(caller?.projectId ?? '', address), isKnown: false, isMonitor: monitored.test(request.url ?? '') }
}

/** Waits until an operation of an authenticated call may begin, and returns what ends it. */
export function admitted(ctx: Pick<Ctx, 'world' | 'account' | 'projectId' | 'actor' | 'client'>): Promise<Leave> {
  const sender = { name: nameOf(callerOf(ctx)), isKnown: isKnown(ctx) }
  return new Promise((begin) => admissionOf(ctx.world).admit(sender, begin))
}
