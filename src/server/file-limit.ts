import { existsSync, readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { siteOf } from '../kit/networks.ts'
import type { World } from '../kit/world.ts'

const warnEveryMs = 60_000
// For Postgres, mail servers, webhooks, bodies in files, exports and pictures.
const reserved = 1_000
// Looking for who has the most takes its time, so several make room together.
const maxAtOnce = 32

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
 * /48) with the most give way, first those that nothing was written to, the oldest ones first. Otherwise a few addresses together, each
 * below its own limit, would leave none for others, nor for Postgres. Behind reverse proxies (TRUST_PROXY) all are theirs, so only those
 * that nothing was written to give way, or else the new one.
 */
export function limitFiles({ config, log }: Pick<World, 'config' | 'log'>, server: Server, max = maxConnections()): void {
  const sites = new Map<string, Set<Socket>>()
  let open = 0
  let warnedAt = Number.NEGATIVE_INFINITY
  const forget = (site: string, socket: Socket): void => {
    const own = sites.get(site)
    if (!own?.delete(socket)) return
    open--
    if (own.size === 0) sites.delete(site)
  }
  const makeRoom = (newest: Socket): void => {
    const [site, own] = largestOf(sites)
    const giving = firstToGo(own, config.TRUST_PROXY > 0)
    for (const socket of giving.length > 0 ? giving : [newest]) {
      forget(site, socket)
      socket.destroy()
    }
    if (performance.now() - warnedAt < warnEveryMs) return
    warnedAt = performance.now()
    log.warn({ site, of: own.size, max }, 'connections: the process has as many as it may have; those of the site with the most give way')
  }
  server.on('connection', (socket) => {
    const site = siteOf(socket.remoteAddress)
    sites.set(site, (sites.get(site) ?? new Set()).add(socket))
    open++
    socket.once('close', () => forget(site, socket))
    if (open > max) makeRoom(socket)
  })
}

function largestOf(sites: Map<string, Set<Socket>>): [site: string, sockets: Set<Socket>] {
  let largest: [string, Set<Socket>] = ['', new Set()]
  for (const each of sites) if (each[1].size > largest[1].size) largest = each
  return largest
}

function firstToGo(sockets: Set<Socket>, silentOnly: boolean): Socket[] {
  // Never all of those of somebody who has few.
  const count = Math.min(maxAtOnce, Math.ceil(sockets.size / 2))
  const silent = [...sockets].filter(({ bytesWritten }) => bytesWritten === 0)
  const others = silentOnly || silent.length >= count ? [] : [...sockets].filter(({ bytesWritten }) => bytesWritten > 0)
  return [...silent, ...others].slice(0, count)
}
