import type { IncomingMessage, ServerResponse } from 'node:http'
import { createBudget } from '../kit/budget.ts'
import { callerOf, callersOf, nameOf, recentMs, restAfter } from '../kit/callers.ts'
import type { Ctx } from '../kit/context.ts'
import { Failure } from '../kit/errors.ts'
import { createTally, type Tally } from '../kit/tally.ts'
import { createTurns, type Owners, TurnMissed, type Turns } from '../kit/turns.ts'
import { perWorld } from '../kit/world.ts'
import { createArrivingPlace, createSlowBodies } from './arriving.ts'

/** The turn of one request among those with large bodies. */
export interface BodyTurn {
  /** Waits for the turn; call it once, before the rest of a large body is read. Throws BAD_REQUEST when it is given up before. */
  begin(): Promise<void>
  /** Counts what of the body has arrived since its turn began: what is returned is to be waited for before it is read on. */
  arrived(bytes: number): Promise<void> | undefined
  /**
   * Waits until a body of so many bytes, some megabytes at least, may be in memory; call it once, when all of it has arrived. Throws
   * BAD_REQUEST when the turn is given up before.
   */
  beginWork(bytes: number): Promise<void>
  /** Ends the turn, or gives it up, when the request has been answered or its caller has left; again it does nothing. */
  end(): void
  /** Whether it has ended, or was given up. */
  isOver(): boolean
  /** Calls what stops the reading of a body as soon as the turn has ended, or at once if it has. */
  whenOver(stop: () => void): void
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
    slow: createSlowBodies(),
    remaining: createTally(),
    callers: callersOf(world),
  }
})
const maxBytesInMemory = 120 * 1024 * 1024

// Parsing a body takes several times its size, and is over in a moment; what remains is taken over by the operation, which may wait for
// others. After this time a body counts among those that remain, and makes room for the next one.
const maxWorkMs = 5_000
const maxRemaining = { inAll: 240 * 1024 * 1024, ofOwner: 80 * 1024 * 1024 }

/**
 * A turn for a request: of each account, and of each project, two requests with large bodies are worked on at a time in this process,
 * and two more of each address with the public key; without a project, two of each address. Other connections are not read meanwhile,
 * nor for a while after a turn in which others have called. What arrives, or is worked on, slowly leaves its place to others; see
 * `createArrivingPlace`.
 */
export function bodyTurn(ctx: Ctx, request: Pick<IncomingMessage, 'complete'>): BodyTurn {
  const owners = callerOf(ctx)
  const owner = nameOf(owners)
  const { arriving, slow, inMemory, memory, remaining, callers } = turnsOf(ctx.world)
  const { end, ended, endedSignal, isOver, whenOver } = createEnd()
  const inTurn = (turns: Turns, work: (begun: () => void) => Promise<void>): Promise<void> =>
    new Promise((resolve, reject) => {
      whenOver(() => reject(callerLeft()))
      void turns.run(owners, () => work(resolve), { ended: endedSignal() }).catch(reject)
    })
  const place = createArrivingPlace({ owners, slow, isComplete: () => request.complete, take: (work) => inTurn(arriving, work) })
  return {
    isOver,
    whenOver,
    begin: place.begin,
    arrived: place.arrived,
    beginWork: (bytes) =>
      inTurn(inMemory, async (begun) => {
        const giveBack = await memory.take(bytes, owner)
        begun()
        await untilOver({ ended, mayRemain: () => remain(remaining, { owners, bytes, ended }) })
        giveBack()
      }),
    end() {
      if (isOver()) return
      end()
      place.end((turnMs) => (callers.hasOtherThan(owner, recentMs + turnMs) ? restAfter(turnMs) : 0))
    },
  }
}

/** Until a request has been answered, or has taken so long that its body may remain in memory beside those that come after it. */
async function untilOver({ ended, mayRemain }: { ended: Promise<void>; mayRemain(): boolean }): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const remains = new Promise<void>((resolve) => {
    timer = setTimeout(() => mayRemain() && resolve(), maxWorkMs)
  })
  await Promise.race([ended, remains])
  clearTimeout(timer)
}

/** Ends a turn when its request has been answered or its caller has left, which may have been before. */
export function endWithAnswer({ end }: BodyTurn, response: ServerResponse): void {
  if (response.closed) end()
  else response.once('close', end)
}

/** The failure of a body whose caller has left before it was read, which therefore nobody is told. */
export function callerLeft(): Failure {
  return new Failure('BAD_REQUEST', 'The connection was closed before the body was read.')
}

// The reason that a signal has of itself is an error with a stack.
const missed = new TurnMissed()

// The signal is made when it is first asked for: most requests have small bodies, and it takes more time than the rest of this.
function createEnd() {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  let controller: AbortController | undefined
  let isOver = false
  const endedSignal = (): AbortSignal => {
    controller ??= new AbortController()
    if (isOver) controller.abort(missed)
    return controller.signal
  }
  return {
    ended,
    endedSignal,
    isOver: () => isOver,
    whenOver(stop: () => void): void {
      if (isOver) stop()
      else endedSignal().addEventListener('abort', stop, { once: true })
    },
    end(): void {
      isOver = true
      resolve()
      controller?.abort(missed)
    },
  }
}

// Whether a body gives its turn and its memory back before its operation has ended: not where too many remain already.
function remain(remaining: Tally, { owners, bytes, ended }: { owners: Owners; bytes: number; ended: Promise<void> }): boolean {
  if (remaining.total + bytes > maxRemaining.inAll || remaining.of(nameOf(owners)) + bytes > maxRemaining.ofOwner) return false
  remaining.add(owners, bytes)
  void ended.then(() => remaining.add(owners, -bytes))
  return true
}
