import type Stripe from 'stripe'
import { requireSameProject } from '../../../kit/access.ts'
import type { Ctx } from '../../../kit/context.ts'
import { waitOutside } from '../../../kit/outside.ts'
import type { Invoice, Invoices } from '../shapes.ts'
import { findBillingAccount } from '../sql.ts'
import { askStripe, ifKnown, stripeOf } from './stripe.ts'

const maxInvoices = 100

/**
 * The last 100 invoices of the project, read from the payment provider; none before the first checkout, and of a customer that it does not
 * know any more.
 * Fails with BILLING_DISABLED, RESOURCE_NOT_FOUND for another project's id, SERVICE_UNAVAILABLE.
 */
export async function listInvoices(ctx: Ctx, { id }: { id: string }): Promise<Invoices> {
  requireSameProject(ctx, id)
  await stripeOf(ctx.world)
  const { db, world, projectId } = ctx
  const [account] = await db.run(findBillingAccount, [projectId])
  const customer = account?.customer
  const list = (customer: string) =>
    askStripe(world, (stripe) => ifKnown(stripe, () => stripe.invoices.list({ customer, limit: maxInvoices })))
  const found = customer ? ((await waitOutside(ctx, () => list(customer)))?.data ?? []) : []
  const unpaid = found.filter(({ status }) => status === 'open')
  return {
    invoices: found.map(shown),
    hasUnpaidInvoices: unpaid.length > 0,
    unpaidInvoices: unpaid.map((invoice) => ({
      id: invoice.id,
      number: invoice.number,
      amountDue: invoice.amount_due,
      currency: invoice.currency,
      dueDate: invoice.due_date === null ? null : moment(invoice.due_date),
      hostedInvoiceUrl: invoice.hosted_invoice_url ?? null,
    })),
  }
}

function shown(invoice: Stripe.Invoice): Invoice {
  return {
    id: invoice.id,
    number: invoice.number,
    status: invoice.status,
    amountDue: invoice.amount_due,
    amountPaid: invoice.amount_paid,
    currency: invoice.currency,
    created: moment(invoice.created),
    periodStart: moment(invoice.period_start),
    periodEnd: moment(invoice.period_end),
    hostedInvoiceUrl: invoice.hosted_invoice_url ?? null,
    invoicePdf: invoice.invoice_pdf ?? null,
    subtotal: invoice.subtotal,
    total: invoice.total,
    paid: invoice.status === 'paid',
  }
}

function moment(seconds: number): Date {
  return new Date(seconds * 1_000)
}
