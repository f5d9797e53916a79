import type { IncomingMessage, RequestListener } from 'node:http'
import { callerOf, callersOf, isKnown, nameOf, visitorOf } from '../kit/callers.ts'
import type { Ctx } from '../kit/context.ts'
import { createRotation } from '../kit/rotation.ts'
import { createTally } from '../kit/tally.ts'
import { chargedTo } from '../kit/thread-time.ts'
import { perWorld, type World } from '../kit/world.ts'
import { callerOfKey } from '../modules/auth/calls/keys.ts'
import { userOfSession } from '../modules/auth/sessions/sessions.ts'
import { clientOf } from './caller.ts'
import { createSpending } from './spending.ts'

// How many requests are answered at the same time: in all, of all visitors, and of one caller while others call. Each takes the thread
// for up to a millisecond: with a thousand of them at once everybody would wait for all of them at every step of their own.
const maxInAll = 256
const maxOfVisitors = 128
const maxBesideOthers = 32
// One that takes longer waits for something else, such as the database or a slow sender: it is in nobody's way.
const maxBusyMs = 250
// So long after its begin a request is served before those of callers who have used more than their share.
const servedMs = 25
const tickMs = 10

/** Who sends a request, by the name that `callerOf` gives them. */
interface Sender {
  name: string
  /** Whether it is an account or a project, by its secret key or a session. Anyone else is a visitor. */
  isKnown: boolean
  /** Whether it watches over this process, at all times: nobody has to be considerate of it. */
  isMonitor?: boolean
  /** Whether all of what it sends has arrived, so that only this process keeps it waiting. Default: always. */
  hasArrived?(): boolean
}

/** Ends a request; more than once has no effect. */
export type Leave = () => void

/** A request that is being answered. */
interface Place {
  owners: [string, ...string[]]
  since: number
  /** Whether those who have used more than their share wait for it, while it is young. */
  isServed(): boolean
}

/**
 * Begins requests so that callers take turns, however many connections each has: 32 at a time of one account (whichever of its projects,
 * and from whichever addresses) or of one visitor (a client address, IPv6 by /64, with public keys or with none), more while nobody else
 * calls; of all visitors 128, of all together 256. Visitors, of whom there may be many, have every second turn. A request that has taken
 * 250 ms does not count any more. A caller whose requests have used more than a quarter of this thread's time lately begins others only
 * while none of somebody else is being served (one that has not arrived yet waits for its sender), and as many at a time as take about 8 ms, until it has rested for as long as that is due.
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
  const spenderOf = createSpending()
  const taken = createTally()
  const places = new Set<Place>()
  // Those that have ended in this turn of the loop.
  const left: Place[] = []
  const [known, unknown] = [createRotation<{ begin(): void }>(), createRotation<{ begin(): void }>()]
  let turn = { of: known, next: unknown }
  let isWatched = false

  function hasRoom({ name, isKnown }: Sender): boolean {
    if (places.size >= maxInAll || (!isKnown && taken.of(visitors) >= maxOfVisitors)) return false
    if (!callers.hasOtherThan(name)) return taken.of(name) < maxInAll
    const spender = spenderOf(name)
    if (!spender.isOver()) return taken.of(name) < maxBesideOthers
    return taken.of(name) < Math.min(spender.fitting(), maxBesideOthers) && !isAnotherServed(name)
  }

  // Whether a request of somebody else who has not used more than their share was begun a moment ago.
  function isAnotherServed(name: string): boolean {
    const from = performance.now() - servedMs
    for (const { owners, since, isServed } of places)
      if (since > from && owners[0] !== name && isServed() && !spenderOf(owners[0]).isOver()) return true
    return false
  }

  function take({ name, isKnown, isMonitor = false, hasArrived = () => true }: Sender): Leave {
    const isServed = () => !isMonitor && hasArrived()
    const place: Place = { owners: isKnown ? [name] : [name, visitors], since: performance.now(), isServed }
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
    setTimeout(
      () => {
        isWatched = false
        giveBackLong()
        startNext()
      },
      Math.min(giveBackLong(), tickMs),
    ).unref()
  }

  return {
    admit(sender, begin) {
      const { name } = sender
      const rotation = sender.isKnown ? known : unknown
      const spender = spenderOf(name)
      const start = (): void => {
        spender.begin()
        const leave = take(sender)
        chargedTo(spender, () => begin(leave))
      }
      if (!sender.isMonitor) callers.add(name)
      if (!hasRoom(sender)) giveBackLong()
      if (!rotation.has(name) && hasRoom(sender)) return start()
      rotation.add(name, { begin: start })
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
  const hasArrived = () => request.complete
  if (owner !== undefined) return { name: owner, isKnown: true, hasArrived }
  return { name: visitorOf(address), isKnown: false, isMonitor: monitored.test(request.url ?? ''), hasArrived }
}

/** Begins an operation of an authenticated call as soon as it may begin; it is to call what it is given when it has ended. */
export function admitted<Result>(
  ctx: Pick<Ctx, 'world' | 'account' | 'projectId' | 'actor' | 'client'>,
  begin: (leave: Leave) => Promise<Result>,
): Promise<Result> {
  const sender = { name: nameOf(callerOf(ctx)), isKnown: isKnown(ctx) }
  return new Promise((resolve, reject) => admissionOf(ctx.world).admit(sender, (leave) => void begin(leave).then(resolve, reject)))
}
