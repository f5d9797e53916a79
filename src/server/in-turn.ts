import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { Failure, tooManyRequests } from '../kit/errors.ts'
import { networkOf } from '../kit/networks.ts'
import { createTally } from '../kit/tally.ts'
import { perWorld, type World } from '../kit/world.ts'
import { clientOf } from './caller.ts'
import { endWith } from './linger.ts'
import { refuseBeforeReading } from './parsing.ts'
import { plainRefusal } from './replies.ts'

// How many requests may wait for the answers before them: on one connection, and on all of one client address.
const maxAhead = 100
const maxAheadOfNetwork = 2_000

interface Connection {
  newest: ServerResponse
  /** Of which client address each request is that waits, in order: a connection of a proxy carries those of many. */
  waiting: string[]
  /** Ends it, because something that was sent on it is malformed, or too much. */
  end?: () => void
  /** In place of answering this request, which is malformed itself. */
  endsBefore?: ServerResponse
}

const connections = new WeakMap<Duplex, Connection>()
const aheadIn = perWorld(() => createTally())

/**
 * Answers the requests of one connection in turn: one that is sent ahead of the answers (RFC 9112, 9.3.2) waits until the answer before
 * it has been taken. What it would answer is not made, and not held, for a caller who reads nothing.
 */
export function inTurn(world: World, answer: RequestListener): RequestListener {
  return (request, response) => {
    const { socket } = request
    const connection = connections.get(socket)
    if (!connection) connections.set(socket, { newest: response, waiting: [] })
    if (!connection || connection.newest.closed) {
      if (connection) connection.newest = response
      return answer(request, response)
    }
    const before = connection.newest
    connection.newest = response
    wait(world, connection, request)
    before.once('close', () => {
      // Nobody reads the answers to what was sent before the caller left.
      if (socket.destroyed) return
      aheadIn(world).add(connection.waiting.shift() ?? '', -1)
      if (connection.endsBefore === response) return connection.end?.()
      answer(request, response)
    })
  }
}

/**
 * Limits how many requests are sent ahead of the answers: 100 on one connection, and 2,000 on all of a client address (IPv6: of its /64
 * network). One more is answered with 429 after those before it, and ends its connection; so does an upgrade, with 400. Whoever waits for
 * each answer is not limited.
 */
export function limitAhead(world: World, server: Server): void {
  refuseBeforeReading(server, (request) => {
    const connection = connections.get(request.socket)
    if (!connection || connection.newest.closed) return false
    if (connection.end) return true
    const isTooMany = connection.waiting.length >= maxAhead || aheadIn(world).of(networkOfClient(world, request)) >= maxAheadOfNetwork
    // A websocket would begin before the answers that come first.
    if (!isTooMany && request.headers.upgrade === undefined) return false
    refuseInTurn(isTooMany ? tooManyAhead() : upgradeAhead(), request.socket)
    return true
  })
}

const tooManyAhead = () => tooManyRequests('Too many requests were sent ahead of the answers: wait for some of them.', retrySeconds)
const upgradeAhead = () => new Failure('BAD_REQUEST', 'A websocket must not be asked for before the requests ahead of it are answered.')
const retrySeconds = 1

// What Node finds wrong.
const refusals: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/**
 * Refuses what is not HTTP, takes too long to arrive, or is too much of something, after the answers to the requests before it, and ends
 * the connection.
 */
export function refuseInTurn(error: Failure | NodeJS.ErrnoException, socket: Duplex): void {
  const connection = connections.get(socket)
  if (connection?.end) return
  const answer =
    error instanceof Failure
      ? plainRefusal(error)
      : `HTTP/1.1 ${refusals[error.code ?? ''] ?? '400 Bad Request'}\r\nConnection: close\r\n\r\n`
  const end = (): void => endWith(socket, answer)
  if (connection && !connection.newest.closed) endInTurn(connection, socket, end)
  else end()
}

function endInTurn(connection: Connection, socket: Duplex, end: () => void): void {
  connection.end = end
  const { newest, waiting } = connection
  socket.pause()
  if (newest.req.complete) {
    // Ten others may wait for the end of an answer, such as its turn and its room.
    newest.setMaxListeners(newest.getMaxListeners() + 1)
    newest.once('close', end)
  } else if (waiting.length > 0) {
    connection.endsBefore = newest
  } else if (newest.headersSent) {
    // A part of its answer may have been read.
    socket.destroy()
  } else end()
}

function wait(world: World, { waiting }: Connection, request: IncomingMessage): void {
  const ahead = aheadIn(world)
  if (waiting.length === 0 && !followed.has(request.socket)) {
    followed.add(request.socket)
    request.socket.once('close', () => {
      for (const network of waiting.splice(0)) ahead.add(network, -1)
    })
  }
  const network = networkOfClient(world, request)
  waiting.push(network)
  ahead.add(network, 1)
}

// The connections at whose end those that wait leave.
const followed = new WeakSet<Duplex>()

function networkOfClient(world: World, request: IncomingMessage): string {
  return networkOf(clientOf(world, request).address)
}
