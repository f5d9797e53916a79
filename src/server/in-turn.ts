import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

// More than so many requests are not taken off a connection while they wait.
const maxAhead = 16

interface Connection {
  newest: ServerResponse
  waiting: number
  /** Ends it, because something that was sent on it is malformed. */
  end?: () => void
  /** In place of answering this request, which is malformed itself. */
  endsBefore?: ServerResponse
}

const connections = new WeakMap<Duplex, Connection>()

/**
 * Answers the requests of one connection in turn: one that is sent ahead of the answers (RFC 9112, 9.3.2) waits until the answer before
 * it has been taken. What it would answer is not made, and not held, for a caller who reads nothing.
 */
export function inTurn(answer: RequestListener): RequestListener {
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
      if (connection.endsBefore === response) return connection.end?.()
      if (connection.waiting === maxAhead) socket.resume()
      answer(request, response)
    })
  }
}

const refusals: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** Refuses what is not HTTP, or takes too long to arrive, after the answers to the requests before it, and ends the connection. */
export function refuseInTurn({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void {
  const connection = connections.get(socket)
  if (connection?.end) return
  const end = (): void => {
    if (socket.writable) socket.write(`HTTP/1.1 ${refusals[code] ?? '400 Bad Request'}\r\nConnection: close\r\n\r\n`)
    socket.destroy()
  }
  if (connection && !connection.newest.closed) endInTurn(connection, socket, end)
  else end()
}

function endInTurn(connection: Connection, socket: Duplex, end: () => void): void {
  connection.end = end
  const { newest, waiting } = connection
  socket.pause()
  if (newest.req.complete) {
    newest.once('close', end)
  } else if (waiting > 0) {
    connection.endsBefore = newest
  } else if (newest.headersSent) {
    // A part of its answer may have been read.
    socket.destroy()
  } else end()
}

function wait(connection: Connection, { socket }: IncomingMessage): void {
  connection.waiting++
  if (connection.waiting > maxAhead) socket.pause()
}
