import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useAction } from '../../data/action.ts'
import { type Problem, problemOf } from '../../data/failures.ts'
import { saveFile } from '../../data/files.ts'
import { useLiveRefresh, useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { ErasePersonDocument, PersonDocument } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Page } from '../../parts/page.tsx'
import { Badge, Empty, Loading, ProblemNote } from '../../parts/state.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { toast } from '../../parts/toast.tsx'
import { Emails } from './emails.tsx'
import { Executions } from './executions.tsx'
import type { PersonFacts } from './facts.ts'
import { Overview } from './overview.tsx'
import { tabs } from './search.ts'
import { Memberships } from './segments.tsx'
import { Timeline } from './timeline.tsx'

const at = '/signed-in/$project/contacts/$contact'

/** Everything about one contact: data, subscription, what happened, emails, segments, workflows; and the ways out of the project. */
export function Person() {
  const { contact: id } = useParams({ from: at })
  const { tab = 'overview' } = useSearch({ from: at })
  const { id: project } = useProject()
  const [{ data, error }, ask] = useRead({ query: PersonDocument, variables: { id } })
  const refresh = () => ask({ requestPolicy: 'network-only' })
  useLiveRefresh(({ contactId }) => contactId === id, refresh)
  const person = data?.contact
  return (
    <Page
      title={person?.email ?? 'Contact'}
      above={
        <Link to="/$project/contacts" params={{ project }} className="back">
          <Icon name="chevron-left" />
          Contacts
        </Link>
      }
      actions={person && <Ways person={person} />}
    >
      {error && <ProblemNote problem={problemOf(error)} onRetry={refresh} />}
      {!data && !error && <Loading />}
      {data && !person && (
        <Empty icon="user" title="This contact does not exist">
          It was deleted, or the address is wrong.
        </Empty>
      )}
      {person && (
        <>
          <div className="actions">
            <State person={person} />
          </div>
          <Tabs label="Parts of the contact" tabs={tabs} shown={tab} />
          {tab === 'overview' && <Overview key={person.id} person={person} onChange={refresh} />}
          {tab === 'timeline' && <Timeline id={id} />}
          {tab === 'emails' && <Emails id={id} />}
          {tab === 'segments' && <Memberships id={id} />}
          {tab === 'workflows' && <Executions id={id} />}
        </>
      )}
    </Page>
  )
}

function State({ person: { subscribed, suppression } }: { person: PersonFacts }) {
  return (
    <>
      {subscribed ? <Badge tone="good">Subscribed</Badge> : <Badge tone="warn">Unsubscribed</Badge>}
      {suppression && <Badge tone="bad">On the suppression list</Badge>}
    </>
  )
}

function Ways({ person }: { person: PersonFacts }) {
  const { id: project } = useProject()
  const [problem, setProblem] = useState<Problem>()
  const [busy, setBusy] = useState(false)
  const [isErasing, setIsErasing] = useState(false)
  const save = async () => {
    setBusy(true)
    const path = `/contacts/${encodeURIComponent(person.id)}/export`
    setProblem(await saveFile(path, { project, name: `${person.email}.json`, accept: 'application/json' }))
    setBusy(false)
  }
  return (
    <>
      {problem && <ProblemNote problem={problem} />}
      <Button busy={busy} onClick={save}>
        Export
      </Button>
      <Button kind="danger" icon="trash" onClick={() => setIsErasing(true)}>
        Erase
      </Button>
      <Erase person={person} open={isErasing} onClose={() => setIsErasing(false)} />
    </>
  )
}

function Erase({ person, open, onClose }: { person: PersonFacts; open: boolean; onClose(): void }) {
  const { id: project } = useProject()
  const navigate = useNavigate()
  const { run, problem } = useAction(ErasePersonDocument)
  const erase = async () => {
    if (!(await run({ input: { id: person.id } }))) return
    toast(`${person.email} has been erased`)
    await navigate({ to: '/$project/contacts', params: { project }, ignoreBlocker: true })
  }
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title="Erase this person?"
      verb="Erase"
      typed={person.email}
      problem={problem}
      onConfirm={erase}
    >
      Their data, events and emails are removed, and emails that wait to be sent to them are not sent. If they have opted out, only a keyed
      hash of their address is kept, so that it stays that way. It cannot be undone.
    </ConfirmDialog>
  )
}
