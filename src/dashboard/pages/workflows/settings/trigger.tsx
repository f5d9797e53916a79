import { type Problem, problemWith } from '../../../data/failures.ts'
import type { WorkflowTrigger } from '../../../graphql/graphql.ts'
import { SelectField } from '../../../parts/field.tsx'
import { EventField } from '../event-field.tsx'

/** What starts the executions of a workflow, as it is being edited. */
export interface Trigger {
  type: WorkflowTrigger
  eventName: string
}

/** The trigger of a new workflow. */
export const emptyTrigger: Trigger = { type: 'EVENT', eventName: '' }

/** A trigger as the API takes it. */
export function triggerInput({ type, eventName }: Trigger) {
  if (type === 'MANUAL') return { triggerType: type }
  return { triggerType: type, ...(eventName.trim() !== '' && { triggerConfig: { eventName: eventName.trim() } }) }
}

const options: { value: WorkflowTrigger; label: string }[] = [
  { value: 'EVENT', label: 'An event of a contact' },
  { value: 'MANUAL', label: 'Only a call of the API, or somebody by hand' },
]

interface Props {
  trigger: Trigger
  onChange(trigger: Trigger): void
  problem: Problem | undefined
}

/** Edits what starts a workflow. */
export function TriggerFields({ trigger, onChange, problem }: Props) {
  return (
    <>
      <SelectField
        label="Started by"
        value={trigger.type}
        options={options}
        onChange={(event) => onChange({ ...trigger, type: event.target.value as WorkflowTrigger })}
      />
      {trigger.type === 'EVENT' && (
        <EventField
          label="Name of the event"
          value={trigger.eventName}
          onChange={(eventName) => onChange({ ...trigger, eventName })}
          hint="Such as “signed up”. Events of emails have names as well, such as email.open."
          problem={problemWith(problem, 'triggerConfig.eventName')}
        />
      )}
    </>
  )
}
