import { randomBytes } from 'node:crypto'
import type { WebSocket } from 'ws'

/** How often every socket is asked whether it is still there. */
export const keepAliveMs = 12_000

// Clients send a few in that time. Each takes about as long to read and to answer as a small message, and waits for no turn.
const maxControlFrames = 200

const policyViolation = 1008

/** Answers the pings of a socket. One that sends more than 200 pings and pongs in 12 s is closed (1008). */
export function answerPings(socket: WebSocket, answer: (data: Buffer) => unknown): void {
  let [frames, since] = [0, performance.now()]
  const isTooMany = (): boolean => {
    const now = performance.now()
    if (now - since > keepAliveMs) [frames, since] = [0, now]
    frames++
    if (frames === maxControlFrames + 1) {
      socket.close(policyViolation, 'Too many pings.')
      // What it has sent behind them is not read any more.
      socket.pause()
    }
    return frames > maxControlFrames
  }
  socket.on('ping', (data) => isTooMany() || void answer(data))
  // Only what answers our last ping (RFC 6455, 5.5.3) says that the client reads: it may send pongs without a ping.
  socket.on('pong', (data) => isTooMany() || (unanswered.get(socket)?.equals(data) && unanswered.delete(socket)))
}

// A connection that is lost without a word answers no ping until the next round.
const unanswered = new WeakMap<WebSocket, Buffer>()

/** Pings all sockets, and ends those that have not answered the last time. */
export function checkAlive(sockets: Set<WebSocket>): void {
  for (const socket of sockets) {
    // While a message of it waits for its turn nothing is read, no pong either.
    if (socket.isPaused) continue
    if (unanswered.has(socket)) {
      socket.terminate()
      continue
    }
    const asked = randomBytes(8)
    unanswered.set(socket, asked)
    socket.ping(asked)
  }
}
