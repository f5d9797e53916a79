import { Failure } from '../../kit/errors.ts'
import { measureGif } from './gif.ts'
import { measureJpeg } from './jpeg.ts'
import { BrokenPicture, type Measured, type Size } from './measured.ts'
import { measurePng } from './png.ts'
import { measureWebp } from './webp.ts'

/** The types of pictures that are taken, by what their files end in. */
const pictureTypes = { png: 'image/png', jpg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' } as const

/** What a file ends in. */
type Ending = keyof typeof pictureTypes

/** A picture as its bytes tell. */
export interface Picture extends Size {
  ending: Ending
  contentType: (typeof pictureTypes)[Ending]
}

/** Pixels a side has at most. */
const mostPixelsASide = 10_000
/** Pixels a picture has at most: what a mail program must hold in memory, however small the file is. */
const mostPixels = 50_000_000

const formats: { ending: Ending; isIt: (bytes: Buffer) => boolean; measure: (bytes: Buffer) => Measured }[] = [
  { ending: 'png', isIt: (bytes) => starts(bytes, '89504e470d0a1a0a'), measure: measurePng },
  { ending: 'jpg', isIt: (bytes) => starts(bytes, 'ffd8ff'), measure: measureJpeg },
  { ending: 'gif', isIt: (bytes) => starts(bytes, '474946383761') || starts(bytes, '474946383961'), measure: measureGif },
  { ending: 'webp', isIt: (bytes) => starts(bytes, '52494646') && bytes.toString('latin1', 8, 12) === 'WEBP', measure: measureWebp },
]

/**
 * Reads type and size of a PNG, JPEG, GIF or WebP from its bytes, from the first to the last: a file that breaks off, goes
 * on after the picture's end, or unpacks to more than 50 megapixels is refused with VALIDATION_ERROR.
 */
export function readPicture(bytes: Buffer): Picture {
  if (bytes.length === 0) throw refusal('is empty', 'empty')
  const format = formats.find(({ isIt }) => isIt(bytes))
  if (!format) throw refusal(`is ${whatElse(bytes)}: send a PNG, JPEG, GIF or WebP picture`, 'not_an_image')
  const { sizes, end } = measured(bytes, format)
  const [canvas] = sizes
  if (!canvas) throw refusal('holds no picture', 'broken_image')
  for (const size of sizes) requireModest(size)
  if (end !== bytes.length) {
    const more = bytes.length - end
    throw refusal(`has ${more} bytes after the end of the picture: save it again with an image editor`, 'trailing_data')
  }
  return { ...canvas, ending: format.ending, contentType: pictureTypes[format.ending] }
}

/** A 422 about the file of an upload. */
export function refusal(sentence: string, code: string): Failure {
  return new Failure('VALIDATION_ERROR', `The file ${sentence}.`, { errors: [{ field: 'file', message: sentence, code }] })
}

function measured(bytes: Buffer, { measure }: (typeof formats)[number]): Measured {
  try {
    return measure(bytes)
  } catch (error) {
    if (error instanceof BrokenPicture) throw refusal(error.message, 'broken_image')
    // Buffers refuse to be read beyond their end.
    if (error instanceof RangeError) throw refusal('breaks off before the end of the picture: send it again', 'broken_image')
    throw error
  }
}

function requireModest({ width, height }: Size): void {
  if (width === 0 || height === 0) throw refusal('is a picture without pixels', 'broken_image')
  if (width > mostPixelsASide || height > mostPixelsASide || width * height > mostPixels) {
    const most = `${mostPixelsASide} pixels a side and ${mostPixels / 1_000_000} megapixels`
    throw refusal(`is a picture of ${width} × ${height} pixels; at most ${most} are taken`, 'too_many_pixels')
  }
}

function whatElse(bytes: Buffer): string {
  const text = bytes
    .toString('utf8', 0, 1_000)
    .replace(/^\uFEFF/, '')
    .trimStart()
  if (!text.startsWith('<')) return 'not a picture by its bytes'
  return /<svg|<\?xml/i.test(text) ? 'an SVG, which may hold scripts' : 'a text with markup, not a picture'
}

function starts(bytes: Buffer, hex: string): boolean {
  return bytes.subarray(0, hex.length / 2).toString('hex') === hex
}
