import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useClient } from 'urql'
import { type Problem, problemOf } from '../../../data/failures.ts'
import {
  ConnectDocument,
  CreateStepDocument,
  DisconnectDocument,
  type EditedWorkflowFragment,
  type WorkflowStepType,
} from '../../../graphql/graphql.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { TextField } from '../../../parts/field.tsx'
import { Form } from '../../../parts/form.tsx'
import { Note } from '../../../parts/state.tsx'
import { toast } from '../../../parts/toast.tsx'
import { outlineOf } from '../graph.ts'
import { exitsOf, kindNames, kinds, shownExits } from '../kinds.ts'
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
      {place && <Choice workflow={workflow} place={place} onClose={onClose} />}
    </Dialog>
  )
}

function Choice({ workflow, place, onClose }: Props & { place: Place }) {
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
    <Form onSubmit={(fields) => void add(fields)} problem={problem} label="Add a step">
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
      {type === 'EXIT' && placeIn(workflow, place).to !== null && (
        <Note kind="warn">What follows here is not connected to anything then: executions end before it.</Note>
      )}
      <TextField label="Name" name="name" maxLength={100} autoComplete="off" hint="Optional: otherwise what its kind is called" />
      <div className="actions end">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" busy={busy}>
          Add the step
        </Button>
      </div>
    </Form>
  )
}

function useAdding(workflow: EditedWorkflowFragment, place: Place) {
  const client = useClient()
  const [state, setState] = useState<{ busy: boolean; problem?: Problem | undefined }>({ busy: false })
  const run = async (type: WorkflowStepType, name: string) => {
    setState({ busy: true })
    const { data, error } = await client.mutation(CreateStepDocument, {
      input: { workflowId: workflow.id, type, ...(name !== '' && { name }) },
    })
    const step = data?.createWorkflowStep.step
    const failure = step && (await connect({ id: step.id, first: exitsOf(step, workflow)[0]?.branch }))
    setState({ busy: false, problem: error && problemOf(error) })
    if (step && failure) toast('The step was added, and is not connected', problemOf(failure).message)
    else if (step) toast('Step added')
    return step?.id
  }
  const connect = async ({ id, first }: { id: string; first: string | null | undefined }) => {
    const { transition, to } = placeIn(workflow, place)
    const lead = (fromStepId: string, toStepId: string, branch: string | null | undefined) =>
      client.mutation(ConnectDocument, { input: { fromStepId, toStepId, ...(branch && { branch }) } })
    if (transition) {
      const { error } = await client.mutation(DisconnectDocument, { input: { id: transition } })
      if (error) return error
    }
    if (place.add !== atStart) {
      const { error } = await lead(place.add, id, place.exit)
      if (error) return error
    }
    if (to === null || first === undefined) return undefined
    return (await lead(id, to, first)).error
  }
  return { run, ...state }
}

/** What leads on from a place, which the new step is to come before. */
function placeIn(workflow: EditedWorkflowFragment, { add, exit }: Place): { transition: string | null; to: string | null } {
  if (add === atStart) {
    const [first] = outlineOf(workflow.steps, (step) => shownExits(step, workflow))
    return { transition: null, to: first?.items[0]?.step.id ?? null }
  }
  const before = workflow.steps.find(({ id }) => id === add)
  const found = before && exitsOf(before, workflow).find(({ branch }) => branch === (exit ?? null))
  return { transition: found?.transition ?? null, to: found?.to ?? null }
}
