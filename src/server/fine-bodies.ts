import type { IncomingMessage, RequestListener, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { setImmediate as nextRound } from 'node:timers/promises'
import { restAfter } from '../kit/callers.ts'
import { Failure, tooManyRequests } from '../kit/errors.ts'
import { siteOf } from '../kit/networks.ts'
import { gatherOctets } from '../kit/octets.ts'
import { recent } from '../kit/recent.ts'
import { createTurns, TurnMissed } from '../kit/turns.ts'
import { perWorld, type World } from '../kit/world.ts'
import { clientOf } from './caller.ts'
import { refuseInTurn } from './in-turn.ts'
import { throwAway } from './linger.ts'
import { refuseBeforeReading } from './parsing.ts'

// So many chunks of a connection are read in one round of the event loop: 64 KB of larger ones. What has more is read in turns.
const maxChunks = 64
// So many are handed on as they are; more are copied together, since each is as much work as kilobytes for whoever reads it.
const maxWhole = 4
// How many chunks may come before their turns, at once and per second, as each connection sends some before its first turn.
const ofSite = { max: 20_000, perSecond: 10_000 }
const ofAll = { max: 40_000, perSecond: 40_000 }
// What a site may have sent lately that begins another body while all together have sent too many.
const maxBesideOthers = 1_000
const maxSites = 10_000
const retrySeconds = 1

/** What is counted of all connections of a site (IPv6: a /48, RFC 6177), or of all. */
interface Source {
  name: string
  chunks: Level
  /** The connections on which bodies in chunks are sent. */
  open: Set<Pace>
}

interface Level {
  add(): void
  /** How many have been added, without those that were long enough ago. */
  count(): number
  isOver(): boolean
}

/** Of one connection. */
interface Pace {
  /** The next body is that of a request of a site: a connection of a proxy carries those of many. */
  begin(request: IncomingMessage, site: Source): void
  /** A chunk has been found; false when nothing more shall be read for now. */
  add(): boolean
  /** Stops reading until it is the turn of the connection. */
  hold(): void
  isHeld(): boolean
  /** How many have been found in this round of the event loop. */
  chunks(): number
}

const paces = new WeakMap<Duplex, Pace>()

const sitesOf = perWorld(() => recent<string, Source>({ max: maxSites }))
const allOf = perWorld(() => createSource('', ofAll))
// One at a time, each followed by a rest that is longer the more of them there are: all together take about a quarter of the thread.
const turnsOf = perWorld(() => createTurns({ max: 1, maxPerOwner: 1, restOf: (_site, { busyMs, turns }) => restAfter(busyMs * turns) }))

/**
 * Reads bodies of very many small chunks in turns of the sites that send them, 64 KB at a time, because each chunk takes as much of the
 * thread as kilobytes do, and nothing else that waits keeps it from being read. A site that sends more than 20,000 chunks outside of its
 * turns, 10,000 per second, is refused further bodies in chunks meanwhile (429), and those that it has begun are read in turns. So are
 * those of all when they send more than 40,000 together. A body in another transfer coding is refused (400), and ends its connection.
 */
export function paceChunks(world: World, server: Server): void {
  refuseBeforeReading(server, (request) => {
    const refusal = refusalOf(world, request)
    if (refusal) refuseInTurn(refusal, request.socket)
    return refusal !== undefined
  })
}

function refusalOf(world: World, request: IncomingMessage): Failure | undefined {
  if (!isInChunks(request)) return undefined
  // Node takes the chunks off a body of several codings and leaves the others, which a proxy may have taken off (RFC 9112, 6.1).
  if (request.headers['transfer-encoding']?.trim().toLowerCase() !== 'chunked')
    return new Failure('BAD_REQUEST', 'The header Transfer-Encoding may only be chunked.')
  if (mayBegin(world, siteOfClient(world, request))) return undefined
  return tooManyRequests('Too many small chunks: send larger ones, or a Content-Length.', retrySeconds)
}

/** Follows the chunks of the bodies of requests, for `paceChunks`. */
export function followChunks(world: World, answer: RequestListener): RequestListener {
  return (request, response) => {
    if (isInChunks(request)) {
      const pace = paces.get(request.socket) ?? createPace(world, request)
      paces.set(request.socket, pace)
      pace.begin(request, siteOfClient(world, request))
      follow(request, pace)
      // What is left of a body when it has been answered would be thrown away by Node, uncounted, unless somebody has begun to read it.
      response.once('prefinish', () => {
        if (request.readableEnded) return
        request.read(0)
        throwAway(request)
      })
    }
    answer(request, response)
  }
}

function mayBegin(world: World, { chunks }: Source): boolean {
  return !chunks.isOver() && (chunks.count() <= maxBesideOthers || !allOf(world).chunks.isOver())
}

function isInChunks({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined
}

function siteOfClient(world: World, request: IncomingMessage): Source {
  const name = siteOf(clientOf(world, request).address ?? '')
  return sitesOf(world).getOrMake(name, () => createSource(name, ofSite))
}

function createSource(name: string, bounds: { max: number; perSecond: number }): Source {
  return { name, chunks: createLevel(bounds), open: new Set() }
}

function createLevel({ max, perSecond }: { max: number; perSecond: number }): Level {
  let level = 0
  let at = performance.now()
  function count(): number {
    const now = performance.now()
    level = Math.max(0, level - ((now - at) / 1_000) * perSecond)
    at = now
    return level
  }
  return { add: () => void level++, count, isOver: () => count() > max }
}

function createPace(world: World, first: IncomingMessage): Pace {
  const { socket } = first
  const all = allOf(world)
  const left = new AbortController()
  let [current, site] = [first, siteOfClient(world, first)]
  let chunks = 0
  let [isHeld, isInTurn] = [false, false]

  function begin(request: IncomingMessage, sender: Source): void {
    site.open.delete(pace)
    ;[current, site] = [request, sender]
    site.open.add(pace)
  }

  function add(): boolean {
    if (chunks++ === 0) setImmediate(endRound)
    if (!isInTurn) for (const { chunks } of [site, all]) chunks.add()
    if (isHeld || chunks < maxChunks) return true
    hold()
    // Now, because in this round the others would be read as well.
    if (!isInTurn) for (const { chunks, open } of [site, all]) if (chunks.isOver()) for (const other of open) other.hold()
    return false
  }

  function endRound(): void {
    if (!isHeld) chunks = 0
  }

  function hold(): void {
    if (isHeld) return
    isHeld = true
    socket.pause()
    turnsOf(world).run(site.name, takeTurn, { ended: left.signal }).catch(missed)
  }

  async function takeTurn(): Promise<void> {
    isHeld = false
    isInTurn = true
    chunks = 0
    // Otherwise whoever reads the body goes on when there is room for more of it.
    if (current.complete || current.readableLength < current.readableHighWaterMark) socket.resume()
    // What has arrived is read in one of them.
    await nextRound()
    await nextRound()
    isInTurn = false
  }

  const pace: Pace = { begin, add, hold, isHeld: () => isHeld, chunks: () => chunks }
  all.open.add(pace)
  socket.once('close', () => {
    for (const { open } of [site, all]) open.delete(pace)
    left.abort()
  })
  return pace
}

// The connection was closed before its turn came.
function missed(error: unknown): void {
  if (!(error instanceof TurnMissed)) throw error
}

function follow(request: IncomingMessage, pace: Pace): void {
  const [push, read] = [request.push.bind(request), request._read.bind(request)]
  let small: ReturnType<typeof gatherOctets> | undefined

  function flush(): void {
    const octets = small?.take()
    small = undefined
    if (octets && !push(octets)) request.socket.pause()
  }

  request.push = (chunk: Buffer | null) => {
    if (chunk === null) {
      flush()
      // Node reads on when a message is complete: in the task after the next.
      process.nextTick(() => process.nextTick(() => pace.isHeld() && request.socket.pause()))
      return push(null)
    }
    const goesOn = pace.add()
    if (!small && pace.chunks() <= maxWhole) return push(chunk) && goesOn
    if (!small) {
      small = gatherOctets()
      setImmediate(flush)
    }
    small.add(chunk)
    return goesOn
  }
  request._read = (size) => {
    if (!pace.isHeld()) read(size)
  }
}
