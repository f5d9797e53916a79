import { siteOf } from './networks.ts'
import { missedTurn, standardWaitMs } from './share.ts'
import { createTally } from './tally.ts'

/** A place among the downloads of a process. */
export interface Place {
  /** Calls `cutOff` when a download that waits takes the place. */
  use(cutOff: () => void): void
  /** Gives the place back; more than once has no effect. */
  leave(): void
}

/** How many downloads there are at a time, in all, of one owner, and of one site. */
export interface DownloadsPlan {
  max: number
  maxPerOwner: number
  maxPerSite: number
  /** How many of the places are for those who have none: the owners, and their site. */
  maxForFirst: number
  /** A download may go on for so long, however many others wait. */
  minMs: number
  /** What the caller is told who has waited too long. */
  busy: string
}

/** Whose a download is. */
export interface Reader {
  /** Such as the account and the project; each of them counts. */
  owners: readonly string[]
  /** The client address; IPv6: the site, /48. */
  site: string
}

interface Download extends Reader {
  since: number
  cutOff?: () => void
}

interface Waiting extends Reader {
  begin(place: Place): void
}

// A place may be taken as soon as its download has had its time, which nothing else reports.
const checkMs = 1_000

/** Takes a place for a download. Fails with SERVICE_UNAVAILABLE when there is none after 15 s, or before the caller has left (`left`). */
export type TakePlace = (reader: Reader, left?: AbortSignal) => Promise<Place>

/** Whose a download of a client address and of some owners is. */
export function readerOf(address: string | undefined, owners: readonly string[]): Reader {
  return { owners, site: `site ${siteOf(address)}` }
}

/**
 * Creates places for downloads, which their readers hold for as long as they take. Those whose site, and then who themselves, have the
 * fewest are served first. While none is left for it, one that waits takes the place of the download that has run longest of the site
 * with the most, and there of the owner with the most: neither keeps fewer than who waits then has.
 */
export function createDownloads({ max, maxPerOwner, maxPerSite, maxForFirst, minMs, busy }: DownloadsPlan, now: () => number): TakePlace {
  const running = new Set<Download>()
  const waiting = new Set<Waiting>()
  const taken = createTally()
  let timer: NodeJS.Timeout | undefined
  const ofSite = ({ site }: Reader): number => taken.of(site)
  const ofOwner = ({ owners }: Reader): number => Math.max(...owners.map((owner) => taken.of(owner)))
  const compare = (one: Reader, other: Reader): number => ofSite(one) - ofSite(other) || ofOwner(one) - ofOwner(other)

  function end(download: Download): void {
    if (running.delete(download)) taken.add([...download.owners, download.site], -1)
  }
  function begin({ owners, site, begin: begun }: Waiting): void {
    const download: Download = { owners, site, since: now() }
    running.add(download)
    taken.add([...owners, site], 1)
    begun({
      use(cutOff) {
        download.cutOff = cutOff
        if (!running.has(download)) cutOff()
      },
      leave() {
        end(download)
        serve()
      },
    })
  }
  function nextWaiting(): Waiting | undefined {
    let next: Waiting | undefined
    for (const one of waiting) if (ofOwner(one) < maxPerOwner && ofSite(one) < maxPerSite && (!next || compare(one, next) < 0)) next = one
    return next
  }
  // Who is next at each of the sites that have as many as they may.
  function nextOfFullSites(): Iterable<Waiting> {
    const nexts = new Map<string, Waiting>()
    for (const one of waiting) {
      const next = nexts.get(one.site)
      if (ofSite(one) >= maxPerSite && (!next || ofOwner(one) < ofOwner(next))) nexts.set(one.site, one)
    }
    return nexts.values()
  }
  function replaceable(by: Reader, site?: string): Download | undefined {
    let longest: Download | undefined
    for (const one of running)
      if (now() - one.since >= minMs && mayReplace(by, one) && (site ?? one.site) === one.site && (!longest || compare(one, longest) > 0))
        longest = one
    return longest
  }
  function mayReplace(by: Reader, one: Download): boolean {
    const [own, others] = one.site === by.site ? [ofOwner(by), ofOwner(one)] : [ofSite(by), ofSite(one)]
    return others > (own === 0 ? 0 : own + 1)
  }
  function hasRoom(reader: Reader): boolean {
    const isFirst = ofOwner(reader) === 0 && ofSite(reader) === 0
    return running.size < (isFirst ? max : max - maxForFirst)
  }
  function beginInstead(next: Waiting, longest: Download | undefined): void {
    if (longest) end(longest)
    waiting.delete(next)
    begin(next)
    longest?.cutOff?.()
  }
  function serve(): void {
    for (let next = nextWaiting(); next; next = nextWaiting()) {
      const longest = hasRoom(next) ? undefined : replaceable(next)
      if (!hasRoom(next) && !longest) break
      beginInstead(next, longest)
    }
    for (const next of nextOfFullSites()) {
      const longest = replaceable(next, next.site)
      if (longest) beginInstead(next, longest)
    }
    if (waiting.size > 0) timer ??= setInterval(serve, checkMs).unref()
    else {
      clearInterval(timer)
      timer = undefined
    }
  }
  return async (reader, left) => {
    if (left?.aborted) throw missedTurn(busy)
    const { promise, resolve, reject } = Promise.withResolvers<Place>()
    const one: Waiting = { ...reader, begin: resolve }
    const giveUp = (): void => {
      waiting.delete(one)
      reject(missedTurn(busy))
    }
    const patience = setTimeout(giveUp, standardWaitMs)
    left?.addEventListener('abort', giveUp)
    waiting.add(one)
    serve()
    return promise.finally(() => {
      clearTimeout(patience)
      left?.removeEventListener('abort', giveUp)
    })
  }
}
