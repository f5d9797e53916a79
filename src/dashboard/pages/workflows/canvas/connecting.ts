import type { Connection } from '@xyflow/react'
import { useState } from 'react'
import { useClient } from 'urql'
import type { Problem } from '../../../data/failures.ts'
import type { EditedWorkflowFragment } from '../../../graphql/graphql.ts'
import { connect, wayFrom } from '../connect.ts'
import { exitsOf } from '../kinds.ts'
import type { Undo } from '../undo.ts'

/** The connections that are drawn on a canvas. */
interface Connecting {
  draw(connection: Connection): Promise<void>
  refused: Problem | undefined
}

/** Stores connections as they are drawn. */
export function useConnecting(workflow: EditedWorkflowFragment, undo: Undo): Connecting {
  const client = useClient()
  const [refused, setRefused] = useState<Problem>()
  const draw = async ({ source, target, sourceHandle }: Connection) => {
    const branch = sourceHandle === 'plain' ? null : sourceHandle
    const step = workflow.steps.find(({ id }) => id === source)
    const exit = step && exitsOf(step, workflow).find((one) => one.branch === branch)
    if (exit) setRefused(await connect(client, { way: wayFrom(source, exit, workflow), to: target, undo }))
  }
  return { draw, refused }
}
