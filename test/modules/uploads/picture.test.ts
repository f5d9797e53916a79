import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Failure } from '../../../src/kit/errors.ts'
import { readPicture } from '../../../src/modules/uploads/picture.ts'
import { gif, jpeg, png, pngChunk, webp, webpCanvas, webpChunk, webpPixels } from '../../help/pictures.ts'

const frame = (pixels: Buffer) => Buffer.concat([webpCanvas(3, 2).subarray(4), webpCanvas(3, 2).subarray(4), Buffer.alloc(4), pixels])
const good: [string, Buffer, string][] = [
  ['a PNG', png(), 'image/png'],
  ['a JPEG', jpeg, 'image/jpeg'],
  ['a GIF', gif(), 'image/gif'],
  ['an animated GIF', gif(3, 2, 5), 'image/gif'],
  ['a lossy WebP', webp(['VP8 ', webpPixels.lossy]), 'image/webp'],
  ['a lossless WebP', webp(['VP8L', webpPixels.lossless]), 'image/webp'],
  ['a WebP with metadata', webp(['VP8X', webpCanvas(3, 2)], ['VP8L', webpPixels.lossless], ['EXIF', Buffer.from('odd')]), 'image/webp'],
  ['an animated WebP', webp(['VP8X', webpCanvas(3, 2)], ['ANMF', frame(webpChunk('VP8 ', webpPixels.lossy))]), 'image/webp'],
]

const problem = (bytes: Buffer): { code: string | undefined; message: string } => {
  try {
    readPicture(bytes)
  } catch (error) {
    if (error instanceof Failure) return { code: error.errors?.[0]?.code, message: error.message }
    throw error
  }
  return { code: undefined, message: 'was taken' }
}

describe('readPicture takes', () => {
  test.each(good)('%s, with its size', (_what, bytes, contentType) => {
    expect(readPicture(bytes)).toMatchObject({ contentType, width: 3, height: 2 })
  })

  test('a picture of just 10,000 pixels a side, or just 50 megapixels', () => {
    expect(readPicture(png(10_000, 5_000))).toMatchObject({ width: 10_000, height: 5_000 })
  })

  test('a JPEG with fill bytes between its segments, and restarts in its scan', () => {
    const filled = Buffer.concat([
      jpeg.subarray(0, 2),
      Buffer.from('ffffff', 'hex'),
      jpeg.subarray(2, -2),
      Buffer.from('ffd0ff00ffd9', 'hex'),
    ])
    expect(readPicture(filled)).toMatchObject({ width: 3, height: 2 })
  })
})

describe('readPicture refuses', () => {
  test.each([
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', /SVG/],
    ['an SVG after a byte order mark', '\uFEFF\n<?xml version="1.0"?><svg/>', /SVG/],
    ['HTML', '<!doctype html><script>alert(1)</script>', /markup/],
    ['text', 'hello', /not a picture/],
    ['a BMP', 'BM000000', /not a picture/],
    ['a RIFF that is no WebP', 'RIFF\x04\0\0\0WAVE', /not a picture/],
    ['a GIF of a version there is not', 'GIF90a0000', /not a picture/],
  ])('%s', (_what, text, sentence) => {
    const { code, message } = problem(Buffer.from(text))
    expect([code, message]).toEqual(['not_an_image', expect.stringMatching(sentence)])
    expect(message).toContain('PNG, JPEG, GIF or WebP')
  })

  test('nothing', () => expect(problem(Buffer.alloc(0))).toEqual({ code: 'empty', message: 'The file is empty.' }))

  test.each(good)('%s that breaks off, wherever that is', (_what, bytes) => {
    for (let length = 12; length < bytes.length; length++) expect(problem(bytes.subarray(0, length)).code, `${length}`).toBe('broken_image')
  })

  test.each(good)('%s with HTML or a ZIP after its end', (_what, bytes) => {
    const { code, message } = problem(Buffer.concat([bytes, Buffer.from('<script>alert(1)</script>')]))
    expect([code, message]).toEqual(['trailing_data', expect.stringContaining('25 bytes after the end')])
    expect(problem(Buffer.concat([bytes, Buffer.from('PK\x03\x04')])).code).toBe('trailing_data')
  })

  test.each([
    ['a PNG of 10,001 pixels a side', png(10_001, 1)],
    ['a PNG of 64 megapixels', png(8_000, 8_000)],
    ['a PNG of 4 billion pixels a side', png(0xffff_ffff, 0xffff_ffff)],
    ['a GIF of 65,535 pixels a side', gif(65_535, 65_535)],
    ['a GIF with a frame larger than its screen', gifWithFrame(60_000)],
    ['a JPEG of 65,535 pixels a side', jpegOf(65_535, 65_535)],
    ['a lossless WebP of 16,384 pixels a side', webp(['VP8L', Buffer.from('2fffffff0f00', 'hex')])],
    ['a WebP with a huge canvas', webp(['VP8X', webpCanvas(16_000_000, 2)], ['VP8 ', webpPixels.lossy])],
    ['a WebP whose picture is larger than its canvas', webp(['VP8X', webpCanvas(3, 2)], ['VP8L', Buffer.from('2fffffff0f00', 'hex')])],
  ])('%s', (_what, bytes) => {
    const { code, message } = problem(bytes)
    expect([code, message]).toEqual([
      'too_many_pixels',
      expect.stringMatching(/\d+ × \d+ pixels; at most 10000 pixels a side and 50 megapixels/),
    ])
  })

  test.each([
    ['a PNG with a wrong checksum', flipped(png(), 20)],
    ['a PNG of no width', png(0, 5)],
    ['a PNG without pixels', Buffer.concat([png().subarray(0, 33), pngChunk('IEND', Buffer.alloc(0))])],
    [
      'a PNG that does not begin with its header',
      Buffer.concat([png().subarray(0, 8), pngChunk('tEXt', Buffer.from('a\0b')), png().subarray(8)]),
    ],
    ['a JPEG of no height', jpegOf(3, 0)],
    ['a JPEG without a scan', Buffer.concat([jpeg.subarray(0, 20), Buffer.from('ffd9', 'hex')])],
    ['a JPEG with bytes between its segments', Buffer.concat([jpeg.subarray(0, 20), Buffer.from('<b>'), jpeg.subarray(20)])],
    [
      'a JPEG with two headers',
      Buffer.concat([jpeg.subarray(0, jpegHeader), jpeg.subarray(jpegHeader, jpegHeader + 19), jpeg.subarray(jpegHeader)]),
    ],
    ['a GIF without a frame', gif(3, 2, 0)],
    ['a GIF with an unknown block', Buffer.concat([gif().subarray(0, 19), Buffer.from('x'), gif().subarray(19)])],
    ['a WebP without a picture', webp(['VP8X', webpCanvas(3, 2)])],
    ['a WebP with a chunk longer than the file', flipped(webp(['VP8 ', webpPixels.lossy]), 18)],
  ])('%s', (_what, bytes) => expect(problem(bytes).code).toBe('broken_image'))

  test('whatever else, always by a sentence and never by a bug', () => {
    const starts = good.map(([, bytes]) => bytes)
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.nat(60), fc.uint8Array({ maxLength: 80 }), (start, kept, rest) => {
        expect(problem(Buffer.concat([start.subarray(0, kept), rest])).message).toMatch(/^(The file .*\.|was taken)$/)
      }),
      { numRuns: 3_000 },
    )
  })
})

const jpegHeader = jpeg.indexOf(Buffer.from('ffc0', 'hex'))

function jpegOf(width: number, height: number): Buffer {
  const bytes = Buffer.from(jpeg)
  bytes.writeUInt16BE(height, jpeg.indexOf(Buffer.from('ffc0', 'hex')) + 5)
  bytes.writeUInt16BE(width, jpeg.indexOf(Buffer.from('ffc0', 'hex')) + 7)
  return bytes
}

function gifWithFrame(width: number): Buffer {
  const bytes = gif()
  bytes.writeUInt16LE(width, 19 + 5)
  return bytes
}

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy.writeUInt8(copy.readUInt8(at) ^ 0xff, at)
  return copy
}
