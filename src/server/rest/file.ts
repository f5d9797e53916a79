import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Download } from '../../kit/download.ts'
import type { World } from '../../kit/world.ts'
import type { Arrival } from '../http.ts'
import { flatHeaders, reply } from '../replies.ts'

// A caller that reads nothing for so long is gone.
const stalledMs = 60_000

/**
 * Answers with a file, as fast as the caller reads it. The first piece is awaited before the answer begins, so that its failure
 * is an ordinary error; a later one cuts the answer off. When the caller goes away the pieces are read no further.
 */
export async function sendFile(world: World, arrival: Arrival, contentType: string, file: Download<Piece>): Promise<void> {
  const { request, response, headers } = arrival
  const { filename, pieces } = file
  const iterator = pieces[Symbol.asyncIterator]()
  const own = {
    ...file.headers,
    // A message says itself how its parts are encoded (RFC 2046, 5.2.1).
    'Content-Type': contentType.startsWith('message/') ? contentType : `${contentType}; charset=utf-8`,
    'Content-Disposition': `attachment; filename="${filename}"`,
    'Cache-Control': 'no-store',
  }
  if (request.method === 'HEAD') {
    await iterator.return?.()
    return reply(arrival, { status: 200, headers: own })
  }
  const first = await iterator.next()
  try {
    // The caller may be gone already.
    if (response.destroyed) return
    response.writeHead(200, flatHeaders(Object.assign(headers, own)))
    response.setTimeout(stalledMs, () => response.destroy())
    const source = Readable.from(following(first, iterator), { highWaterMark: 1 })
    await pipeline(source, response, { signal: world.closing }).catch((error: NodeJS.ErrnoException) => {
      if (!response.destroyed && error.code !== 'ERR_STREAM_PREMATURE_CLOSE' && error.name !== 'AbortError') throw error
      world.log.debug({ err: error, requestId: arrival.requestId }, 'a download was cut off')
    })
  } finally {
    await iterator.return?.()
  }
}

type Piece = string | Uint8Array

async function* following(first: IteratorResult<Piece>, iterator: AsyncIterator<Piece>): AsyncGenerator<Piece, void> {
  for (let next = first; !next.done; next = await iterator.next()) yield next.value
}
