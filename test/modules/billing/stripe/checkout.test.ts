import { beforeEach, describe, expect, test } from 'vitest'
import { createCheckout } from '../../../../src/modules/billing/stripe/checkout.ts'
import { syncAccount } from '../../../../src/modules/billing/stripe/sync.ts'
import { suspendProject } from '../../../../src/modules/security/suspensions.ts'
import { asker } from '../../../help/ask.ts'
import { testServer } from '../../../help/server.ts'
import { fakeStripe } from '../../../help/stripe.ts'
import { until } from '../../../help/until.ts'
import { freshProject } from '../../../help/world.ts'

const stripe = await fakeStripe()
const { call, world, url } = await testServer({ env: stripe.env })
const plain = await testServer()
const path = (id: string, row: string) => `/users/@me/projects/${id}/${row}`

beforeEach(() => {
  stripe.trouble = undefined
  stripe.asked.length = 0
})

async function payer() {
  const project = await freshProject(world)
  const post = (row: string, body: object = {}) => call(`POST ${path(project.projectId, row)}`, body, { key: project.secret })
  const get = (row: string) => call(`GET ${path(project.projectId, row)}`, undefined, { key: project.secret })
  const account = () => world.db.prisma.billingAccount.findUnique({ where: { projectId: project.projectId } })
  return { ...project, post, get, account }
}

describe('POST …/checkout', () => {
  test('200 returns a page of the provider, for a customer that is created once', async () => {
    const { projectId, post, account } = await payer()
    const answers = await Promise.all([post('checkout', { currency: 'eur' }), post('checkout'), post('checkout')])
    const customer = (await account())?.customer
    for (const { status, body } of answers) expect([status, body]).toEqual([200, { url: `https://checkout.example/${customer}` }])
    expect(
      stripe.customers.filter(({ metadata }) => (metadata as Record<string, string>)['metadata[projectId]'] === projectId),
    ).toHaveLength(1)
    const [session] = stripe.asked.filter(({ values }) => values.currency === 'eur')
    expect(session?.values).toMatchObject({
      mode: 'subscription',
      customer,
      'line_items[0][price]': 'price_usage',
      'line_items[1][price]': 'price_onboarding',
      'line_items[1][quantity]': '1',
      'subscription_data[metadata][projectId]': projectId,
      success_url: expect.stringMatching(new RegExp(`^${world.publicUrl}/`)),
    })
  })

  test('a customer that was deleted at the provider, or is one of another account of it, is replaced by one new one', async () => {
    const { post, get, account, projectId } = await payer()
    await post('checkout')
    const before = (await account())?.customer
    await world.db.prisma.billingAccount.update({ where: { projectId }, data: { subscription: 'sub_gone' } })
    stripe.customers.splice(
      stripe.customers.findIndex(({ id }) => id === before),
      1,
      { id: 'cus_another' },
    )
    stripe.strict = true
    expect((await post('billing-portal')).status).toBe(409)
    expect((await get('billing-invoices')).body).toMatchObject({ invoices: [] })
    expect((await Promise.all([post('checkout'), post('checkout')])).map(({ status }) => status)).toEqual([200, 200])
    const after = (await account())?.customer
    expect([after === before, stripe.customers.filter(({ id }) => id === after)]).toMatchObject([false, [{ id: after }]])
    expect((await post('billing-portal')).status).toBe(200)
    expect(await account()).toMatchObject({ customer: after, subscription: null })
    await syncAccount(world, { customer: before ?? '' })
    expect(await account()).toMatchObject({ customer: after })
    stripe.strict = false
  })

  test('the customer is stored also when the caller leaves while it is created', async () => {
    const { ctx, projectId, account } = await payer()
    const caller = new AbortController()
    const left = () => caller.signal
    const answered = Promise.withResolvers<void>()
    stripe.hold = answered.promise
    const asked = createCheckout({ ...ctx, left, db: world.db.of('usr_leaving', left) }, { id: projectId })
    await until(async () => stripe.waiting === 1)
    caller.abort()
    stripe.hold = undefined
    answered.resolve()
    await expect(asked).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect((await account())?.customer).toBe(stripe.customers.at(-1)?.id)
  })

  test('of more than 20 open pages the oldest ends, so that all of them can be ended with the project', async () => {
    const { post, account } = await payer()
    for (let page = 1; page <= 22; page++) await post('checkout')
    const customer = (await account())?.customer
    const states = stripe.checkouts.filter((one) => one.customer === customer).map(({ status }) => status)
    expect(states).toEqual([...Array(2).fill('expired'), ...Array(20).fill('open')])
  })

  test('the onboarding price is paid once: not by a customer who had a subscription before', async () => {
    const { post, account } = await payer()
    await post('checkout')
    stripe.subscriptions.push({ id: 'sub_old', customer: (await account())?.customer, status: 'canceled' })
    stripe.asked.length = 0
    await post('checkout')
    expect(Object.values(stripe.asked.at(-1)?.values ?? {})).not.toContain('price_onboarding')
  })

  test('422 for an unsupported currency, and for another currency than that of earlier invoices', async () => {
    const { post, projectId } = await payer()
    expect((await post('checkout', { currency: 'btc' })).body.error.errors).toMatchObject([
      { field: 'currency', message: 'must be usd, eur or gbp' },
    ])
    await post('checkout')
    await world.db.prisma.billingAccount.update({ where: { projectId }, data: { currency: 'eur' } })
    const { status, body } = await post('checkout', { currency: 'usd' })
    expect([status, body.error.errors[0].message]).toEqual([422, expect.stringMatching(/must be eur/)])
    expect((await post('checkout', { currency: 'eur' })).status).toBe(200)
  })

  test('409 for a second subscription, and for the portal before the first checkout', async () => {
    const { post, projectId } = await payer()
    expect((await post('billing-portal')).body.error).toMatchObject({ code: 'CONFLICT', suggestion: expect.stringMatching(/checkout/) })
    await post('checkout')
    expect((await post('billing-portal')).body.url).toMatch(/^https:\/\/portal\.example\/cus_/)
    await world.db.prisma.billingAccount.update({ where: { projectId }, data: { subscription: 'sub_1' } })
    expect((await post('checkout')).body.error).toMatchObject({ code: 'CONFLICT', suggestion: expect.stringMatching(/billing-portal/) })
  })

  test('works while the project is suspended, as paying lifts the suspension', async () => {
    const { ctx, post } = await payer()
    await suspendProject(ctx, { reason: 'PAYMENT_FAILED', detail: 'An invoice is open.' })
    expect((await post('checkout')).status).toBe(200)
    expect((await post('billing-portal')).status).toBe(200)
  })

  test('503 with a message while the provider fails or cannot be reached, and nothing is stored', async () => {
    const { post, account } = await payer()
    stripe.trouble = 'down'
    const { status, body, headers } = await post('checkout')
    expect([status, body.error.code, headers.get('retry-after')]).toEqual([503, 'SERVICE_UNAVAILABLE', '5'])
    expect(body.error.message).toBe('The payment provider has a problem at the moment.')
    expect(await account()).toBeNull()
    stripe.trouble = 'loses answers'
    expect((await post('checkout')).body.error.message).toBe('The payment provider cannot be reached at the moment.')
    stripe.trouble = 'never ends answers'
    expect((await post('checkout')).body.error.code).toBe('SERVICE_UNAVAILABLE')
    stripe.trouble = undefined
    expect((await post('checkout')).status).toBe(200)
  })

  test('404 for another project', async () => {
    const { secret } = await payer()
    const other = await payer()
    for (const row of ['checkout', 'billing-portal'])
      expect((await call(`POST ${path(other.projectId, row)}`, {}, { key: secret })).body.error.code).toBe('RESOURCE_NOT_FOUND')
    expect((await call(`GET ${path(other.projectId, 'billing-invoices')}`, undefined, { key: secret })).status).toBe(404)
    expect(stripe.asked).toEqual([])
  })
})

describe('GET …/billing-invoices', () => {
  test('200 returns the invoices of this project only, and which are unpaid', async () => {
    const { get, post, account, secret } = await payer()
    expect((await get('billing-invoices')).body).toEqual({ invoices: [], hasUnpaidInvoices: false, unpaidInvoices: [] })
    await post('checkout')
    const customer = (await account())?.customer
    const invoice = {
      number: 'A-1',
      amount_due: 500,
      amount_paid: 0,
      currency: 'eur',
      created: 1_780_272_000,
      period_start: 1_780_272_000,
      period_end: 1_782_864_000,
      due_date: null,
      hosted_invoice_url: 'https://invoice.example/1',
      invoice_pdf: null,
      subtotal: 420,
      total: 500,
    }
    stripe.invoices.push(
      { ...invoice, id: 'in_1', customer, status: 'open' },
      { ...invoice, id: 'in_2', customer, status: 'paid', amount_paid: 500 },
      { ...invoice, id: 'in_3', customer: 'cus_other', status: 'open' },
    )
    const { status, body } = await get('billing-invoices')
    expect(status).toBe(200)
    expect(body).toEqual({
      invoices: [
        {
          id: 'in_1',
          number: 'A-1',
          status: 'open',
          amountDue: 500,
          amountPaid: 0,
          currency: 'eur',
          created: '2026-06-01T00:00:00.000Z',
          periodStart: '2026-06-01T00:00:00.000Z',
          periodEnd: '2026-07-01T00:00:00.000Z',
          hostedInvoiceUrl: 'https://invoice.example/1',
          invoicePdf: null,
          subtotal: 420,
          total: 500,
          paid: false,
        },
        expect.objectContaining({ id: 'in_2', status: 'paid', paid: true, amountPaid: 500 }),
      ],
      hasUnpaidInvoices: true,
      unpaidInvoices: [
        { id: 'in_1', number: 'A-1', amountDue: 500, currency: 'eur', dueDate: null, hostedInvoiceUrl: 'https://invoice.example/1' },
      ],
    })
    const asked = await asker(
      url,
      secret,
    )('{ project { invoices { hasUnpaidInvoices invoices { id createdAt status } unpaidInvoices { id amountDue } } } }')
    expect(asked).toMatchObject({
      errors: [],
      data: {
        project: {
          invoices: {
            hasUnpaidInvoices: true,
            invoices: [{ id: 'in_1' }, { id: 'in_2', status: 'PAID' }],
            unpaidInvoices: [{ id: 'in_1' }],
          },
        },
      },
    })
  })
})

describe('GET …/billing-consumption with a customer', () => {
  test('200 returns the credit and the next invoice', async () => {
    const { get, post, account, projectId } = await payer()
    await post('checkout')
    const customer = stripe.customers.find(({ id }) => id === (stripe.asked.at(-1)?.values.customer ?? ''))
    Object.assign(customer ?? {}, { balance: -250, currency: 'eur' })
    expect((await get('billing-consumption')).body).toMatchObject({ credits: { creditAmount: 250 }, upcomingInvoice: null })
    await world.db.prisma.billingAccount.update({ where: { projectId }, data: { subscription: 'sub_1' } })
    expect((await account())?.subscription).toBe('sub_1')
    expect((await get('billing-consumption')).body).toMatchObject({
      credits: { balance: -250, hasCredits: true, creditAmount: 250, currency: 'eur' },
      upcomingInvoice: { amountDue: 1234, currency: 'eur', periodStart: '2026-06-01T00:00:00.000Z', subtotal: 1037, total: 1234 },
    })
    stripe.trouble = 'down'
    expect((await get('billing-consumption')).status).toBe(503)
  })
})

describe('without STRIPE_SECRET_KEY', () => {
  test('404 BILLING_DISABLED for checkout, portal, invoices and the webhook; /config shows that billing is disabled', async () => {
    const { projectId, secret } = await freshProject(plain.world)
    for (const row of ['POST checkout', 'POST billing-portal', 'GET billing-invoices']) {
      const [method, name] = row.split(' ')
      const { status, body } = await plain.call(`${method} ${path(projectId, name ?? '')}`, method === 'POST' ? {} : undefined, {
        key: secret,
      })
      expect([status, body.error.code]).toEqual([404, 'BILLING_DISABLED'])
    }
    expect((await plain.call('POST /webhooks/incoming/stripe', '{}')).body.error.code).toBe('BILLING_DISABLED')
    expect((await plain.call('GET /config')).body.features.billing).toEqual({ enabled: false })
    expect((await call('GET /config')).body.features.billing).toEqual({ enabled: true })
    const refused = await asker(plain.url, secret)('mutation { createCheckout(input: {}) { url } }')
    expect(refused.errors[0]?.extensions.code).toBe('BILLING_DISABLED')
  })
})

test('GraphQL: createCheckout and openBillingPortal return the same pages, also while suspended', async () => {
  const { secret, ctx } = await payer()
  const ask = asker(url, secret)
  await suspendProject(ctx, { reason: 'PAYMENT_FAILED', detail: 'An invoice is open.' })
  const { data, errors } = await ask('mutation { createCheckout(input: { currency: GBP }) { url } openBillingPortal { url } }')
  expect(errors).toEqual([])
  expect(data).toEqual({
    createCheckout: { url: expect.stringMatching(/^https:\/\/checkout\.example\/cus_/) },
    openBillingPortal: { url: expect.stringMatching(/^https:\/\/portal\.example\/cus_/) },
  })
})
