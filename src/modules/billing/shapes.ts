import { z } from 'zod'
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
    workflows: Cap.optional().describe('Mails of workflows a month, or null for no cap.'),
    campaigns: Cap.optional().describe('Mails of campaigns a month, or null for no cap.'),
    transactional: Cap.optional().describe('Mails of POST /v1/send a month, or null for no cap.'),
    inbound: Cap.optional().describe('Received mails a month, or null for no cap.'),
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
