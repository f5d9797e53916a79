import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { etagOf, isHeld } from '../kit/html/etag.ts'
import type { PageAnswer } from '../kit/html/page.ts'

type Coding = 'br' | 'gzip'
type Octets = Buffer<ArrayBuffer>

/** What a browser asks for of something: the encodings it accepts and what it has. */
export interface Wanted {
  accepted: string | undefined
  ifNoneMatch: string | undefined
}

/** Something that never changes, or not while the process runs, as it is sent. */
export interface Asset {
  /** The answer: compressed if the browser accepts that, 304 without a body if it has it. All answers share the same octets. */
  answer(wanted: Wanted, headers: Record<string, string>): Promise<PageAnswer>
}

interface Version {
  coding?: Coding
  octets: Octets
  etag: string
}

/** Creates an asset. Each of its encodings is made when it is first asked for, and then held. */
export function createAsset(make: Partial<Record<Coding, () => Promise<Octets>>> & { plain: () => Promise<Octets> }): Asset {
  const plain = once(async () => versionOf(await make.plain()))
  const encoded = (['br', 'gzip'] as const).flatMap((coding) => {
    const made = make[coding]
    return made ? { coding, version: once(async () => versionOf(await made(), coding)) } : []
  })
  return {
    async answer({ accepted, ifNoneMatch }, headers) {
      const version = await (encoded.find(({ coding }) => accepts(accepted, coding))?.version ?? plain)()
      // Written after the other headers: it says what the answer depends on, with CORS headers or without.
      const all = { ...headers, Vary: 'Accept-Encoding, Origin', ETag: version.etag }
      if (isHeld(version.etag, ifNoneMatch)) return { status: 304, headers: all, body: '' }
      const encoding = version.coding && { 'Content-Encoding': version.coding }
      return { status: 200, headers: { ...all, ...encoding }, body: version.octets, isShared: true }
    },
  }
}

/** A text as an asset, which is made when it is first asked for. */
export function textAsset(text: () => string): Asset {
  const plain = once(async () => Buffer.from(text()))
  return createAsset({ plain, gzip: async () => promisify(gzip)(await plain()) })
}

/** A file of src/generated/assets as an asset. */
export function generatedAsset(name: 'graphiql.html' | 'rapidoc.js'): Asset {
  return createAsset({ gzip: () => readGenerated(name), plain: () => unpacked(name) })
}

/** A file of src/generated/assets, unpacked. */
export async function unpacked(name: 'graphiql.html' | 'rapidoc.js'): Promise<Octets> {
  return promisify(gunzip)(await readGenerated(name))
}

function readGenerated(name: string): Promise<Octets> {
  return readFile(new URL(`../generated/assets/${name}.gz`, import.meta.url))
}

/** What a header says of the encodings that a browser accepts. */
export function wantedBy(headers: Record<string, string | string[] | undefined>): Wanted {
  const text = (name: string): string | undefined => headers[name]?.toString()
  return { accepted: text('accept-encoding'), ifNoneMatch: text('if-none-match') }
}

// RFC 9110, 12.5.3: a coding with the weight 0 is not accepted.
function accepts(accepted: string | undefined, coding: string): boolean {
  const named = accepted?.split(',').find((one) => one.trim().split(';')[0]?.trim().toLowerCase() === coding)
  return named !== undefined && !/;\s*q=0(\.0*)?\s*$/.test(named)
}

function versionOf(octets: Octets, coding?: Coding): Version {
  return { octets, etag: etagOf(octets), ...(coding && { coding }) }
}

// Made once, also for those who ask at the same time; a failure is forgotten.
function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}
