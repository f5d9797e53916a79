import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

// More than so many requests are not taken off a connection while they wait.
const maxAhead = 16

interface Connection {
  newest: ServerResponse
  waiting: number
}

/**
 * Answers the requests of one connection in turn: one that is sent ahead of the answers (RFC 9112, 9.3.2) waits until the answer before
 * it has been taken. What it would answer is not made, and not held, for a caller who reads nothing.
 */
export function inTurn(answer: RequestListener): RequestListener {
  const connections = new WeakMap<Socket, Connection>()
  return (request, response) => {
    const { socket } = request
    const connection = connections.get(socket)
    if (!connection) connections.set(socket, { newest: response, waiting: 0 })
    if (!connection || connection.newest.closed) {
      if (connection) connection.newest = response
      return answer(request, response)
    }
    const before = connection.newest
    connection.newest = response
    wait(connection, request)
    before.once('close', () => {
      // Nobody reads the answers to what was sent before the caller left.
      if (socket.destroyed) return
      connection.waiting--
      if (connection.waiting === maxAhead) socket.resume()
      answer(request, response)
    })
  }
}

function wait(connection: Connection, { socket }: IncomingMessage): void {
  connection.waiting++
  if (connection.waiting > maxAhead) socket.pause()
}
