import { useState } from 'react'
import { useAction } from '../../data/action.ts'
import { type ConditionInput, UpdateSegmentDocument } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { Builder } from '../../parts/condition/builder.tsx'
import { isComplete, readCondition, writeCondition } from '../../parts/condition/tree.ts'
import { Section } from '../../parts/page.tsx'
import { Note, ProblemNote } from '../../parts/state.tsx'
import { toast } from '../../parts/toast.tsx'
import { useUnsaved } from '../../parts/unsaved/use-unsaved.ts'
import type { FoundSegment } from './found.ts'
import { Preview } from './preview.tsx'

/** The rule of a segment: changed with whom it means in sight, and saved when it is right. */
export function EditRule({ segment, onSaved }: { segment: FoundSegment; onSaved(): void }) {
  const stored = segment.condition as ConditionInput
  const key = JSON.stringify(stored)
  const [{ group, base }, setState] = useState(() => ({ group: readCondition(stored), base: key }))
  const { run, busy, problem } = useAction(UpdateSegmentDocument)
  const isChanged = JSON.stringify(writeCondition(group)) !== JSON.stringify(writeCondition(readCondition(stored)))
  useUnsaved(isChanged)
  const isStale = base !== key && isChanged
  const reset = () => setState({ group: readCondition(stored), base: key })
  const save = async () => {
    const data = await run({
      input: { id: segment.id, condition: writeCondition(group), ...(!isStale && { ifUpdatedAt: segment.updatedAt }) },
    })
    // Refused when somebody else was quicker: theirs is read, and stands beside.
    if (!data) return onSaved()
    const next = data.updateSegment.segment.condition as ConditionInput
    setState({ group: readCondition(next), base: JSON.stringify(next) })
    toast('The rule has been saved')
    onSaved()
  }
  return (
    <div className="beside">
      <Section title="Rule">
        {isStale && (
          <Note kind="warn">
            <p>Somebody else has saved another rule since. Saving yours replaces it.</p>
            <Button onClick={reset}>Show theirs</Button>
          </Note>
        )}
        {problem && <ProblemNote problem={problem} />}
        <Builder group={group} onChange={(next) => setState({ group: next, base })} />
        {isChanged && (
          <div className="actions end">
            {!isComplete(group) && <span className="muted">Fill in every rule first.</span>}
            <Button onClick={reset}>Discard</Button>
            <Button kind="primary" busy={busy} disabled={!isComplete(group)} onClick={save}>
              Save the rule
            </Button>
          </div>
        )}
      </Section>
      <Preview group={group} />
    </div>
  )
}
