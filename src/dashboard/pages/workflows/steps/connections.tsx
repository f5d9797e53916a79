import { useState } from 'react'
import { useClient } from 'urql'
import { type Problem, problemOf } from '../../../data/failures.ts'
import {
  ConnectDocument,
  DisconnectDocument,
  type EditedWorkflowFragment,
  type WorkflowStepItemFragment,
} from '../../../graphql/graphql.ts'
import { SelectField } from '../../../parts/field.tsx'
import { ProblemNote } from '../../../parts/state.tsx'
import { toast } from '../../../parts/toast.tsx'
import { reachedFrom } from '../graph.ts'
import { exitsOf } from '../kinds.ts'

interface Props {
  workflow: EditedWorkflowFragment
  step: WorkflowStepItemFragment
}

type ExitOf = ReturnType<typeof exitsOf>[number]

/** Where each exit of a step leads; a change is stored at once. */
export function Connections({ workflow, step }: Props) {
  const client = useClient()
  const [problem, setProblem] = useState<Problem>()
  const exits = exitsOf(step, workflow)
  if (exits.length === 0) return null
  const choose = async ({ transition, branch }: ExitOf, toStepId: string) => {
    setProblem(undefined)
    const input = { fromStepId: step.id, toStepId, branch, replace: true }
    const { error } =
      toStepId !== '' || transition === null
        ? await client.mutation(ConnectDocument, { input })
        : await client.mutation(DisconnectDocument, { input: { id: transition } })
    if (error) return setProblem(problemOf(error))
    toast('Connection changed')
  }
  return (
    <section className="form" aria-label="Where it leads">
      <h3>Where it leads</h3>
      {problem && <ProblemNote problem={problem} />}
      {exits.map((exit) => (
        <SelectField
          key={exit.branch ?? ''}
          label={exit.label ?? 'Then'}
          value={exit.to ?? ''}
          options={optionsOf(workflow, step, exit)}
          onChange={(event) => void choose(exit, event.target.value)}
        />
      ))}
    </section>
  )
}

// A step never leads to itself, or back to one that leads to it.
function optionsOf({ steps, transitions }: EditedWorkflowFragment, step: WorkflowStepItemFragment, { to, unused }: ExitOf) {
  const before = reachedFrom(step.id, (id) => transitions.filter(({ toStepId }) => toStepId === id).map(({ fromStepId }) => fromStepId))
  const possible = steps.filter(({ id }) => id === to || (!unused && !before.has(id)))
  return [{ value: '', label: 'Nowhere: the execution ends' }, ...possible.map(({ id, name }) => ({ value: id, label: name }))]
}
