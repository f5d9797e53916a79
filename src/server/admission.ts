import type { IncomingMessage, RequestListener } from 'node:http'
import { callerOf, callersOf, isKnown, nameOf, recentMs, visitorOf } from '../kit/callers.ts'
import type { Ctx } from '../kit/context.ts'
import { networkOf } from '../kit/networks.ts'
import { createRotation } from '../kit/rotation.ts'
import { createTally } from '../kit/tally.ts'
import { chargedTo } from '../kit/thread-time.ts'
import { perWorld, type World } from '../kit/world.ts'
import { callerOfKey } from '../modules/auth/calls/keys.ts'
import { userOfSession } from '../modules/auth/sessions/sessions.ts'
import { clientOf } from './caller.ts'
import { createSpending, createVisitorsSpending } from './spending.ts'

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
  /** The network of a visitor, which takes turns with others of the same site. */
  network?: string
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
interface Place extends Pick<Sender, 'name' | 'isKnown'> {
  /** Those of whom it is one: the caller, and all visitors. */
  owners: readonly string[]
  since: number
  /** Whether those who have used more than their share wait for it, while it is young. */
  isServed(): boolean
}

/**
 * Begins requests so that callers take turns, however many connections each has: 32 at a time of one account (whichever of its projects,
 * and from whichever addresses) or of one visitor (a client address with public keys or with none; IPv6: a site, /48, whose networks take
 * turns), more while nobody else calls; of all visitors 128, of all together 256. Visitors, of whom there may be many, have every second
 * turn. A request that has taken 250 ms does not count any more. A caller whose requests have used more than a quarter of this thread's
 * time lately begins others only while none of somebody else is being served (one that has not arrived yet waits for its sender), and as
 * many at a time as take about 8 ms, until it has rested for as long as that is due; so do all visitors together, beside accounts and
 * projects, once they have used more than half of it.
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
  const ofVisitors = createVisitorsSpending()
  const [spenderOfKnown, spenderOfVisitor] = [createSpending(), createSpending(ofVisitors)]
  const spenderOf = ({ name, isKnown }: Pick<Sender, 'name' | 'isKnown'>) => (isKnown ? spenderOfKnown : spenderOfVisitor)(name)
  // When an account or a project has called.
  let knownAt = Number.NEGATIVE_INFINITY
  const taken = createTally()
  const places = new Set<Place>()
  // Those that have ended in this turn of the loop.
  const left: Place[] = []
  const [known, unknown] = [createRotation<{ begin(): void }>(), createRotation<{ begin(): void }>()]
  let turn = { of: known, next: unknown }
  let isWatched = false

  function hasRoom(sender: Sender): boolean {
    const { name, isKnown } = sender
    if (places.size >= maxInAll || !(isKnown || haveVisitorsRoom())) return false
    if (!callers.hasOtherThan(name)) return taken.of(name) < maxInAll
    const spender = spenderOf(sender)
    if (!spender.isOver()) return taken.of(name) < maxBesideOthers
    return taken.of(name) < Math.min(spender.fitting(), maxBesideOthers) && !isAnyServed((place) => place.name !== name)
  }

  function haveVisitorsRoom(): boolean {
    const count = taken.of(visitors)
    if (!ofVisitors.isOver() || performance.now() - knownAt > recentMs) return count < maxOfVisitors
    return count < Math.min(ofVisitors.fitting(), maxOfVisitors) && !isAnyServed((place) => place.isKnown)
  }

  // Whether a request of somebody such who has not used more than their share was begun a moment ago.
  function isAnyServed(isSuch: (place: Place) => boolean): boolean {
    const from = performance.now() - servedMs
    for (const place of places) if (place.since > from && isSuch(place) && place.isServed() && !spenderOf(place).isOver()) return true
    return false
  }

  function take({ name, isKnown, isMonitor = false, hasArrived = () => true }: Sender): Leave {
    const isServed = () => !isMonitor && hasArrived()
    const owners = isKnown ? [name] : [name, visitors]
    const place: Place = { name, isKnown, owners, since: performance.now(), isServed }
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
    return rotation.take(undefined, undefined, (name) => hasRoom({ name, isKnown: rotation === known }))
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
      const { name, network = name, isMonitor = false } = sender
      const rotation = sender.isKnown ? known : unknown
      const spender = spenderOf(sender)
      const start = (): void => {
        spender.begin()
        const leave = take(sender)
        chargedTo(spender, () => begin(leave))
      }
      if (!isMonitor) callers.add(name)
      if (sender.isKnown) knownAt = performance.now()
      if (!hasRoom(sender)) giveBackLong()
      if (!rotation.has(name) && hasRoom(sender)) return start()
      rotation.add(network, { begin: start })
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

/** The account or project that has called before with the secret key or the session of a request, before anything is looked up. */
export function knownOwnerOf(world: World, { headers: { authorization, cookie } }: Pick<IncomingMessage, 'headers'>): string | undefined {
  return authorization === undefined ? userOfSession(world, cookie) : callerOfKey(world, authorization)?.owner
}

function senderOf(world: World, request: IncomingMessage): Sender {
  const { address } = clientOf(world, request)
  const owner = knownOwnerOf(world, request)
  const hasArrived = () => request.complete
  if (owner !== undefined) return { name: owner, isKnown: true, hasArrived }
  const network = ` ${networkOf(address)}`
  return { name: visitorOf(address), network, isKnown: false, isMonitor: monitored.test(request.url ?? ''), hasArrived }
}

/** Begins an operation of an authenticated call as soon as it may begin; it is to call what it is given when it has ended. */
export function admitted<Result>(
  ctx: Pick<Ctx, 'world' | 'account' | 'projectId' | 'actor' | 'client'>,
  begin: (leave: Leave) => Promise<Result>,
): Promise<Result> {
  const sender = { name: nameOf(callerOf(ctx)), isKnown: isKnown(ctx) }
  return new Promise((resolve, reject) => admissionOf(ctx.world).admit(sender, (leave) => void begin(leave).then(resolve, reject)))
}
