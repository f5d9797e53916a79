/** Maximum number of frames of an animation. */
export const maxFrames = 1_000

/** What is known of a picture from its bytes alone, before a decoder reads it. */
export interface Frames {
  /** How many frames it has, or at least so many; counted up to one more than `maxFrames`. */
  count: number
  /** Whether it ends as its format says, where an incomplete one would be decoded without an error. */
  whole: boolean
}

/**
 * Counts the frames of an animation without a decoder: reading the header of a WebP with very many takes it a time that grows with the
 * square of their number, which nothing can cut short.
 */
export function framesOf(bytes: Buffer): Frames {
  if (bytes.toString('latin1', 0, 3) === 'GIF') return framesOfGif(bytes)
  if (bytes.toString('latin1', 0, 4) === 'RIFF') return { count: framesOfWebp(bytes), whole: true }
  const isPng = bytes[0] === 0x89
  return { count: 1, whole: !isPng || bytes.includes(endOfPng) }
}

const endOfPng = Buffer.from('0000000049454e44ae426082', 'hex')

// Each frame of an animated WebP is a chunk of this name (RFC 9649, 2.7.1.1), which stands by chance in few places of any other bytes.
function framesOfWebp(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf('ANMF'); at !== -1 && count <= maxFrames; at = bytes.indexOf('ANMF', at + 4)) count++
  return Math.max(1, count)
}

// Skips the blocks of a GIF (GIF89a, 17 to 27) up to its trailer; there is none in an incomplete file.
function framesOfGif(gif: Buffer): Frames {
  const colorTable = (flags = 0): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  let count = 0
  let at = 13 + colorTable(gif[10])
  while ((gif[at] === 0x21 || gif[at] === 0x2c) && count <= maxFrames) {
    if (gif[at] === 0x2c) count++
    at += gif[at] === 0x2c ? 11 + colorTable(gif[at + 9]) : 2
    for (let length = gif[at]; length; length = gif[at]) at += length + 1
    at++
  }
  return { count, whole: gif[at] === 0x3b }
}
