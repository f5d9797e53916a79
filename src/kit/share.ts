import { Failure } from './errors.ts'
import { createTurns, type Owners, type Patience, TurnMissed, type TurnsPlan } from './turns.ts'

/** How much work of a kind runs at the same time, in all and of one owner. */
export interface Share extends TurnsPlan {
  /** What the caller is told who has waited too long. */
  busy: string
  /** How long work waits for its turn, in ms; null for as long as it takes. Default: 15 s. */
  maxWaitMs?: number | null | undefined
}

/** How long a call waits for its turn, in ms. */
export const standardWaitMs = 15_000

/**
 * Runs work of owners, see `createTurns`: fails with SERVICE_UNAVAILABLE when its turn has not come in time, or before `ended`. With a
 * `maxMs` it waits so long, and where that is undefined as long as it takes.
 */
export type InShare = <Result>(owners: Owners, work: () => Promise<Result>, patience?: Patience) => Promise<Result>

/** Creates a share, so that no owner, such as a project or a person with many projects, has all of something, whatever it asks for. */
export function createShare({ busy, maxWaitMs = standardWaitMs, ...share }: Share): InShare {
  const turns = createTurns(share)
  return async (owners, work, patience) => {
    try {
      return await turns.run(owners, work, { maxMs: maxWaitMs ?? undefined, ...patience })
    } catch (error) {
      if (!(error instanceof TurnMissed)) throw error
      throw missedTurn(busy)
    }
  }
}

/** The failure of a call whose turn has not come in time, with what its caller is told. */
export function missedTurn(busy: string): Failure {
  return new Failure('SERVICE_UNAVAILABLE', busy, {
    suggestion: 'Try again in a moment, with fewer such calls at a time.',
    headers: { 'Retry-After': '5' },
  })
}
