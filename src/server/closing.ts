import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

// Requests that have not arrived completely by then have changed nothing: their callers repeat them.
const arrivalMs = 500
const answerMs = 5_000
const idleCheckMs = 50

/**
 * Prepares a server for its end. The function it returns accepts no more connections (`close`), cuts off requests that have not arrived
 * completely after 0.5 s and everything else after 5 s, and resolves when every connection has ended. Connections that were
 * upgraded are closed by whoever has them.
 */
export function createClosing(server: Server): (close: () => Promise<void>) => Promise<void> {
  const connections = new Map<Duplex, IncomingMessage | undefined>()
  server.on('connection', (socket) => {
    connections.set(socket, undefined)
    socket.once('close', () => connections.delete(socket))
  })
  server.on('upgrade', ({ socket }) => connections.delete(socket))
  server.on('request', (request, response) => {
    connections.set(request.socket, request)
    response.once('close', () => {
      if (connections.get(request.socket) === request) connections.set(request.socket, undefined)
    })
  })
  const cutOffUnfinished = (): void => {
    for (const [socket, request] of connections) if (!request?.complete) socket.destroy()
  }
  return async (close) => {
    const timers = [
      // A connection that is kept alive is idle only after its last answer.
      setInterval(() => server.closeIdleConnections(), idleCheckMs),
      setTimeout(cutOffUnfinished, arrivalMs),
      setTimeout(() => server.closeAllConnections(), answerMs),
    ]
    await close()
    for (const timer of timers) clearTimeout(timer)
  }
}
