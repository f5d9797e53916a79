import { builder } from '../../kit/builder.ts'
import { enumOf, inputOf } from '../../kit/zod-input.ts'
import { getBillingConsumption } from './consumption.ts'
import { getBilling, updateBillingLimits } from './limits.ts'
import {
  BillingConsumption as BillingConsumptionShape,
  BillingLimitsChange,
  type BillingLimits as BillingLimitsShape,
  type BillingPage as BillingPageShape,
  type CapState as CapStateShape,
  CheckoutCurrency,
  CheckoutDraft,
  type Invoice as InvoiceShape,
  type Invoices as InvoicesShape,
} from './shapes.ts'
import { createCheckout, openBillingPortal } from './stripe/checkout.ts'
import { listInvoices } from './stripe/invoices.ts'

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

const cents = (what: string) => ({ description: `${what}, in the smallest unit of the currency.` })
const page = { nullable: true, description: 'Page of the invoice with the payment provider, where it can be paid.' } as const

const Invoice = builder.objectRef<InvoiceShape>('Invoice').implement({
  description: 'An invoice of the payment provider.',
  fields: (t) => ({
    id: t.exposeID('id'),
    number: t.exposeString('number', { nullable: true, description: 'Null for a draft.' }),
    status: t.exposeString('status', { nullable: true, description: 'draft, open, paid, uncollectible or void.' }),
    amountDue: t.exposeInt('amountDue', cents('What is asked for')),
    amountPaid: t.exposeInt('amountPaid', cents('What was paid')),
    currency: t.exposeString('currency', { description: 'ISO 4217, lower case.' }),
    created: t.expose('created', { type: 'DateTime', description: 'When it was made.' }),
    periodStart: t.expose('periodStart', { type: 'DateTime', description: 'First moment it covers.' }),
    periodEnd: t.expose('periodEnd', { type: 'DateTime', description: 'First moment it no longer covers.' }),
    hostedInvoiceUrl: t.exposeString('hostedInvoiceUrl', page),
    invoicePdf: t.exposeString('invoicePdf', { nullable: true, description: 'Where it can be downloaded.' }),
    subtotal: t.exposeInt('subtotal', cents('Before taxes and discounts of the whole')),
    total: t.exposeInt('total', cents('With taxes and discounts')),
    paid: t.exposeBoolean('paid', { description: 'The same as status paid.' }),
  }),
})

const UnpaidInvoice = builder.objectRef<InvoicesShape['unpaidInvoices'][number]>('UnpaidInvoice').implement({
  description: 'An invoice that is open.',
  fields: (t) => ({
    id: t.exposeID('id'),
    number: t.exposeString('number', { nullable: true, description: 'As it stands on the invoice.' }),
    amountDue: t.exposeInt('amountDue', cents('What is asked for')),
    currency: t.exposeString('currency', { description: 'ISO 4217, lower case.' }),
    dueDate: t.expose('dueDate', { type: 'DateTime', nullable: true, description: 'Null where the card is charged at once.' }),
    hostedInvoiceUrl: t.exposeString('hostedInvoiceUrl', page),
  }),
})

const Invoices = builder.objectRef<InvoicesShape>('Invoices').implement({
  description: 'The last 100 invoices of a project.',
  fields: (t) => ({
    invoices: t.expose('invoices', { type: [Invoice], description: 'Newest first.' }),
    hasUnpaidInvoices: t.exposeBoolean('hasUnpaidInvoices', { description: 'Whether one of them is open.' }),
    unpaidInvoices: t.expose('unpaidInvoices', { type: [UnpaidInvoice], description: 'Those of them that are open.' }),
  }),
})

const BillingPage = builder.objectRef<BillingPageShape>('BillingPage').implement({
  description: 'A page of the payment provider to send a person to.',
  fields: (t) => ({
    url: t.exposeString('url', { description: 'Open it in the browser; it is for one person and holds for a short time.' }),
  }),
})

builder.objectFields('Project', (t) => ({
  billing: t.field({
    type: BillingLimits,
    description: 'Its monthly caps, and how much of each is used.',
    access: { who: 'secret', project: ({ id }) => id },
    resolve: ({ id }, _args, ctx) => getBilling(ctx, { id }),
  }),
  billingConsumption: t.field({
    type: BillingConsumption,
    description: 'What it has used this month. Fails with SERVICE_UNAVAILABLE while the payment provider does not answer.',
    access: { who: 'secret', project: ({ id }) => id },
    resolve: ({ id }, _args, ctx) => getBillingConsumption(ctx, { id }),
  }),
  invoices: t.field({
    type: Invoices,
    description:
      'Its last 100 invoices, as the payment provider has them at this moment; for keys, admins and owners. Fails with BILLING_DISABLED, FORBIDDEN, SERVICE_UNAVAILABLE.',
    access: { who: 'admin', project: ({ id }) => id },
    resolve: ({ id }, _args, ctx) => listInvoices(ctx, { id }),
  }),
}))

const limits = inputOf('UpdateBillingLimitsInput', BillingLimitsChange.omit({ id: true }), 'What is left out stays; null takes a cap away.')

enumOf('CheckoutCurrency', CheckoutCurrency, 'A currency a subscription is paid in.', {
  usd: 'US dollar.',
  eur: 'Euro.',
  gbp: 'Pound sterling.',
})
const checkout = inputOf('CreateCheckoutInput', CheckoutDraft.omit({ id: true }))

builder.mutationFields((t) => ({
  updateBillingLimits: t.field({
    type: BillingLimits,
    description:
      'Sets monthly caps of the project of the call; they hold from the answer on, exactly, over all parallel calls. What is left out stays, null takes a cap away. For keys, admins and owners; fails with FORBIDDEN.',
    args: limits.args(t),
    access: 'admin',
    resolve: (_parent, args, ctx) => updateBillingLimits(ctx, { ...limits.read(args), id: ctx.projectId }),
  }),
  createCheckout: t.field({
    type: BillingPage,
    description:
      'A page of the payment provider on which the project of the call begins its subscription; also while it is suspended. Fails with BILLING_DISABLED, CONFLICT when it has one, FORBIDDEN for members, SERVICE_UNAVAILABLE.',
    args: checkout.args(t),
    access: { who: 'admin', whileSuspended: true },
    resolve: (_parent, args, ctx) => createCheckout(ctx, { ...checkout.read(args), id: ctx.projectId }),
  }),
  openBillingPortal: t.field({
    type: BillingPage,
    description:
      'A page of the payment provider on which cards and the subscription are changed and invoices paid; also while the project is suspended. Fails with BILLING_DISABLED, CONFLICT before the first checkout, FORBIDDEN for members, SERVICE_UNAVAILABLE.',
    access: { who: 'admin', whileSuspended: true },
    resolve: (_parent, _args, ctx) => openBillingPortal(ctx, { id: ctx.projectId }),
  }),
}))
