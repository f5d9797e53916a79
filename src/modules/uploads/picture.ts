import type SharpModule from 'sharp'
import type { Metadata, Sharp } from 'sharp'
import { Failure } from '../../kit/errors.ts'
import { missedTurn, standardWaitMs } from '../../kit/share.ts'
import { createTally } from '../../kit/tally.ts'
import { createTurns, type Owners, TurnMissed } from '../../kit/turns.ts'
import { framesOf, maxFrames } from './frames.ts'

/** What the header of a picture contains, before it is decoded. */
export interface PictureHeader {
  format: Format
  metadata: Metadata
}

/** A picture as it is stored: decoded, turned upright and encoded again. Width and height are those of one frame, in pixels. */
export interface Picture {
  bytes: Buffer
  width: number
  height: number
}

/** An accepted format: its file extension, and how it is encoded. */
interface Format {
  extension: 'png' | 'jpg' | 'gif' | 'webp'
  contentType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'
  encode: (image: Sharp, metadata: Metadata, bytes: Buffer) => Sharp
}

/** Maximum width and height in pixels. */
const maxSidePixels = 10_000
/** Maximum number of pixels of all frames together: a mail program must decode them, however small the file is. */
const maxPixels = 50_000_000
/** Maximum number of pixels of a lossless WebP: its encoder takes 50 bytes of memory and a microsecond per pixel. */
const maxLosslessWebpPixels = 5_000_000
const maxSeconds = 30
/** From how many pixels of all frames a picture takes hundreds of megabytes or a second: those wait for each other only. */
const largePixels = 5_000_000
/** The work of a picture, in pixels of a still one: so much for each frame and each of its pixels. A GIF needs a palette for each frame. */
const workOf = { gif: { frame: 35_000, pixel: 5 }, others: { frame: 5_000, pixel: 1 } }
/** How many pictures of an owner, of a network, and of all, may be decoded or wait: each is held in memory. */
const maxWaiting = { ofOwner: 10, ofNetwork: 20, inAll: 30 }

const formats: Partial<Record<Metadata['format'], Format>> = {
  png: {
    extension: 'png',
    contentType: 'image/png',
    // Without dithering an existing palette stays the same.
    encode: (image, { isPalette }) => image.png(isPalette ? { palette: true, dither: 0 } : { adaptiveFiltering: true }),
  },
  jpeg: {
    extension: 'jpg',
    contentType: 'image/jpeg',
    // Optimised tables would save a tenth, but keep all coefficients in memory: 300 MB at 50 megapixels.
    encode: (image, { chromaSubsampling }) =>
      image.jpeg({
        quality: 90,
        optimiseCoding: false,
        chromaSubsampling: chromaSubsampling?.startsWith('4:4:4') ? '4:4:4' : '4:2:0',
      }),
  },
  gif: { extension: 'gif', contentType: 'image/gif', encode: (image) => image.gif({ keepDuplicateFrames: true }) },
  webp: {
    extension: 'webp',
    contentType: 'image/webp',
    // "VP8L" marks a lossless picture (RFC 9649, 2.6). A higher effort than 2 takes six times as long to save a tenth.
    encode: (image, { width, height }, bytes) =>
      image.webp({ quality: 90, effort: 2, lossless: width * height <= maxLosslessWebpPixels && bytes.includes('VP8L') }),
  },
}

/**
 * Identifies a PNG, JPEG, GIF or WebP by its header, in turns as small pictures are processed (see cleanPicture). Fails with
 * VALIDATION_ERROR for any other file, and for more than 10,000 pixels per side, 1,000 frames or 50 megapixels in all of them, and
 * with SERVICE_UNAVAILABLE as cleanPicture does.
 */
export async function identifyPicture(bytes: Buffer, turn: Turn): Promise<PictureHeader> {
  if (bytes.length === 0) throw refusal('is empty', 'empty')
  if (!isKnown(bytes)) throw notPicture(bytes)
  const frames = framesOf(bytes)
  requireFewFrames(frames.count)
  const { sharp, inTurns } = await codec()
  const read = () => sharp(bytes, { animated: true, limitInputPixels: false }).metadata()
  // Nothing cuts it short, so that it takes a turn as well.
  const metadata = await inTurns.small(turn, () =>
    read().catch((error: Error) => {
      throw error.message.includes('unsupported image format') ? notPicture(bytes) : broken()
    }),
  )
  const format = formats[metadata.format]
  if (!format) throw notPicture(bytes)
  requireAllowedSize(metadata)
  // The decoder may have found others.
  requireFewFrames(metadata.pages ?? 1)
  if (!frames.whole) throw broken()
  return { format, metadata }
}

/**
 * Decodes a picture and encodes it again in its format, so that only pixels and the timing of frames remain: no metadata
 * such as locations, nothing after its end. It is turned upright and converted to sRGB, which all mail programs show alike.
 * Networks take turns, and the owners of each: one small picture at a time, and beside it one that takes longer than 5 megapixels of a
 * still one. Fails with VALIDATION_ERROR when it cannot be decoded, SERVICE_UNAVAILABLE when its turn has not come after 15 s (40 s
 * for one that takes long), before `ended`, or when 10 of the owner, 20 of the network or 30 in all wait.
 */
export async function cleanPicture(bytes: Buffer, { format, metadata }: PictureHeader, turn: Turn): Promise<Picture> {
  const { sharp, inTurns } = await codec()
  return inTurns[sizeOf(metadata)](turn, async () => {
    // Animations cannot be turned, and no camera makes them.
    const autoOrient = (metadata.pages ?? 1) === 1
    const image = sharp(bytes, { animated: true, autoOrient, limitInputPixels: maxPixels, failOn: 'warning' })
    // Grayscale and 16 bits per channel are kept; CMYK, which is for printing, is converted.
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

function sizeOf({ format, width, height, pages = 1, pageHeight = height }: Metadata): 'small' | 'large' {
  const { frame, pixel } = workOf[format === 'gif' ? 'gif' : 'others']
  return pages * (width * pageHeight * pixel + frame) < largePixels ? 'small' : 'large'
}

/** The failure of an upload whose file is refused: a VALIDATION_ERROR of the field `file`. */
export function refusal(sentence: string, code: string): Failure {
  return new Failure('VALIDATION_ERROR', `The file ${sentence}.`, { errors: [{ field: 'file', message: sentence, code }] })
}

/** Whose turn it is to have a picture decoded, and until when they wait for it. */
export interface Turn {
  owners: Owners
  /** The network they call from, which has one turn beside that of another one, however many accounts it has. Default: unknown. */
  network?: string | undefined
  ended?: AbortSignal | undefined
}

type InTurn = <Result>(turn: Turn, work: () => Promise<Result>) => Promise<Result>

interface Codec {
  sharp: typeof SharpModule
  inTurns: Record<'small' | 'large', InTurn>
}

let loaded: Promise<Codec> | undefined

// Loaded by the first upload, because it takes 24 MB and a worker never needs it.
function codec(): Promise<Codec> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    // No other decoder may read the bytes: an SVG or PDF would be rendered, and those decoders had more vulnerabilities.
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({ operation: ['Png', 'Jpeg', 'Nsgif', 'Webp'].map((name) => `VipsForeignLoad${name}Buffer`) })
    // A picture of 50 megapixels takes hundreds of megabytes while it is processed.
    sharp.cache(false)
    sharp.concurrency(1)
    return { sharp, inTurns: { small: createTurn(standardWaitMs), large: createTurn(maxSeconds * 1_000 + 10_000) } }
  })
  return loaded
}

const busy = 'Too many pictures are being processed at the moment.'

// One that takes long may be waited for until the one before it is given up.
function createTurn(waitMs: number): InTurn {
  // One picture of each account, project and network is next for its turn; those of a network become the next one in turns of accounts.
  const nexts = createTurns({ max: Number.POSITIVE_INFINITY, maxPerOwner: 1 })
  const turns = createTurns({ max: 1, maxPerOwner: 1 })
  const waiting = createTally()
  return async ({ owners, network, ended }, work) => {
    const [first, ...others] = typeof owners === 'string' ? [owners] : owners
    const all = [first, ...others, ...(network === undefined ? [] : [network])] as const
    const hasRoom = (owner: string): boolean => waiting.of(owner) < maxWaiting[owner === network ? 'ofNetwork' : 'ofOwner']
    if (waiting.total >= maxWaiting.inAll || !all.every(hasRoom))
      throw new Failure('SERVICE_UNAVAILABLE', busy, { headers: { 'Retry-After': '10' } })
    waiting.add(all, 1)
    const waitsUntil = performance.now() + waitMs
    const inTurn = () => turns.run(all, work, { maxMs: waitsUntil - performance.now(), ended })
    try {
      return await nexts.run(all, inTurn, { maxMs: waitMs, ended })
    } catch (error) {
      throw error instanceof TurnMissed ? missedTurn(busy) : error
    } finally {
      waiting.add(all, -1)
    }
  }
}

function requireAllowedSize({ width, height, pages = 1, pageHeight = height }: Metadata): void {
  if (width <= maxSidePixels && pageHeight <= maxSidePixels && width * pageHeight * pages <= maxPixels) return
  const frames = pages > 1 ? `${pages} frames of ` : ''
  const limit = `${maxSidePixels} pixels per side and ${maxPixels / 1_000_000} megapixels${pages > 1 ? ' in all frames together' : ''}`
  throw refusal(`is a picture of ${frames}${width} × ${pageHeight} pixels; the limit is ${limit}`, 'too_many_pixels')
}

function requireFewFrames(count: number): void {
  if (count <= maxFrames) return
  throw refusal(`is an animation of more than ${maxFrames.toLocaleString('en')} frames: send a shorter one`, 'too_many_frames')
}

// By its first bytes, so that anything else takes no turn.
function isKnown(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, 12)
  return /^(\x89PNG|\xff\xd8|GIF8|RIFF.{4}WEBP)/s.test(start)
}

function broken(): Failure {
  return refusal('is damaged or incomplete: send it again', 'broken_image')
}

function notPicture(bytes: Buffer): Failure {
  const text = bytes
    .toString('utf8', 0, 1_000)
    .replace(/^\uFEFF/, '')
    .trimStart()
  const markup = /<svg|<\?xml/i.test(text) ? 'an SVG, which may contain scripts' : 'markup, not a picture'
  const what = text.startsWith('<') ? markup : 'not a picture by its bytes'
  return refusal(`is ${what}: send a PNG, JPEG, GIF or WebP picture`, 'not_an_image')
}
