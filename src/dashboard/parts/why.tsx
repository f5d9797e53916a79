import { actualText, ruleText } from '../data/clauses.ts'
import { problemOf } from '../data/failures.ts'
import { useSegmentNames } from '../data/fields.ts'
import { useRead } from '../data/read.ts'
import { type ExplanationItemFragment, SegmentWhyDocument } from '../graphql/graphql.ts'
import { Icon } from './icon.tsx'
import { Badge, Loading, Note, ProblemNote } from './state.tsx'

/** Why a contact is in a segment at the moment, or not. */
export function Why({ segmentId, contactId }: { segmentId: string; contactId: string }) {
  const [{ data, error }, ask] = useRead({
    query: SegmentWhyDocument,
    variables: { id: segmentId, contactId },
    requestPolicy: 'network-only',
  })
  if (error) return <ProblemNote problem={problemOf(error)} onRetry={() => ask({ requestPolicy: 'network-only' })} />
  if (!data) return <Loading />
  if (!data.segment?.explanation || !data.contact) return <Note>The segment or the contact does not exist any more.</Note>
  return <Explanation explanation={data.segment.explanation} who={data.contact.email} />
}

/** Each part of a rule, whether it matches, and what the contact has. */
export function Explanation({ explanation: { matches, leaves }, who }: { explanation: ExplanationItemFragment; who: string }) {
  const segments = useSegmentNames()
  const nameOf = (id: string) => segments?.find((one) => one.id === id)?.name
  return (
    <>
      <Note kind={matches ? 'good' : 'info'}>
        <strong>
          {who} is {matches ? 'in' : 'out'}.
        </strong>
      </Note>
      <ul className="leaves" aria-label="Parts of the rule">
        {leaves.map((leaf) => (
          <li key={leaf.path} className={leaf.matches ? 'yes' : 'no'}>
            <Icon name={leaf.matches ? 'check' : 'close'} />
            <div>
              <p>
                {capital(ruleText(leaf, nameOf))} <Badge tone={leaf.matches ? 'good' : 'neutral'}>{leaf.matches ? 'Yes' : 'No'}</Badge>
              </p>
              <p className="muted">{actualText(leaf)}</p>
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
