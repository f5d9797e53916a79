// A piece that is held costs about a hundred octets besides its own, and may be a part of a read of 64 KB.
const smallBytes = 4 * 1024
const maxSmall = 64

/** Octets that arrive in pieces. Small pieces are copied together, so that what is held is about as large as what has arrived. */
export interface Octets {
  add(piece: Buffer): void
  /** How many have arrived. */
  bytes(): number
  /** Those that are held. */
  take(): Buffer
}

/** Begins to gather octets. */
export function gatherOctets(): Octets {
  let pieces: Buffer[] = []
  let small: Buffer[] = []
  let bytes = 0

  function copySmall(): void {
    if (small.length > 0) pieces.push(joined(small))
    small = []
  }

  return {
    bytes: () => bytes,
    add(piece) {
      bytes += piece.length
      if (piece.length < smallBytes && small.push(piece) < maxSmall) return
      copySmall()
      if (piece.length >= smallBytes) pieces.push(piece)
    },
    take() {
      copySmall()
      const taken = joined(pieces)
      pieces = []
      return taken
    },
  }
}

function joined(pieces: Buffer[]): Buffer {
  if (pieces.length === 1 && pieces[0]) return pieces[0]
  const all = Buffer.concat(pieces)
  for (const piece of pieces) giveBack(piece)
  return all
}

/**
 * Gives the memory of octets that nobody needs any more back at once, where they do not share it with others: it is outside of the heap,
 * whose size decides when V8 looks for what is not used, so that a gigabyte of it could wait for that.
 */
export function giveBack({ buffer, length }: Buffer): void {
  if (buffer instanceof ArrayBuffer && length === buffer.byteLength) buffer.transfer(0)
}
