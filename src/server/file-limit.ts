import { existsSync, readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { siteOf } from '../kit/networks.ts'
import type { World } from '../kit/world.ts'
import { clientOf } from './caller.ts'

const warnEveryMs = 60_000
// For Postgres, mail servers, webhooks, bodies in files, exports and pictures.
const reserved = 1_000
// Looking for who has the most takes its time, so several make room together.
const maxAtOnce = 32
const few = 4

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
 * /48) with the most give way, down to what the next one has, first those that nothing was written to, the oldest ones first, and last
 * those whose request is being answered. Otherwise a few addresses together, each below its own limit, would leave none for others, nor for
 * Postgres. Behind reverse proxies (TRUST_PROXY) live connections are of the addresses that these name (countFor) and give way so while they
 * are more than half, and then so do those whose requests are being answered, or wait for their turn, of an address with more than a few;
 * of the others, which are the proxies', one that nothing was written to does, or else the one that has been idle for longest, or else live
 * ones of an address that has more than the next one, or else the new one.
 */
export function limitFiles(world: World, server: Server, max = maxConnections()): void {
  const { config, log } = world
  const [sites, liveSites, askingSites, uses] = [createSites(), createSites(), createSites(), createUses(server)]
  const all = [sites, liveSites, askingSites, uses]
  let warnedAt = Number.NEGATIVE_INFINITY
  const givingWay = (newest: Socket): [site: string, sockets: Socket[]] => {
    if (config.TRUST_PROXY === 0) return firstToGo(sites, uses)
    const live = firstToGo(liveSites, uses)
    if (liveSites.count() > max / 2) return live
    if (askingSites.count() > max / 2 && askingSites.most() > few) return firstToGo(askingSites, uses)
    const unused = uses.unused()
    if (unused) return ['a proxy', [unused]]
    return live[1].length > 1 ? live : ['a proxy', [newest]]
  }
  const makeRoom = (newest: Socket): void => {
    const [site, giving] = givingWay(newest)
    for (const socket of giving) {
      for (const each of all) each.remove(socket)
      socket.destroy()
    }
    if (performance.now() - warnedAt < warnEveryMs) return
    warnedAt = performance.now()
    log.warn({ site, max }, 'connections: the process has as many as it may have; those of the site with the most give way')
  }
  server.on('connection', (socket) => {
    sites.add(socket, siteOf(socket.remoteAddress))
    socket.once('close', () => {
      for (const each of all) each.remove(socket)
    })
    if (config.TRUST_PROXY > 0) liveIn.set(socket, liveSites)
    if (sites.count() > max) makeRoom(socket)
    if (!socket.destroyed) uses.add(socket)
  })
  if (config.TRUST_PROXY > 0) countRequests(world, server, askingSites)
}

// Of the addresses that proxies name, while their requests are being answered.
function countRequests(world: World, server: Server, sites: ReturnType<typeof createSites>): void {
  server.on('request', (request, response) => {
    const { socket } = request
    sites.add(socket, siteOf(clientOf(world, request).address))
    response.once('close', () => sites.remove(socket))
  })
}

/** Which connections are used: a request of theirs is being answered, or they are websockets. */
function createUses(server: Server) {
  // Both in the order in which they became so.
  const [silent, idle] = [new Set<Socket>(), new Set<Socket>()]
  const remove = (socket: Socket): void => {
    silent.delete(socket)
    idle.delete(socket)
  }
  server.on('request', ({ socket }, response) => {
    remove(socket)
    response.once('close', () => void (socket.destroyed || idle.add(socket)))
  })
  server.on('upgrade', ({ socket }) => remove(socket))
  return {
    remove,
    add: (socket: Socket): void => void silent.add(socket),
    isUsed: (socket: Socket): boolean => !silent.has(socket) && !idle.has(socket),
    /** The oldest connection that nothing was asked on, or else the one whose last request was answered first. */
    unused: (): Socket | undefined => silent.values().next().value ?? idle.values().next().value,
  }
}

const liveIn = new WeakMap<Socket, ReturnType<typeof createSites>>()

/** Says that a connection is a live one, a websocket or an event stream, of a client address; until it closes, or what this returns is called. */
export function countFor(socket: Socket, address: string | undefined): () => void {
  const sites = socket.destroyed ? undefined : liveIn.get(socket)
  sites?.add(socket, siteOf(address))
  return () => sites?.remove(socket)
}

function createSites() {
  const sites = new Map<string, Set<Socket>>()
  const siteOfSocket = new Map<Socket, string>()
  return {
    sites,
    count: (): number => siteOfSocket.size,
    most(): number {
      let most = 0
      for (const { size } of sites.values()) most = Math.max(most, size)
      return most
    },
    add(socket: Socket, site: string): void {
      siteOfSocket.set(socket, site)
      sites.set(site, (sites.get(site) ?? new Set()).add(socket))
    },
    remove(socket: Socket): void {
      const site = siteOfSocket.get(socket)
      if (site === undefined) return
      siteOfSocket.delete(socket)
      const own = sites.get(site)
      own?.delete(socket)
      if (own?.size === 0) sites.delete(site)
    },
  }
}

function firstToGo(
  { sites }: ReturnType<typeof createSites>,
  { isUsed }: ReturnType<typeof createUses>,
): [site: string, sockets: Socket[]] {
  let largest: [string, Set<Socket>] = ['', new Set()]
  let next = 0
  for (const each of sites) {
    if (each[1].size > largest[1].size) [largest, next] = [each, largest[1].size]
    else next = Math.max(next, each[1].size)
  }
  const [site, own] = largest
  const count = Math.min(maxAtOnce, Math.max(1, own.size - next))
  const rankOf = (socket: Socket): number => (isUsed(socket) ? 2 : socket.bytesWritten === 0 ? 0 : 1)
  return [site, [...own].toSorted((one, other) => rankOf(one) - rankOf(other)).slice(0, count)]
}
