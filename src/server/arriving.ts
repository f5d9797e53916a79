import { createTally, type Tally } from '../kit/tally.ts'
import type { Owners } from '../kit/turns.ts'

/** The place of a large body among those of its owner that arrive. */
export interface ArrivingPlace {
  /** Waits for its place; call it once, before it is read on. */
  begin(): Promise<void>
  /** Counts what of it has arrived: what is returned is to be waited for before it is read on. */
  arrived(bytes: number): Promise<void> | undefined
  /** Leaves its place when `restMs` are over, which is asked with how long it was there. */
  end(restMs: (turnMs: number) => number): void
}

/** How many bodies that arrive slowly have left their places: of each owner, and in all. */
export const createSlowBodies = createTally

const checkMs = 250
// Half a second, in which 32 KB arrive of what is not slow.
const checksPerWindow = 2
const slowBytes = 32_768
// Checks in which nothing arrives of what is read on without a place.
const maxSilent = 4
// As many as an owner's bodies have places may leave them however much others do.
const maxSlow = { inAll: 64, ofOwner: 8, always: 2 }
// Whoever waits finds a place within this time for each two bodies before it, also where these are not slow.
const sliceMs = 750

interface Plan {
  owners: Owners
  slow: Tally
  /** Whether its client has sent all of it. */
  isComplete(): boolean
  /** Waits for a place, calls `begun`, and leaves it when the promise of `work` ends. */
  take(work: (begun: () => void) => Promise<void>): Promise<void>
}

/**
 * The place of a body. One of which nothing arrives for a quarter of a second, or less than 32 KB in half a second, leaves it to others,
 * and is read on without one at that pace, a few of each owner; where it is faster again, it waits for another one. The same goes for a body
 * that has arrived, and whose operation takes long. Where no more may be read on, one of which nothing arrives leaves its place as well, and
 * waits for another one as soon as more of it arrives. A client on a bad line, or one that is stuck, would otherwise keep its account's
 * other calls waiting.
 */
export function createArrivingPlace({ owners, slow, isComplete, take }: Plan): ArrivingPlace {
  let leave: (() => void) | undefined
  let began = 0
  let checks = 0
  let recent = 0
  let silent = 0
  let inWindow = 0
  let isSlow = false
  let isStalled = false
  let timer: NodeJS.Timeout | undefined

  const takePlace = (): Promise<void> =>
    take((begun) => {
      clearInterval(timer)
      timer = setInterval(check, checkMs).unref()
      const left = Promise.withResolvers<void>()
      leave = left.resolve
      began = performance.now()
      checks = recent = silent = inWindow = 0
      begun()
      return left.promise
    })

  function leavePlace(): void {
    leave?.()
    leave = undefined
  }

  function setSlow(value: boolean): void {
    if (value !== isSlow) slow.add(owners, value ? 1 : -1)
    isSlow = value
  }

  function check(): void {
    silent = recent === 0 && !isComplete() ? silent + 1 : 0
    recent = 0
    const isWindowOver = ++checks % checksPerWindow === 0
    const isBelow = isWindowOver && inWindow < slowBytes
    if (isWindowOver) inWindow = 0
    if (leave && (silent > 0 || isBelow) && hasRoom(slow, owners)) leaveAs('slow')
    else if (leave ? silent > 0 : isSlow && silent >= maxSilent) leaveAs('stalled')
  }

  function leaveAs(pace: 'stalled' | 'slow'): void {
    isStalled = pace === 'stalled'
    setSlow(!isStalled)
    leavePlace()
  }

  return {
    begin: takePlace,
    arrived(bytes) {
      recent += bytes
      inWindow += bytes
      const isFasterAgain = isSlow && inWindow >= slowBytes
      if (!isFasterAgain && !isStalled && !(leave && performance.now() - began >= sliceMs)) return undefined
      isStalled = false
      setSlow(false)
      leavePlace()
      return takePlace()
    },
    end(restMs) {
      clearInterval(timer)
      setSlow(false)
      const rest = leave ? restMs(performance.now() - began) : 0
      if (rest > 0) setTimeout(leavePlace, rest)
      else leavePlace()
    },
  }
}

function hasRoom(slow: Tally, owners: Owners): boolean {
  const most = slow.total < maxSlow.inAll ? maxSlow.ofOwner : maxSlow.always
  return [owners].flat().every((owner) => slow.of(owner) < most)
}
