import type { Connection } from '@xyflow/react'
import { useState } from 'react'
import { useClient } from 'urql'
import { type Problem, problemOf } from '../../../data/failures.ts'
import { ConnectDocument, DisconnectDocument, type EditedWorkflowFragment } from '../../../graphql/graphql.ts'
import { toast } from '../../../parts/toast.tsx'
import { exitsOf } from '../kinds.ts'

/** The connections that are drawn on a canvas. */
interface Connecting {
  connect(connection: Connection): Promise<void>
  /** Leads the exit to where it led before it was connected; until anything else has changed. */
  undo: (() => Promise<boolean>) | undefined
  refused: Problem | undefined
}

/** What was connected last: where its exit led before, or the transition that is new. */
interface Connected {
  at: string
  before: { fromStepId: string; branch: string | null; toStepId: string } | { id: string }
}

/** Stores connections as they are drawn, and takes back the last one. */
export function useConnecting(workflow: EditedWorkflowFragment): Connecting {
  const client = useClient()
  const [refused, setRefused] = useState<Problem>()
  const [last, setLast] = useState<Connected>()
  const connect = async ({ source, target, sourceHandle }: Connection) => {
    const branch = sourceHandle === 'plain' ? null : sourceHandle
    const step = workflow.steps.find(({ id }) => id === source)
    const led = step && exitsOf(step, workflow).find((exit) => exit.branch === branch)?.to
    const input = { fromStepId: source, toStepId: target, branch, replace: true }
    const { data, error } = await client.mutation(ConnectDocument, { input })
    setRefused(error && problemOf(error))
    if (!data) return
    const { transition, workflow: stored } = data.createWorkflowTransition
    setLast({ at: stored.updatedAt, before: led ? { fromStepId: source, branch, toStepId: led } : { id: transition.id } })
    toast('Connection changed', 'Undo takes it back, until something else is changed.')
  }
  const undo = async () => {
    const { before } = last ?? {}
    setLast(undefined)
    if (!before) return false
    const { error } =
      'id' in before
        ? await client.mutation(DisconnectDocument, { input: before })
        : await client.mutation(ConnectDocument, { input: { ...before, replace: true } })
    setRefused(error && problemOf(error))
    if (!error) toast('Connection put back')
    return !error
  }
  const canUndo = last !== undefined && workflow.updatedAt <= last.at
  return { connect, undo: canUndo ? undo : undefined, refused }
}
