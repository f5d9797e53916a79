import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

// A connection that is closed while there is more to read of it is reset, and its client may lose the answers that it has not read.
const lingerMs = 1_000
const maxLingerMs = 10_000
// What is thrown away of all connections together, about 60 MB per second: it is the thread that reads it.
const bytesPerMs = 60 * 1024
const minPauseMs = 5
const bytesAtOnce = 512 * 1024

/** Ends a connection with a last answer, and reads no more of it. */
export function endWith(socket: Duplex, answer: string): void {
  if (!socket.writable) return void socket.destroy()
  socket.pause()
  socket.end(answer)
  setTimeout(() => socket.destroy(), lingerMs).unref()
}

/**
 * Lets a client that is still sending its request read the answer to it where that ends the connection: as long as something arrives within
 * a second, for 10 seconds at most, it is thrown away, at a bounded pace.
 */
export function lingerAtEnd(request: IncomingMessage): void {
  const { socket } = request
  // What Node calls at the end of the last answer; it would close the connection at once.
  socket.destroySoon = () => {
    request.unpipe()
    request.resume()
    readInRounds(socket)
    request.once('end', () => socket.destroy())
    socket.end()
  }
}

// Connections of this process, whose thread reads all of them.
let open = 0

const pauseAfter = (bytes: number): number => Math.max(minPauseMs, (open * bytes) / bytesPerMs)

// Not by pausing the request: Node throws its body away before it comes to that. Of a connection up to 2 MB are read in one round. What
// arrives while it is paused is read in the next one: only a round without anything says that nothing arrives.
function readInRounds(socket: Socket): void {
  open++
  socket.once('close', () => open--)
  const ends = performance.now() + maxLingerMs
  let quietSince: number | undefined
  let before = socket.bytesRead
  const wait = (): void => {
    socket.pause()
    const now = performance.now()
    quietSince = socket.bytesRead > before ? undefined : (quietSince ?? now)
    if (now > ends || (quietSince !== undefined && now - quietSince >= lingerMs)) return void socket.destroy()
    setTimeout(read, Math.min(pauseAfter(socket.bytesRead - before), ends - now)).unref()
  }
  const read = (): void => {
    if (socket.destroyed) return
    before = socket.bytesRead
    socket.resume()
    setImmediate(wait)
  }
  read()
}

/** Reads the rest of a body in chunks after its answer at the same pace, and leaves the connection open: see followChunks. */
export function throwAway(request: IncomingMessage): void {
  let read = 0
  open++
  request.once('close', () => open--)
  request.on('data', ({ length }: Buffer) => {
    read += length
    if (read < bytesAtOnce) return
    request.pause()
    setTimeout(() => request.resume(), pauseAfter(read)).unref()
    read = 0
  })
  request.resume()
}
