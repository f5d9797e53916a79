import { isFilled } from '../../../../data/operators.ts'
import { Button, IconButton } from '../../../../parts/button.tsx'
import { useVocabulary } from '../../../../parts/condition/builder.tsx'
import { Asked, Compared, comparables, type Vocabulary } from '../../../../parts/condition/rule.tsx'
import { asking, newRule, type Rule } from '../../../../parts/condition/tree.ts'
import { TextField } from '../../../../parts/field.tsx'
import { branchesOf } from '../../kinds.ts'
import { fieldOf } from '../condition.ts'
import type { Change } from './change.ts'

const maxBranches = 20

/** A branch as it is being edited: its rule asks the field of all of them. */
export interface BranchRule {
  id: string
  name: string
  rule: Rule
}

/** The branches of a stored config. */
export function branchRules(config: Record<string, unknown>): BranchRule[] {
  const field = typeof config.field === 'string' ? fieldOf(config.field) : 'email'
  return (branchesOf(config) ?? []).map(({ id, name, operator = 'EQUALS', value, unit }) => ({
    id,
    name: name ?? '',
    rule: newRule({
      field,
      operator: operator as Rule['operator'],
      ...(value !== undefined && { value }),
      ...(unit !== undefined && { unit: unit as NonNullable<Rule['unit']> }),
    }),
  }))
}

/** The first branch of a new condition. */
export function newBranches(): BranchRule[] {
  return [{ id: 'branch-1', name: 'First', rule: newRule() }]
}

/** Branches as the API takes them. */
export function branchesChange(branches: readonly BranchRule[]): Change {
  const [first] = branches
  if (!first) return { wrong: 'Add a branch first.' }
  if (!branches.every(({ rule }) => isFilled(rule))) return { wrong: 'Fill in every branch first.' }
  return {
    config: {
      mode: 'MULTI',
      field: first.rule.field,
      branches: branches.map(({ id, name, rule: { operator, value, unit } }) => ({
        id,
        ...(name.trim() !== '' && { name: name.trim() }),
        operator,
        ...(value !== undefined && { value }),
        ...(unit && { unit }),
      })),
    },
  }
}

interface Props {
  branches: readonly BranchRule[]
  onChange(branches: BranchRule[]): void
  context: Vocabulary['context']
}

/** One field, compared branch by branch: the first branch that matches is taken, and otherwise the last exit. */
export function Branches({ branches, onChange, context }: Props) {
  const vocabulary = useVocabulary(context)
  const asked = branches[0]?.rule ?? newRule()
  const replace = (id: string, change: Partial<BranchRule>) =>
    onChange(branches.map((one) => (one.id === id ? { ...one, ...change } : one)))
  const add = () =>
    onChange([...branches, { id: newId(branches), name: '', rule: newRule({ field: asked.field, operator: asked.operator }) }])
  return (
    <div className="builder">
      <fieldset>
        <legend>Field</legend>
        <div className="rule">
          <Asked
            rule={asked}
            vocabulary={vocabulary}
            onChange={(field, family) =>
              onChange(branches.map((one) => ({ ...one, rule: asking(one.rule, { field, family, fields: comparables(vocabulary) }) })))
            }
          />
        </div>
      </fieldset>
      {branches.map(({ id, name, rule }, at) => (
        <fieldset key={id}>
          <legend>Branch {at + 1}</legend>
          <TextField
            label="Name"
            value={name}
            maxLength={100}
            autoComplete="off"
            onChange={(event) => replace(id, { name: event.target.value })}
          />
          <div className="rule">
            <Compared rule={rule} vocabulary={vocabulary} onChange={(next) => replace(id, { rule: next })} />
            <IconButton
              icon="trash"
              label={`Remove branch ${at + 1}`}
              disabled={branches.length === 1}
              onClick={() => onChange(branches.filter((one) => one.id !== id))}
            />
          </div>
        </fieldset>
      ))}
      <div className="actions">
        <Button icon="plus" disabled={branches.length >= maxBranches} onClick={add}>
          Add a branch
        </Button>
      </div>
    </div>
  )
}

function newId(branches: readonly BranchRule[]): string {
  const taken = new Set(branches.map(({ id }) => id))
  let at = branches.length + 1
  while (taken.has(`branch-${at}`)) at++
  return `branch-${at}`
}
