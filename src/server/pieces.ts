import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { World } from '../kit/world.ts'
import type { AnswerHeaders, Arrival } from './http.ts'
import { flatHeaders } from './replies.ts'

// A caller that reads nothing for so long is gone.
const stalledMs = 60_000
const maxListeners = 20

/**
 * Answers with pieces, as fast as the caller reads them. One that fails cuts the answer off; when the caller goes away the pieces are
 * read no further.
 */
export async function sendPieces(
  world: World,
  { response, headers, requestId }: Arrival,
  { status, headers: own }: { status: number; headers: AnswerHeaders },
  pieces: Readable,
): Promise<void> {
  // The caller may be gone already.
  if (response.destroyed) return
  response.writeHead(status, flatHeaders(Object.assign(headers, own)))
  response.setTimeout(stalledMs, () => response.destroy())
  // A pipeline alone adds five of the ten listeners that Node takes for a mistake.
  response.setMaxListeners(maxListeners)
  await pipeline(pieces, response, { signal: world.closing }).catch((error: NodeJS.ErrnoException) => {
    if (!response.destroyed && error.code !== 'ERR_STREAM_PREMATURE_CLOSE' && error.name !== 'AbortError') throw error
    world.log.debug({ err: error, requestId }, 'a download was cut off')
  })
}
