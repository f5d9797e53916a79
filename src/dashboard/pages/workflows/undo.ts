import { useState } from 'react'
import type { Problem } from '../../data/failures.ts'
import type { EditedWorkflowFragment } from '../../graphql/graphql.ts'

/** What was done to a workflow last, as long as it can be taken back. */
export interface Undo {
  /** Offers to take back what has just been stored; `at` is when the workflow changed by it. */
  offer(at: string, takeBack: () => Promise<Problem | undefined>): void
  /** Takes it back; undefined once anything else has changed. */
  run: (() => Promise<void>) | undefined
  /** Why it was not, or not all of it. */
  problem: Problem | undefined
}

/** Remembers what was done to a workflow last, in whatever way it was done. */
export function useUndo({ updatedAt }: EditedWorkflowFragment): Undo {
  const [last, setLast] = useState<{ at: string; takeBack(): Promise<Problem | undefined> }>()
  const [problem, setProblem] = useState<Problem>()
  const run = async () => {
    setLast(undefined)
    setProblem(await last?.takeBack())
  }
  return {
    offer(at, takeBack) {
      setProblem(undefined)
      setLast({ at, takeBack })
    },
    run: last && updatedAt <= last.at ? run : undefined,
    problem,
  }
}
