import type { AnyVariables, TypedDocumentNode } from '@urql/core'
import { useCallback, useState } from 'react'
import { useClient } from 'urql'
import { type Problem, problemOf } from './failures.ts'

/** A mutation that a page offers. */
export interface Action<Data, Variables> {
  /** Does it: the answer, or undefined when it was refused. Fields that were wrong are in `problem`. */
  run(variables: Variables): Promise<Data | undefined>
  busy: boolean
  problem: Problem | undefined
  /** Forgets the problem, such as when a dialog is opened again. */
  reset(): void
}

/**
 * A mutation with its state: whether it is under way, and why it was refused. What the page has read of the types that it answers with
 * is read again; `changes` names another one, such as for what was deleted.
 */
export function useAction<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  changes?: 'Project' | 'User',
): Action<Data, Variables> {
  const client = useClient()
  const [state, setState] = useState<{ busy: boolean; problem?: Problem | undefined }>({ busy: false })
  const run = useCallback(
    async (variables: Variables) => {
      setState({ busy: true })
      const { data, error } = await client.mutation(document, variables, changes && { additionalTypenames: [changes] })
      setState({ busy: false, problem: error && problemOf(error) })
      return error ? undefined : data
    },
    [client, document, changes],
  )
  const reset = useCallback(() => setState({ busy: false }), [])
  return { run, reset, busy: state.busy, problem: state.problem }
}
