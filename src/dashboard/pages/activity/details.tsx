import { Link } from '@tanstack/react-router'
import { problemOf } from '../../data/failures.ts'
import { moment, words } from '../../data/format.ts'
import { useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { ActivityEventDocument, type ActivityEventQuery } from '../../graphql/graphql.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { titleOf } from '../../parts/email-subject.ts'
import { Copyable, Facts } from '../../parts/facts.tsx'
import { Empty, Loading, ProblemNote } from '../../parts/state.tsx'

/** The drawer with everything about one item; its id is in the address. */
export function Details({ id, onClose }: { id: string | undefined; onClose(): void }) {
  const [{ data, error, fetching }, ask] = useRead({ query: ActivityEventDocument, variables: { id: id ?? '' }, pause: id === undefined })
  const event = data?.node?.__typename === 'Event' && data.node.id === id ? data.node : undefined
  return (
    <Dialog kind="drawer" title={event?.name ?? 'What happened'} open={id !== undefined} onClose={onClose}>
      {error && <ProblemNote problem={problemOf(error)} onRetry={() => ask({ requestPolicy: 'network-only' })} />}
      {fetching && !event && <Loading />}
      {event && <EventFacts event={event} />}
      {!event && !fetching && !error && <Empty icon="activity" title="It is not there any more" />}
    </Dialog>
  )
}

type Event = Extract<NonNullable<ActivityEventQuery['node']>, { __typename?: 'Event' }>

function EventFacts({ event }: { event: Event }) {
  const { id: project } = useProject()
  const { contact, email, campaign, execution } = event
  return (
    <>
      <Facts
        rows={[
          ['When', moment(event.createdAt)],
          [
            'Contact',
            contact && (
              <Link to="/$project/activity" params={{ project }} search={{ contact: contact.id }}>
                {contact.email}
              </Link>
            ),
          ],
          [
            'Email',
            email && (
              <Link to="/$project/emails/$email" params={{ project, email: email.id }}>
                {titleOf(email)}
              </Link>
            ),
          ],
          ['Status of the email', email && words(email.status)],
          [
            'Campaign',
            campaign && (
              <Link to="/$project/activity" params={{ project }} search={{ campaign: campaign.id }}>
                {campaign.name}
              </Link>
            ),
          ],
          [
            'Workflow',
            execution?.workflow && (
              <Link
                to="/$project/workflows/$workflow/executions/$execution"
                params={{ project, workflow: execution.workflow.id, execution: execution.id }}
              >
                {execution.workflow.name} ({words(execution.status).toLowerCase()})
              </Link>
            ),
          ],
          ['Id', <Copyable key="id" text={event.id} what="Id" />],
        ]}
      />
      {event.data !== null && event.data !== undefined && (
        <section aria-label="Data">
          <h2>Data</h2>
          <pre className="code">{JSON.stringify(event.data, null, 2)}</pre>
        </section>
      )}
    </>
  )
}
