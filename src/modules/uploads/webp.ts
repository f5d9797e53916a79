import { BrokenPicture, type Measured } from './measured.ts'

type Size = Measured['sizes'][number]

/** Walks the chunks of a WebP (RFC 9649), frames inside an animation as well; the size in its head is where it ends. */
export function measureWebp(bytes: Buffer): Measured {
  const end = 8 + bytes.readUInt32LE(4)
  if (end > bytes.length) throw new RangeError('shorter than its head says')
  const { sizes, pictures } = walk(bytes, 12, end)
  if (pictures === 0) throw new BrokenPicture('is a WebP without pixels')
  return { sizes, end }
}

interface Found {
  sizes: Size[]
  pictures: number
}

function walk(bytes: Buffer, from: number, end: number): Found {
  const found: Found = { sizes: [], pictures: 0 }
  for (let at = from; at < end; ) {
    const name = bytes.toString('latin1', at, at + 4)
    const length = bytes.readUInt32LE(at + 4)
    const next = at + 8 + length + (length % 2)
    if (next > end) throw new BrokenPicture('is a WebP with a broken chunk')
    const size = sizeOf(name, bytes.subarray(at + 8, at + 8 + length))
    if (size) found.sizes.push(size)
    if (name === 'VP8 ' || name === 'VP8L') found.pictures++
    if (name === 'ANMF') add(found, walk(bytes, at + 24, at + 8 + length))
    at = next
  }
  return found
}

function add(found: Found, { sizes, pictures }: Found): void {
  for (const size of sizes) found.sizes.push(size)
  found.pictures += pictures
}

function sizeOf(name: string, data: Buffer): Size | undefined {
  // Three bytes each, less one (RFC 9649, 2.7).
  if (name === 'VP8X') return { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 }
  if (name === 'ANMF') return { width: data.readUIntLE(6, 3) + 1, height: data.readUIntLE(9, 3) + 1 }
  if (name === 'VP8L') return losslessSize(data)
  return name === 'VP8 ' ? lossySize(data) : undefined
}

// 14 bits each, less one, after the signature (RFC 9649, 3.4).
function losslessSize(data: Buffer): Size {
  if (data.readUInt8(0) !== 0x2f) throw new BrokenPicture('is a WebP with a broken picture in it')
  const bits = data.readUInt32LE(1)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

// A key frame starts with 9D 01 2A; two of the 16 bits scale (RFC 6386, 9.1).
function lossySize(data: Buffer): Size {
  if (data.toString('hex', 3, 6) !== '9d012a') throw new BrokenPicture('is a WebP with a broken picture in it')
  return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff }
}
