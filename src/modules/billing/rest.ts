import { route } from '../../kit/route.ts'
import { ById } from '../../kit/shapes.ts'
import { getBillingConsumption } from './consumption.ts'
import { getBilling, updateBillingLimits } from './limits.ts'
import { BillingConsumption, BillingLimits, BillingLimitsChange } from './shapes.ts'

/** Caps, consumption and payment of a project (interface.md, Users, projects, members). */
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
]
