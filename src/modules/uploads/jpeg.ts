import { BrokenPicture, type Measured } from './measured.ts'

const endOfImage = 0xd9
const startOfScan = 0xda

/** Walks the segments of a JPEG (ITU-T T.81, annex B), and the scans between them, from SOI to EOI. */
export function measureJpeg(bytes: Buffer): Measured {
  const sizes: Measured['sizes'] = []
  let scans = 0
  for (let at = 2; ; ) {
    if (bytes.readUInt8(at) !== 0xff) throw new BrokenPicture('is a JPEG with bytes between its segments')
    const marker = bytes.readUInt8(at + 1)
    if (marker === endOfImage) {
      if (sizes.length === 0 || scans === 0) throw new BrokenPicture('is a JPEG without pixels')
      return { sizes, end: at + 2 }
    }
    // A marker may be preceded by any number of fill bytes (B.1.1.2).
    if (marker === 0xff) {
      at++
      continue
    }
    const length = bytes.readUInt16BE(at + 2)
    if (length < 2 || marker < 0xc0) throw new BrokenPicture('is a JPEG with a broken segment')
    if (isFrame(marker)) {
      if (sizes.length > 0) throw new BrokenPicture('is a JPEG with two headers')
      sizes.push({ height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) })
    }
    at += 2 + length
    if (marker !== startOfScan) continue
    scans++
    at = endOfScan(bytes, at)
  }
}

// SOF0 to SOF15; C4, C8 and CC are other things.
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

// In a scan FF 00 is a byte of data, and FF D0 to FF D7 are restart markers (F.1.2.3, E.1.4).
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes.readUInt8(at + 1)
    if (next === 0xff) continue
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return at
  }
  throw new RangeError('no marker ends the scan')
}
