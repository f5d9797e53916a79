import type { EditedWorkflowFragment, WorkflowStepItemFragment, WorkflowStepType } from '../../graphql/graphql.ts'
import type { IconName } from '../../parts/icon-names.ts'
import type { Exit } from './graph.ts'

/** What people call the kinds of steps, in the order in which they are offered. */
export const kinds: Record<WorkflowStepType, { label: string; icon: IconName; what: string }> = {
  SEND_EMAIL: { label: 'Send an email', icon: 'mail', what: 'Sends a template to the contact, or to another address.' },
  DELAY: { label: 'Delay', icon: 'clock', what: 'Waits for a span of time.' },
  WAIT_FOR_EVENT: { label: 'Wait for an event', icon: 'pause', what: 'Waits until an event happens to the contact, or a time has passed.' },
  CONDITION: { label: 'Condition', icon: 'split', what: 'Asks the contact and the event, and leads to one of several exits.' },
  WEBHOOK: { label: 'Webhook', icon: 'globe', what: 'Calls a URL.' },
  UPDATE_CONTACT: { label: 'Update the contact', icon: 'user', what: 'Changes the data of the contact, or its subscription.' },
  EXIT: { label: 'Exit', icon: 'log-out', what: 'Ends the execution.' },
}

/** The kinds of steps, in the order in which they are offered. */
export const kindNames = Object.keys(kinds) as WorkflowStepType[]

type Config = Record<string, unknown>

/** The config of a step, whose parts may all be missing. */
export function configOf({ config }: Pick<WorkflowStepItemFragment, 'config'>): Config {
  return typeof config === 'object' && config !== null ? (config as Config) : {}
}

/** One of the branches of a condition that compares a field several times. */
export interface Branch {
  id: string
  name?: string | null
  operator?: string
  value?: unknown
  unit?: string
}

/** The branches of a condition, or undefined for one that is answered by yes or no. */
export function branchesOf(config: Config): Branch[] | undefined {
  if (config.mode !== 'MULTI') return undefined
  return Array.isArray(config.branches) ? (config.branches as Branch[]) : []
}

const namesOf: Record<string, string> = {
  yes: 'Yes',
  no: 'No',
  default: 'Otherwise',
  timeout: 'When the time has passed',
  error: 'When it could not be called',
}

/** What an exit is called where the config of its step is not known. */
export function exitLabel(branch: string | null, type?: WorkflowStepType): string {
  if (branch === null || branch === 'event') return type === 'WAIT_FOR_EVENT' ? 'When it happens' : 'Then'
  return namesOf[branch] ?? branch
}

type Graph = Pick<EditedWorkflowFragment, 'steps' | 'transitions'>

/** The exits of a step, those that its config has and those that lead somewhere all the same. */
export function exitsOf(step: WorkflowStepItemFragment, { transitions }: Graph): (Exit & { unused: boolean })[] {
  const known = step.exits.map(({ branch, name, transition }) => ({
    branch,
    label: step.exits.length > 1 ? name : null,
    to: transition?.toStepId ?? null,
    transition: transition?.id ?? null,
    unused: false,
  }))
  const others = transitions.filter(({ id, fromStepId }) => fromStepId === step.id && !known.some(({ transition }) => transition === id))
  return [
    ...known,
    ...others.map(({ id, branch, toStepId }) => ({
      branch,
      label: `${exitLabel(branch, step.type)} (never taken)`,
      to: toStepId,
      transition: id,
      unused: true,
    })),
  ]
}

/** The exits of a step that an outline shows: that of a failed call only where it leads somewhere. */
export function shownExits(step: WorkflowStepItemFragment, graph: Graph): Exit[] {
  const isShown = ({ branch, to }: Exit) => to !== null || step.type !== 'WEBHOOK' || branch !== 'error'
  return exitsOf(step, graph).filter(isShown)
}
