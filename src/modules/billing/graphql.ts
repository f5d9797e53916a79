import { builder, payloadOf } from '../../kit/builder.ts'
import { enumOf, graphqlInput } from '../../kit/zod-input.ts'
import { remainingOf } from './caps.ts'
import { getBillingConsumption } from './consumption.ts'
import { type BillingCaps, type CategoryCap, getBillingCaps, updateBillingLimits } from './limits.ts'
import {
  BillingConsumption as BillingConsumptionShape,
  BillingLimitsChange,
  type BillingPage,
  CheckoutCurrency,
  CheckoutDraft,
  type Invoice as InvoiceShape,
  InvoiceStatus as InvoiceStatusShape,
  type Invoices as InvoicesShape,
} from './shapes.ts'
import { createCheckout, openBillingPortal } from './stripe/checkout.ts'
import { listInvoices } from './stripe/invoices.ts'

const Category = enumOf(
  'BillingCategory',
  BillingConsumptionShape.shape.usage.shape.records.element.shape.category,
  'The category an email is counted in.',
  {
    workflows: 'Email sent by workflows.',
    campaigns: 'Email sent by campaigns.',
    transactional: 'Email sent with sendEmail or POST /v1/send.',
    inbound: 'Email received.',
  },
)

const CapState = builder.objectRef<CategoryCap>('CapState').implement({
  description: 'A monthly cap, and how much of it is used.',
  fields: (t) => ({
    category: t.expose('category', {
      type: Category,
      nullable: true,
      description: 'What is counted: the emails of this category; null for those of all.',
    }),
    limit: t.exposeInt('limit', { nullable: true, description: 'Emails per calendar month (UTC); null means no cap.' }),
    usage: t.exposeInt('usage', { description: 'Emails accepted this month; cc and bcc count each.' }),
    remaining: t.int({
      nullable: true,
      description: 'How many more are accepted this month, 0 or more; null without a limit.',
      resolve: (cap) => remainingOf(cap),
    }),
    percentage: t.exposeFloat('percentage', { description: 'Usage in percent of the limit, two decimals; 0 without a limit.' }),
    isWarning: t.exposeBoolean('isWarning', { description: '80 percent or more of it is used.' }),
    isBlocked: t.exposeBoolean('isBlocked', {
      description: 'All of it is used: calls that would exceed it fail with BILLING_LIMIT_EXCEEDED.',
    }),
  }),
})

const currency = 'Currency of the project’s invoices (ISO 4217, lower case); null before the first checkout.'

const BillingLimits = builder.objectRef<BillingCaps>('BillingLimits').implement({
  description:
    'The monthly caps of a project: an email is accepted while the cap of its category and, where there is one, the free allowance have room for it.',
  fields: (t) => ({
    freeAllowance: t.expose('freeAllowance', {
      type: CapState,
      nullable: true,
      description: 'What a project without a subscription may send and receive; null with one, and where nothing is billed.',
    }),
    workflows: t.expose('workflows', { type: CapState, description: 'Email sent by workflows.' }),
    campaigns: t.expose('campaigns', { type: CapState, description: 'Email sent by campaigns.' }),
    transactional: t.expose('transactional', { type: CapState, description: 'Email sent with sendEmail or POST /v1/send.' }),
    inbound: t.expose('inbound', { type: CapState, description: 'Email received.' }),
    currency: t.exposeString('currency', { nullable: true, description: currency }),
  }),
})

const Period = builder.objectRef<BillingConsumptionShape['period']>('BillingPeriod').implement({
  description: 'A calendar month in UTC.',
  fields: (t) => ({
    start: t.expose('start', { type: 'DateTime', description: 'Its first moment.' }),
    end: t.expose('end', { type: 'DateTime', description: 'The first moment of the next month.' }),
  }),
})

const UsageRecord = builder.objectRef<BillingConsumptionShape['usage']['records'][number]>('UsageRecord').implement({
  description: 'Emails of one category.',
  fields: (t) => ({
    category: t.expose('category', { type: Category, description: 'What the emails count in.' }),
    count: t.exposeInt('count', { description: 'Emails accepted.' }),
  }),
})

const Usage = builder.objectRef<BillingConsumptionShape['usage']>('BillingUsage').implement({
  description: 'The emails of one month.',
  fields: (t) => ({
    total: t.exposeFloat('total', { description: 'Emails of all categories, a whole number.' }),
    records: t.expose('records', { type: [UsageRecord], description: 'One entry per category.' }),
  }),
})

const Credits = builder.objectRef<NonNullable<BillingConsumptionShape['credits']>>('BillingCredits').implement({
  description: 'Credit with the payment provider, in the smallest unit of the currency.',
  fields: (t) => ({
    balance: t.exposeInt('balance', { description: 'As the payment provider has it: negative is credit, positive is owed.' }),
    hasCredits: t.exposeBoolean('hasCredits', { description: 'Whether there is credit.' }),
    creditAmount: t.exposeInt('creditAmount', { description: 'The credit, 0 or more.' }),
    currency: t.exposeString('currency', { description: 'ISO 4217, lower case.' }),
  }),
})

const UpcomingInvoice = builder.objectRef<NonNullable<BillingConsumptionShape['upcomingInvoice']>>('UpcomingInvoice').implement({
  description: 'The next invoice as it would be now, in the smallest unit of the currency.',
  fields: (t) => ({
    amountDue: t.exposeInt('amountDue', { description: 'Amount that will have to be paid.' }),
    currency: t.exposeString('currency', { description: 'ISO 4217, lower case.' }),
    periodStart: t.expose('periodStart', { type: 'DateTime', description: 'Start of the time it covers.' }),
    periodEnd: t.expose('periodEnd', { type: 'DateTime', description: 'End of the time it covers, exclusive.' }),
    subtotal: t.exposeInt('subtotal', { description: 'The sum of the items, before taxes and discounts on the invoice.' }),
    total: t.exposeInt('total', { description: 'With taxes and discounts, before credit.' }),
  }),
})

const BillingConsumption = builder.objectRef<BillingConsumptionShape>('BillingConsumption').implement({
  description: 'What a project has used in the current month (UTC).',
  fields: (t) => ({
    period: t.expose('period', { type: Period, description: 'The month.' }),
    usage: t.expose('usage', { type: Usage, description: 'Emails accepted in it.' }),
    credits: t.expose('credits', { type: Credits, nullable: true, description: 'Credit with the payment provider; null without one.' }),
    upcomingInvoice: t.expose('upcomingInvoice', {
      type: UpcomingInvoice,
      nullable: true,
      description: 'The invoice as it would be now; null without a subscription.',
    }),
  }),
})

const InvoiceStatus = enumOf('InvoiceStatus', InvoiceStatusShape, 'The state of an invoice.', {
  draft: 'It can still change.',
  open: 'It waits to be paid.',
  paid: 'It was paid.',
  uncollectible: 'It was written off.',
  void: 'It was cancelled.',
})

const cents = (what: string) => ({ description: `${what}, in the smallest unit of the currency.` })
const page = { nullable: true, description: 'Page of the invoice with the payment provider, where it can be paid.' } as const

const Invoice = builder.objectRef<InvoiceShape>('Invoice').implement({
  description: 'An invoice of the payment provider.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id at the payment provider.' }),
    number: t.exposeString('number', { nullable: true, description: 'The number printed on it; null for a draft.' }),
    status: t.field({
      type: InvoiceStatus,
      nullable: true,
      description: 'The state it is in; null for a state that this version does not know.',
      resolve: ({ status }) => InvoiceStatusShape.safeParse(status).data ?? null,
    }),
    amountDue: t.exposeInt('amountDue', cents('Amount to pay')),
    amountPaid: t.exposeInt('amountPaid', cents('Amount that was paid')),
    currency: t.exposeString('currency', { description: 'ISO 4217, lower case.' }),
    createdAt: t.expose('created', { type: 'DateTime', description: 'When it was created.' }),
    periodStart: t.expose('periodStart', { type: 'DateTime', description: 'Start of the time it covers.' }),
    periodEnd: t.expose('periodEnd', { type: 'DateTime', description: 'End of the time it covers, exclusive.' }),
    hostedInvoiceUrl: t.exposeString('hostedInvoiceUrl', page),
    invoicePdf: t.exposeString('invoicePdf', { nullable: true, description: 'Address of its PDF; null for a draft.' }),
    subtotal: t.exposeInt('subtotal', cents('The sum of the items, before taxes and discounts on the invoice')),
    total: t.exposeInt('total', cents('With taxes and discounts')),
  }),
})

const UnpaidInvoice = builder.objectRef<InvoicesShape['unpaidInvoices'][number]>('UnpaidInvoice').implement({
  description: 'An open invoice.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id at the payment provider.' }),
    number: t.exposeString('number', { nullable: true, description: 'The number printed on it; null for a draft.' }),
    amountDue: t.exposeInt('amountDue', cents('Amount to pay')),
    currency: t.exposeString('currency', { description: 'ISO 4217, lower case.' }),
    dueDate: t.expose('dueDate', {
      type: 'DateTime',
      nullable: true,
      description: 'When it is due; null where the card is charged at once.',
    }),
    hostedInvoiceUrl: t.exposeString('hostedInvoiceUrl', page),
  }),
})

const Invoices = builder.objectRef<InvoicesShape>('Invoices').implement({
  description: 'The last 100 invoices of a project.',
  fields: (t) => ({
    invoices: t.expose('invoices', { type: [Invoice], description: 'Newest first.' }),
    hasUnpaidInvoices: t.exposeBoolean('hasUnpaidInvoices', { description: 'Whether one of them is open.' }),
    unpaidInvoices: t.expose('unpaidInvoices', { type: [UnpaidInvoice], description: 'The open ones of them.' }),
  }),
})

builder.objectFields('Project', (t) => ({
  billingLimits: t.field({
    extensions: { cost: 5 },
    type: BillingLimits,
    description: 'Its monthly caps, and how much of each is used.',
    access: { who: 'secret', project: ({ id }) => id },
    resolve: ({ id }, _args, ctx) => getBillingCaps(ctx, { id }),
  }),
  billingConsumption: t.field({
    // A call of the payment provider.
    extensions: { cost: 100, waits: true },
    type: BillingConsumption,
    nullable: true,
    description: 'What it has used this month (UTC). Fails with SERVICE_UNAVAILABLE while the payment provider does not answer.',
    access: { who: 'secret', project: ({ id }) => id },
    resolve: ({ id }, _args, ctx) => getBillingConsumption(ctx, { id }),
  }),
  invoices: t.field({
    // A call of the payment provider.
    extensions: { cost: 100, waits: true },
    type: Invoices,
    nullable: true,
    description:
      'Its last 100 invoices, as the payment provider has them at this moment; for keys, admins and owners. Fails with BILLING_DISABLED, FORBIDDEN, SERVICE_UNAVAILABLE.',
    access: { who: 'admin', project: ({ id }) => id },
    resolve: ({ id }, _args, ctx) => listInvoices(ctx, { id }),
  }),
}))

enumOf('CheckoutCurrency', CheckoutCurrency, 'A currency a subscription can be paid in.', {
  usd: 'US dollar.',
  eur: 'Euro.',
  gbp: 'Pound sterling.',
})
const limits = graphqlInput('UpdateBillingLimitsInput', BillingLimitsChange.omit({ id: true }), {
  description: 'What is left out stays as it is; null removes a cap.',
})
const checkout = graphqlInput('CreateCheckoutInput', CheckoutDraft.omit({ id: true }))

const UpdateBillingLimitsPayload = payloadOf<{ id: string }>('UpdateBillingLimitsPayload', (t) => ({
  billingLimits: t.field({
    type: BillingLimits,
    description: 'All caps of the project as they are now.',
    resolve: ({ id }, _args, ctx) => getBillingCaps(ctx, { id }),
  }),
}))
const pagePayload = (name: `${string}Payload`) =>
  payloadOf<BillingPage>(name, (t) => ({
    url: t.exposeString('url', { description: 'Open it in the browser; it is for one person and expires after a short time.' }),
  }))
const CreateCheckoutPayload = pagePayload('CreateCheckoutPayload')
const OpenBillingPortalPayload = pagePayload('OpenBillingPortalPayload')

builder.mutationFields((t) => ({
  updateBillingLimits: t.field({
    extensions: { waits: true },
    type: UpdateBillingLimitsPayload,
    description:
      'Sets monthly caps of the project of the call. They apply as soon as it answers, exactly, over all parallel calls. For keys, admins and owners; fails with FORBIDDEN.',
    args: limits.args(t),
    access: 'admin',
    resolve: async (_parent, args, ctx) => {
      await updateBillingLimits(ctx, { ...limits.read(args), id: ctx.projectId })
      return { id: ctx.projectId }
    },
  }),
  createCheckout: t.field({
    extensions: { cost: 100, waits: true },
    type: CreateCheckoutPayload,
    description:
      'Opens a page of the payment provider on which the project of the call starts its subscription; also while the project is suspended. Fails with BILLING_DISABLED, CONFLICT when it has a subscription, FORBIDDEN for members, SERVICE_UNAVAILABLE.',
    args: checkout.args(t),
    access: { who: 'admin', whileSuspended: true },
    resolve: (_parent, args, ctx) => createCheckout(ctx, { ...checkout.read(args), id: ctx.projectId }),
  }),
  openBillingPortal: t.field({
    extensions: { cost: 100, waits: true },
    type: OpenBillingPortalPayload,
    description:
      'Opens a page of the payment provider on which cards and the subscription are changed and invoices paid; also while the project is suspended. Fails with BILLING_DISABLED, CONFLICT before the first checkout, FORBIDDEN for members, SERVICE_UNAVAILABLE.',
    access: { who: 'admin', whileSuspended: true },
    resolve: (_parent, _args, ctx) => openBillingPortal(ctx, { id: ctx.projectId }),
  }),
}))
