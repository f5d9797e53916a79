import type { Socket } from 'node:net'
import { createPlaces, type Place } from './places.ts'

/** Within which limits a port has sessions. */
export interface SessionsPlan {
  /** How many connections there are; see `createPlaces` for who gives way when all are taken. A session is proven by each accepted recipient. */
  maxConnections: number
  /** Of one client address (IPv6: of one /64 network). */
  maxPerAddress: number
  /** How long a session may last in which no recipient was accepted. */
  unprovenMs: number
  /** How long a session may last in any case: a client that only keeps its connection would have a place for ever. */
  sessionMs: number
}

const crowded = '4.7.0 Too many connections of this address'
const noPlace = '4.3.2 Too many connections at the moment'
const tooLong = '4.4.2 This session takes too much'

// How often a session may do what takes time of this thread, and what it is told when it does so more often. A mail server sends five
// commands or so before its first message, three for each message, and some of them RSET or NOOP between two; it knows its recipients.
// Mail comes in pieces of kilobytes, with a line that begins with a dot here and there: smtp-server looks at each of those by itself, or
// passes it on by itself, which takes as long as hundreds of octets.
const bounds = {
  /** Since the last message that was accepted. */
  command: { max: 50, text: '4.7.0 Too many commands without a message' },
  refusal: { max: 20, text: '4.7.0 Too many recipients that do not exist here' },
  message: { max: 500, text: '4.7.0 Too many messages in one session' },
  piece: { max: 10_000, text: tooLong },
  dottedLine: { max: 2_000, text: tooLong },
}

/** What is counted of a session. */
export type Counted = keyof typeof bounds

// How long sessions have when all places are taken. A mail server names a recipient at once, sends its message within seconds, and tries
// again minutes later where it finds no place: with 500 addresses, each with one return path, anybody could have all places otherwise.
const times = { unprovenMs: 1_000, provenMs: 10_000, returnMs: 60_000 }

// A network whose session was ended for what it has sent waits so long for the place that it had.
const penaltyMs = 10_000

interface Session {
  socket: Socket
  place: Place
  ended: AbortController
  counts: Record<Counted, number>
  isCutOff: boolean
  /** Resolves when its last message has been handled, be it that it has ended meanwhile. */
  handled: Promise<unknown>
  /** Ends it when it has shown no recipient in time. */
  unproven: NodeJS.Timeout
  /** Ends it in any case. */
  last: NodeJS.Timeout
}

/** The sessions of a port by their id, each with its place. */
export type Sessions = ReturnType<typeof createSessions>

/** Creates the sessions of a port. `say` sends a last answer (421) to one, and ends it: nothing that it has sent is handled any more. */
export function createSessions(plan: SessionsPlan, say: (id: string, text: string) => void) {
  const places = createPlaces({ max: plan.maxConnections, maxPerNetwork: plan.maxPerAddress, ...times })
  const open = new Map<string, Session>()

  // Its place is taken by another: a client that does not end its side may not have a connection beyond that.
  function giveWay(id: string): void {
    say(id, noPlace)
    open.get(id)?.socket.destroySoon()
  }

  function cutOff(id: string, text: string): void {
    const session = open.get(id)
    if (session) session.isCutOff = true
    say(id, text)
  }

  return {
    /** Begins a session; otherwise why not. */
    open(id: string, socket: Socket): string | null {
      // A client that has left already has no address.
      if (socket.remoteAddress === undefined) return noPlace
      const entered = places.enter(socket.remoteAddress, () => giveWay(id))
      if (entered.kind !== 'entered') return entered.kind === 'full' ? noPlace : crowded
      open.set(id, {
        socket,
        place: entered.place,
        ended: new AbortController(),
        counts: { command: 0, refusal: 0, message: 0, piece: 0, dottedLine: 0 },
        isCutOff: false,
        handled: Promise.resolve(),
        unproven: setTimeout(() => say(id, tooLong), plan.unprovenMs),
        last: setTimeout(() => say(id, tooLong), plan.sessionMs),
      })
      return null
    },
    /** Its connection is encrypted from now on. */
    secure(id: string, socket: Socket): void {
      const session = open.get(id)
      if (session) session.socket = socket
    },
    /** Counts what a session does. False when that is too much, or it has ended before: it has ended then. */
    count(id: string, what: Counted, amount = 1): boolean {
      const session = open.get(id)
      if (!session || session.isCutOff) return false
      session.counts[what] += amount
      if (session.counts[what] <= bounds[what].max) return true
      cutOff(id, bounds[what].text)
      return false
    },
    /** Ends a session that takes too much; its place stays taken for a while. */
    cutOff: (id: string): void => cutOff(id, tooLong),
    /** A recipient of it was accepted. */
    prove(id: string): void {
      open.get(id)?.place.prove()
      clearTimeout(open.get(id)?.unproven)
    },
    /** A message of it is being handled: its place is not free before that has ended. */
    handle(id: string, answer: Promise<unknown>): void {
      const session = open.get(id)
      if (session) session.handled = answer
    },
    /** A message of it was accepted. */
    accept(id: string): void {
      const session = open.get(id)
      if (!session) return
      session.counts.command = 0
      session.place.finish()
    },
    /** Aborted when the session has ended. */
    endOf: (id: string): AbortSignal | undefined => open.get(id)?.ended.signal,
    close(id: string): void {
      const session = open.get(id)
      if (!session) return
      open.delete(id)
      clearTimeout(session.unproven)
      clearTimeout(session.last)
      session.ended.abort()
      const { handled, isCutOff, place } = session
      void handled.then(() => (isCutOff ? setTimeout(place.leave, penaltyMs).unref() : place.leave()))
    },
  }
}
