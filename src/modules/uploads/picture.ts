import type SharpModule from 'sharp'
import type { Metadata, Sharp } from 'sharp'
import { Failure } from '../../kit/errors.ts'

/** A picture by its header, before it is decoded. */
export interface PictureHeader {
  format: Format
  metadata: Metadata
}

/** A picture as it is stored: decoded, turned upright and encoded again. Width and height in pixels, of one frame. */
export interface Picture {
  bytes: Buffer
  width: number
  height: number
}

/** What is taken: what its files end in, and how it is written. */
interface Format {
  ending: 'png' | 'jpg' | 'gif' | 'webp'
  contentType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'
  encode: (image: Sharp, metadata: Metadata, bytes: Buffer) => Sharp
}

/** Pixels a side has at most. */
const maxPixelsASide = 10_000
/** Pixels a picture has at most, all its frames together: what a mail program must decode, however small the file is. */
const maxPixels = 50_000_000
/** Pixels of a WebP that stays lossless: its encoder takes 50 bytes of memory and a microsecond for each. */
const maxLosslessWebpPixels = 5_000_000
const maxSeconds = 30
const maxWaiting = 20

const formats: Partial<Record<Metadata['format'], Format>> = {
  png: {
    ending: 'png',
    contentType: 'image/png',
    // Without dithering a palette that was one stays the same.
    encode: (image, { isPalette }) => image.png(isPalette ? { palette: true, dither: 0 } : { adaptiveFiltering: true }),
  },
  jpeg: {
    ending: 'jpg',
    contentType: 'image/jpeg',
    // Optimised tables would be a tenth smaller, but hold all coefficients in memory: 300 MB at 50 megapixels.
    encode: (image, { chromaSubsampling }) =>
      image.jpeg({
        quality: 90,
        optimiseCoding: false,
        chromaSubsampling: chromaSubsampling?.startsWith('4:4:4') ? '4:4:4' : '4:2:0',
      }),
  },
  gif: { ending: 'gif', contentType: 'image/gif', encode: (image) => image.gif({ keepDuplicateFrames: true }) },
  webp: {
    ending: 'webp',
    contentType: 'image/webp',
    // "VP8L" names a lossless picture (RFC 9649, 2.6). More effort than 2 takes six times as long to save a tenth.
    encode: (image, { width, height }, bytes) =>
      image.webp({ quality: 90, effort: 2, lossless: width * height <= maxLosslessWebpPixels && bytes.includes('VP8L') }),
  },
}

/**
 * Reads what a PNG, JPEG, GIF or WebP is from its header. Fails with VALIDATION_ERROR for any other file, and for more than
 * 10,000 pixels a side or 50 megapixels in all frames.
 */
export async function identifyPicture(bytes: Buffer): Promise<PictureHeader> {
  if (bytes.length === 0) throw refusal('is empty', 'empty')
  const { sharp } = await codec()
  const metadata = await sharp(bytes, { animated: true, limitInputPixels: false })
    .metadata()
    .catch((error: Error) => {
      throw error.message.includes('unsupported image format') ? notPicture(bytes) : broken()
    })
  const format = formats[metadata.format]
  if (!format) throw notPicture(bytes)
  requireModest(metadata)
  if (!isWhole(bytes, format)) throw broken()
  return { format, metadata }
}

/**
 * Decodes a picture and encodes it again in its format, so that only pixels and the timing of frames are left: no metadata
 * such as positions, nothing after its end. It is upright and in sRGB, which mail programs show alike. One at a time.
 * Fails with VALIDATION_ERROR when it cannot be decoded, SERVICE_UNAVAILABLE when too many wait.
 */
export async function cleanPicture(bytes: Buffer, { format, metadata }: PictureHeader): Promise<Picture> {
  const { sharp, inTurn } = await codec()
  return inTurn(async () => {
    // Frames cannot be turned; no camera makes them.
    const autoOrient = (metadata.pages ?? 1) === 1
    const image = sharp(bytes, { animated: true, autoOrient, limitInputPixels: maxPixels, failOn: 'warning' })
    // Gray and 16 bits stay what they are; CMYK is for printers.
    const inColors = image.toColourspace(metadata.space === 'cmyk' ? 'srgb' : metadata.space).timeout({ seconds: maxSeconds })
    const { data, info } = await format
      .encode(inColors, metadata, bytes)
      .toBuffer({ resolveWithObject: true })
      .catch((error: Error) => {
        throw error.message.startsWith('timeout') ? refusal('takes too long to decode: send a smaller picture', 'too_complex') : broken()
      })
    return { bytes: data, width: info.width, height: info.pageHeight ?? info.height }
  })
}

/** A 422 about the file of an upload. */
export function refusal(sentence: string, code: string): Failure {
  return new Failure('VALIDATION_ERROR', `The file ${sentence}.`, { errors: [{ field: 'file', message: sentence, code }] })
}

interface Codec {
  sharp: typeof SharpModule
  inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>
}

let loaded: Promise<Codec> | undefined

// Loaded by the first upload: it takes 24 MB, and a worker never needs it.
function codec(): Promise<Codec> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    // Nothing else is ever tried on the bytes: an SVG or PDF would be rendered, and those readers have had more holes.
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({ operation: ['Png', 'Jpeg', 'Nsgif', 'Webp'].map((name) => `VipsForeignLoad${name}Buffer`) })
    // A picture of 50 megapixels takes hundreds of megabytes while it is worked on.
    sharp.cache(false)
    sharp.concurrency(1)
    return { sharp, inTurn: createTurns() }
  })
  return loaded
}

function createTurns(): Codec['inTurn'] {
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    if (waiting >= maxWaiting)
      throw new Failure('SERVICE_UNAVAILABLE', 'Too many pictures wait to be read at the moment.', { headers: { 'Retry-After': '10' } })
    waiting++
    const turn = last.then(work).finally(() => waiting--)
    // Whether it fails is for its own caller.
    last = turn.then(
      () => undefined,
      () => undefined,
    )
    return turn
  }
}

function requireModest({ width, height, pages = 1, pageHeight = height }: Metadata): void {
  if (width <= maxPixelsASide && pageHeight <= maxPixelsASide && width * pageHeight * pages <= maxPixels) return
  const frames = pages > 1 ? `${pages} frames of ` : ''
  const most = `${maxPixelsASide} pixels a side and ${maxPixels / 1_000_000} megapixels${pages > 1 ? ' in all frames together' : ''}`
  throw refusal(`is a picture of ${frames}${width} × ${pageHeight} pixels; at most ${most} are taken`, 'too_many_pixels')
}

function broken(): Failure {
  return refusal('is damaged, or breaks off before the end of the picture: send it again', 'broken_image')
}

function notPicture(bytes: Buffer): Failure {
  const text = bytes
    .toString('utf8', 0, 1_000)
    .replace(/^\uFEFF/, '')
    .trimStart()
  const markup = /<svg|<\?xml/i.test(text) ? 'an SVG, which may hold scripts' : 'a text with markup, not a picture'
  const what = text.startsWith('<') ? markup : 'not a picture by its bytes'
  return refusal(`is ${what}: send a PNG, JPEG, GIF or WebP picture`, 'not_an_image')
}

const endOfPng = Buffer.from('0000000049454e44ae426082', 'hex')

// The decoders show what has arrived of a GIF or PNG that breaks off, without a word about the rest.
function isWhole(bytes: Buffer, { ending }: Format): boolean {
  if (ending === 'png') return bytes.includes(endOfPng)
  return ending === 'gif' ? reachesTrailer(bytes) : true
}

// Steps over the blocks of a GIF (GIF89a, 17 to 27); beyond the end there is none.
function reachesTrailer(gif: Buffer): boolean {
  const colorTable = (flags = 0): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  let at = 13 + colorTable(gif[10])
  while (gif[at] === 0x21 || gif[at] === 0x2c) {
    at += gif[at] === 0x2c ? 11 + colorTable(gif[at + 9]) : 2
    for (let length = gif[at]; length; length = gif[at]) at += length + 1
    at++
  }
  return gif[at] === 0x3b
}
