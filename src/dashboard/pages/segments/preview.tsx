import { useEffect, useMemo, useState } from 'react'
import { problemOf } from '../../data/failures.ts'
import { number } from '../../data/format.ts'
import { useRead } from '../../data/read.ts'
import { ConditionCountDocument, type ConditionInput, ConditionSampleDocument } from '../../graphql/graphql.ts'
import { type Group, isComplete, writeCondition } from '../../parts/condition/tree.ts'
import { Section } from '../../parts/page.tsx'
import { Badge, Loading, ProblemNote } from '../../parts/state.tsx'

const patienceMs = 400

/** Whom a condition means, while it is being edited: how many, and the ten newest. */
export function Preview({ group }: { group: Group }) {
  const condition = useSettled(group)
  const isReady = isComplete(group)
  return (
    <Section title="Who matches">
      {isReady && condition ? <Found condition={condition} /> : <p className="muted">Fill in every rule to see who matches.</p>}
    </Section>
  )
}

// The condition as it was when typing last stopped; undefined while a rule is not complete.
function useSettled(group: Group): ConditionInput | undefined {
  const key = isComplete(group) ? JSON.stringify(writeCondition(group)) : undefined
  const [settled, setSettled] = useState(key)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(key), patienceMs)
    return () => clearTimeout(timer)
  }, [key])
  return useMemo(() => (settled === undefined ? undefined : (JSON.parse(settled) as ConditionInput)), [settled])
}

function Found({ condition }: { condition: ConditionInput }) {
  const [sample, askSample] = useRead({ query: ConditionSampleDocument, variables: { condition } })
  // By itself, as counting may take longer than finding ten.
  const [count, askCount] = useRead({ query: ConditionCountDocument, variables: { condition } })
  const error = sample.error ?? count.error
  const total = count.data?.contacts.totalCount ?? undefined
  const isWaiting = sample.fetching || count.fetching
  if (error && !isWaiting)
    return (
      <ProblemNote
        problem={problemOf(error)}
        onRetry={() => {
          askSample({ requestPolicy: 'network-only' })
          askCount({ requestPolicy: 'network-only' })
        }}
      />
    )
  const people = sample.data?.contacts.nodes
  return (
    <div className={isWaiting ? 'stale' : ''} aria-busy={isWaiting}>
      <p className="big" role="status">
        {total === undefined ? 'Counting…' : total === 1 ? '1 contact' : `${number(total)} contacts`}
      </p>
      {!people && <Loading label="Finding contacts" />}
      {people && people.length > 0 && (
        <ul className="rows" aria-label="The newest who match">
          {people.map(({ id, email, subscribed }) => (
            <li key={id} className="row">
              <span className="cut">{email}</span>
              {!subscribed && <Badge tone="warn">Unsubscribed</Badge>}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
