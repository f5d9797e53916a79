import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

/** A file for browsers that `npm run generate` wrote, as it is sent: compressed if the browser accepts that. */
export interface Asset {
  headers: Record<string, string>
  body: Buffer<ArrayBuffer>
}

/**
 * Reads a file of src/generated/assets, from disk each time, because it is requested rarely and browsers cache it.
 * `accepted` is the Accept-Encoding of the request.
 */
export async function readAsset(name: 'graphiql.html' | 'rapidoc.js', accepted: string | undefined): Promise<Asset> {
  const compressed = await readFile(new URL(`../generated/assets/${name}.gz`, import.meta.url))
  const vary = { Vary: 'Accept-Encoding' }
  if (accepted?.includes('gzip')) return { headers: { ...vary, 'Content-Encoding': 'gzip' }, body: compressed }
  return { headers: vary, body: await promisify(gunzip)(compressed) }
}
