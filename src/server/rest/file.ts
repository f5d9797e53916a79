import { Readable } from 'node:stream'
import type { Download } from '../../kit/download.ts'
import type { World } from '../../kit/world.ts'
import { cutOffLate, type Deadline } from '../deadline.ts'
import type { Arrival } from '../http.ts'
import { sendPieces } from '../pieces.ts'
import { reply } from '../replies.ts'

// Long enough for a million contacts over a slow line.
const maxTakingMs = 3_600_000

/**
 * Answers with a file, as fast as the caller reads it, for an hour at most. The first piece is awaited before the answer begins, so
 * that its failure is an ordinary error; a later one cuts the answer off. When the caller goes away the pieces are read no further.
 */
export async function sendFile(world: World, arrival: Arrival, contentType: string, file: Download<Piece>): Promise<void> {
  const { request, response, requestId } = arrival
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
  const deadline = cutOffLate({ world, requestId }, response, maxTakingMs)
  file.ended?.addEventListener('abort', () => {
    world.log.info({ requestId }, 'a download was cut off because others wait for its place')
    response.destroy()
  })
  try {
    const first = await iterator.next()
    // The caller may have been refused meanwhile.
    if (response.headersSent) return
    const source = Readable.from(following(first, iterator, deadline), { highWaterMark: 1 })
    await sendPieces(world, arrival, { status: 200, headers: own }, source)
  } finally {
    deadline.stop()
    await iterator.return?.()
  }
}

type Piece = string | Uint8Array

async function* following(first: IteratorResult<Piece>, iterator: AsyncIterator<Piece>, deadline: Deadline): AsyncGenerator<Piece, void> {
  for (let next = first; !next.done && !deadline.check(); next = await iterator.next()) yield next.value
}
