import { missedTurn, standardWaitMs } from '../../kit/share.ts'
import { createTally } from '../../kit/tally.ts'

/** A place among the downloads of a process. */
export interface Place {
  /** Calls `cutOff` when a download that waits takes the place. */
  use(cutOff: () => void): void
  /** Gives the place back; more than once has no effect. */
  leave(): void
}

/** How many downloads there are at a time, in all and of one owner, such as a client address. */
export interface DownloadsPlan {
  max: number
  maxPerOwner: number
  /** How many of the places are for owners who have none. */
  maxForFirst: number
  /** A download may go on for so long, however many others wait. */
  minMs: number
  /** What the caller is told who has waited too long. */
  busy: string
}

interface Download {
  owner: string
  since: number
  cutOff?: () => void
}

interface Waiting {
  owner: string
  begin(place: Place): void
}

// A place may be taken as soon as its download has had its time, which nothing else reports.
const checkMs = 1_000

/** Creates the places of downloads. Fails with SERVICE_UNAVAILABLE when there is none after 15 s, or before the caller has left (`left`). */
export type TakePlace = (owner: string, left?: AbortSignal) => Promise<Place>

/**
 * Creates places for downloads, which their readers hold for as long as they take. Those who have the fewest are served first. While none
 * is left for it, one that waits takes the place of the download that has run longest of the owner with the most: that owner keeps no fewer
 * than the other then has.
 */
export function createDownloads({ max, maxPerOwner, maxForFirst, minMs, busy }: DownloadsPlan, now: () => number): TakePlace {
  const running = new Set<Download>()
  const waiting = new Set<Waiting>()
  const taken = createTally()
  let timer: NodeJS.Timeout | undefined

  function end(download: Download): void {
    if (running.delete(download)) taken.add(download.owner, -1)
  }
  function begin({ owner, begin: begun }: Waiting): void {
    const download: Download = { owner, since: now() }
    running.add(download)
    taken.add(owner, 1)
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
    for (const one of waiting) if (!next || taken.of(one.owner) < taken.of(next.owner)) next = one
    return next && taken.of(next.owner) < maxPerOwner ? next : undefined
  }
  function replaceable(owner: string): Download | undefined {
    const own = taken.of(owner)
    let longest: Download | undefined
    let most = own === 0 ? 0 : own + 1
    for (const one of running) {
      const places = taken.of(one.owner)
      if (now() - one.since < minMs || places <= most) continue
      longest = one
      most = places
    }
    return longest
  }
  function serve(): void {
    for (let next = nextWaiting(); next; next = nextWaiting()) {
      const hasRoom = running.size < (taken.of(next.owner) === 0 ? max : max - maxForFirst)
      const longest = hasRoom ? undefined : replaceable(next.owner)
      if (!hasRoom && !longest) break
      if (longest) end(longest)
      waiting.delete(next)
      begin(next)
      longest?.cutOff?.()
    }
    if (waiting.size > 0) timer ??= setInterval(serve, checkMs).unref()
    else {
      clearInterval(timer)
      timer = undefined
    }
  }
  return async (owner, left) => {
    if (left?.aborted) throw missedTurn(busy)
    const { promise, resolve, reject } = Promise.withResolvers<Place>()
    const one: Waiting = { owner, begin: resolve }
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
