import { words } from '../../../data/format.ts'
import type { WorkflowExecutionStatus, WorkflowStepStatus } from '../../../graphql/graphql.ts'
import { Badge, type Tone } from '../../../parts/state.tsx'

const tones: Record<WorkflowExecutionStatus | WorkflowStepStatus, Tone> = {
  RUNNING: 'info',
  WAITING: 'info',
  COMPLETED: 'good',
  EXITED: 'neutral',
  FAILED: 'bad',
  CANCELLED: 'warn',
}

/** How far an execution, or a step of it, is. */
export function StatusBadge({ status }: { status: WorkflowExecutionStatus | WorkflowStepStatus }) {
  return <Badge tone={tones[status]}>{words(status)}</Badge>
}

/** Whether an execution goes on. */
export function isActive(status: WorkflowExecutionStatus): boolean {
  return status === 'RUNNING' || status === 'WAITING'
}
