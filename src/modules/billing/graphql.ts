import { enterProject } from '../../kit/access.ts'
import { builder } from '../../kit/builder.ts'
import { enumOf, inputOf } from '../../kit/zod-input.ts'
import { getBillingConsumption } from './consumption.ts'
import { getBilling, updateBillingLimits } from './limits.ts'
import {
  BillingConsumption as BillingConsumptionShape,
  BillingLimitsChange,
  type BillingLimits as BillingLimitsShape,
  type CapState as CapStateShape,
} from './shapes.ts'

// The object is made in projects/graphql.ts; only its name is known here.
const project = 'Project' as unknown as ReturnType<typeof builder.objectRef<{ id: string }>>

const Category = enumOf(
  'BillingCategory',
  BillingConsumptionShape.shape.usage.shape.records.element.shape.category,
  'What a mail counts in.',
  {
    workflows: 'Mail sent by workflows.',
    campaigns: 'Mail sent by campaigns.',
    transactional: 'Mail sent with sendEmail or POST /v1/send.',
    inbound: 'Mail received.',
  },
)

const CapState = builder.objectRef<CapStateShape>('CapState').implement({
  description: 'A monthly cap, and how much of it is used.',
  fields: (t) => ({
    limit: t.exposeInt('limit', { nullable: true, description: 'Mails a calendar month (UTC); null is no cap.' }),
    usage: t.exposeInt('usage', { description: 'Mails accepted this month; cc and bcc count each.' }),
    percentage: t.exposeFloat('percentage', { description: 'Usage in percent of the limit, two decimals; 0 without a limit.' }),
    isWarning: t.exposeBoolean('isWarning', { description: '80 percent or more are used.' }),
    isBlocked: t.exposeBoolean('isBlocked', {
      description: 'All of it is used: calls that would pass it fail with BILLING_LIMIT_EXCEEDED.',
    }),
  }),
})

const currency = 'Currency of the project’s invoices (ISO 4217, lower case); null before the first checkout.'

const BillingLimits = builder.objectRef<BillingLimitsShape>('BillingLimits').implement({
  description:
    'The monthly caps of a project. Within the free allowance there is one cap over all categories: those without a cap of their own carry its numbers.',
  fields: (t) => ({
    workflows: t.expose('workflows', { type: CapState, description: 'Mail sent by workflows.' }),
    campaigns: t.expose('campaigns', { type: CapState, description: 'Mail sent by campaigns.' }),
    transactional: t.expose('transactional', { type: CapState, description: 'Mail sent with sendEmail or POST /v1/send.' }),
    inbound: t.expose('inbound', { type: CapState, description: 'Mail received.' }),
    currency: t.exposeString('currency', { nullable: true, description: currency }),
  }),
})

const Period = builder.objectRef<BillingConsumptionShape['period']>('BillingPeriod').implement({
  description: 'A calendar month in UTC.',
  fields: (t) => ({
    start: t.expose('start', { type: 'DateTime', description: 'Its first moment.' }),
    end: t.expose('end', { type: 'DateTime', description: 'The first moment of the next one.' }),
  }),
})

const UsageRecord = builder.objectRef<BillingConsumptionShape['usage']['records'][number]>('UsageRecord').implement({
  description: 'Mails of one category.',
  fields: (t) => ({
    category: t.expose('category', { type: Category, description: 'What the mails count in.' }),
    count: t.exposeInt('count', { description: 'Mails accepted.' }),
  }),
})

const Usage = builder.objectRef<BillingConsumptionShape['usage']>('BillingUsage').implement({
  description: 'Mails of a month.',
  fields: (t) => ({
    total: t.exposeInt('total', { description: 'Mails of all categories.' }),
    records: t.expose('records', { type: [UsageRecord], description: 'One entry a category.' }),
  }),
})

const Credits = builder.objectRef<NonNullable<BillingConsumptionShape['credits']>>('BillingCredits').implement({
  description: 'Credit with the payment provider, in the smallest unit of the currency.',
  fields: (t) => ({
    balance: t.exposeInt('balance', { description: 'As the provider has it: negative is credit, positive is owed.' }),
    hasCredits: t.exposeBoolean('hasCredits', { description: 'Whether there is credit.' }),
    creditAmount: t.exposeInt('creditAmount', { description: 'The credit, 0 or more.' }),
    currency: t.exposeString('currency', { description: 'ISO 4217, lower case.' }),
  }),
})

const UpcomingInvoice = builder.objectRef<NonNullable<BillingConsumptionShape['upcomingInvoice']>>('UpcomingInvoice').implement({
  description: 'The next invoice as it would be now, in the smallest unit of the currency.',
  fields: (t) => ({
    amountDue: t.exposeInt('amountDue', { description: 'What will be asked for.' }),
    currency: t.exposeString('currency', { description: 'ISO 4217, lower case.' }),
    periodStart: t.expose('periodStart', { type: 'DateTime', description: 'First moment it covers.' }),
    periodEnd: t.expose('periodEnd', { type: 'DateTime', description: 'First moment it no longer covers.' }),
    subtotal: t.exposeInt('subtotal', { description: 'Before taxes and discounts of the whole.' }),
    total: t.exposeInt('total', { description: 'With taxes and discounts, before credit.' }),
  }),
})

const BillingConsumption = builder.objectRef<BillingConsumptionShape>('BillingConsumption').implement({
  description: 'What a project has used in the current month (UTC).',
  fields: (t) => ({
    period: t.expose('period', { type: Period, description: 'The month.' }),
    usage: t.expose('usage', { type: Usage, description: 'Mails accepted in it.' }),
    credits: t.expose('credits', { type: Credits, nullable: true, description: 'Credit with the payment provider; null without one.' }),
    upcomingInvoice: t.expose('upcomingInvoice', {
      type: UpcomingInvoice,
      nullable: true,
      description: 'The invoice as it would be now; null without a subscription.',
    }),
  }),
})

builder.objectFields(project, (t) => ({
  billing: t.field({
    type: BillingLimits,
    description: 'Its monthly caps, and how much of each is used.',
    resolve: ({ id }, _args, ctx) => getBilling(enterProject(ctx, id), { id }),
  }),
  billingConsumption: t.field({
    type: BillingConsumption,
    description: 'What it has used this month. Fails with SERVICE_UNAVAILABLE while the payment provider does not answer.',
    resolve: ({ id }, _args, ctx) => getBillingConsumption(enterProject(ctx, id), { id }),
  }),
}))

const limits = inputOf('UpdateBillingLimitsInput', BillingLimitsChange.omit({ id: true }), 'What is left out stays; null takes a cap away.')

builder.mutationFields((t) => ({
  updateBillingLimits: t.field({
    type: BillingLimits,
    description:
      'Sets monthly caps of the project of the call; they hold from the answer on, exactly, over all parallel calls. What is left out stays, null takes a cap away. For keys, admins and owners; fails with FORBIDDEN.',
    args: limits.args(t),
    resolve: (_parent, args, ctx) => updateBillingLimits(ctx, { ...limits.read(args), id: ctx.projectId }),
  }),
}))
