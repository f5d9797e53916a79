import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { tooManyRequests } from '../kit/errors.ts'
import { networkOf } from '../kit/networks.ts'
import type { World } from '../kit/world.ts'
import { placesRetrySeconds, takePlace } from './places.ts'
import { plainRefusal } from './replies.ts'

const warnEveryMs = 60_000

/**
 * Limits the connections of a client address (IPv6: its /64 network, and ten times as many of its /48) to MAX_CONNECTIONS_PER_ADDRESS,
 * so that none can open as many as the process may have files (several together: see limitFiles): one more is answered with 429 and closed.
 * Those of websockets have limits of their own. Behind reverse proxies (TRUST_PROXY) all connections are theirs, so none is limited.
 */
export function limitConnections(world: World, server: Server): void {
  const { TRUST_PROXY, MAX_CONNECTIONS_PER_ADDRESS } = world.config
  if (TRUST_PROXY > 0) return
  const releases = new WeakMap<object, () => void>()
  let warnedAt = Number.NEGATIVE_INFINITY
  server.on('connection', (socket) => {
    const network = networkOf(socket.remoteAddress)
    const release = takePlace(world, `connections ${network}`, MAX_CONNECTIONS_PER_ADDRESS)
    if (release) {
      releases.set(socket, release)
      return void socket.once('close', release)
    }
    refuse(socket)
    if (performance.now() - warnedAt < warnEveryMs) return
    warnedAt = performance.now()
    world.log.warn({ network, max: MAX_CONNECTIONS_PER_ADDRESS }, 'connections: an address has as many as it may')
  })
  server.on('upgrade', ({ socket }) => releases.get(socket)?.())
}

// Before anything is read: a client that sends nothing would keep the connection.
function refuse(socket: Socket): void {
  const failure = tooManyRequests('Too many connections of this address are open.', placesRetrySeconds)
  socket.on('error', () => socket.destroy())
  socket.end(plainRefusal(failure), () => socket.destroy())
}
