import { Link, useParams, useSearch } from '@tanstack/react-router'
import { problemOf } from '../../data/failures.ts'
import { useLiveRefresh, useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { EmailDocument } from '../../graphql/graphql.ts'
import { EmailStatusBadge } from '../../parts/email-status.tsx'
import { isUnrendered, titleOf } from '../../parts/email-subject.ts'
import { Icon } from '../../parts/icon.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty, Loading, Note, ProblemNote } from '../../parts/state.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { Cancel } from './cancel.tsx'
import { Envelope } from './envelope.tsx'
import type { FoundEmail } from './found-email.ts'
import { Message } from './message.tsx'
import { tabs } from './tabs.ts'
import { Timeline } from './timeline.tsx'

/** An email: what became of it, and what it says. */
export function Email() {
  const { email: id } = useParams({ from: '/signed-in/$project/emails/$email' })
  const [{ data, error }, ask] = useRead({ query: EmailDocument, variables: { id } })
  const again = () => ask({ requestPolicy: 'network-only' })
  useLiveRefresh((item) => item.email?.id === id, again)
  const email = data?.email
  if (email) return <Found email={email} />
  return (
    <Page title="Email" above={<Back />}>
      {error && <ProblemNote problem={problemOf(error)} onRetry={again} />}
      {!error && !data && <Loading rows={6} />}
      {!error && data && <Empty icon="mail" title="This email does not exist, or was deleted" />}
    </Page>
  )
}

function Back() {
  const { id: project } = useProject()
  return (
    <Link to="/$project/emails" params={{ project }} className="back">
      <Icon name="chevron-left" />
      Emails
    </Link>
  )
}

function Unrendered({ email: { status, subject } }: { email: FoundEmail }) {
  const isToCome = status === 'PENDING' || status === 'SENDING'
  return (
    <Note>
      {isToCome ? 'It is rendered for its recipient when it is sent' : 'It was never rendered for its recipient'}: its subject is{' '}
      <code>{subject}</code>
    </Note>
  )
}

function Found({ email }: { email: FoundEmail }) {
  const { tab = 'timeline' } = useSearch({ from: '/signed-in/$project/emails/$email' })
  return (
    <Page
      title={titleOf(email)}
      above={<Back />}
      actions={
        <>
          <EmailStatusBadge status={email.status} />
          {email.status === 'PENDING' && <Cancel id={email.id} />}
        </>
      }
    >
      {email.reason && <Note kind="warn">{email.reason}</Note>}
      {isUnrendered(email) && <Unrendered email={email} />}
      <div className="beside">
        <div className="beside-main">
          <Tabs label="Parts of the email" tabs={tabs} shown={tab} />
          {tab === 'timeline' ? <Timeline email={email} /> : <Message id={email.id} tab={tab} />}
        </div>
        <Envelope email={email} />
      </div>
    </Page>
  )
}
