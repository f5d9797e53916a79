import { useAction } from '../../data/action.ts'
import { problemOf } from '../../data/failures.ts'
import { day, locale, words } from '../../data/format.ts'
import { useRead } from '../../data/read.ts'
import { CreateCheckoutDocument, InvoicesDocument, OpenBillingPortalDocument } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { Section } from '../../parts/page.tsx'
import { Empty, Loading, ProblemNote } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'

/** The subscription and the invoices, which are with the payment provider. */
export function Payment() {
  const [{ data, error }, ask] = useRead({ query: InvoicesDocument })
  const checkout = useAction(CreateCheckoutDocument)
  const portal = useAction(OpenBillingPortalDocument)
  const problem = checkout.problem ?? portal.problem
  const subscribe = async () => {
    const answer = await checkout.run({ input: {} })
    if (answer) location.assign(answer.createCheckout.url)
  }
  const open = async () => {
    const answer = await portal.run({})
    if (answer) location.assign(answer.openBillingPortal.url)
  }
  const invoices = data?.project.invoices?.invoices ?? []
  return (
    <Section title="Subscription and invoices">
      {problem && <ProblemNote problem={problem} />}
      <div className="actions">
        <Button busy={checkout.busy} onClick={subscribe}>
          Subscribe
        </Button>
        <Button busy={portal.busy} onClick={open}>
          Cards and subscription
        </Button>
      </div>
      {error && <ProblemNote problem={problemOf(error)} onRetry={() => ask({ requestPolicy: 'network-only' })} />}
      {!data && !error && <Loading />}
      {data && invoices.length === 0 && <Empty icon="file" title="No invoices yet" />}
      {invoices.length > 0 && (
        <Table
          label="Invoices"
          rows={invoices}
          keyOf={({ id }) => id}
          columns={[
            {
              name: 'Number',
              cell: ({ number, hostedInvoiceUrl }) =>
                hostedInvoiceUrl ? <a href={hostedInvoiceUrl}>{number ?? 'Draft'}</a> : (number ?? 'Draft'),
            },
            { name: 'Of', cell: ({ createdAt }) => day(createdAt) },
            { name: 'Status', cell: ({ status }) => status && words(status) },
            { name: 'Total', numeric: true, cell: ({ total, currency }) => money(total, currency) },
          ]}
        />
      )}
    </Section>
  )
}

// In the smallest unit of the currency, of which some have none.
function money(amount: number, currency: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}
