import type { IncomingMessage, RequestListener } from 'node:http'
import type { Duplex } from 'node:stream'
import { recent } from '../kit/cache.ts'
import { networkOf } from '../kit/networks.ts'
import { perWorld, type World } from '../kit/world.ts'
import { clientOf } from './caller.ts'
import { refuseInTurn } from './in-turn.ts'

/** Small chunks that have come lately: how many may have, and of how many no trace is left after a second. */
interface Bounds {
  max: number
  perSecond: number
}

const ofConnection: Bounds = { max: 1_000, perSecond: 500 }
const ofNetwork: Bounds = { max: 4_000, perSecond: 1_000 }
const maxNetworks = 10_000
// A chunk of so many bytes is not small.
const wholeBytes = 32

interface Chunks {
  /** Counts a chunk; false when there are more small ones than may be. */
  add(bytes: number): boolean
}

function createChunks({ max, perSecond }: Bounds): Chunks {
  let level = 0
  let at = performance.now()
  return {
    add(bytes) {
      if (level > max / 2) {
        const now = performance.now()
        level -= ((now - at) / 1_000) * perSecond
        at = now
      }
      level = Math.max(0, level + 1 - bytes / wholeBytes)
      return level <= max
    },
  }
}

const networksOf = perWorld(() => recent<string, Chunks>({ max: maxNetworks }))
const connections = new WeakMap<Duplex, { chunks: Chunks; isEnding: boolean }>()

/**
 * Ends connections that send very many chunks of a few bytes each, with 400: a chunk takes as much of the thread as kilobytes do, 10,000
 * are read at once of each connection, and nothing that waits for its turn keeps them from being read. So they are counted as they are
 * found, of each connection and of each client address (IPv6: of its /64 network), also those of bodies that nobody reads.
 */
export function boundChunks(world: World, answer: RequestListener): RequestListener {
  return (request, response) => {
    if (connections.get(request.socket)?.isEnding) return throwAway(request)
    if (request.headers['transfer-encoding'] !== undefined) {
      countChunks(world, request)
      // What is left of a body when it has been answered would be thrown away by Node, uncounted, unless somebody has begun to read it.
      response.once('prefinish', () => {
        if (request.readableEnded) return
        request.read(0)
        request.resume()
      })
    }
    answer(request, response)
  }
}

function countChunks(world: World, request: IncomingMessage): void {
  const { socket } = request
  const own = connections.get(socket) ?? { chunks: createChunks(ofConnection), isEnding: false }
  connections.set(socket, own)
  const network = networkOf(clientOf(world, request).address)
  const all = networksOf(world).getOrMake(network, () => createChunks(ofNetwork))
  const push = request.push.bind(request)
  request.push = (chunk: Buffer | null) => {
    if (chunk === null) return push(null)
    const [isOwnFine, isAllFine] = [own.chunks.add(chunk.length), all.add(chunk.length)]
    if (isOwnFine && isAllFine) return push(chunk)
    own.isEnding = true
    throwAway(request)
    refuseInTurn(Object.assign(new Error('Too many small chunks'), { code: 'TOO_MANY_CHUNKS' }), socket)
    return true
  }
}

// What else was read of its connection.
function throwAway(request: IncomingMessage): void {
  request.push = () => true
}
