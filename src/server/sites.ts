import type { Socket } from 'node:net'

// Several make room together where one site has far more than the next, so that others do not wait for it to lose one after the other.
const maxAtOnce = 32

/** Which connections of its site are ended before others: those of a lower rank, and of a rank those first that have had it for longest. */
export interface Standing {
  site: string
  rank: number
}

/** Connections by site (`siteOf`). Each call takes as long however many connections and sites there are. */
export interface Sites {
  count(): number
  /** How many the site with the most has. */
  most(): number
  /** Adds a connection, or moves it: what has the same standing keeps its age. */
  put(socket: Socket, standing: Standing): void
  remove(socket: Socket): void
  /**
   * Which connections of the site with the most give way: as many as it has more than the next one, or than a few if that is less, but
   * at least one and at most 32.
   */
  firstToGo(few: number): { site: string; sockets: Socket[] }
}

interface Site {
  name: string
  size: number
  ranks: (Set<Socket> | undefined)[]
}

/** Creates sites without connections. */
export function createSites(): Sites {
  const sites = new Map<string, Site>()
  const places = new Map<Socket, { site: Site; rank: number }>()
  const sizes = createSizes()
  const siteNamed = (name: string): Site => {
    const site = sites.get(name) ?? { name, size: 0, ranks: [] }
    sites.set(name, site)
    return site
  }
  const remove = (socket: Socket): void => {
    const place = places.get(socket)
    if (!place) return
    const { site, rank } = place
    places.delete(socket)
    site.ranks[rank]?.delete(socket)
    sizes.change(site, -1)
    if (site.size === 0) sites.delete(site.name)
  }
  return {
    count: () => places.size,
    most: sizes.most,
    put(socket, { site: name, rank }) {
      const before = places.get(socket)
      if (before?.site.name === name && before.rank === rank) return
      remove(socket)
      const site = siteNamed(name)
      const peers = site.ranks[rank] ?? new Set()
      site.ranks[rank] = peers.add(socket)
      places.set(socket, { site, rank })
      sizes.change(site, 1)
    },
    remove,
    firstToGo(few) {
      const { largest, next } = sizes.top(few)
      return { site: largest?.name ?? '', sockets: largest ? firstOf(largest, Math.max(1, largest.size - next)) : [] }
    },
  }
}

function firstOf({ ranks }: Site, count: number): Socket[] {
  const sockets: Socket[] = []
  for (const peers of ranks)
    for (const socket of peers ?? []) {
      if (sockets.length === count) return sockets
      sockets.push(socket)
    }
  return sockets
}

// In a flood the largest site is asked for with each new connection: it is not looked for among all of them.
function createSizes() {
  const bySize: Set<Site>[] = []
  let most = 0
  const isAny = (size: number): boolean => (bySize[size]?.size ?? 0) > 0
  return {
    most: () => most,
    /** The largest site, and the size of the next one where that is at least `few` and at most 32 less. */
    top(few: number): { largest: Site | undefined; next: number } {
      const sites = bySize[most]
      const largest = sites?.values().next().value
      if (!sites || sites.size > 1) return { largest, next: most }
      const least = Math.max(few, most - maxAtOnce)
      let next = most - 1
      while (next > least && !isAny(next)) next--
      return { largest, next }
    },
    change(site: Site, by: 1 | -1): void {
      bySize[site.size]?.delete(site)
      site.size += by
      const peers = bySize[site.size] ?? new Set()
      if (site.size > 0) bySize[site.size] = peers.add(site)
      most = Math.max(most, site.size)
      while (most > 0 && !isAny(most)) most--
    },
  }
}
