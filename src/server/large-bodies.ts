import { createBudget } from '../kit/budget.ts'
import { callerOf, callersOf, nameOf, recentMs, restAfter } from '../kit/callers.ts'
import type { Ctx } from '../kit/context.ts'
import { createTurns } from '../kit/turns.ts'
import { perWorld } from '../kit/world.ts'

/** The turn of one request among those with large bodies. */
export interface BodyTurn {
  /** Waits for the turn; call it once, before the rest of a large body is read. */
  begin(): Promise<void>
  /** Waits until a body of so many bytes, some megabytes at least, may be in memory; call it once, when all of it has arrived. */
  beginWork(bytes: number): Promise<void>
  /** Ends the turn, or gives it up; for a request that never began one, and again, it does nothing. */
  end(): void
}

// Reading and parsing large bodies keeps the thread busy for milliseconds each, in which nobody else is answered. There is no
// limit over all to those that arrive: callers who send slowly would use it up for everybody. What has arrived is worked on in
// a moment, but takes several times its size in memory.
const turnsOf = perWorld((world) => {
  const memory = createBudget(maxBytesInMemory)
  world.metrics.reserved.watch('large_bodies', memory)
  return {
    arriving: createTurns({ max: Number.POSITIVE_INFINITY, maxPerOwner: 2 }),
    inMemory: createTurns({ max: Number.POSITIVE_INFINITY, maxPerOwner: 1 }),
    memory,
    remaining: { bytes: 0 },
    callers: callersOf(world),
  }
})
const maxBytesInMemory = 120 * 1024 * 1024

// Parsing a body takes several times its size, and is over in a moment; what remains is taken over by the operation, which may wait for
// others. After this time a body counts among those that remain, and makes room for the next one.
const maxWorkMs = 5_000
const maxRemainingBytes = 240 * 1024 * 1024

/**
 * A turn for a request: of each account, and of each project, two requests with large bodies are worked on at a time in this process,
 * and two more of each address with the public key; without a project, two of each address. Other connections are not read meanwhile,
 * nor for a while after a turn in which others have called.
 */
export function bodyTurn(ctx: Ctx): BodyTurn {
  const owners = callerOf(ctx)
  const owner = nameOf(owners)
  const { arriving, inMemory, memory, remaining, callers } = turnsOf(ctx.world)
  const ended = Promise.withResolvers<void>()
  const rested = Promise.withResolvers<void>()
  let began = Number.POSITIVE_INFINITY
  let isOver = false
  return {
    begin: () =>
      new Promise((resolve) => {
        void arriving.run(owners, () => {
          began = performance.now()
          resolve()
          return rested.promise
        })
      }),
    beginWork: (bytes) =>
      new Promise((resolve) => {
        void inMemory.run(owners, async () => {
          const giveBack = await memory.take(bytes, owner)
          const working = setTimeout(() => remain(remaining, bytes, { giveBack, ended: ended.promise }), maxWorkMs)
          resolve()
          await ended.promise
          clearTimeout(working)
          giveBack()
        })
      }),
    end() {
      if (isOver) return
      isOver = true
      ended.resolve()
      const turnMs = Math.max(performance.now() - began, 0)
      if (turnMs > 0 && callers.hasOtherThan(owner, recentMs + turnMs)) setTimeout(rested.resolve, restAfter(turnMs))
      else rested.resolve()
    },
  }
}

// Gives the memory of a body back before its operation has ended, unless too many remain already.
function remain(remaining: { bytes: number }, bytes: number, { giveBack, ended }: { giveBack: () => void; ended: Promise<void> }): void {
  if (remaining.bytes + bytes > maxRemainingBytes) return
  remaining.bytes += bytes
  giveBack()
  void ended.then(() => {
    remaining.bytes -= bytes
  })
}
