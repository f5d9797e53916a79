import { Readable } from 'node:stream'
import { restAfterRun } from '../../kit/callers.ts'
import type { Ctx } from '../../kit/context.ts'
import { createDownloads, readerOf } from '../../kit/downloads.ts'
import { Failure } from '../../kit/errors.ts'
import { networkOf } from '../../kit/networks.ts'
import { maxOpen } from '../../kit/storage.ts'
import { createTurns } from '../../kit/turns.ts'
import { perWorld } from '../../kit/world.ts'

/** A stored picture as it is served. */
export interface StoredPicture {
  id: string
  key: string
  contentType: string
  size: number
}

/** A stored picture by its address, or null. Only the key of its row is read from storage, never the requested path. */
export async function findPicture(
  { db }: Ctx,
  { project = '', name = '' }: { project?: string; name?: string },
): Promise<StoredPicture | null> {
  const id = name.slice(0, name.indexOf('.'))
  const row = await db.prisma.upload.findUnique({ where: { projectId_id: { projectId: project, id } } })
  return row?.key === `${project}/${name}` ? row : null
}

// Each holds a piece of its picture in memory, and a file or a connection to the bucket, for as long as its reader takes.
const plan = {
  max: maxOpen,
  maxPerOwner: 20,
  maxPerSite: 100,
  maxForFirst: 20,
  minMs: 30_000,
  busy: 'Too many pictures are being sent to this address, or to all, at the moment.',
}

const downloadsOf = perWorld(({ clock }) => createDownloads(plan, () => clock.now().getTime()))

/**
 * A stored picture as a stream, or null when storage does not have it any more. 200 are read at a time in this process, 20 of a client
 * address (IPv6 by /64, and 100 of a /48), and the last 20 of addresses that read none; while others wait for a place, one that has been
 * read for 30 s is cut off, of the address (IPv6: first of the /48) that reads most. One of which storage sends nothing for 15 s fails.
 * Fails with SERVICE_UNAVAILABLE when there is no place after 15 s.
 */
export async function openPicture(ctx: Ctx, { key }: Pick<StoredPicture, 'key'>): Promise<Readable | null> {
  const place = await downloadsOf(ctx.world)(readerOf(ctx.client.address, [networkOf(ctx.client.address)]), ctx.left?.())
  let opened = false
  try {
    const file = await ctx.world.storage.open(key)
    if (!file) return null
    const picture = Readable.from(paced(ctx, file), { highWaterMark: 1 })
    // A stream that nobody has begun to read would leave it open.
    picture.once('close', () => file.destroy())
    file.on('error', (error) => picture.destroy(error)).once('close', place.leave)
    place.use(() => {
      ctx.log.info({ key }, 'uploads: a picture was cut off because others wait for a place')
      picture.destroy()
    })
    opened = true
    return picture
  } finally {
    if (!opened) place.leave()
  }
}

// To send a piece takes the thread and the machine about so long.
const pieceMs = 1

const piecesOf = perWorld(() => createTurns({ max: 1, maxPerOwner: 1 }))

// Large pictures have at most a quarter of the time while others call; addresses take turns.
async function* paced(ctx: Ctx, file: Readable): AsyncGenerator<Uint8Array, void> {
  for await (const piece of unlessStalled(ctx, file)) {
    await piecesOf(ctx.world).run(networkOf(ctx.client.address), () => restAfterRun(ctx, pieceMs))
    yield piece
  }
}

const maxStallMs = 15_000

// Only while a piece is waited for: a reader may take its time. Otherwise a store that stops in the middle would keep the places of all.
async function* unlessStalled({ log }: Ctx, file: Readable): AsyncGenerator<Uint8Array, void> {
  const pieces = file.iterator() as AsyncIterator<Uint8Array>
  const breakOff = (): void => {
    log.warn('uploads: a picture was broken off because storage sent nothing')
    file.destroy(new Failure('SERVICE_UNAVAILABLE', `Storage has sent nothing for ${maxStallMs / 1_000} s.`))
  }
  for (;;) {
    const stalled = setTimeout(breakOff, maxStallMs)
    const { done, value } = await pieces.next().finally(() => clearTimeout(stalled))
    if (done) return
    yield value
  }
}
