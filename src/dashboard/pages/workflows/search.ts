import { oneOf, type Place, placeOf, someOf, text } from '../../data/search.ts'
import type { WorkflowExecutionStatus } from '../../graphql/graphql.ts'

/** The address of the list. */
export interface WorkflowsSearch extends Place {
  state?: 'enabled' | 'disabled' | undefined
  search?: string | undefined
  create?: true | undefined
}

/** What the address of the list says. */
export function workflowsSearch(given: Record<string, unknown>): WorkflowsSearch {
  return {
    state: oneOf(['enabled', 'disabled'] as const, given.state),
    search: text(given.search),
    create: given.create === true || undefined,
    ...placeOf(given),
  }
}

/** The parts of the page of a workflow; the first is shown when the address names none. */
export const tabs = [
  { name: 'steps', label: 'Steps' },
  { name: 'canvas', label: 'Canvas' },
  { name: 'executions', label: 'Executions' },
  { name: 'settings', label: 'Settings' },
] as const

const names = tabs.map(({ name }) => name)

/** The states of executions, in the order of filters. */
export const executionStatuses: WorkflowExecutionStatus[] = ['RUNNING', 'WAITING', 'COMPLETED', 'EXITED', 'FAILED', 'CANCELLED']

/** The place of a step that is to be added: behind an exit of a step, or before the first one. */
export const atStart = 'start'

/** The address of a workflow. */
export interface WorkflowSearch extends Place {
  tab?: (typeof names)[number] | undefined
  /** The step that is open. */
  step?: string | undefined
  /** The step behind which one is to be added, or `start`. */
  add?: string | undefined
  /** The exit of that step; none for the plain one. */
  exit?: string | undefined
  status?: WorkflowExecutionStatus[] | undefined
  /** Only executions of this contact. */
  contact?: string | undefined
  open?: 'start' | 'cancel' | undefined
}

/** What the address of a workflow says. */
export function workflowSearch(given: Record<string, unknown>): WorkflowSearch {
  return {
    tab: oneOf(names, given.tab),
    step: text(given.step),
    add: text(given.add),
    exit: text(given.exit),
    status: someOf(executionStatuses, given.status),
    contact: text(given.contact),
    open: oneOf(['start', 'cancel'] as const, given.open),
    ...placeOf(given),
  }
}
