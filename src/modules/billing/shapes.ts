import { z } from 'zod'
import type { Queue } from '../../kit/jobs.ts'
import { Timestamp } from '../../kit/shapes.ts'

/** What mails are capped and counted by. */
export const categories = ['workflows', 'campaigns', 'transactional', 'inbound'] as const
/** What a mail counts in. */
export type Category = (typeof categories)[number]

const most = 1_000_000_000

/** A cap as it is set: a positive number of mails a month, or null for none. */
const Cap = z
  .int({ error: `must be a whole number from 1 to ${most}, or null for no cap` })
  .min(1, { error: 'must be at least 1; null means no cap' })
  .max(most, { error: `must be at most ${most}; null means no cap` })
  .nullable()

/** How much of a cap is used. */
export const CapState = z
  .object({
    limit: z.int().nullable().describe('Mails a calendar month (UTC); null is no cap.'),
    usage: z.int().describe('Mails accepted this month; cc and bcc count each.'),
    percentage: z.number().describe('Usage in percent of the limit, two decimals; 0 without a limit.'),
    isWarning: z.boolean().describe('80 percent or more are used.'),
    isBlocked: z.boolean().describe('All of it is used: calls that would pass it are refused with BILLING_LIMIT_EXCEEDED.'),
  })
  .meta({ id: 'CapState', description: 'A monthly cap, and how much of it is used.' })
/** How much of a cap is used. */
export type CapState = z.output<typeof CapState>

const currency = z
  .string()
  .nullable()
  .describe('Currency of the project’s invoices (ISO 4217, lower case); null before the first checkout.')

/** The caps of a project. */
export const BillingLimits = z
  .object({
    workflows: CapState.describe('Mail sent by workflows.'),
    campaigns: CapState.describe('Mail sent by campaigns.'),
    transactional: CapState.describe('Mail sent with POST /v1/send.'),
    inbound: CapState.describe('Mail received.'),
    currency,
  })
  .meta({
    id: 'BillingLimits',
    description:
      'The monthly caps of a project and how much of each is used. A project within the free allowance has one cap over all categories: the categories without a cap of their own then carry its numbers.',
  })
/** The caps of a project. */
export type BillingLimits = z.output<typeof BillingLimits>

/** Caps to set; what is left out stays. */
export const BillingLimitsChange = z
  .object({
    id: z.string(),
    workflows: Cap.optional().describe('Mails of workflows per month, 1 to 1,000,000,000; null for no cap.'),
    campaigns: Cap.optional().describe('Mails of campaigns per month, 1 to 1,000,000,000; null for no cap.'),
    transactional: Cap.optional().describe('Transactional mails per month, 1 to 1,000,000,000; null for no cap.'),
    inbound: Cap.optional().describe('Received mails per month, 1 to 1,000,000,000; null for no cap.'),
  })
  .meta({ id: 'BillingLimitsChange' })
/** Caps to set; what is left out stays. */
export type BillingLimitsChange = z.output<typeof BillingLimitsChange>

/** What a project has used this month. */
export const BillingConsumption = z
  .object({
    period: z.object({ start: Timestamp, end: Timestamp.describe('The first moment of the next month.') }),
    usage: z.object({
      total: z.int().describe('Mails of all categories.'),
      records: z.array(z.object({ category: z.enum(categories), count: z.int() })).describe('One entry a category.'),
    }),
    credits: z
      .object({ balance: z.int(), hasCredits: z.boolean(), creditAmount: z.int(), currency: z.string() })
      .nullable()
      .describe('Credit with the payment provider, in the smallest unit of the currency; null without one.'),
    upcomingInvoice: z
      .object({
        amountDue: z.int(),
        currency: z.string(),
        periodStart: Timestamp,
        periodEnd: Timestamp,
        subtotal: z.int(),
        total: z.int(),
      })
      .nullable()
      .describe('The invoice as it would be now, in the smallest unit of the currency; null without a subscription.'),
  })
  .meta({ id: 'BillingConsumption', description: 'What a project has used in the current month (UTC).' })
/** What a project has used this month. */
export type BillingConsumption = z.output<typeof BillingConsumption>

/** Currencies a subscription is paid in. */
export const CheckoutCurrency = z.enum(['usd', 'eur', 'gbp'], { error: 'must be usd, eur or gbp' })

/** What is asked for to begin a subscription. */
export const CheckoutDraft = z
  .object({
    id: z.string(),
    currency: CheckoutCurrency.optional().describe('Currency to pay in, for good. Default: that of the price.'),
  })
  .meta({ id: 'CheckoutDraft' })
/** What is asked for to begin a subscription. */
export type CheckoutDraft = z.output<typeof CheckoutDraft>

/** A page of the payment provider to send a person to. */
export const BillingPage = z
  .object({ url: z.string().describe('Open it in the browser; it is for one person and holds for a short time.') })
  .meta({ id: 'BillingPage', description: 'A page of the payment provider to send a person to.' })
/** A page of the payment provider to send a person to. */
export type BillingPage = z.output<typeof BillingPage>

const cents = (what: string) => z.int().describe(`${what}, in the smallest unit of the currency.`)
const page = z.string().nullable().describe('Page of the invoice with the payment provider, where it can be paid.')

/** The states of an invoice. */
export const InvoiceStatus = z.enum(['draft', 'open', 'paid', 'uncollectible', 'void'])

/** An invoice. */
export const Invoice = z
  .object({
    id: z.string(),
    number: z.string().nullable().describe('Null for a draft.'),
    status: z.string().nullable().describe('draft, open, paid, uncollectible or void.'),
    amountDue: cents('What is asked for'),
    amountPaid: cents('What was paid'),
    currency: z.string(),
    created: Timestamp,
    periodStart: Timestamp,
    periodEnd: Timestamp,
    hostedInvoiceUrl: page,
    invoicePdf: z.string().nullable(),
    subtotal: cents('Before taxes and discounts of the whole'),
    total: cents('With taxes and discounts'),
    paid: z.boolean(),
  })
  .meta({ id: 'Invoice' })
/** An invoice. */
export type Invoice = z.output<typeof Invoice>

/** The invoices of a project. */
export const Invoices = z
  .object({
    invoices: z.array(Invoice).describe('The last 100, newest first.'),
    hasUnpaidInvoices: z.boolean(),
    unpaidInvoices: z
      .array(
        z.object({
          id: z.string(),
          number: z.string().nullable(),
          amountDue: cents('What is asked for'),
          currency: z.string(),
          dueDate: Timestamp.nullable(),
          hostedInvoiceUrl: page,
        }),
      )
      .describe('Those of them that are open.'),
  })
  .meta({ id: 'Invoices', description: 'The last 100 invoices of a project.' })
/** The invoices of a project. */
export type Invoices = z.output<typeof Invoices>

/** A webhook as it arrived. */
export const StripeDelivery = z.object({ raw: z.instanceof(Buffer), headers: z.record(z.string(), z.string()) })
/** A webhook as it arrived. */
export type StripeDelivery = z.output<typeof StripeDelivery>

/** A webhook was taken. */
export const Received = z.object({ received: z.literal(true) }).meta({ id: 'Received' })

const SyncJob = z.object({ customer: z.string() })
/** Takes over what the payment provider knows of a customer; tried again for more than a day. */
export const syncQueue: Queue<z.output<typeof SyncJob>> = { name: 'billing-sync', shape: SyncJob, retries: 16 }
