import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

/** A file for browsers that `npm run generate` wrote, as it leaves: packed for those who take that. */
export interface Asset {
  headers: Record<string, string>
  body: Buffer<ArrayBuffer>
}

/**
 * Reads a file of src/generated/assets, from disk each time: few ask, and they keep what they get. `accepted` is the
 * Accept-Encoding of the request.
 */
export async function readAsset(name: 'graphiql.html' | 'rapidoc.js', accepted: string | undefined): Promise<Asset> {
  const packed = await readFile(new URL(`../generated/assets/${name}.gz`, import.meta.url))
  const vary = { Vary: 'Accept-Encoding' }
  if (accepted?.includes('gzip')) return { headers: { ...vary, 'Content-Encoding': 'gzip' }, body: packed }
  return { headers: vary, body: await promisify(gunzip)(packed) }
}
