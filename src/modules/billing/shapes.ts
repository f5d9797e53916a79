import { z } from 'zod'
import type { Queue } from '../../kit/jobs.ts'
import { Timestamp } from '../../kit/shapes.ts'

/** The categories in which emails are counted and capped. */
export const categories = ['workflows', 'campaigns', 'transactional', 'inbound'] as const
/** The category in which an email is counted. */
export type Category = (typeof categories)[number]

const maxCap = 1_000_000_000

/** A cap to set: emails per month, from 1 to 1,000,000,000, or null for no cap. */
const Cap = z
  .int({ error: `must be a whole number from 1 to ${maxCap}, or null for no cap` })
  .min(1, { error: 'must be at least 1; null means no cap' })
  .max(maxCap, { error: `must be at most ${maxCap}; null means no cap` })
  .nullable()

/** How much of a cap is used. */
export const CapState = z
  .object({
    limit: z.int().nullable().describe('Emails per calendar month (UTC); null means no cap.'),
    usage: z.int().describe('Emails accepted this month; each cc and bcc recipient counts as one.'),
    percentage: z.number().describe('Usage in percent of the limit, two decimals; 0 without a limit.'),
    isWarning: z.boolean().describe('80 percent or more of it is used.'),
    isBlocked: z.boolean().describe('All of it is used: calls that would exceed it are refused with BILLING_LIMIT_EXCEEDED.'),
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
    workflows: CapState.describe('Emails sent by workflows.'),
    campaigns: CapState.describe('Emails sent by campaigns.'),
    transactional: CapState.describe('Emails sent with POST /v1/send or sendEmail.'),
    inbound: CapState.describe('Emails received.'),
    currency,
  })
  .meta({
    id: 'BillingLimits',
    description:
      'The monthly caps of a project and how much of each is used. Within the free allowance there is one cap over all categories: categories without a cap of their own show its numbers.',
  })
/** The caps of a project. */
export type BillingLimits = z.output<typeof BillingLimits>

/** Caps to set; a category that is left out keeps its cap. */
export const BillingLimitsChange = z
  .object({
    id: z.string(),
    workflows: Cap.optional().describe('Emails of workflows per month, 1 to 1,000,000,000; null for no cap.'),
    campaigns: Cap.optional().describe('Emails of campaigns per month, 1 to 1,000,000,000; null for no cap.'),
    transactional: Cap.optional().describe('Transactional emails per month, 1 to 1,000,000,000; null for no cap.'),
    inbound: Cap.optional().describe('Received emails per month, 1 to 1,000,000,000; null for no cap.'),
  })
  .meta({ id: 'BillingLimitsChange' })
/** Caps to set; a category that is left out keeps its cap. */
export type BillingLimitsChange = z.output<typeof BillingLimitsChange>

/** What a project has used this month. */
export const BillingConsumption = z
  .object({
    period: z.object({ start: Timestamp, end: Timestamp.describe('The first moment of the next month.') }),
    usage: z.object({
      total: z.int().describe('Emails of all categories.'),
      records: z.array(z.object({ category: z.enum(categories), count: z.int() })).describe('One entry per category.'),
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
      .describe('A preview of the next invoice, in the smallest unit of the currency; null without a subscription.'),
  })
  .meta({ id: 'BillingConsumption', description: 'What a project has used in the current month (UTC).' })
/** What a project has used this month. */
export type BillingConsumption = z.output<typeof BillingConsumption>

/** The currencies in which a subscription can be paid. */
export const CheckoutCurrency = z.enum(['usd', 'eur', 'gbp'], { error: 'must be usd, eur or gbp' })

/** The input to start a subscription. */
export const CheckoutDraft = z
  .object({
    id: z.string(),
    currency: CheckoutCurrency.optional().describe('Currency to pay in; it cannot be changed later. Default: the currency of the price.'),
  })
  .meta({ id: 'CheckoutDraft' })
/** The input to start a subscription. */
export type CheckoutDraft = z.output<typeof CheckoutDraft>

/** A page of the payment provider, to be opened in a browser. */
export const BillingPage = z
  .object({ url: z.string().describe('The URL of the page. It is for one person and valid for a short time.') })
  .meta({ id: 'BillingPage', description: 'A page of the payment provider, to be opened in a browser.' })
/** A page of the payment provider, to be opened in a browser. */
export type BillingPage = z.output<typeof BillingPage>

const cents = (what: string) => z.int().describe(`${what}, in the smallest unit of the currency.`)
const page = z.string().nullable().describe('The page of the invoice at the payment provider, where it can be paid.')

/** The states of an invoice. */
export const InvoiceStatus = z.enum(['draft', 'open', 'paid', 'uncollectible', 'void'])

/** An invoice. */
export const Invoice = z
  .object({
    id: z.string(),
    number: z.string().nullable().describe('Null for a draft.'),
    status: z.string().nullable().describe('`draft`, `open`, `paid`, `uncollectible` or `void`.'),
    amountDue: cents('The amount to pay'),
    amountPaid: cents('The amount paid'),
    currency: z.string(),
    created: Timestamp,
    periodStart: Timestamp,
    periodEnd: Timestamp,
    hostedInvoiceUrl: page,
    invoicePdf: z.string().nullable(),
    subtotal: cents('Before taxes and before discounts on the whole invoice'),
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
          amountDue: cents('The amount to pay'),
          currency: z.string(),
          dueDate: Timestamp.nullable(),
          hostedInvoiceUrl: page,
        }),
      )
      .describe('Those of `invoices` that are open.'),
  })
  .meta({ id: 'Invoices', description: 'The last 100 invoices of a project.' })
/** The invoices of a project. */
export type Invoices = z.output<typeof Invoices>

/** The answer to a webhook. */
export const Received = z.object({ received: z.literal(true) }).meta({ id: 'Received' })

const SyncJob = z.object({ customer: z.string() })
/** Updates a project from the state of its customer at the payment provider; retried for more than a day. */
export const syncQueue: Queue<z.output<typeof SyncJob>> = { name: 'billing-sync', shape: SyncJob, retries: 16 }
