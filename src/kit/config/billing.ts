import { z } from 'zod'
import { count } from './types.ts'

/** The settings of billing with Stripe. */
export const billingSettings = {
  STRIPE_SECRET_KEY: z.string().min(1).optional().describe('Enables billing: the secret key of your Stripe account.'),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Signing secret (`whsec_…`) of the Stripe webhook that calls POST /webhooks/incoming/stripe. Required with STRIPE_SECRET_KEY.',
    ),
  STRIPE_PRICE_EMAIL_USAGE: z
    .string()
    .min(1)
    .optional()
    .describe('Price of an email: a metered price on the meter of STRIPE_METER_EVENT_NAME. Required with STRIPE_SECRET_KEY.'),
  STRIPE_PRICE_ONBOARDING: z.string().min(1).optional().describe('Price that is charged once, with the first checkout of a project.'),
  STRIPE_METER_EVENT_NAME: z
    .string()
    .min(1)
    .max(100)
    .default('emails')
    .describe('Name of the meter events that report accepted emails to Stripe.'),
  STRIPE_API_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Another address of the Stripe API, such as a local stand-in. Default https://api.stripe.com.'),
  FREE_MAILS_PER_MONTH: count
    .min(1)
    .default(1000)
    .describe('With billing enabled: emails per month, over all categories, of a project without a subscription.'),
}
