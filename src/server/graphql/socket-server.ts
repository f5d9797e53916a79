import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { handleProtocols, type Server as Protocol } from 'graphql-ws'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Ctx } from '../../kit/context.ts'
import { Failure, tooManyRequests } from '../../kit/errors.ts'
import type { World } from '../../kit/world.ts'
import { foreignHost, servingOn } from '../../modules/auth/calls/origin.ts'
import { clientOf } from '../caller.ts'
import { repeatedHeader } from '../http.ts'
import { addressOwner, placesRetrySeconds, type Release, takePlace } from '../places.ts'
import { plainRefusal } from '../replies.ts'
import { receiveMessages } from './messages.ts'
import { answerPings, checkAlive, keepAliveMs } from './pings.ts'
import { createSender } from './sender.ts'
import { holdUnended } from './unended.ts'

/** What the protocol knows about a socket. */
export interface SocketExtra {
  socket: WebSocket
  request: IncomingMessage
  /** The call of its caller, once that is authenticated. */
  ctx?: Ctx
  /** Aborted when the socket is closed. */
  closed: AbortSignal
  /** The size of the message that is being passed on. */
  messageBytes?: number
  /** Called when the caller is authenticated: from then on the socket may send large messages, and pings are answered. */
  initialised(): void
  /** Makes what stands for a result that is written already, in the next message: the protocol would write it at once. */
  written(json: string): object
}

/** The open websockets of a server. */
export interface Sockets {
  /** Ends every subscription and closes every socket (1001); those that do not answer are cut off after 2 s. */
  close(): Promise<void>
}

// Emails with large attachments must be sent over HTTP.
const maxMessageBytes = 1_000_000
// Each is held apart until its message has ended, which takes more memory than a byte of it. Browsers send such large messages in a few.
const maxFragments = 64
const maxBytesBeforeInit = 16 * 1024
const closeTimeoutMs = 2_000

/**
 * Carries the protocol graphql-transport-ws over websockets at /graphql. What a client can make this process hold is bounded:
 * a socket that reads so slowly that 4 MB wait for it is cut off, and what waits for its key or address counts with the unread answers
 * (`holdUnread`); before it
 * is initialised it is sent nothing in answer and may send 16 KB in all, and then messages of 1 MB, of which 32 MB per address may
 * be unfinished; the number of sockets per address is limited (429).
 */
export function createSocketServer(world: World, protocol: Protocol<SocketExtra>, server: Server): Sockets {
  // Of the messages that a client sends at once, others are answered between one and the next.
  const inTurns = { allowSynchronousEvents: false }
  const bounds = { maxPayload: maxMessageBytes, maxFragments, closeTimeout: closeTimeoutMs }
  const wss = new WebSocketServer({ noServer: true, path: '/graphql', autoPong: false, ...bounds, ...inTurns, handleProtocols })
  server.on('upgrade', (request, duplex, head) => {
    const repeated = repeatedHeader(request)
    if (repeated) return refuseUpgrade(duplex, new Failure('BAD_REQUEST', `The header ${repeated} is given more than once.`))
    if (servingOn(world, request.headers.host) !== 'everything') return refuseUpgrade(duplex, foreignHost())
    const initialised = admit(world, request, duplex)
    if (initialised)
      wss.handleUpgrade(request, duplex, head, (socket) => {
        countOpen(world, socket)
        serve(world, protocol, { socket, request, initialised }, duplex)
      })
    else
      refuseUpgrade(duplex, tooManyRequests('Too many sockets of this address are open, or wait for connection_init.', placesRetrySeconds))
  })
  const keepAlive = setInterval(() => checkAlive(wss.clients), keepAliveMs).unref()
  return {
    async close() {
      clearInterval(keepAlive)
      const ended = [...wss.clients].map((socket) => new Promise((resolve) => socket.once('close', resolve)))
      for (const socket of wss.clients) socket.close(1001, 'Going away')
      wss.close()
      await Promise.all(ended)
    },
  }
}

// Takes the places of a new socket. Returns what gives the one of sockets before connection_init back, or null without a place.
function admit(world: World, request: IncomingMessage, duplex: Duplex): Release | null {
  const { MAX_SOCKETS_PER_ADDRESS, MAX_SOCKETS_BEFORE_INIT } = world.config
  const { address } = clientOf(world, request)
  const owner = addressOwner(address)
  const release = takePlace(world, owner.all, MAX_SOCKETS_PER_ADDRESS)
  const initialised = release && takePlace(world, owner.uninitialised, MAX_SOCKETS_BEFORE_INIT)
  duplex.once('close', () => {
    release?.()
    initialised?.()
  })
  if (!initialised) release?.()
  return initialised
}

const refusalMs = 5_000

function refuseUpgrade(duplex: Duplex, failure: Failure): void {
  // The client may be gone already.
  duplex.on('error', () => duplex.destroy())
  // Without waiting for the client to end its half: nothing else would ever close the connection.
  duplex.once('finish', () => duplex.destroy())
  setTimeout(() => duplex.destroy(), refusalMs).unref()
  duplex.end(plainRefusal(failure))
}

function countOpen({ metrics }: World, socket: WebSocket): void {
  const open = metrics.connections.labels('websocket')
  open.inc()
  socket.once('close', () => open.dec())
}

function serve(
  world: World,
  protocol: Protocol<SocketExtra>,
  { socket, request, initialised }: Pick<SocketExtra, 'socket' | 'request' | 'initialised'>,
  connection: Duplex,
): void {
  const cutOff = createCutOff(world, socket)
  const input = limitInput(world, { socket, request }, cutOff)
  const [results, left] = [createWritten(), new AbortController()]
  const extra: SocketExtra = {
    socket,
    request,
    initialised() {
      input.unlimit()
      initialised()
    },
    closed: left.signal,
    written: results.standFor,
  }
  const send = createSender({ socket, connection, callNow: () => extra.ctx }, cutOff)
  const sendText = (text: string) => send((sent) => socket.send(text, sent), Buffer.byteLength(text))
  // Nothing is answered before it is initialised.
  answerPings(socket, (data) => (input.isLimited() ? undefined : send((sent) => socket.pong(data, false, sent), data.length)))
  const closed = protocol.opened(
    {
      protocol: socket.protocol,
      send: (text) => sendText(results.putInto(text)),
      close: (code, reason) => socket.close(code, reason),
      onMessage: (receive) => receiveMessages(world, extra, receive),
      onPing: (payload) => (input.isLimited() ? undefined : sendText(JSON.stringify({ type: 'pong', payload }))),
    },
    extra,
  )
  socket.once('close', (code, reason) => {
    left.abort()
    void closed(code, String(reason))
  })
}

// Once: what is cut off is told once.
function createCutOff(world: World, socket: WebSocket): (reason: string) => void {
  let cut = false
  const cutOff = (reason: string): void => {
    if (cut) return
    cut = true
    world.log.info({ reason, bufferedBytes: socket.bufferedAmount }, 'sockets: a connection was cut off')
    socket.terminate()
  }
  socket.on('error', (error) => cutOff(error.message))
  return cutOff
}

// Results that were written before the protocol writes the message they belong to.
function createWritten(): { standFor(json: string): object; putInto(message: string): string } {
  const waiting = new Map<string, string>()
  return {
    standFor(json) {
      const written = randomUUID()
      waiting.set(JSON.stringify({ written }), json)
      return { written }
    },
    putInto(message) {
      for (const [stand, json] of waiting) {
        const at = message.indexOf(stand)
        if (at === -1) continue
        waiting.delete(stand)
        return message.slice(0, at) + json + message.slice(at + stand.length)
      }
      return message
    },
  }
}

// Everything a client sends until it is initialised; then what it has sent that is not passed on yet, such as messages that have not
// ended, with which a client on many sockets could fill the memory. Both count what arrives: a limit per message would have to wait for
// its end.
function limitInput(
  world: World,
  { socket, request }: Pick<SocketExtra, 'socket' | 'request'>,
  cutOff: (reason: string) => void,
): { isLimited(): boolean; unlimit(): void } {
  let limited = true
  let received = 0
  const unendedTooLong = () => cutOff('too much of messages that have not ended')
  const unended = holdUnended({ world, client: clientOf(world, request) }, unendedTooLong)
  // Before the listener of the socket itself, which reports the end of a message.
  request.socket.prependListener('data', (chunk: Buffer) => {
    received += chunk.length
    if (limited && received > maxBytesBeforeInit) cutOff(`more than ${maxBytesBeforeInit} bytes before connection_init`)
    if (!unended.arrived(chunk)) unendedTooLong()
  })
  for (const kind of ['message', 'ping', 'pong']) socket.on(kind, unended.passedOn)
  socket.once('close', unended.release)
  return {
    isLimited: () => limited,
    unlimit() {
      limited = false
    },
  }
}
