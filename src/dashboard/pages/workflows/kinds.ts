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

interface Possible {
  branch: string | null
  label: string | null
  /** Shown by an outline only where it leads somewhere. */
  optional?: true
}

function possibleExits({ type, config }: Pick<WorkflowStepItemFragment, 'type' | 'config'>): Possible[] {
  const given = configOf({ config })
  if (type === 'EXIT') return []
  if (type === 'CONDITION') {
    const branches = branchesOf(given)
    if (!branches)
      return [
        { branch: 'yes', label: 'Yes' },
        { branch: 'no', label: 'No' },
      ]
    return [...branches.map(({ id, name }) => ({ branch: id, label: name || id })), { branch: 'default', label: 'Otherwise' }]
  }
  if (type === 'WAIT_FOR_EVENT' && given.timeout !== undefined)
    return [
      { branch: null, label: 'When it happens' },
      { branch: 'timeout', label: 'When the time has passed' },
    ]
  if (type === 'WEBHOOK')
    return [
      { branch: null, label: 'When it was called' },
      { branch: 'error', label: 'When it could not be called', optional: true },
    ]
  return [{ branch: null, label: null }]
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
export function exitsOf(step: WorkflowStepItemFragment, { transitions }: Graph): (Exit & { optional: boolean; unused: boolean })[] {
  // `event` is another name of the plain exit of a wait.
  const plain = (branch: string | null) => (step.type === 'WAIT_FOR_EVENT' && branch === 'event' ? null : branch)
  const own = transitions.filter(({ fromStepId }) => fromStepId === step.id)
  const possible = possibleExits(step)
  const known = possible.map(({ branch, label, optional = false }) => {
    const taken = own.find((one) => plain(one.branch) === branch)
    return { branch, label, to: taken?.toStepId ?? null, transition: taken?.id ?? null, optional, unused: false }
  })
  const others = own.filter((one) => !possible.some(({ branch }) => branch === plain(one.branch)))
  return [
    ...known,
    ...others.map(({ id, branch, toStepId }) => ({
      branch,
      label: `${exitLabel(branch, step.type)} (never taken)`,
      to: toStepId,
      transition: id,
      optional: false,
      unused: true,
    })),
  ]
}

/** The exits of a step that an outline shows. */
export function shownExits(step: WorkflowStepItemFragment, graph: Graph): Exit[] {
  return exitsOf(step, graph).filter(({ optional, to }) => !optional || to !== null)
}
