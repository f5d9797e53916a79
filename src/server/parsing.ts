import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

type OnIncoming = (request: IncomingMessage & { upgrade?: boolean }, keepsAlive: boolean) => number

// What Node keeps on a connection. It is no part of its documented interface: a test notices when it changes.
interface Parsed {
  parser?: { onIncoming?: OnIncoming | null }
}

// As for an upgrade: what comes behind the head of the request is not HTTP.
const readNoFurther = 2

/**
 * Asks about each request when its head has been read, before a request is made of it and before anything behind it is read: Node takes
 * 64 KB off a connection at once, and makes requests and chunks of all of them, whatever has been paused meanwhile. Of a request that is
 * refused nothing more is read, nor of its connection, which `isRefused` has to end.
 */
export function refuseBeforeReading(server: Server, isRefused: (request: IncomingMessage) => boolean): void {
  server.on('connection', (socket: Socket & Parsed) => {
    const { parser } = socket
    const make = parser?.onIncoming
    if (!parser || !make)
      throw new Error('This version of Node reads requests in a way that is not known here; see package.json for one that is.')
    parser.onIncoming = (request, keepsAlive) => {
      if (!isRefused(request)) return make(request, keepsAlive)
      // Otherwise Node would go on with the upgrade that it asks for.
      request.upgrade = false
      return readNoFurther
    }
  })
}
