import fc from 'fast-check'
import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { Failure } from '../../../src/kit/errors.ts'
import { cleanPicture, identifyPicture, type Picture } from '../../../src/modules/uploads/picture.ts'
import { gif, jpeg, noise, png, pngChunk, webp, webpAnimation, webpCanvas, webpPixels } from '../../help/pictures.ts'

const good: [string, Buffer, string][] = [
  ['a PNG', png(), 'image/png'],
  ['a JPEG', jpeg, 'image/jpeg'],
  ['a GIF', gif(), 'image/gif'],
  ['an animated GIF', gif(3, 2, 5), 'image/gif'],
  ['a lossy WebP', webp(['VP8 ', webpPixels.lossy]), 'image/webp'],
  ['a lossless WebP', webp(['VP8L', webpPixels.lossless]), 'image/webp'],
  ['a WebP with metadata', webp(['VP8X', webpCanvas(3, 2)], ['VP8L', webpPixels.lossless], ['EXIF', Buffer.from('odd')]), 'image/webp'],
  ['an animated WebP', webpAnimation(2), 'image/webp'],
]

async function read(bytes: Buffer): Promise<Picture & { contentType: string }> {
  const header = await identifyPicture(bytes, { owners: 'test' })
  return { ...(await cleanPicture(bytes, header, { owners: 'ada' })), contentType: header.format.contentType }
}

const problem = (bytes: Buffer): Promise<{ code: string | undefined; message: string }> =>
  read(bytes).then(
    () => ({ code: undefined, message: 'was taken' }),
    (error: unknown) => {
      if (error instanceof Failure) return { code: error.errors?.[0]?.code, message: error.message }
      throw error
    },
  )

const black = { width: 1, height: 1, channels: 3 as const, background: '#000' }
const wideWebp = await sharp({ create: { ...black, width: 12_000 } })
  .webp()
  .toBuffer()
const pixels = (bytes: Buffer) => sharp(bytes, { animated: true }).raw().toBuffer()
const described = (bytes: Buffer) => sharp(bytes, { animated: true }).metadata()

describe('a picture is accepted', () => {
  test.each(good)('%s, with its size', async (_what, bytes, contentType) => {
    expect(await read(bytes)).toMatchObject({ contentType, width: 3, height: 2 })
  })

  test('of exactly 10,000 pixels per side, or exactly 50 megapixels', async () => {
    const largest = await sharp({ create: { ...black, width: 10_000, height: 5_000 } })
      .png()
      .toBuffer()
    expect(await read(largest)).toMatchObject({ width: 10_000, height: 5_000 })
  })

  test('as a JPEG with fill bytes between its segments, and restarts in its scan', async () => {
    const filled = Buffer.concat([
      jpeg.subarray(0, 2),
      Buffer.from('ffffff', 'hex'),
      jpeg.subarray(2, -2),
      Buffer.from('ffd0ff00ffd9', 'hex'),
    ])
    expect(await read(filled)).toMatchObject({ width: 3, height: 2 })
  })

  // Some programs write such a screen size; only the frame is decoded and shown.
  test('as a GIF whose screen is larger than its frame', async () => {
    expect(await read(gif(65_535, 65_535))).toMatchObject({ width: 3, height: 2 })
  })

  test('that is no WebP, whatever its metadata looks like', async () => {
    const comment = pngChunk('tEXt', Buffer.from(`Comment\0${'ANMF'.repeat(1_001)}`))
    const still = png()
    expect(await read(Buffer.concat([still.subarray(0, 33), comment, still.subarray(33)]))).toMatchObject({ width: 3, height: 2 })
  })
})

describe('a picture is cleaned', () => {
  test.each(good)('%s loses HTML or a ZIP after its end, but no pixel', async (_what, bytes) => {
    const cleaned = await read(bytes)
    for (const more of ['<script>alert(1)</script>', 'PK\x03\x04']) {
      const { bytes: left } = await read(Buffer.concat([bytes, Buffer.from(more)]))
      expect(left).toEqual(cleaned.bytes)
      expect(left.includes(more)).toBe(false)
    }
  })

  test('a photo loses its location and is turned upright', async () => {
    const photo = await (await noise(30, 20))
      .jpeg({ quality: 95 })
      .withExif({ IFD3: { GPSLatitude: '52/1 31/1 12/1' } })
      .toBuffer()
    const turned = await sharp(photo).keepExif().withMetadata({ orientation: 6 }).jpeg().toBuffer()
    expect((await described(turned)).exif?.length).toBeGreaterThan(100)
    const { bytes, width, height } = await read(turned)
    expect([width, height]).toEqual([20, 30])
    expect(await described(bytes)).toMatchObject({ width: 20, height: 30, format: 'jpeg' })
    expect(await described(bytes)).not.toHaveProperty('exif')
    expect(await described(bytes)).not.toHaveProperty('orientation')
  })

  test('comments and texts are removed', async () => {
    const commented = Buffer.concat([png().subarray(0, 33), pngChunk('tEXt', Buffer.from('Comment\0private words')), png().subarray(33)])
    expect((await read(commented)).bytes.includes('private words')).toBe(false)
  })

  test.each([
    ['colors', (image: Sharp) => image.png()],
    ['transparency', (image: Sharp) => image.ensureAlpha(0.3).png()],
    ['a palette', (image: Sharp) => image.png({ palette: true })],
    ['gray', (image: Sharp) => image.toColourspace('b-w').png()],
  ])('a PNG of %s keeps every pixel and its colour type', async (_what, as) => {
    const made = await as(await noise(40, 30)).toBuffer()
    const { bytes } = await read(made)
    expect(await pixels(bytes)).toEqual(await pixels(made))
    const { channels, isPalette, depth } = await described(made)
    expect(await described(bytes)).toMatchObject({ channels, isPalette, depth })
  })

  test('a PNG of 16 bits per channel keeps them', async () => {
    const made = await (await noise(40, 30)).toColourspace('rgb16').png().toBuffer()
    const deep = (bytes: Buffer) => sharp(bytes).toColourspace('rgb16').raw({ depth: 'ushort' }).toBuffer()
    const { bytes } = await read(made)
    expect(await described(bytes)).toMatchObject({ depth: 'ushort' })
    expect(await deep(bytes)).toEqual(await deep(made))
  })

  test('a lossless WebP keeps every pixel', async () => {
    const made = await (await noise(40, 30)).webp({ lossless: true }).toBuffer()
    expect(await pixels((await read(made)).bytes)).toEqual(await pixels(made))
  })

  test.each(['gif', 'webp'] as const)('an animated %s keeps its frames, their durations, and its loop count', async (format) => {
    const [width, height, delay] = [30, 20, [100, 200, 50]]
    const frames = await (await noise(width, height * delay.length)).raw().toBuffer()
    const raw = { width, height: height * delay.length, channels: 3 as const, pageHeight: height }
    const made = await sharp(frames, { raw })[format]({ delay, loop: 2, lossless: true }).toBuffer()
    const cleaned = await read(made)
    expect([cleaned.width, cleaned.height]).toEqual([width, height])
    expect(await described(cleaned.bytes)).toMatchObject({ pages: delay.length, pageHeight: height, delay, loop: 2 })
    expect(await pixels(cleaned.bytes)).toEqual(await pixels(made))
  })

  test('equal frames of an animation are all kept', async () => {
    expect(await described((await read(gif(3, 2, 5))).bytes)).toMatchObject({ pages: 5 })
  })

  test.each([
    ['wide colors', async () => (await noise(30, 20)).withIccProfile('p3').jpeg().toBuffer()],
    ['printing colors', async () => (await noise(30, 20)).toColourspace('cmyk').jpeg().toBuffer()],
  ])('a photo in %s is converted to sRGB', async (_what, make) => {
    expect(await described((await read(await make())).bytes)).toMatchObject({ space: 'srgb', channels: 3, hasProfile: false })
  })
})

describe('a file is refused:', () => {
  test.each([
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', /SVG/],
    ['an SVG after a byte order mark', '\uFEFF\n<?xml version="1.0"?><svg/>', /SVG/],
    ['HTML', '<!doctype html><script>alert(1)</script>', /markup/],
    ['text', 'hello', /not a picture/],
    ['a BMP', 'BM000000', /not a picture/],
    ['a RIFF that is no WebP', 'RIFF\x04\0\0\0WAVE', /not a picture/],
    ['a GIF of a version there is not', 'GIF90a0000', /not a picture/],
    ['a TIFF', 'II*\0\x08\0\0\0', /not a picture/],
    ['an AVIF', '\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf', /not a picture/],
    ['a PDF', '%PDF-1.7', /not a picture/],
  ])('%s', async (_what, text, sentence) => {
    const { code, message } = await problem(Buffer.from(text))
    expect([code, message]).toEqual(['not_an_image', expect.stringMatching(sentence)])
    expect(message).toContain('PNG, JPEG, GIF or WebP')
  })

  test('nothing', async () => expect(await problem(Buffer.alloc(0))).toEqual({ code: 'empty', message: 'The file is empty.' }))

  test.each(good)('%s that is incomplete, wherever it is cut off', async (_what, bytes) => {
    for (let length = 12; length < bytes.length; length++)
      expect((await problem(bytes.subarray(0, length))).code, `${length}`).toBe('broken_image')
  })

  test.each([
    ['a PNG of 10,001 pixels per side', png(10_001, 1)],
    ['a PNG of 64 megapixels', png(8_000, 8_000)],
    ['a GIF with a frame larger than its screen', gifWithFrame(60_000)],
    ['a JPEG of 65,000 pixels per side', jpegOf(65_000, 65_000)],
    ['a WebP of 12,000 pixels per side', wideWebp],
  ])('%s', async (_what, bytes) => {
    const { code, message } = await problem(bytes)
    expect([code, message]).toEqual([
      'too_many_pixels',
      expect.stringMatching(/\d+ × \d+ pixels; the limit is 10000 pixels per side and 50 megapixels/),
    ])
  })

  test('an animation of 51 megapixels in all its frames', async () => {
    const still = await sharp({ create: { ...black, width: 1_000, height: 1_000 } })
      .gif()
      .toBuffer()
    const [start, one] = [still.subarray(0, still.indexOf(0x2c)), still.subarray(still.indexOf(0x2c), -1)]
    const { code, message } = await problem(Buffer.concat([start, ...Array<Buffer>(51).fill(one), still.subarray(-1)]))
    expect([code, message]).toEqual(['too_many_pixels', expect.stringContaining('51 frames of 1000 × 1000 pixels')])
  })

  test.each([
    ['a WebP', webpAnimation],
    ['a GIF', (frames: number) => gif(3, 2, frames)],
  ])('%s of more than 1,000 frames, whose header is not read; of 1,000 it is taken', async (_what, animation) => {
    expect(await problem(animation(1_001))).toEqual({
      code: 'too_many_frames',
      message: 'The file is an animation of more than 1,000 frames: send a shorter one.',
    })
    expect((await problem(animation(50_000))).code).toBe('too_many_frames')
    expect(await read(animation(1_000))).toMatchObject({ width: 3, height: 2 })
  })

  test.each([
    ['a PNG of 4 billion pixels per side', png(0xffff_ffff, 0xffff_ffff)],
    ['a JPEG of 65,535 pixels per side', jpegOf(65_535, 65_535)],
    ['a WebP with a huge canvas', webp(['VP8X', webpCanvas(16_000_000, 2)], ['VP8 ', webpPixels.lossy])],
    ['a WebP whose picture is larger than its canvas', webp(['VP8X', webpCanvas(3, 2)], ['VP8L', Buffer.from('2fffffff0f00', 'hex')])],
    ['a PNG with fewer pixels than it says', png(2_000, 1_000)],
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
  ])('%s', async (_what, bytes) => expect((await problem(bytes)).code).toBe('broken_image'))

  test('any other file, with a sentence and never as an internal error', async () => {
    const starts = good.map(([, bytes]) => bytes)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...starts), fc.nat(60), fc.uint8Array({ maxLength: 80 }), async (start, kept, rest) => {
        expect((await problem(Buffer.concat([start.subarray(0, kept), rest]))).message).toMatch(/^(The file .*\.|was taken)$/)
      }),
      { numRuns: 1_000 },
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
