import { useState } from 'react'
import { useAction } from '../../../data/action.ts'
import { problemWith } from '../../../data/failures.ts'
import { type EditedWorkflowFragment, UpdateWorkflowDocument } from '../../../graphql/graphql.ts'
import { Button } from '../../../parts/button.tsx'
import { ConflictNote, useReadOnConflict } from '../../../parts/editor/conflict.tsx'
import { Copyable, Facts, Time } from '../../../parts/facts.tsx'
import { CheckField, TextAreaField, TextField } from '../../../parts/field.tsx'
import { Form } from '../../../parts/form.tsx'
import { Section } from '../../../parts/page.tsx'
import { toast } from '../../../parts/toast.tsx'
import { Danger } from './danger.tsx'
import { type Trigger, TriggerFields, triggerInput } from './trigger.tsx'

interface Props {
  workflow: EditedWorkflowFragment
  onSaved(): void
}

/** What starts and ends the executions of a workflow, its name, its copies and its deletion. */
export function Settings({ workflow, onSaved }: Props) {
  const [opened, setOpened] = useState(0)
  return (
    <>
      <Fields key={opened} workflow={workflow} onSaved={onSaved} onTake={() => setOpened(opened + 1)} />
      <Danger workflow={workflow} />
    </>
  )
}

const besideFields = ['name', 'description', 'triggerConfig.eventName', 'exitEvents']
const eventsOf = (text: string): string[] => [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '')

function Fields({ workflow, onSaved, onTake }: Props & { onTake(): void }) {
  const [base, setBase] = useState(workflow)
  const [trigger, setTrigger] = useState<Trigger>({ type: base.triggerType, eventName: base.triggerConfig?.eventName ?? '' })
  const { run, busy, problem } = useAction(UpdateWorkflowDocument)
  useReadOnConflict(problem?.code, onSaved)
  const isConflict = problem?.code === 'CONFLICT'
  const save = async ({ name = '', description = '', exitEvents = '', reentry }: Record<string, string>) => {
    const input = {
      id: base.id,
      name,
      description: description.trim() === '' ? null : description,
      // Without an event there is no trigger any more.
      triggerConfig: null,
      ...triggerInput(trigger),
      allowReentry: reentry === 'on',
      exitEvents: eventsOf(exitEvents),
      ifUpdatedAt: base.updatedAt,
    }
    const data = await run({ input })
    if (!data) return
    setBase(data.updateWorkflow.workflow)
    toast('Saved')
    onSaved()
  }
  return (
    <Section title="Workflow">
      <Form
        onSubmit={save}
        problem={isConflict ? undefined : problem}
        fields={besideFields}
        label="Settings of the workflow"
        className="limited"
      >
        {isConflict && <ConflictNote what="workflow" busy={busy} isRead={workflow.updatedAt > base.updatedAt} onTake={onTake} />}
        <TextField
          label="Name"
          name="name"
          maxLength={100}
          defaultValue={base.name}
          autoComplete="off"
          problem={problemWith(problem, 'name')}
        />
        <TextField
          label="Description"
          name="description"
          defaultValue={base.description ?? ''}
          autoComplete="off"
          problem={problemWith(problem, 'description')}
        />
        <TriggerFields trigger={trigger} onChange={setTrigger} problem={problem} />
        <CheckField
          label="Contacts may enter again"
          name="reentry"
          defaultChecked={base.allowReentry}
          hint="Once their execution has ended; otherwise a contact enters once for ever."
        />
        <TextAreaField
          label="Exit events"
          name="exitEvents"
          rows={3}
          defaultValue={base.exitEvents.join('\n')}
          hint="One per line, at most 20: each ends the execution of the contact that it happens to, at once."
          problem={problemWith(problem, 'exitEvents')}
        />
        <div className="actions">
          <Button kind="primary" type="submit" busy={busy}>
            Save
          </Button>
        </div>
      </Form>
      <About workflow={workflow} />
    </Section>
  )
}

function About({ workflow: { id, version, createdAt, updatedAt } }: Pick<Props, 'workflow'>) {
  return (
    <Facts
      rows={[
        ['Version', version === 0 ? 'Not enabled yet' : version],
        ['Created', <Time key="created" at={createdAt} />],
        ['Changed', <Time key="changed" at={updatedAt} />],
        ['Id', <Copyable key="id" text={id} what="Id" />],
      ]}
    />
  )
}
