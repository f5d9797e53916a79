import { restAfterRun } from './callers.ts'
import { type Ctx, ownersOf } from './context.ts'
import { Failure, tooManyRequests } from './errors.ts'
import { createTally } from './tally.ts'
import { createTurns } from './turns.ts'
import { perWorld } from './world.ts'

type Call = Pick<Ctx, 'world' | 'projectId' | 'account' | 'actor' | 'client'>

const maxPerOwner = 4
// Each has a batch of rows in memory for as long as its caller takes to read it. The last places are one for each owner, so that a few
// who read slowly leave room for others.
const maxPlaces = 40
const oneEach = 20
const retryAfterSeconds = 10

const placesOf = perWorld(createTally)

/**
 * The pieces of an export, which occupies one of the 40 places of this process from the first piece until it has ended or its caller has
 * gone; an account, and a project, has four of them, and one of the last 20. Fails with RATE_LIMIT_EXCEEDED when it has as many as it
 * may, and with SERVICE_UNAVAILABLE when there is none for anybody.
 */
export async function* inPlace(ctx: Call, pieces: () => AsyncGenerator<string, void>): AsyncGenerator<string, void> {
  const giveBack = takePlace(ctx)
  try {
    yield* pieces()
  } finally {
    giveBack()
  }
}

function takePlace(ctx: Call): () => void {
  const places = placesOf(ctx.world)
  const owners = [ownersOf(ctx)].flat()
  const most = Math.max(...owners.map((owner) => places.of(owner)))
  if (most >= maxPerOwner)
    throw tooManyRequests(`${maxPerOwner} exports of this account or project run, which is the maximum.`, retryAfterSeconds)
  if (places.total >= maxPlaces || (places.total >= maxPlaces - oneEach && most > 0))
    throw new Failure('SERVICE_UNAVAILABLE', 'Too many exports run at the moment.', {
      suggestion: 'Wait until one has ended.',
      headers: { 'Retry-After': String(retryAfterSeconds) },
    })
  places.add(owners, 1)
  return () => places.add(owners, -1)
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
