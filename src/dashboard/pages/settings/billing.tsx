import { problemOf } from '../../data/failures.ts'
import { day, number, percent } from '../../data/format.ts'
import type { LiveItem } from '../../data/live.ts'
import { useIsAdmin, useLiveRefresh } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { useSession } from '../../data/session.tsx'
import { BillingDocument, type BillingQuery } from '../../graphql/graphql.ts'
import { Section } from '../../parts/page.tsx'
import { Badge, Loading, ProblemNote } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { Caps, categories } from './caps.tsx'
import { Payment } from './payment.tsx'

type Project = BillingQuery['project']

// A large campaign changes what was used thousands of times per minute.
const refreshMs = 10_000
const concerns = ({ type }: LiveItem) => type.startsWith('EMAIL_')

/** What was used this month, the caps, and where there is billing the subscription. */
export function Billing() {
  const [{ data, error }, ask] = useRead({ query: BillingDocument })
  const again = () => ask({ requestPolicy: 'network-only' })
  useLiveRefresh(concerns, again, refreshMs)
  const { billingEnabled } = useSession().config
  const isAdmin = useIsAdmin()
  return (
    <>
      {error && <ProblemNote problem={problemOf(error)} onRetry={again} />}
      {!data && !error && <Loading rows={5} />}
      {data && <Usage project={data.project} />}
      {data && isAdmin && <Caps limits={data.project.billingLimits} />}
      {billingEnabled && isAdmin && <Payment />}
    </>
  )
}

function Usage({ project: { billingLimits, billingConsumption } }: { project: Project }) {
  const { freeAllowance } = billingLimits
  const rows = [
    ...categories.map(({ name, label }) => ({ label, ...billingLimits[name] })),
    ...(freeAllowance ? [{ label: 'Free allowance, all together', ...freeAllowance }] : []),
  ]
  return (
    <Section title={billingConsumption ? `Used since ${day(billingConsumption.period.start)}` : 'Used this month'}>
      <Table
        label="Emails of this month"
        rows={rows}
        keyOf={({ label }) => label}
        columns={[
          { name: 'Category', cell: ({ label }) => label },
          { name: 'Emails', numeric: true, cell: ({ usage }) => number(usage) },
          { name: 'Cap', numeric: true, cell: ({ limit }) => (limit === null ? 'none' : number(limit)) },
          {
            name: 'Of the cap',
            numeric: true,
            cell: ({ limit, percentage, isWarning, isBlocked }) =>
              limit !== null && <Badge tone={isBlocked ? 'bad' : isWarning ? 'warn' : 'neutral'}>{percent(percentage)}</Badge>,
          },
        ]}
      />
    </Section>
  )
}
