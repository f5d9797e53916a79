import { Failure } from '../errors.ts'
import { createTurns } from '../turns.ts'

/** How many statements run at the same time, in all and of one project. */
export interface Share {
  max: number
  maxPerOwner: number
  /** What the caller is told who has waited too long. */
  busy: string
}

const maxWaitMs = 15_000

/**
 * Runs statements whose first parameter is the project so that no project has all connections, whatever it asks for. One whose turn
 * comes after more than 15 s fails with SERVICE_UNAVAILABLE.
 */
export function createShare({ busy, ...share }: Share) {
  const turns = createTurns(share)
  return <Rows>(values: readonly unknown[], run: () => Promise<Rows>): Promise<Rows> => {
    const asked = performance.now()
    return turns.run(String(values[0]), async () => {
      if (performance.now() - asked <= maxWaitMs) return run()
      throw new Failure('SERVICE_UNAVAILABLE', busy, {
        suggestion: 'Try again in a moment, with fewer such calls at a time.',
        headers: { 'Retry-After': '5' },
      })
    })
  }
}
