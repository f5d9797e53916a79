import type { Client } from '@urql/core'
import { type Problem, problemOf } from '../../data/failures.ts'
import { ConnectDocument, DisconnectDocument, type EditedWorkflowFragment } from '../../graphql/graphql.ts'
import { toast } from '../../parts/toast.tsx'
import type { Exit } from './graph.ts'
import type { Undo } from './undo.ts'

/** An exit of a step, and the transition that leads from it so far. */
export interface Way {
  fromStepId: string
  branch: string | null
  /** The step it leads to, and by which transition; null for nowhere. */
  to: string | null
  transition: string | null
  /** Its place among the exits, in editors that order them. */
  priority: number
}

/** An exit of a step, as a workflow has it. */
export function wayFrom(fromStepId: string, { branch, to, transition }: Exit, { transitions }: EditedWorkflowFragment): Way {
  return { fromStepId, branch, to, transition, priority: transitions.find(({ id }) => id === transition)?.priority ?? 0 }
}

/** Leads an exit to another step, or nowhere: the exit as it is then, and when it was stored; or why not. */
async function lead(client: Client, way: Way, to: string | null): Promise<{ way: Way; at: string } | { problem: Problem }> {
  const { fromStepId, branch, transition, priority } = way
  if (to === null && transition !== null) {
    const { data, error } = await client.mutation(DisconnectDocument, { input: { id: transition } })
    if (error) return { problem: problemOf(error) }
    return { way: { ...way, to, transition: null }, at: data?.deleteWorkflowTransition.workflow.updatedAt ?? '' }
  }
  const input = { fromStepId, branch, priority, toStepId: to ?? '', replace: true }
  const { data, error } = await client.mutation(ConnectDocument, { input })
  if (error) return { problem: problemOf(error) }
  const { transition: stored, workflow } = data?.createWorkflowTransition ?? {}
  return { way: { ...way, to, transition: stored?.id ?? null }, at: workflow?.updatedAt ?? '' }
}

/** Leads an exit elsewhere, which can be taken back: why it was refused, or undefined. */
export async function connect(
  client: Client,
  { way, to, undo }: { way: Way; to: string | null; undo: Undo },
): Promise<Problem | undefined> {
  const done = await lead(client, way, to)
  if ('problem' in done) return done.problem
  toast('Connection changed', 'Undo takes it back, until something else is changed.')
  undo.offer(done.at, async () => {
    const back = await lead(client, done.way, way.to)
    if ('problem' in back) return back.problem
    toast('Connection put back')
  })
}
