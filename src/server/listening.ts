import type { Server } from 'node:http'
import { type AddressInfo, createServer, type Server as NetServer } from 'node:net'

// One connection of a listening socket is taken in per turn of the event loop, and a turn takes milliseconds while somebody floods:
// hundreds of connections that wait would then keep those of others waiting for seconds, however fairly requests take turns.
const sockets = process.platform === 'linux' ? 16 : 1

/** How a server is reached. */
export interface Listening {
  port: number
  /** Accepts no more connections, and resolves when those that it has accepted have ended. */
  close(): Promise<void>
}

/**
 * Makes a server listen at a port (0: a free one) of an address: on Linux with several sockets, between which the kernel divides
 * connections (SO_REUSEPORT). Fails when the port is taken.
 */
export async function listenWith(server: Server, at: { host: string; port: number }): Promise<Listening> {
  if (sockets === 1 || at.port !== 0) await listening(server, { ...at, reusePort: false })
  const others = sockets === 1 ? [] : await divide(server, at)
  return { port: portOf(server), close: async () => void (await Promise.all([server, ...others].map(closed))) }
}

// Systems that divide no connections have one socket.
const unsupported = ['ENOTSUP', 'EOPNOTSUPP', 'ENOPROTOOPT', 'EINVAL']

async function divide(server: Server, { host, port }: { host: string; port: number }): Promise<NetServer[]> {
  const others = Array.from({ length: sockets - 1 }, () =>
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) => void server.emit('connection', socket)),
  )
  // It was free: with reusePort a program of the same user could share it.
  if (server.listening) await closed(server)
  try {
    await listening(server, { host, port, reusePort: true })
  } catch (error) {
    if (!unsupported.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    await listening(server, { host, port, reusePort: false })
    return []
  }
  for (const other of others) await listening(other, { host, port: portOf(server), reusePort: true })
  return others
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port

async function listening(server: NetServer, at: { host: string; port: number; reusePort: boolean }): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject).listen(at, resolve)
  await promise
  server.off('error', reject)
}

const closed = (server: NetServer): Promise<void> => new Promise((resolve) => server.close(() => resolve()))
