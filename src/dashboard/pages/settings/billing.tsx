import { useQuery } from 'urql'
import { useAction } from '../../data/action.ts'
import { problemOf, problemWith } from '../../data/failures.ts'
import { day, number, percent } from '../../data/format.ts'
import type { LiveItem } from '../../data/live.ts'
import { useIsAdmin, useLiveRefresh } from '../../data/project.tsx'
import { useSession } from '../../data/session.tsx'
import { BillingDocument, type BillingQuery, UpdateBillingLimitsDocument } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { Section } from '../../parts/page.tsx'
import { Badge, Loading, ProblemNote } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { toast } from '../../parts/toast.tsx'
import { Payment } from './payment.tsx'

const categories = [
  { name: 'transactional', label: 'Transactional' },
  { name: 'campaigns', label: 'Campaigns' },
  { name: 'workflows', label: 'Workflows' },
  { name: 'inbound', label: 'Received' },
] as const

type Project = BillingQuery['project']

// A large campaign changes what was used thousands of times per minute.
const refreshMs = 10_000
const concerns = ({ type }: LiveItem) => type.startsWith('EMAIL_')

/** What was used this month, the caps, and where there is billing the subscription. */
export function Billing() {
  const [{ data, error }, ask] = useQuery({ query: BillingDocument })
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

function Caps({ limits }: { limits: Project['billingLimits'] }) {
  const { run, busy, problem } = useAction(UpdateBillingLimitsDocument, 'Project')
  const save = async (fields: Record<string, string>) => {
    const cap = (name: string) => (fields[name]?.trim() ? Number(fields[name]) : null)
    const input = { transactional: cap('transactional'), campaigns: cap('campaigns'), workflows: cap('workflows'), inbound: cap('inbound') }
    if (await run({ input })) toast('Caps saved', 'They apply at once.')
  }
  return (
    <Section title="Caps per month">
      <p className="muted">Beyond a cap, emails of its category are refused. Leave a field empty for no cap.</p>
      <Form onSubmit={(fields) => void save(fields)} problem={problem} fields={categories.map(({ name }) => name)} className="limited">
        {categories.map(({ name, label }) => (
          <TextField
            key={name}
            label={label}
            name={name}
            inputMode="numeric"
            defaultValue={limits[name].limit ?? ''}
            problem={problemWith(problem, name)}
          />
        ))}
        <div className="actions">
          <Button kind="primary" type="submit" busy={busy}>
            Save
          </Button>
        </div>
      </Form>
    </Section>
  )
}
