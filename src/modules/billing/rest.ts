import { receiver, route } from '../../kit/route.ts'
import { ById } from '../../kit/shapes.ts'
import { getBillingConsumption } from './consumption.ts'
import { getBillingLimits, updateBillingLimits } from './limits.ts'
import { BillingConsumption, BillingLimits, BillingLimitsChange, BillingPage, CheckoutDraft, Invoices, Received } from './shapes.ts'
import { createCheckout, openBillingPortal } from './stripe/checkout.ts'
import { listInvoices } from './stripe/invoices.ts'
import { receiveStripeEvent, verifyStripeEvent } from './stripe/receive.ts'

/** Caps, usage and payment of a project, and the webhook of the payment provider. */
export const routes = [
  route('GET', '/users/@me/projects/:id/billing-limits', 'secret', ById, BillingLimits, getBillingLimits, {
    summary: 'Get the monthly caps of the project and how much of each is used',
  }),
  route('PUT', '/users/@me/projects/:id/billing-limits', 'admin', BillingLimitsChange, BillingLimits, updateBillingLimits, {
    summary: 'Set monthly caps per category',
    description:
      'A category that is left out keeps its cap; `null` removes it; a cap is at least 1. Caps apply per calendar month (UTC), as soon as this call returns and exactly, also over parallel calls: a call that would exceed a cap is refused as a whole with 402 BILLING_LIMIT_EXCEEDED. Emails that are already accepted stay accepted. Owners and admins are notified by email at 80 and at 100 percent, once per month each.',
  }),
  route('GET', '/users/@me/projects/:id/billing-consumption', 'secret', ById, BillingConsumption, getBillingConsumption, {
    summary: 'Get what the project has used this month',
    description: 'Also works without a payment provider: `credits` and `upcomingInvoice` are then null.',
    errors: ['SERVICE_UNAVAILABLE'],
  }),
  route('GET', '/users/@me/projects/:id/billing-invoices', 'admin', ById, Invoices, listInvoices, {
    summary: 'List the invoices of the project',
    description: 'The last 100 invoices, read from the payment provider; none before the first checkout.',
    errors: ['BILLING_DISABLED', 'SERVICE_UNAVAILABLE'],
  }),
  route('POST', '/users/@me/projects/:id/checkout', 'admin', CheckoutDraft, BillingPage, createCheckout, {
    summary: 'Start a subscription',
    description:
      'Returns the URL of a page of the payment provider, to be opened in a browser. Emails are billed by usage. The subscription starts within seconds of the payment, when the provider confirms it. Works while the project is suspended.',
    errors: ['BILLING_DISABLED', 'CONFLICT', 'SERVICE_UNAVAILABLE'],
    whileSuspended: true,
  }),
  route('POST', '/users/@me/projects/:id/billing-portal', 'admin', ById, BillingPage, openBillingPortal, {
    summary: 'Open the billing portal',
    description:
      'Returns the URL of a page of the payment provider on which to change cards and the subscription and to pay invoices, to be opened in a browser. Works while the project is suspended.',
    errors: ['BILLING_DISABLED', 'CONFLICT', 'SERVICE_UNAVAILABLE'],
    whileSuspended: true,
  }),
  receiver(
    '/webhooks/incoming/stripe',
    { signedIn: { header: 'Stripe-Signature' }, verify: verifyStripeEvent },
    Received,
    receiveStripeEvent,
    {
      summary: 'Receive webhooks of Stripe',
      description:
        'Only Stripe calls this. The body must be signed with STRIPE_WEBHOOK_SECRET (header `Stripe-Signature`) and at most 5 minutes old, otherwise the response is 400. 200 means that the event is stored; events of other types and of unknown customers also get 200 and change nothing.',
      errors: ['BAD_REQUEST', 'BILLING_DISABLED'],
    },
  ),
]
