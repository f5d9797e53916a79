import type { Reading } from '../../../kit/load.ts'
import type { Transaction } from '../../../kit/postgres/db.ts'
import type { World } from '../../../kit/world.ts'
import { appendEvents, type LogLine } from '../../events/log.ts'
import { findNamed } from '../../events/relations/named.ts'
import type { ExecutionStatus } from '../shapes.ts'

/** An execution, as lines of the log name it. */
export interface LoggedExecution {
  projectId: string
  id: string
  workflowId: string
  workflowName: string
  contactId: string | null
  /** How many executions led to it. */
  depth: number
}

/** Logs that executions have started. */
export async function logStarts(tx: Transaction, world: World, executions: LoggedExecution[]): Promise<void> {
  await logAll(tx, world, executions, (one) => lineOf(one, 'workflow.started'))
}

/** Logs that executions have ended, and how. */
export async function logEnds(
  tx: Transaction,
  world: World,
  executions: (LoggedExecution & { status: ExecutionStatus; reason: string | null })[],
): Promise<void> {
  await logAll(tx, world, executions, (one) =>
    // Lines of a deleted contact are removed: this one says nothing about it.
    lineOf(one.status === 'CANCELLED' && one.reason === contactDeleted ? { ...one, contactId: null } : one, 'workflow.completed', {
      status: one.status,
      ...(one.reason !== null && { reason: one.reason }),
    }),
  )
}

async function logAll<One extends LoggedExecution>(tx: Transaction, world: World, all: One[], line: (one: One) => LogLine): Promise<void> {
  const at = world.clock.now()
  for (const [projectId, some] of Map.groupBy(all, (one) => one.projectId))
    await appendEvents(tx, world, { projectId, at, lines: some.map(line) })
}

/** Why an execution ends whose contact was deleted. */
export const contactDeleted = 'Contact deleted'

/** Why an execution ends whose project was suspended, or is being emptied. */
export const projectDisabled = 'Project disabled'

// The depth is that of an execution which the line starts.
function lineOf({ id, workflowId, workflowName, contactId, depth }: LoggedExecution, name: string, more: object = {}): LogLine {
  return { name, contactId, data: { workflowId, workflowName, executionId: id, ...more, depth: depth + 1 } }
}

/** The names of lines that an execution writes into the log: their data names it, and says how many executions led to what they start. */
export const namesOfExecutions = [
  'workflow.started',
  'workflow.completed',
  'workflow.email.scheduled',
  'contact.subscribed',
  'contact.unsubscribed',
]

/** The execution that a line of the log names; null where it names none. What was tracked says nothing about executions. */
export function executionIdOf({ name, data }: { name: string; data: unknown }): string | null {
  const { executionId } = (data ?? {}) as { executionId?: unknown }
  return typeof executionId === 'string' && namesOfExecutions.includes(name) ? executionId : null
}

/** The same of a line whose data, which may be large, was not read. */
export async function findExecutionIdOf(ctx: Reading, { id, name }: { id: string; name: string }): Promise<string | null> {
  return namesOfExecutions.includes(name) ? (await findNamed(ctx, { id })).executionId : null
}
