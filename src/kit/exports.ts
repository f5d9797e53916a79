import { restAfterRun } from './callers.ts'
import { type Ctx, ownersOf } from './context.ts'
import type { Download } from './download.ts'
import { createDownloads, readerOf } from './downloads.ts'
import { tooManyRequests } from './errors.ts'
import { createTally } from './tally.ts'
import { createTurns } from './turns.ts'
import { perWorld } from './world.ts'

type Call = Pick<Ctx, 'world' | 'projectId' | 'account' | 'actor' | 'client' | 'left'>

const maxPerOwner = 4
// Each has a batch of rows in memory for as long as its caller takes to read it. Those who read slowly, from wherever, leave room for
// others.
const plan = {
  max: 40,
  maxPerOwner,
  maxPerSite: 20,
  maxForFirst: 20,
  minMs: 30_000,
  busy: 'Too many exports run at the moment.',
}
const retryAfterSeconds = 10

const placesOf = perWorld(({ clock }) => ({ take: createDownloads(plan, () => clock.now().getTime()), begun: createTally() }))

/**
 * The pieces of an export, which occupies one of the 40 places of this process from the first piece until it has ended or its caller has
 * gone. An account, and a project, has four of them, a client address (IPv6: /48) twenty, and the last 20 are for accounts and addresses
 * that have none; while others wait for a place, an export that has run for 30 s is cut off, the longest of the address with the most.
 * Fails with RATE_LIMIT_EXCEEDED when the account or project has as many as it may, and with SERVICE_UNAVAILABLE when there is no place
 * after 15 s.
 */
export function inPlace(ctx: Call, pieces: () => AsyncGenerator<string, void>): Pick<Download<string>, 'pieces' | 'ended'> {
  const end = new AbortController()
  return { pieces: piecesInPlace(ctx, pieces, () => end.abort()), ended: end.signal }
}

async function* piecesInPlace(ctx: Call, pieces: () => AsyncGenerator<string, void>, cutOff: () => void): AsyncGenerator<string, void> {
  const { take, begun } = placesOf(ctx.world)
  const owners = [ownersOf(ctx)].flat()
  if (owners.some((owner) => begun.of(owner) >= maxPerOwner))
    throw tooManyRequests(`${maxPerOwner} exports of this account or project run, which is the maximum.`, retryAfterSeconds)
  begun.add(owners, 1)
  try {
    const place = await take(readerOf(ctx.client.address, owners), ctx.left?.())
    try {
      place.use(cutOff)
      yield* pieces()
    } finally {
      place.leave()
    }
  } finally {
    begun.add(owners, -1)
  }
}

const maxPieceLength = 64 * 1024
const maxPieceMs = 4

// Of the process, and not of each export: others are answered between the pieces of all of them.
const turnsOf = perWorld(() => createTurns({ max: 1, maxPerOwner: 1 }))

/**
 * Some items of an export as text, in pieces of about 64 KB or 4 ms, whichever comes first. One piece is written at a time in this
 * process, and the owners of exports take turns; while others call, each piece is followed by a rest of three times its length.
 */
export async function* inPieces<Item>(ctx: Call, items: readonly Item[], write: (item: Item) => string): AsyncGenerator<string, void> {
  const all = items.values()
  let next = all.next()
  const writePiece = async (): Promise<string> => {
    const beganAt = performance.now()
    const texts: string[] = []
    for (let length = 0; !next.done && isWithinPiece(length, beganAt); next = all.next()) {
      const text = write(next.value)
      texts.push(text)
      length += text.length
    }
    const piece = texts.join('')
    await restAfterRun(ctx, performance.now() - beganAt)
    return piece
  }
  while (!next.done) yield await turnsOf(ctx.world).run(ownersOf(ctx), writePiece)
}

const isWithinPiece = (length: number, beganAt: number): boolean =>
  length === 0 || (length < maxPieceLength && performance.now() - beganAt < maxPieceMs)
