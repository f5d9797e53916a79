import { Link, useSearch } from '@tanstack/react-router'
import { problemOf } from '../../data/failures.ts'
import { number } from '../../data/format.ts'
import { useLiveRefresh, useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { pageOf } from '../../data/search.ts'
import { PersonEmailsDocument } from '../../graphql/graphql.ts'
import { EmailStatusBadge } from '../../parts/email-status.tsx'
import { titleOf } from '../../parts/email-subject.ts'
import { Time } from '../../parts/facts.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Empty, Loading, ProblemNote } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'

/** The emails to a contact, newest first. */
export function Emails({ id }: { id: string }) {
  const { id: project } = useProject()
  const search = useSearch({ from: '/signed-in/$project/contacts/$contact' })
  const [{ data, error }, ask] = useRead({ query: PersonEmailsDocument, variables: { id, ...pageOf(search) } })
  const again = () => ask({ requestPolicy: 'network-only' })
  useLiveRefresh(({ contactId, type }) => contactId === id && /EMAIL/.test(type), again)
  if (error) return <ProblemNote problem={problemOf(error)} onRetry={again} />
  if (!data?.contact) return <Loading rows={6} />
  const { nodes, pageInfo } = data.contact.emails
  if (nodes.length === 0) return <Empty icon="mail" title="No email to this contact yet" />
  return (
    <div className="card list">
      <Table
        label="Emails to the contact"
        rows={nodes}
        keyOf={(email) => email.id}
        columns={[
          {
            name: 'Subject',
            cell: ({ id: email, ...row }) => (
              <Link to="/$project/emails/$email" params={{ project, email }} className="cell-link">
                <strong>{titleOf(row)}</strong>
              </Link>
            ),
          },
          { name: 'Status', cell: ({ status }) => <EmailStatusBadge status={status} /> },
          { name: 'Opens', numeric: true, wide: true, cell: ({ opens, machineOpens }) => number(opens - machineOpens) },
          { name: 'Clicks', numeric: true, wide: true, cell: ({ clicks, machineClicks }) => number(clicks - machineClicks) },
          { name: 'Accepted', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
      <Pager info={pageInfo} />
    </div>
  )
}
