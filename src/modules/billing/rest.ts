import { route } from '../../kit/route.ts'
import { ById } from '../../kit/shapes.ts'
import { getBillingConsumption } from './consumption.ts'
import { getBilling, updateBillingLimits } from './limits.ts'
import {
  BillingConsumption,
  BillingLimits,
  BillingLimitsChange,
  BillingPage,
  CheckoutDraft,
  Invoices,
  Received,
  StripeDelivery,
} from './shapes.ts'
import { createCheckout, openBillingPortal } from './stripe/checkout.ts'
import { listInvoices } from './stripe/invoices.ts'
import { receiveStripeEvent } from './stripe/receive.ts'

/** Caps, consumption and payment of a project. */
export const routes = [
  route('GET', '/users/@me/projects/:id/billing-limits', 'secret', ById, BillingLimits, getBilling, {
    summary: 'The monthly caps of the project, and how much of each is used',
  }),
  route('PUT', '/users/@me/projects/:id/billing-limits', 'admin', BillingLimitsChange, BillingLimits, updateBillingLimits, {
    summary: 'Set monthly caps by category',
    description:
      'What is left out stays as it is; `null` takes a cap away; a cap is at least 1. Caps count calendar months in UTC and hold from the answer on, exactly, over all parallel calls: a call that would pass one is refused whole with 402 BILLING_LIMIT_EXCEEDED. Mails that are already accepted stay accepted. Owners and admins are told at 80 and at 100 percent, once a month each.',
  }),
  route('GET', '/users/@me/projects/:id/billing-consumption', 'secret', ById, BillingConsumption, getBillingConsumption, {
    summary: 'What the project has used this month',
    description: 'Works without a payment provider; `credits` and `upcomingInvoice` are null then.',
    errors: ['SERVICE_UNAVAILABLE'],
  }),
  route('GET', '/users/@me/projects/:id/billing-invoices', 'admin', ById, Invoices, listInvoices, {
    summary: 'The invoices of the project',
    description: 'The last 100, as the payment provider has them at this moment; none before the first checkout.',
    errors: ['BILLING_DISABLED', 'SERVICE_UNAVAILABLE'],
  }),
  route('POST', '/users/@me/projects/:id/checkout', 'admin', CheckoutDraft, BillingPage, createCheckout, {
    summary: 'Begin a subscription',
    description:
      'Answers a page of the payment provider to send a person to; mails are paid by use. The subscription begins when the provider says so, within seconds of the payment. Works while the project is suspended.',
    errors: ['BILLING_DISABLED', 'CONFLICT', 'SERVICE_UNAVAILABLE'],
    whileSuspended: true,
  }),
  route('POST', '/users/@me/projects/:id/billing-portal', 'admin', ById, BillingPage, openBillingPortal, {
    summary: 'Change cards and subscription, pay invoices',
    description: 'Answers a page of the payment provider to send a person to. Works while the project is suspended.',
    errors: ['BILLING_DISABLED', 'CONFLICT', 'SERVICE_UNAVAILABLE'],
    whileSuspended: true,
  }),
  route('POST', '/webhooks/incoming/stripe', 'none', StripeDelivery, Received, receiveStripeEvent, {
    summary: 'Takes webhooks of Stripe',
    description:
      'Only Stripe calls this. The body must be signed with STRIPE_WEBHOOK_SECRET (header `Stripe-Signature`) and at most 5 minutes old, otherwise 400. 200 means stored; events of other types and about other customers are answered 200 and change nothing.',
    raw: true,
    errors: ['BAD_REQUEST', 'BILLING_DISABLED'],
  }),
]
