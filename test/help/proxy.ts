import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterAll } from 'vitest'

/** A TCP proxy that can stop forwarding. */
export interface Proxy {
  /** The address of the target, through the proxy. */
  url: string
  /** Stops forwarding on all open connections without closing them, so that they are half-open. New ones work. */
  silence(): void
  /** Cuts all open connections, and every new one until `restore` is called. */
  cut(): void
  restore(): void
}

/** Opens a proxy to a Postgres, or to the server of another address with a port, closed after the file's tests. */
export async function proxyTo(url: string): Promise<Proxy> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let open: Socket[] = []
  let isCut = false
  // With allowHalfOpen a silenced connection does not answer even a goodbye.
  const server = createServer({ allowHalfOpen: true }, (near) => {
    if (isCut) return void near.destroy()
    const far = connect({ port: Number(target.port || 5432), host: target.hostname, allowHalfOpen: true })
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      open.push(from)
      from.on('error', () => from.destroy())
      from.pipe(to)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href,
    silence() {
      for (const socket of open) socket.unpipe().resume()
      open = []
    },
    cut() {
      isCut = true
      for (const socket of open) socket.destroy()
      open = []
    },
    restore() {
      isCut = false
    },
  }
}
