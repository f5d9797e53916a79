import type { Ctx } from '../../kit/context.ts'
import { holdBytes } from '../held-bytes.ts'
import { followFrames } from './frames.ts'

/** What a socket holds of what has arrived and has not been passed on. */
export interface Unended {
  /** Counts a piece that has arrived; says whether that is within the bounds. */
  arrived(piece: Buffer): boolean
  /** The next message, ping or pong has been passed on. */
  passedOn(): void
  /** Gives everything back. */
  release(): void
}

// What it takes to hold a piece, besides its bytes.
const pieceBytes = 128
// What a socket may hold however much others do.
const smallBytes = 8 * 1024

/**
 * Counts the pieces that have arrived on a socket, each as a whole until all in it has ended and been passed on: 32 MB per client address
 * and 128 MB per process, with unfinished bodies (`holdBytes`). When others have all of that, a socket may still have 8 KB. `cutOff` is
 * called when others need what has been unfinished for long.
 */
export function holdUnended(client: Pick<Ctx, 'world' | 'client'>, cutOff: () => void): Unended {
  const held = holdBytes(client, 'memory')
  held.yields(cutOff)
  const partsOf = followFrames()
  // What is given back when so many, of all messages, pings and pongs that have come, have been passed on.
  const ending: { upTo: number; bytes: number }[] = []
  let [bytes, unfinished] = [0, 0]
  let [ended, passed] = [0, 0]

  return {
    arrived(piece) {
      const parts = partsOf(piece)
      if (parts.endedBefore > 0 && unfinished > 0) {
        ending.push({ upTo: ended + parts.endedBefore, bytes: unfinished })
        unfinished = 0
      }
      ended += parts.ended
      const arrived = piece.length + pieceBytes
      if (parts.isUnfinished) unfinished += arrived
      else ending.push({ upTo: ended, bytes: arrived })
      bytes += arrived
      return held.add(arrived) || bytes <= smallBytes
    },
    passedOn() {
      passed++
      while (ending[0] && ending[0].upTo <= passed) {
        bytes -= ending[0].bytes
        held.add(-ending[0].bytes)
        ending.shift()
      }
    },
    release() {
      held.release()
      ending.length = 0
      ;[bytes, unfinished] = [0, 0]
    },
  }
}
