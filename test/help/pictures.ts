import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'

/** A chunk of a PNG with its checksum. */
export function pngChunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))])
}

const pngStart = Buffer.from('89504e470d0a1a0a', 'hex')

/** A black PNG of a size; a large one has only the first of its pixels. */
export function png(width = 3, height = 2): Buffer {
  const pixels = deflateSync(Buffer.alloc(Math.min(1_000, (width * 3 + 1) * height)))
  return Buffer.concat([
    pngStart,
    pngChunk('IHDR', Buffer.concat([uint32(width), uint32(height), Buffer.from([8, 2, 0, 0, 0])])),
    pngChunk('IDAT', pixels),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** A JPEG of 3 × 2 pixels, as a browser writes it. */
export const jpeg = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/' +
    '2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAACAAMDASIAAhEBAxEB/8QA' +
    'FQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAABAb/xAAUEQEAAAAAAAAAAAAAAAAAAAAA' +
    '/9oADAMBAAIRAxEAPwCAANSP/9k=',
  'base64',
)

/** A GIF of a size with frames of one color. */
export function gif(width = 3, height = 2, frames = 1): Buffer {
  const frame = Buffer.concat([Buffer.from([0x2c, 0, 0, 0, 0]), uint16(3), uint16(2), Buffer.from('000202847f00', 'hex')])
  const screen = Buffer.concat([uint16(width), uint16(height), Buffer.from('800000000000ffffff', 'hex')])
  return Buffer.concat([Buffer.from('GIF89a'), screen, ...Array.from({ length: frames }, () => frame), Buffer.from([0x3b])])
}

/** A WebP from chunks of name and data. */
export function webp(...chunks: [string, Buffer][]): Buffer {
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks.map(([name, data]) => webpChunk(name, data))])
  return Buffer.concat([Buffer.from('RIFF'), uint32le(body.length), body])
}

/** The pixels of a WebP of 3 × 2, as a browser writes them. */
export const webpPixels = {
  lossy: Buffer.from('kAEAnQEqAwACAAQAaCWgAnS6AAOYAP7rNv+hNj2or/9CT/4mz/ibPgAAAAA=', 'base64'),
  lossless: Buffer.from('LwJAAAAHEP2P/gciov8B', 'base64'),
}

/** A WebP of 3 × 2 pixels that shows frames one after another. */
export function webpAnimation(frames: number): Buffer {
  const size = Buffer.concat([uint24(2), uint24(1)])
  const frame = Buffer.concat([Buffer.alloc(6), size, uint24(100), Buffer.alloc(1), webpChunk('VP8 ', webpPixels.lossy)])
  const canvas = webpCanvas(3, 2)
  canvas.writeUInt8(0x02)
  const all = Array.from({ length: frames }, (): [string, Buffer] => ['ANMF', frame])
  return webp(['VP8X', canvas], ['ANIM', Buffer.alloc(6)], ...all)
}

/** A picture of random pixels, to be encoded in any format. */
export async function noise(width: number, height: number): Promise<Sharp> {
  const channels = 3 as const
  const create = { width, height, channels, background: '#000', noise: { type: 'gaussian' as const, mean: 128, sigma: 60 } }
  const data = await sharp({ create }).raw().toBuffer()
  return sharp(data, { raw: { width, height, channels } })
}

/** A chunk of a WebP, padded to an even length. */
function webpChunk(name: string, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from(name, 'latin1'), uint32le(data.length), data, Buffer.alloc(data.length % 2)])
}

/** The canvas of a WebP with frames or metadata. */
export function webpCanvas(width: number, height: number): Buffer {
  return Buffer.concat([Buffer.alloc(4), uint24(width - 1), uint24(height - 1)])
}

const whole = (bytes: number, write: (buffer: Buffer) => void): Buffer => {
  const buffer = Buffer.alloc(bytes)
  write(buffer)
  return buffer
}
const uint32 = (value: number): Buffer => whole(4, (buffer) => buffer.writeUInt32BE(value >>> 0))
const uint32le = (value: number): Buffer => whole(4, (buffer) => buffer.writeUInt32LE(value))
const uint24 = (value: number): Buffer => whole(3, (buffer) => buffer.writeUIntLE(value, 0, 3))
const uint16 = (value: number): Buffer => whole(2, (buffer) => buffer.writeUInt16LE(value))
