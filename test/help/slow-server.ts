import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A mail server that reads each connection no faster than a rate, until it is told to hurry. It has no extensions. */
export interface SlowServer {
  url: string
  /** The octets of contents so far. */
  received(): number
  /** How many complete messages contained the expected octets, and how many did not. */
  whole(): number
  broken(): number
  /** Reads as fast as it can from now on. */
  hurry(): void
  close(): void
}

const endOfContent = Buffer.from('\r\n.\r\n')

/** Starts a server that reads so many octets per second and connection, and expects some octets in every message. */
export async function slowServer(bytesPerSecond: number, expected: Buffer): Promise<SlowServer> {
  const counts = { received: 0, whole: 0, broken: 0 }
  let rate = bytesPerSecond
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    let content: Buffer[] | undefined
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (chunk: Buffer) => {
      if (!content) {
        content = answerCommands(socket, chunk) ? [] : undefined
        return
      }
      content.push(chunk)
      counts.received += chunk.length
      slowDown(socket, chunk.length)
      if (!endsContent(content)) return
      if (Buffer.concat(content).includes(expected)) counts.whole++
      else counts.broken++
      content = undefined
      socket.write('250 ok\r\n')
    })
    socket.write('220 slow\r\n')
  })
  function slowDown(socket: Socket, octets: number): void {
    if (rate === Number.POSITIVE_INFINITY) return
    socket.pause()
    setTimeout(() => socket.resume(), (octets / rate) * 1_000)
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => counts.received,
    whole: () => counts.whole,
    broken: () => counts.broken,
    hurry() {
      rate = Number.POSITIVE_INFINITY
      for (const socket of sockets) socket.resume()
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

// Without pipelining one command comes at a time. Returns whether the content follows.
function answerCommands(socket: Socket, chunk: Buffer): boolean {
  const verb = chunk.toString('latin1', 0, 4).toUpperCase()
  if (verb === 'DATA') socket.write('354 go\r\n')
  else if (verb === 'QUIT') socket.end('221 bye\r\n')
  else socket.write('250 ok\r\n')
  return verb === 'DATA'
}

// The end may be split over the last chunks.
function endsContent(content: Buffer[]): boolean {
  let tail: Buffer = Buffer.alloc(0)
  for (let at = content.length - 1; at >= 0 && tail.length < endOfContent.length; at--) tail = Buffer.concat([content[at] as Buffer, tail])
  return tail.subarray(-endOfContent.length).equals(endOfContent)
}

/** The largest resident memory that a process of this machine has had, in MB; Linux only. */
export function peakMemoryMb(pid: number): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  if (kilobytes === undefined) throw new Error(`The peak memory of process ${pid} is unknown`)
  return Number(kilobytes) / 1024
}
