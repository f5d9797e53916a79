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
  return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)
}
