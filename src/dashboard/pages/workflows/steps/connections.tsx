import { useState } from 'react'
import { useClient } from 'urql'
import type { Problem } from '../../../data/failures.ts'
import type { EditedWorkflowFragment, WorkflowStepItemFragment } from '../../../graphql/graphql.ts'
import { Button } from '../../../parts/button.tsx'
import { SelectField } from '../../../parts/field.tsx'
import { ProblemNote } from '../../../parts/state.tsx'
import { connect, wayFrom } from '../connect.ts'
import { reachedFrom } from '../graph.ts'
import { exitsOf } from '../kinds.ts'
import type { Undo } from '../undo.ts'

interface Props {
  workflow: EditedWorkflowFragment
  step: WorkflowStepItemFragment
  undo: Undo
}

type ExitOf = ReturnType<typeof exitsOf>[number]

/** Where each exit of a step leads; a change is stored at once, and can be taken back. */
export function Connections({ workflow, step, undo }: Props) {
  const client = useClient()
  const [problem, setProblem] = useState<Problem>()
  const exits = exitsOf(step, workflow)
  if (exits.length === 0) return null
  const choose = async (exit: ExitOf, toStepId: string) =>
    setProblem(await connect(client, { way: wayFrom(step.id, exit, workflow), to: toStepId || null, undo }))
  const shown = problem ?? undo.problem
  return (
    <section className="form" aria-label="Where it leads">
      <h3>Where it leads</h3>
      {shown && <ProblemNote problem={shown} />}
      {exits.map((exit) => (
        <SelectField
          key={exit.branch ?? ''}
          label={exit.label ?? 'Then'}
          value={exit.to ?? ''}
          options={optionsOf(workflow, step, exit)}
          onChange={(event) => void choose(exit, event.target.value)}
        />
      ))}
      {undo.run && (
        <div className="actions">
          <Button onClick={undo.run}>Undo</Button>
        </div>
      )}
    </section>
  )
}

// A step never leads to itself, or back to one that leads to it.
function optionsOf({ steps, transitions }: EditedWorkflowFragment, step: WorkflowStepItemFragment, { to, unused }: ExitOf) {
  const before = reachedFrom(step.id, (id) => transitions.filter(({ toStepId }) => toStepId === id).map(({ fromStepId }) => fromStepId))
  const possible = steps.filter(({ id }) => id === to || (!unused && !before.has(id)))
  return [{ value: '', label: 'Nowhere: the execution ends' }, ...possible.map(({ id, name }) => ({ value: id, label: name }))]
}
