import { useState } from 'react'
import { Builder } from '../../../../parts/condition/builder.tsx'
import { isComplete, newGroup, newRule, writeCondition } from '../../../../parts/condition/tree.ts'
import { Segmented } from '../../../../parts/segmented.tsx'
import { branchesOf, configOf } from '../../kinds.ts'
import { groupOf } from '../condition.ts'
import { Branches, branchesChange, branchRules, newBranches } from './branches.tsx'
import type { Change, ConfigFormProps } from './change.ts'
import { useEventFields } from './event-fields.ts'

const modes = [
  { value: 'one', label: 'Yes or no' },
  { value: 'several', label: 'Several branches' },
] as const

/** What a step asks: a condition that is answered by yes or no, or a field that is compared branch by branch. */
export function ConditionFields({ step, workflow, onChange }: ConfigFormProps) {
  const config = configOf(step)
  const context = useEventFields(workflow.triggerConfig?.eventName)
  const [state, setState] = useState(() => ({
    mode: (branchesOf(config) ? 'several' : 'one') as (typeof modes)[number]['value'],
    group: groupOf(config) ?? newGroup('AND', [newRule({ field: 'subscribed', operator: 'EQUALS', value: true })]),
    branches: branchesOf(config) ? branchRules(config) : newBranches(),
  }))
  const change = (part: Partial<typeof state>) => {
    const next = { ...state, ...part }
    setState(next)
    onChange(next.mode === 'several' ? branchesChange(next.branches) : conditionChange(next.group))
  }
  return (
    <>
      <Segmented label="How it is answered" options={modes} value={state.mode} onChange={(mode) => change({ mode })} />
      {state.mode === 'one' ? (
        <Builder group={state.group} onChange={(group) => change({ group })} context={context} />
      ) : (
        <Branches branches={state.branches} onChange={(branches) => change({ branches })} context={context} />
      )}
      {!branchesOf(config) && !groupOf(config) && state.mode === 'one' && <Unsaved onUse={() => change({})} />}
    </>
  )
}

// A condition that is right as it is offered has to be taken all the same.
function Unsaved({ onUse }: { onUse(): void }) {
  return (
    <p className="muted">
      Nothing is saved yet.{' '}
      <button type="button" className="button quiet" onClick={onUse}>
        Use it as it is
      </button>
    </p>
  )
}

function conditionChange(group: Parameters<typeof writeCondition>[0]): Change {
  return isComplete(group) ? { config: { condition: writeCondition(group) } } : { wrong: 'Fill in every rule first.' }
}
