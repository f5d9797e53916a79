import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Ctx } from '../../kit/context.ts'
import type { Taken } from '../byte-budget.ts'
import { holdUnread } from '../unread.ts'

/** Sends something by `write`, which takes `size` bytes; resolves when it was handed to the operating system, or the socket has ended. */
export type Send = (write: (sent: (error?: Error | null) => void) => void, size?: number) => Promise<void>

interface Target {
  socket: WebSocket
  connection: Duplex
  /** The call of the caller, once that is authenticated: nothing large is sent before. */
  callNow(): Ctx | undefined
}

const maxBufferedBytes = 4_000_000
const smallBytes = 64_000

/**
 * Sends to a socket, which is cut off when it fails, when 4 MB wait for it to read, when it is the one of its key or address that has
 * most and longest unread while these have too much (`holdUnread`), and for a message that is not small while all readers together
 * have, and its own key or address more than a little. Nothing is thrown, because the protocol has nobody to report it to.
 */
export function createSender(target: Target, cutOff: (reason: string) => void): Send {
  const { socket } = target
  const unread = createUnread(target, cutOff)
  const gather = gathering(target.connection)
  // A single message may be larger, to a client that has read all before it.
  const isBehind = (size: number): boolean => socket.bufferedAmount > 0 && socket.bufferedAmount + size > maxBufferedBytes
  // Of its own key or address others are cut off, or it is, once it is counted.
  const isTooMuch = (size: number): boolean => unread()?.full(size) === 'all' && (size > smallBytes || socket.bufferedAmount > smallBytes)
  return (write, size = 0) =>
    new Promise((resolve) => {
      if (socket.readyState !== socket.OPEN) return resolve()
      if (isBehind(size) || isTooMuch(size)) {
        cutOff(notReading)
        return resolve()
      }
      const held = unread()
      held?.add(size)
      gather()
      write((error) => {
        held?.add(-size)
        if (error) cutOff(error.message)
        resolve()
      })
    })
}

const notReading = 'it does not read what it is sent'

// Counted for the key from the first message after it is known.
function createUnread({ socket, callNow }: Target, cutOff: (reason: string) => void): () => Taken | undefined {
  let unread: Taken | undefined
  return () => {
    const ctx = unread ? undefined : callNow()
    if (!ctx) return unread
    unread = holdUnread(ctx)
    unread.yields(() => cutOff(notReading))
    socket.once('close', unread.release)
    return unread
  }
}

// What is sent in one go is written at once.
function gathering(connection: Duplex): () => void {
  let isGathering = false
  return () => {
    if (isGathering) return
    isGathering = true
    connection.cork()
    process.nextTick(() => {
      isGathering = false
      connection.uncork()
    })
  }
}
