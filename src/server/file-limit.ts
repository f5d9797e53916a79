import { existsSync, readFileSync } from 'node:fs'
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { siteOf } from '../kit/networks.ts'
import type { World } from '../kit/world.ts'
import { knownOwnerOf } from './admission.ts'
import { clientOf } from './caller.ts'
import { createSites, type Standing } from './sites.ts'

const warnEveryMs = 60_000
// For Postgres, mail servers, webhooks, bodies in files, exports and pictures.
const reserved = 1_000
// Of connections in use. Where there may be less than 32, an eighth of them, and at least one.
const maxFew = 4
// A request takes a moment to arrive after its connection.
const silentMs = 1_000

/** How many connections a process may have, with which it can still open the files that it needs; any number where that is not known. */
export function maxConnections(openFiles = limitOfFiles()): number {
  return Math.max(openFiles - reserved, openFiles / 2)
}

// Node has raised what it may have to the most that is allowed.
function limitOfFiles(): number {
  const file = '/proc/self/limits'
  const [, soft] = existsSync(file) ? (/^Max open files\s+(\d+)/m.exec(readFileSync(file, 'utf8')) ?? []) : []
  return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft)
}

/**
 * Ends connections once a process has nearly as many as it may have files, websockets included: those of the client address (IPv6: of the
 * /48) with the most give way, down to what the next one has, in this order: silent ones, idle ones, live ones, those with requests under
 * way, and last those with requests of callers who are signed in or have a secret key; of each the oldest ones first. Otherwise a few
 * addresses together, each below its own limit, would leave none for others, nor for Postgres.
 *
 * Behind reverse proxies (TRUST_PROXY) a connection is of an address that these name only while it is in use: live, or with a request under
 * way. The first of these that there is gives way:
 *
 * 1. While more than half of all are live, so that some are left for requests: those in use of the address with the most, or where none has
 *    more than a few (four) in use, live ones of the address with the most of these.
 * 2. One that nothing was asked on for a second, and then the one that has been idle for longest: these are the proxies'.
 * 3. Those in use of the address with the most, in the order above, if it has more than a few: no address that has many keeps others out,
 *    or takes one from an address with a few.
 * 4. One that nothing was asked on yet, or else the new one: all are in use, by addresses with a few each.
 */
export function limitFiles(world: World, server: Server, max = maxConnections()): void {
  const connections = createConnections(world, max)
  const warn = createWarning(world, max)
  const makeRoom = (newest: Socket, connection: Connection): void => {
    const { site, sockets } = connections.firstToGo(newest, connection)
    for (const socket of sockets) {
      connections.remove(socket)
      socket.destroy()
    }
    warn(site)
  }
  server.on('connection', (socket) => {
    const connection: Connection = { site: siteOf(socket.remoteAddress), wasAsked: false, underWay: 0, changed: 0 }
    connections.add(socket, connection)
    socket.once('close', () => connections.remove(socket))
    changes.set(socket, (change) => {
      Object.assign(connection, change(connection))
      connections.settle(socket)
    })
    if (connections.count() > max) makeRoom(socket, connection)
    connections.settle(socket)
  })
  countRequests(world, server)
}

/** All connections; in which order they give way is known while there are more than half as many as there may be. */
function createConnections(world: World, max: number) {
  const connections = new Map<Socket, Connection>()
  let order: Order | undefined
  let lastChange = 0
  const begin = (): Order => {
    const begun = createOrder(world, max)
    const all = [...connections].toSorted(([, one], [, other]) => one.changed - other.changed)
    for (const [socket, connection] of all) begun.put(socket, standingOf(world, connection))
    return begun
  }
  const remove = (socket: Socket): void => {
    connections.delete(socket)
    order?.remove(socket)
    if (connections.size < max / 4) order = undefined
  }
  return {
    remove,
    count: (): number => connections.size,
    add(socket: Socket, connection: Connection): void {
      if (connections.size >= max / 2) order ??= begin()
      connections.set(socket, connection)
    },
    settle(socket: Socket): void {
      const connection = connections.get(socket)
      if (!connection) return
      connection.changed = ++lastChange
      if (socket.destroyed) remove(socket)
      else order?.put(socket, standingOf(world, connection))
    },
    firstToGo(newest: Socket, connection: Connection) {
      order ??= begin()
      return order.firstToGo(newest, connection)
    },
  }
}

function createWarning({ log }: World, max: number): (site: string) => void {
  let warnedAt = Number.NEGATIVE_INFINITY
  return (site) => {
    if (performance.now() - warnedAt < warnEveryMs) return
    warnedAt = performance.now()
    log.warn({ site, max }, 'connections: the process has as many as it may have; those of the site with the most give way')
  }
}

interface Connection {
  /** Of the address that it comes from. */
  site: string
  wasAsked: boolean
  /** How many of its requests are being answered, or wait for it: several may be sent ahead of the answers. */
  underWay: number
  /** Its last request. */
  asked?: IncomingMessage
  /** While it is a live one. */
  live?: Standing | undefined
  /** Which of all changes of connections was its last one. */
  changed: number
}

const ranks = { silent: 0, idle: 1, live: 2, underWay: 3, underWayOfKnown: 4 }

function standingOf(world: World, { site, wasAsked, underWay, asked, live }: Connection): Standing {
  if (live) return live
  if (underWay > 0 && asked) {
    const rank = knownOwnerOf(world, asked) === undefined ? ranks.underWay : ranks.underWayOfKnown
    return { site: siteOf(clientOf(world, asked).address), rank }
  }
  return { site, rank: wasAsked ? ranks.idle : ranks.silent }
}

// What changes the connection of a socket, and where it stands.
const changes = new WeakMap<Duplex, (change: (connection: Connection) => Partial<Connection>) => void>()

function countRequests(world: World, server: Server): void {
  server.on('request', (asked, response) => {
    const change = changes.get(asked.socket)
    change?.(({ underWay }) => ({ wasAsked: true, underWay: underWay + 1, asked }))
    response.once('close', () => change?.(({ underWay }) => ({ underWay: underWay - 1 })))
  })
  // One that is refused is open until its client has taken the answer.
  server.on('upgrade', (request) => void countFor(request.socket, clientOf(world, request).address))
}

/**
 * Says that a connection whose request is answered with an event stream is a live one, of a client address; until it closes, or what this
 * returns is called. Those of websockets are so by themselves.
 */
export function countFor(socket: Socket, address: string | undefined): () => void {
  const change = changes.get(socket)
  const live = { site: siteOf(address), rank: ranks.live }
  change?.(() => ({ live }))
  return () => change?.((connection) => (connection.live === live ? { live: undefined } : {}))
}

/** In which order connections give way. */
interface Order {
  put(socket: Socket, standing: Standing): void
  remove(socket: Socket): void
  /** Which give way to the newest, which was not put anywhere yet; it may be one of them. */
  firstToGo(newest: Socket, connection: Connection): { site: string; sockets: Socket[] }
}

function createOrder({ config }: World, max: number): Order {
  const few = Math.min(maxFew, Math.max(1, Math.floor(max / 8)))
  return config.TRUST_PROXY > 0 ? orderBehindProxies(max, few) : orderOfAll(few)
}

function orderOfAll(few: number): Order {
  const sites = createSites()
  return {
    ...sites,
    firstToGo(newest, { site }) {
      // It is one of its site's, and not the first of them to go.
      sites.put(newest, { site, rank: ranks.underWay })
      return sites.firstToGo(few)
    },
  }
}

function orderBehindProxies(max: number, few: number): Order {
  const [used, live, unused] = [createSites(), createSites(), createUnused()]
  const all = [used, live, unused]
  return {
    put(socket, standing) {
      const { rank } = standing
      const own: Pick<Order, 'put' | 'remove'>[] = rank < ranks.live ? [unused] : rank === ranks.live ? [used, live] : [used]
      for (const each of all) if (!own.includes(each)) each.remove(socket)
      for (const each of own) each.put(socket, standing)
    },
    remove(socket) {
      for (const each of all) each.remove(socket)
    },
    firstToGo(newest) {
      const hasMany = used.most() > few
      if (live.count() > max / 2) return (hasMany ? used : live).firstToGo(few)
      const waiting = unused.longest()
      if (waiting) return { site: 'a proxy', sockets: [waiting] }
      if (hasMany) return used.firstToGo(few)
      return { site: 'a proxy', sockets: [unused.oldest() ?? newest] }
    },
  }
}

// Which are the proxies', in the order in which they became so.
function createUnused() {
  const [silent, idle] = [new Map<Socket, number>(), new Set<Socket>()]
  const remove = (socket: Socket): void => {
    silent.delete(socket)
    idle.delete(socket)
  }
  return {
    remove,
    put(socket: Socket, { rank }: Standing): void {
      remove(socket)
      if (rank === ranks.idle) idle.add(socket)
      else silent.set(socket, performance.now())
    },
    /** The one that has been silent for longest, or else idle; none that was accepted a moment ago. */
    longest(): Socket | undefined {
      const [first] = silent
      return first && performance.now() - first[1] > silentMs ? first[0] : idle.values().next().value
    },
    oldest: (): Socket | undefined => silent.keys().next().value,
  }
}
