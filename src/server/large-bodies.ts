import type { Ctx } from '../kit/context.ts'
import { createTurns } from '../kit/turns.ts'
import { perWorld } from '../kit/world.ts'

/** The turn of one request among those with large bodies. */
export interface BodyTurn {
  /** Waits for the turn; call it once, before the rest of a large body is read. */
  begin(): Promise<void>
  /** Ends the turn, or gives it up; for a request that never began one it does nothing. */
  end(): void
}

// Reading and parsing large bodies keeps the thread busy for milliseconds each, in which nobody else is answered. There is no
// limit over all: callers who send slowly would use it up for everybody.
const turnsOf = perWorld(() => createTurns({ max: Number.POSITIVE_INFINITY, maxPerOwner: 2 }))

/**
 * A turn for a request: of each project, two requests with large bodies are worked on at a time in this process, and two
 * more with the public key; without a project, two of each address. Other connections are not read meanwhile.
 */
export function bodyTurn({ world, projectId, actor, client }: Ctx): BodyTurn {
  const isPublic = actor.kind === 'key' && actor.key === 'PUBLIC'
  const owner = projectId === '' ? `${client.address}` : `${projectId} ${isPublic ? 'public' : ''}`
  const ended = Promise.withResolvers<void>()
  return {
    begin: () =>
      new Promise((resolve) => {
        void turnsOf(world).run(owner, () => {
          resolve()
          return ended.promise
        })
      }),
    end: ended.resolve,
  }
}
