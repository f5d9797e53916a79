import type { Ctx } from '../kit/context.ts'
import { createTurns } from '../kit/turns.ts'
import { perWorld } from '../kit/world.ts'

/** The turn of one request among those with large bodies. */
export interface BodyTurn {
  /** Waits for the turn; call it once, before the rest of a large body is read. */
  begin(): Promise<void>
  /** Waits until a body of more than some megabytes may be in memory; call it once, when all of it has arrived. */
  beginWork(): Promise<void>
  /** Ends the turn, or gives it up; for a request that never began one it does nothing. */
  end(): void
}

// Reading and parsing large bodies keeps the thread busy for milliseconds each, in which nobody else is answered. There is no
// limit over all to those that arrive: callers who send slowly would use it up for everybody. What has arrived is worked on in
// a moment, but takes several times its size in memory.
const turnsOf = perWorld(() => ({
  arriving: createTurns({ max: Number.POSITIVE_INFINITY, maxPerOwner: 2 }),
  inMemory: createTurns({ max: 2, maxPerOwner: 1 }),
}))

/**
 * A turn for a request: of each project, two requests with large bodies are worked on at a time in this process, and two
 * more of each address with the public key; without a project, two of each address. Other connections are not read meanwhile.
 */
export function bodyTurn({ world, projectId, actor, client }: Ctx): BodyTurn {
  const isPublic = actor.kind === 'key' && actor.key === 'PUBLIC'
  const owner = [projectId, ...(isPublic || projectId === '' ? [client.address] : [])].join(' ')
  const ended = Promise.withResolvers<void>()
  const turnIn = (kind: 'arriving' | 'inMemory') => (): Promise<void> =>
    new Promise((resolve) => {
      void turnsOf(world)[kind].run(owner, () => {
        resolve()
        return ended.promise
      })
    })
  return { begin: turnIn('arriving'), beginWork: turnIn('inMemory'), end: ended.resolve }
}
