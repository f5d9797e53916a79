import { useState } from 'react'
import { useAction } from '../../../data/action.ts'
import { problemWith } from '../../../data/failures.ts'
import {
  type EditedWorkflowFragment,
  UpdateStepDocument,
  type WorkflowStepItemFragment,
  type WorkflowStepType,
} from '../../../graphql/graphql.ts'
import { Button } from '../../../parts/button.tsx'
import { ConflictNote, useReadOnConflict } from '../../../parts/editor/conflict.tsx'
import { TextField } from '../../../parts/field.tsx'
import { Form } from '../../../parts/form.tsx'
import { toast } from '../../../parts/toast.tsx'
import type { Change, ConfigForm } from './forms/change.ts'
import { ConditionFields } from './forms/condition.tsx'
import { EmailFields } from './forms/email.tsx'
import { DelayFields, ExitFields, WaitFields } from './forms/small.tsx'
import { UpdateFields } from './forms/update.tsx'
import { WebhookFields } from './forms/webhook.tsx'

const forms: Record<WorkflowStepType, ConfigForm> = {
  SEND_EMAIL: EmailFields,
  DELAY: DelayFields,
  WAIT_FOR_EVENT: WaitFields,
  CONDITION: ConditionFields,
  WEBHOOK: WebhookFields,
  UPDATE_CONTACT: UpdateFields,
  EXIT: ExitFields,
}

const besideFields = [
  'name',
  'config.amount',
  'config.eventName',
  'config.timeout',
  'config.url',
  'config.headers',
  'config.body',
  'config.reason',
  'config.recipient.customEmail',
]

interface Props {
  workflow: EditedWorkflowFragment
  step: WorkflowStepItemFragment
  onRead(): void
}

/** The name and the config of a step, saved together; what somebody else has saved meanwhile is not lost. */
export function StepForm(props: Props) {
  const [opened, setOpened] = useState(0)
  return <Fields key={opened} {...props} onTake={() => setOpened(opened + 1)} />
}

function Fields({ workflow, step, onRead, onTake }: Props & { onTake(): void }) {
  const [base, setBase] = useState(step)
  const [name, setName] = useState(step.name)
  // Undefined: nothing was changed. `wrong`: what is there cannot be saved.
  const [change, setChange] = useState<Change>()
  const { run, busy, problem } = useAction(UpdateStepDocument)
  useReadOnConflict(problem?.code, onRead)
  const isConflict = problem?.code === 'CONFLICT'
  const isDirty = (change !== undefined && !isStored(change, base)) || name !== base.name
  const wrong = change && 'wrong' in change ? change.wrong : undefined
  const save = async (isForced = false) => {
    if (wrong !== undefined) return
    const input = { id: step.id, name, ...(change && !('wrong' in change) && change), ...(!isForced && { ifUpdatedAt: base.updatedAt }) }
    const data = await run({ input })
    if (!data) return
    const { step: stored } = data.updateWorkflowStep
    setBase(stored)
    // What was typed meanwhile stays, and is to be saved still.
    setName((typed) => (typed === name ? stored.name : typed))
    setChange((made) => (made === change ? undefined : made))
    toast('Step saved')
  }
  const Config = forms[step.type]
  return (
    <Form onSubmit={() => void save()} isChanged={isDirty} problem={isConflict ? undefined : problem} fields={besideFields} label="Step">
      {isConflict && (
        <ConflictNote what="step" busy={busy} isRead={step.updatedAt > base.updatedAt} onTake={onTake} onReplace={() => void save(true)} />
      )}
      <TextField
        label="Name"
        value={name}
        maxLength={100}
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
        problem={problemWith(problem, 'name')}
      />
      <Config step={step} workflow={workflow} problem={problem} onChange={setChange} />
      {wrong !== undefined && isDirty && <p className="muted">{wrong}</p>}
      <div className="actions">
        <Button kind="primary" type="submit" waits={busy} disabled={(!isDirty && !busy) || wrong !== undefined}>
          Save the step
        </Button>
      </div>
    </Form>
  )
}

// Typed as it is stored.
function isStored(change: Change, { config, template }: WorkflowStepItemFragment): boolean {
  if ('wrong' in change) return false
  const isSameTemplate = change.templateId === undefined || change.templateId === (template?.id ?? null)
  return isSameTemplate && inOrder(change.config) === inOrder(config)
}

// Whatever the order of its parts.
function inOrder(value: unknown): string {
  const isObject = (one: unknown): one is object => typeof one === 'object' && one !== null && !Array.isArray(one)
  return JSON.stringify(value, (_, one) => (isObject(one) ? Object.fromEntries(Object.entries(one).sort()) : one))
}
