import { Link } from '@tanstack/react-router'
import { useAction } from '../../data/action.ts'
import { useLiveRefresh, useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { PersonSubscriptionsDocument, UpdatePersonDocument } from '../../graphql/graphql.ts'
import { subjectOf } from '../../parts/activity.tsx'
import { Button } from '../../parts/button.tsx'
import { Copyable, Facts, Time } from '../../parts/facts.tsx'
import { Section } from '../../parts/page.tsx'
import { Loading, Note, ProblemNote } from '../../parts/state.tsx'
import { reasons, sources } from '../../parts/suppression.ts'
import { Data } from './data.tsx'
import type { PersonFacts } from './facts.ts'

/** Who the contact is, whether they are sent marketing email, and since when. */
export function Overview({ person, onChange }: { person: PersonFacts; onChange(): void }) {
  return (
    <>
      {person.suppression && <Suppression person={person} />}
      <div className="beside">
        <Data person={person} onChange={onChange} />
        <div className="beside-main">
          <Subscription person={person} onChange={onChange} />
          <Section title="Facts">
            <Facts
              rows={[
                ['Created', <Time key="created" at={person.createdAt} />],
                ['Changed', <Time key="changed" at={person.updatedAt} />],
                ['Id', <Copyable key="id" text={person.id} what="Id" />],
              ]}
            />
          </Section>
        </div>
      </div>
    </>
  )
}

function Suppression({ person: { email, suppression } }: { person: PersonFacts }) {
  const { id: project } = useProject()
  if (!suppression) return null
  const { label, effect } = reasons[suppression.reason]
  return (
    <Note kind="warn">
      <p>
        On the suppression list since <Time at={suppression.since} />: {label.toLowerCase()}, put there by {sources[suppression.source]}.{' '}
        {effect}
      </p>
      {suppression.reasonText && <p>{suppression.reasonText}</p>}
      <Link to="/$project/suppressions" params={{ project }} search={{ q: email }}>
        Show it on the list
      </Link>
    </Note>
  )
}

function Subscription({ person, onChange }: { person: PersonFacts; onChange(): void }) {
  const { id, subscribed } = person
  const { run, busy, problem } = useAction(UpdatePersonDocument)
  const [{ data }, ask] = useRead({ query: PersonSubscriptionsDocument, variables: { id } })
  const again = () => ask({ requestPolicy: 'network-only' })
  useLiveRefresh(({ contactId, type }) => contactId === id && /^CONTACT_/.test(type), again)
  const change = async () => {
    if (!(await run({ input: { id, subscribed: !subscribed } }))) return
    onChange()
    again()
  }
  return (
    <Section
      title="Marketing email"
      actions={
        <Button busy={busy} onClick={change}>
          {subscribed ? 'Unsubscribe' : 'Subscribe'}
        </Button>
      }
    >
      {problem && <ProblemNote problem={problem} />}
      <p>{stateText(person)}</p>
      {!data && <Loading rows={2} />}
      {data && data.activity.nodes.length === 0 && <p className="muted">The subscription has never changed.</p>}
      {data && data.activity.nodes.length > 0 && (
        <ol className="rows" aria-label="History of the subscription">
          {data.activity.nodes.map((item) => (
            <li key={item.id} className="row">
              <span>
                {item.type === 'CONTACT_SUBSCRIBED' ? 'Subscribed' : 'Unsubscribed'}
                <span className="muted"> {howOf(item.metadata) || subjectOf(item)}</span>
              </span>
              <span className="muted">
                <Time at={item.timestamp} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </Section>
  )
}

function stateText({ subscribed, suppression }: PersonFacts): string {
  if (suppression && suppression.reason !== 'UNSUBSCRIBED') return 'No email at all is sent: the address is on the suppression list.'
  if (subscribed && !suppression) return 'Marketing email is sent.'
  return 'No marketing email is sent. Transactional email still is.'
}

// What the log says about how it came about.
function howOf(metadata: unknown): string {
  const { source, reason } = (metadata ?? {}) as { source?: unknown; reason?: unknown }
  return [source, reason].filter((one): one is string => typeof one === 'string' && one !== '').join(', ')
}
