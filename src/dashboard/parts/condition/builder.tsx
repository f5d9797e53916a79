import { useEventNames } from '../../data/event-names.ts'
import { useContactFields, useSegmentNames } from '../../data/fields.ts'
import { Button, IconButton } from '../button.tsx'
import { Select } from '../select.tsx'
import { RuleRow, type Vocabulary } from './rule.tsx'
import { sentenceOf } from './sentence.ts'
import { bounds, type Group, newGroup, newRule, type Part, rulesOf, withPart } from './tree.ts'

const joins = [
  { value: 'AND', label: 'All of these' },
  { value: 'OR', label: 'At least one of these' },
] as const

interface Props {
  group: Group
  onChange(group: Group): void
  /** The data of the event that started an execution, where rules may ask it. */
  context?: Vocabulary['context']
}

/** Edits a condition: rules in groups of which all or at least one must match, and the sentence that says what it means. */
export function Builder({ group, onChange, context }: Props) {
  const vocabulary = useVocabulary(context)
  const nameOf = (id: string) => vocabulary.segments.find((one) => one.id === id)?.name
  const change = (id: string, next: (part: Part) => Part | null) => onChange(withPart(group, id, next))
  const isFull = rulesOf(group).length >= bounds.rules
  return (
    <div className="builder">
      <GroupBox group={group} depth={1} isFull={isFull} vocabulary={vocabulary} change={change} />
      <p className="sentence">{sentenceOf(group, nameOf)}</p>
      {isFull && <p className="muted">A condition has at most {bounds.rules} rules.</p>}
    </div>
  )
}

/** What rules can ask about in this project. */
export function useVocabulary(context?: Vocabulary['context']): Vocabulary {
  const fields = useContactFields() ?? []
  const segments = useSegmentNames() ?? []
  const events = useEventNames()
  return { fields, segments, events, context }
}

interface GroupProps {
  group: Group
  depth: number
  isFull: boolean
  vocabulary: Vocabulary
  change(id: string, next: (part: Part) => Part | null): void
}

function GroupBox({ group, depth, isFull, vocabulary, change }: GroupProps) {
  const { id, logic, children } = group
  const name = depth === 1 ? 'Condition' : `Group at level ${depth}`
  const add = (part: Part) => change(id, () => ({ ...group, children: [...children, part] }))
  return (
    <fieldset className="group">
      <legend className="sr-only">{name}</legend>
      <div className="group-head">
        <Select
          label={`How the rules of the ${depth === 1 ? 'condition' : `group at level ${depth}`} are joined`}
          value={logic}
          options={joins}
          onChange={(next) => change(id, () => ({ ...group, logic: next }))}
        />
        {depth > 1 && <IconButton icon="trash" label="Remove the group" onClick={() => change(id, () => null)} />}
      </div>
      <ul className="group-parts">
        {children.map((part, at) => (
          <li key={part.id}>
            {at > 0 && <span className="joint">{logic === 'AND' ? 'and' : 'or'}</span>}
            {part.kind === 'group' ? (
              <GroupBox group={part} depth={depth + 1} isFull={isFull} vocabulary={vocabulary} change={change} />
            ) : (
              <RuleRow
                rule={part}
                vocabulary={vocabulary}
                onChange={(rule) => change(part.id, () => rule)}
                onRemove={children.length > 1 || depth > 1 ? () => change(part.id, () => null) : undefined}
              />
            )}
          </li>
        ))}
      </ul>
      <div className="actions">
        <Button icon="plus" disabled={isFull} onClick={() => add(newRule())}>
          Add a rule
        </Button>
        {depth < bounds.depth && (
          <Button kind="quiet" icon="plus" disabled={isFull} onClick={() => add(newGroup(logic === 'AND' ? 'OR' : 'AND'))}>
            Add a group
          </Button>
        )}
      </div>
    </fieldset>
  )
}
