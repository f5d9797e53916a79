import { BrokenPicture, type Measured } from './measured.ts'

const trailer = 0x3b
const extension = 0x21
const image = 0x2c

/** Walks the blocks of a GIF (GIF89a, sections 17 to 27), frame by frame, to its trailer. */
export function measureGif(bytes: Buffer): Measured {
  const sizes = [sizeAt(bytes, 6)]
  let frames = 0
  for (let at = 13 + colorTable(bytes.readUInt8(10)); ; ) {
    const kind = bytes.readUInt8(at)
    if (kind === trailer) {
      if (frames === 0) throw new BrokenPicture('is a GIF without pixels')
      return { sizes, end: at + 1 }
    }
    if (kind !== extension && kind !== image) throw new BrokenPicture('is a GIF with a broken block')
    if (kind === image) {
      frames++
      sizes.push(sizeAt(bytes, at + 5))
    }
    at = endOfBlocks(bytes, kind === image ? at + 11 + colorTable(bytes.readUInt8(at + 9)) : at + 2)
  }
}

function sizeAt(bytes: Buffer, at: number): Measured['sizes'][number] {
  return { width: bytes.readUInt16LE(at), height: bytes.readUInt16LE(at + 2) }
}

// Three bytes a color, where the flags say that there is a table.
function colorTable(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}

// Data comes in pieces of up to 255 bytes; an empty one ends it.
function endOfBlocks(bytes: Buffer, from: number): number {
  let at = from
  for (let length = bytes.readUInt8(at); length > 0; length = bytes.readUInt8(at)) at += length + 1
  return at + 1
}
