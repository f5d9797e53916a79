import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAction } from '../../../data/action.ts'
import {
  CreateStepDocument,
  CreateStepInRoomDocument,
  type EditedWorkflowFragment,
  type WorkflowStepType,
} from '../../../graphql/graphql.ts'
import { Button } from '../../../parts/button.tsx'
import { CloseButton, Dialog } from '../../../parts/dialog.tsx'
import { TextField } from '../../../parts/field.tsx'
import { Form } from '../../../parts/form.tsx'
import { Note } from '../../../parts/state.tsx'
import { toast } from '../../../parts/toast.tsx'
import { roomFor } from '../canvas/placement.ts'
import { exitsOf, kindNames, kinds } from '../kinds.ts'
import { atStart } from '../search.ts'

interface Place {
  add: string
  exit: string | undefined
}

interface Props {
  workflow: EditedWorkflowFragment
  place: Place | undefined
  onClose(): void
}

/** Adds a step at a place; what followed there follows the new step. Its form is opened then. */
export function AddStep({ workflow, place, onClose }: Props) {
  return (
    <Dialog title="Add a step" open={place !== undefined} onClose={onClose}>
      {place && <Choice workflow={workflow} place={place} />}
    </Dialog>
  )
}

function Choice({ workflow, place }: { workflow: EditedWorkflowFragment; place: Place }) {
  const navigate = useNavigate({ from: '/$project/workflows/$workflow' })
  const [type, setType] = useState<WorkflowStepType>('SEND_EMAIL')
  const { run, busy, problem } = useAdding(workflow, place)
  const add = async ({ name = '' }: Record<string, string>) => {
    const id = await run(type, name.trim())
    if (id === undefined) return
    await navigate({ search: (before) => ({ ...before, add: undefined, exit: undefined, step: id }), replace: true, resetScroll: false })
  }
  const before = workflow.steps.find(({ id }) => id === place.add)
  return (
    <Form onSubmit={add} problem={problem} label="Add a step">
      {before && <p className="muted">After “{before.name}”.</p>}
      <fieldset className="kinds">
        <legend>What it does</legend>
        {kindNames.map((kind) => (
          <label key={kind}>
            <input type="radio" name="type" value={kind} checked={kind === type} onChange={() => setType(kind)} />
            <span>
              <strong>{kinds[kind].label}</strong> <span className="muted">{kinds[kind].what}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {type === 'EXIT' && followsAt(workflow, place) !== null && (
        <Note kind="warn">What follows here is not connected to anything then: executions end before it.</Note>
      )}
      <TextField label="Name" name="name" maxLength={100} autoComplete="off" hint="Optional: otherwise what its kind is called" />
      <div className="actions end">
        <CloseButton />
        <Button kind="primary" type="submit" busy={busy}>
          Add the step
        </Button>
      </div>
    </Form>
  )
}

function useAdding(workflow: EditedWorkflowFragment, { add, exit }: Place) {
  const plain = useAction(CreateStepDocument)
  const inRoom = useAction(CreateStepInRoomDocument)
  const place = add === atStart ? { asFirst: true } : { after: { stepId: add, branch: exit ?? null } }
  const { id: workflowId } = workflow
  const create = async (type: WorkflowStepType, name: string) => {
    const { position, moves = [] } = roomFor(workflow, { add, exit }) ?? {}
    const input = { workflowId, type, ...place, ...(name !== '' && { name }), ...(position && { position }) }
    const data = moves.length > 0 ? await inRoom.run({ input, room: { workflowId, positions: moves } }) : await plain.run({ input })
    if (data) toast('Step added')
    return data?.createWorkflowStep.step.id
  }
  return { run: create, busy: plain.busy || inRoom.busy, problem: plain.problem ?? inRoom.problem }
}

// What stands at a place now, which follows the new step.
function followsAt(workflow: EditedWorkflowFragment, { add, exit }: Place): string | null {
  const before = workflow.steps.find(({ id }) => id === add)
  return (before && exitsOf(before, workflow).find(({ branch }) => branch === (exit ?? null))?.to) ?? null
}
