import { useEffect, useState } from 'react'
import { useLive } from '../../data/project.tsx'
import { WorkflowProgressDocument, type WorkflowProgressSubscription } from '../../graphql/graphql.ts'

/** How many executions of a workflow are where, as it changes. */
export type WorkflowProgress = WorkflowProgressSubscription['workflowProgress']

/** The counts of a workflow and its steps, as they change; undefined until they are known. */
export function useWorkflowProgress(id: string): WorkflowProgress | undefined {
  const live = useLive()
  const [state, setState] = useState<WorkflowProgress>()
  useEffect(() => live.watch(WorkflowProgressDocument, { id }, ({ workflowProgress }) => setState(workflowProgress)), [live, id])
  return state?.id === id ? state : undefined
}
