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

const checkMs = 1_000
const slowBytes = 65_536
// As many as an owner's bodies have places may leave them however much others do.
const maxSlow = { inAll: 64, ofOwner: 8, always: 2 }
// Whoever waits finds a place within this time, also behind bodies that are not slow.
const sliceMs = 2_000

interface Plan {
  owners: Owners
  slow: Tally
  /** Waits for a place, calls `begun`, and leaves it when the promise of `work` ends. */
  take(work: (begun: () => void) => Promise<void>): Promise<void>
}

/**
 * The place of a body. One of which less than 64 KB arrive within a second leaves it to others, and is read on without one at that pace;
 * where it is faster again, it waits for another one. A client on a bad line, or one that is stuck, would otherwise keep its account's
 * other calls waiting. The same goes for a body that has arrived, and whose operation takes long.
 */
export function createArrivingPlace({ owners, slow, take }: Plan): ArrivingPlace {
  let leave: (() => void) | undefined
  let began = 0
  let recent = 0
  let isSlow = false
  let timer: NodeJS.Timeout | undefined

  const takePlace = (): Promise<void> =>
    take((begun) => {
      timer ??= setInterval(check, checkMs).unref()
      const left = Promise.withResolvers<void>()
      leave = left.resolve
      began = performance.now()
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
    const arrived = recent
    recent = 0
    if (!leave || arrived >= slowBytes || !hasRoom(slow, owners)) return
    setSlow(true)
    leavePlace()
  }

  return {
    begin: takePlace,
    arrived(bytes) {
      recent += bytes
      const isFasterAgain = isSlow && recent >= slowBytes
      if (!isFasterAgain && !(leave && performance.now() - began >= sliceMs)) return undefined
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
