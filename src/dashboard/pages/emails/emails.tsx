import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { problemOf } from '../../data/failures.ts'
import { words } from '../../data/format.ts'
import type { LiveItem } from '../../data/live.ts'
import { useLiveRefresh, useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { pageOf } from '../../data/search.ts'
import { EmailsDocument, type EmailsQuery } from '../../graphql/graphql.ts'
import { Address } from '../../parts/address.tsx'
import { Choices } from '../../parts/choices.tsx'
import { EmailStatusBadge, emailStatuses } from '../../parts/email-status.tsx'
import { titleOf } from '../../parts/email-subject.ts'
import { Time } from '../../parts/facts.tsx'
import { Page } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { SearchField } from '../../parts/search.tsx'
import { Empty, Loading, ProblemNote } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'

const statuses = emailStatuses.map((value) => ({ value, label: words(value) }))

/** What was sent, and what waits to be: newest first, by status and by address. */
export function Emails() {
  const { status, search, ...place } = useSearch({ from: '/signed-in/$project/emails' })
  const navigate = useNavigate({ from: '/$project/emails' })
  const variables = { filter: { ...(status && { statuses: status }), ...(search && { search }) }, ...pageOf(place) }
  const [{ data, error, stale }, ask] = useRead({ query: EmailsDocument, variables })
  const again = () => ask({ requestPolicy: 'network-only' })
  const isFirstPage = place.after === undefined && place.before === undefined
  useLiveRefresh((item) => isFirstPage && concernsEmails(item), again)
  const narrow = (change: { status?: typeof status; search?: string | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...change, after: undefined, before: undefined }), replace: true })
  return (
    <Page title="Emails">
      <div className="filters">
        <SearchField label="Address of the contact" value={search} onSearch={(text) => narrow({ search: text })} />
        <Choices label="Status" options={statuses} chosen={status ?? []} onChange={(chosen) => narrow({ status: chosen })} />
      </div>
      {error && <ProblemNote problem={problemOf(error)} onRetry={again} />}
      {!data && !error && <Loading rows={8} />}
      {data && data.emails.nodes.length === 0 && <Nothing isFiltered={status !== undefined || search !== undefined} />}
      {data && data.emails.nodes.length > 0 && (
        <div className={stale ? 'card list stale' : 'card list'}>
          <Rows emails={data.emails.nodes} />
          <Pager info={data.emails.pageInfo} total={isFirstPage ? data.emails.totalCount : undefined} />
        </div>
      )}
    </Page>
  )
}

const concernsEmails = ({ type }: LiveItem) => type.startsWith('EMAIL_')

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <Empty icon="mail" title="No email is like that">
        Search for another part of the address, or take a filter away.
      </Empty>
    )
  return (
    <Empty icon="mail" title="No emails yet">
      What is sent with <code>POST /v1/send</code>, by campaigns and by workflows is listed here.
    </Empty>
  )
}

type Row = EmailsQuery['emails']['nodes'][number]

function Rows({ emails }: { emails: Row[] }) {
  const { id: project } = useProject()
  return (
    <Table
      label="Emails, newest first"
      rows={emails}
      keyOf={({ id }) => id}
      columns={[
        {
          name: 'Subject',
          cell: ({ id, to, ...row }) => (
            <Link to="/$project/emails/$email" params={{ project, email: id }} className="cell-link">
              <strong>{titleOf(row)}</strong>
              <span className="muted narrow-only">
                <Address of={to} />
              </span>
            </Link>
          ),
        },
        { name: 'To', wide: true, cell: ({ to }) => to },
        { name: 'Status', cell: ({ status }) => <EmailStatusBadge status={status} /> },
        { name: 'Sent by', wide: true, cell: ({ source }) => words(source) },
        { name: 'Opens', wide: true, numeric: true, cell: ({ opens }) => opens },
        { name: 'Clicks', wide: true, numeric: true, cell: ({ clicks }) => clicks },
        { name: 'Created', wide: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  )
}
