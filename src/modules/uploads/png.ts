import { crc32 } from 'node:zlib'
import { BrokenPicture, type Measured } from './measured.ts'

const headerBytes = 13

/** Walks the chunks of a PNG (W3C PNG 3, section 5), each with its checksum, from IHDR to IEND. */
export function measurePng(bytes: Buffer): Measured {
  const sizes: Measured['sizes'] = []
  let pixels = 0
  for (let at = 8; ; ) {
    const length = bytes.readUInt32BE(at)
    const name = bytes.toString('latin1', at + 4, at + 8)
    const next = at + 12 + length
    if (bytes.readUInt32BE(next - 4) !== crc32(bytes.subarray(at + 4, next - 4))) throw new BrokenPicture('is a PNG with a wrong checksum')
    const isHeader = name === 'IHDR'
    if (isHeader !== (sizes.length === 0) || (isHeader && length !== headerBytes))
      throw new BrokenPicture('is a PNG without a valid header')
    if (isHeader || name === 'fcTL') sizes.push(sizeAt(bytes, isHeader ? at + 8 : at + 12))
    if (name === 'IDAT') pixels += length
    if (name === 'IEND') {
      if (pixels === 0) throw new BrokenPicture('is a PNG without pixels')
      return { sizes, end: next }
    }
    at = next
  }
}

function sizeAt(bytes: Buffer, at: number): Measured['sizes'][number] {
  return { width: bytes.readUInt32BE(at), height: bytes.readUInt32BE(at + 4) }
}
