import type { Ctx } from '../../kit/context.ts'
import { holdBytes } from '../held-bytes.ts'

/** What a socket holds of messages that have not ended. */
export interface Unended {
  /** Counts what has arrived; says whether that is within the bounds. */
  arrived(bytes: number): boolean
  /** A message has ended. What has arrived behind its end still counts. */
  ended(message: Buffer): void
  /** A control frame has come, perhaps between the frames of a message. */
  between(payload: Buffer): void
  /** Gives everything back. */
  release(): void
}

// A piece that arrives is held by itself until its frame has ended.
const pieceBytes = 128
// What a socket may hold however much others do.
const smallBytes = 8 * 1024
// What may have arrived behind the end of a message when that is reported: two reads of 64 KB, and what is read ahead of them.
const maxBehind = 160 * 1024

/**
 * Counts what has arrived of the messages of a socket: 32 MB per client address and 128 MB per process, with unfinished bodies. When
 * others have all of that, a socket may still have 8 KB.
 */
export function holdUnended(client: Pick<Ctx, 'world' | 'client'>): Unended {
  const held = holdBytes(client, 'memory')
  let [bytes, pieces] = [0, 0]

  function give(back: number): void {
    bytes -= back
    held.add(-back)
  }

  return {
    arrived(arrived) {
      bytes += arrived
      pieces += pieceBytes
      return held.add(arrived + pieceBytes) || bytes + pieces <= smallBytes
    },
    // The heads of fragments are not known: beyond what can have arrived behind the message nothing is left of it.
    ended(message) {
      give(Math.min(bytes, frameBytes(message)))
      give(Math.max(0, bytes - maxBehind))
      held.add(-pieces)
      pieces = 0
    },
    between: (payload) => give(Math.min(bytes, frameBytes(payload))),
    release() {
      held.release()
      bytes = 0
      pieces = 0
    },
  }
}

// A frame of a client: what it carries, its mask, and its head, which is longer for more (RFC 6455, 5.2).
function frameBytes({ length }: Buffer): number {
  return length + 4 + (length < 126 ? 2 : length < 65_536 ? 4 : 10)
}
