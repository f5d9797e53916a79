import { problemOf } from '../../data/failures.ts'
import { moment, number, percent, words } from '../../data/format.ts'
import type { LiveItem } from '../../data/live.ts'
import { useLiveRefresh } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { ProjectSecurityDocument, type ProjectSecurityQuery } from '../../graphql/graphql.ts'
import { Section } from '../../parts/page.tsx'
import { Empty, Loading, Note, ProblemNote } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'

// Rates change with each email.
const refreshMs = 10_000
const concerns = ({ type }: LiveItem) => type.startsWith('EMAIL_')

/** Bounces and complaints, and when the project was suspended. */
export function Security() {
  const [{ data, error }, ask] = useRead({ query: ProjectSecurityDocument })
  const again = () => ask({ requestPolicy: 'network-only' })
  useLiveRefresh(concerns, again, refreshMs)
  if (error) return <ProblemNote problem={problemOf(error)} onRetry={again} />
  if (!data) return <Loading rows={6} />
  const { status, recentSuspensions } = data.project.security
  return (
    <>
      <Section title="Bounces and complaints">
        {[...status.violations, ...status.warnings].map((reason) => (
          <Note key={reason} kind="warn">
            {reason}
          </Note>
        ))}
        <Windows status={status} />
        <p className="muted">Where one of them is critical, the project is suspended. Nothing is critical below 100 emails.</p>
      </Section>
      <Section title="Suspensions">
        {recentSuspensions.length === 0 && <Empty icon="check" title="It was never suspended" />}
        {recentSuspensions.length > 0 && <Suspensions suspensions={recentSuspensions} />}
      </Section>
    </>
  )
}

type State = ProjectSecurityQuery['project']['security']

function Windows({ status: { twentyFourHour, sevenDay, allTime } }: Pick<State, 'status'>) {
  const rows = [
    { name: '24 hours', ...twentyFourHour },
    { name: '7 days', ...sevenDay },
    { name: 'All time', ...allTime },
  ]
  return (
    <Table
      label="Bounces and complaints"
      rows={rows}
      keyOf={({ name }) => name}
      columns={[
        { name: 'In', cell: ({ name }) => name },
        { name: 'Emails', numeric: true, cell: ({ total }) => number(total) },
        { name: 'Bounced', numeric: true, cell: ({ bounces, bounceRate }) => `${number(bounces)} (${percent(bounceRate)})` },
        { name: 'Complaints', numeric: true, cell: ({ complaints, complaintRate }) => `${number(complaints)} (${percent(complaintRate)})` },
      ]}
    />
  )
}

function Suspensions({ suspensions }: { suspensions: State['recentSuspensions'] }) {
  return (
    <Table
      label="Suspensions"
      rows={suspensions}
      keyOf={({ id }) => id}
      columns={[
        { name: 'Since', cell: ({ suspendedAt }) => moment(suspendedAt) },
        { name: 'Why', cell: ({ reason, detail }) => detail || words(reason) },
        { name: 'Lifted', cell: ({ liftedAt }) => (liftedAt ? moment(liftedAt) : 'not yet') },
      ]}
    />
  )
}
