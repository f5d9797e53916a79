import { createHmac } from 'node:crypto'
import Stripe from 'stripe'
import { beforeEach, describe, expect, test } from 'vitest'
import { callIn } from '../../../../src/kit/context.ts'
import { createCheckout } from '../../../../src/modules/billing/stripe/checkout.ts'
import { syncAccount } from '../../../../src/modules/billing/stripe/sync.ts'
import { liftSuspension, suspendProject } from '../../../../src/modules/security/suspensions.ts'
import { freshUser } from '../../../help/people.ts'
import { callAt, testServer } from '../../../help/server.ts'
import { fakeStripe } from '../../../help/stripe.ts'
import { until } from '../../../help/until.ts'
import { freshProject } from '../../../help/world.ts'

const stripe = await fakeStripe()
const { world, url } = await testServer({ env: stripe.env, worker: true })
const other = await testServer({ env: stripe.env, databaseUrl: world.databaseUrl })
const row = 'POST /webhooks/incoming/stripe'

beforeEach(() => {
  stripe.trouble = undefined
})

let serial = 0
async function payer() {
  const project = await freshProject(world)
  await createCheckout(project.ctx, { id: project.projectId })
  const account = () => world.db.prisma.billingAccount.findUniqueOrThrow({ where: { projectId: project.projectId } })
  const customer = (await account()).customer ?? ''
  const state = async () => {
    const { disabledReason } = await world.db.prisma.project.findUniqueOrThrow({ where: { id: project.projectId } })
    return [(await account()).subscription, disabledReason]
  }
  const invoice = (more: object) => {
    const made = {
      id: `in_${serial++}`,
      customer,
      number: 'A-7',
      amount_due: 1250,
      currency: 'eur',
      attempt_count: 1,
      billing_reason: 'subscription_cycle',
      status: 'open',
      ...more,
    }
    stripe.invoices.push(made)
    return made
  }
  const subscribe = (status: string) => {
    const made = { id: `sub_${serial++}`, customer, status, currency: 'eur' }
    stripe.subscriptions.push(made)
    return made
  }
  return { ...project, customer, account, state, invoice, subscribe }
}

async function deliver(
  type: string,
  object: object,
  { id = `evt_${serial++}`, at = world.clock.now(), secret = '', change = (body: string) => body, more = '' } = {},
) {
  const { body, signature } = stripe.webhook({ id, type, object }, { at, ...(secret && { secret }) })
  return callAt(url, row, change(body), { headers: { 'stripe-signature': signature + more } })
}
const events = () => world.db.prisma.stripeEvent.count()

describe('the webhook', () => {
  test('200 by its signature alone, whatever cookie and origin come with it', async () => {
    const { customer } = await payer()
    const before = await events()
    const { cookie } = await freshUser(world)
    const { body, signature } = stripe.webhook(
      { id: `evt_${serial++}`, type: 'customer.subscription.updated', object: { customer } },
      { at: world.clock.now() },
    )
    const headers = { 'stripe-signature': signature, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', authorization: 'x' }
    const [signed, unsigned] = await Promise.all([
      callAt(url, row, body, { cookie, headers }),
      callAt(url, row, body, { cookie, headers: { ...headers, 'stripe-signature': '' } }),
    ])
    expect([signed.status, unsigned.status, unsigned.body.error.code]).toEqual([200, 400, 'BAD_REQUEST'])
    expect(await events()).toBe(before + 1)
  })

  test('400 for a forged, changed, old, future or missing signature; nothing is stored and nothing happens', async () => {
    const { customer, state, subscribe } = await payer()
    subscribe('active')
    const before = await events()
    const old = new Date(world.clock.now().getTime() - 301_000)
    const ahead = new Date(world.clock.now().getTime() + 302_000)
    const answers = [
      await deliver('invoice.paid', { customer }, { secret: 'whsec_of_somebody_else' }),
      await deliver('invoice.paid', { customer }, { change: (body) => body.replace(customer, 'cus_x') }),
      await deliver('invoice.paid', { customer }, { at: old }),
      await deliver('invoice.paid', { customer }, { at: ahead }),
      await callAt(url, row, '{}'),
      await callAt(url, row, '{}', { headers: { 'stripe-signature': 'nonsense' } }),
      await deliver('invoice.paid', { customer }, { change: () => '' }),
      // Without a value, for which the library throws.
      ...(await Promise.all([',v1=', ',v1', ',v1=='].map((more) => deliver('invoice.paid', { customer }, { more })))),
      // The right one among so many that comparing them takes long.
      await deliver('invoice.paid', { customer }, { more: ',v1=0'.repeat(1_000) }),
    ]
    for (const { status, body } of answers) expect([status, body.error.code]).toEqual([400, 'BAD_REQUEST'])
    expect(await events()).toBe(before)
    expect(await state()).toEqual([null, null])
  })

  test.each([
    'null',
    '[]',
    '"text"',
    '{}',
    '{"id":1,"type":"invoice.paid"}',
    '{"id":"evt_1","type":"invoice.paid","data":null}',
    '{"id":"evt\\u0000","type":"invoice.paid"}',
    '{"id":"evt_2","type":"invoice.paid","data":{"object":{"customer":"\\ud800"}}}',
  ])('of %s, rightly signed, is no error of the server', async (body) => {
    const before = await events()
    const timestamp = Math.floor(world.clock.now().getTime() / 1000)
    const secret = stripe.env.STRIPE_WEBHOOK_SECRET ?? ''
    const headers = { 'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp }) }
    const { status } = await callAt(url, row, body, { headers })
    expect(status).toBe(body.includes('"evt_1"') ? 200 : 400)
    expect(await events()).toBe(before)
  })

  test.each([
    ['no number', 'NaN', () => 't=NaN'],
    ['an empty one', 'NaN', () => 't='],
    ['none', 'NaN', () => 't'],
    ['a number with an exponent', '1', () => 't=1e9'],
    ['a number with more behind it', 'now', (now: number) => `t=${now}e9`],
    ['a number with a sign', 'now', (now: number) => `t=+${now}`],
    ['a number with zeros before it', 'now', (now: number) => `t=0${now}`],
    ['a fraction', 'now', (now: number) => `t=${now}.5`],
    ['two', 'now', (now: number) => `t=1,t=${now}`],
  ])('400 for a signature with the right secret whose time is not a plain number: %s', async (_what, signed, time) => {
    const { customer } = await payer()
    const before = await events()
    const now = Math.floor(world.clock.now().getTime() / 1000)
    const { body } = stripe.webhook({ id: `evt_${serial++}`, type: 'invoice.paid', object: { customer } }, { at: world.clock.now() })
    const of = (seconds: string) =>
      createHmac('sha256', stripe.env.STRIPE_WEBHOOK_SECRET ?? '')
        .update(`${seconds}.${body}`)
        .digest('hex')
    const send = (header: string) => callAt(url, row, body, { headers: { 'stripe-signature': header } })
    const refused = await send(`${time(now)},v1=${of(signed === 'now' ? String(now) : signed)}`)
    expect([refused.status, refused.body.error.code]).toEqual([400, 'BAD_REQUEST'])
    expect(await events()).toBe(before)
    expect((await send(`t=${now},v1=${of(String(now))}`)).status).toBe(200)
  })

  test('200 for an event 299 seconds old or ahead, for other types and for unknown customers', async () => {
    const before = await events()
    expect(await deliver('price.created', { customer: 'cus_x' })).toMatchObject({ status: 200, body: { received: true } })
    expect((await deliver('invoice.paid', {})).status).toBe(200)
    expect(await events()).toBe(before)
    expect((await deliver('invoice.paid', { customer: 'cus_unknown' })).status).toBe(200)
    const almost = new Date(world.clock.now().getTime() - 299_000)
    expect((await deliver('invoice.paid', { customer: { id: 'cus_unknown' } }, { at: almost })).status).toBe(200)
    const early = new Date(world.clock.now().getTime() + 299_000)
    expect((await deliver('invoice.paid', { customer: 'cus_unknown' }, { at: early })).status).toBe(200)
    expect(await events()).toBe(before + 3)
  })

  test('handles an event once, whichever process it reaches and however often', async () => {
    const { customer } = await payer()
    const before = await events()
    const one = { id: 'evt_same' }
    const { body, signature } = stripe.webhook({ ...one, type: 'invoice.paid', object: { customer } }, { at: world.clock.now() })
    const answers = await Promise.all(
      [url, other.url, url, other.url].map((at) => callAt(at, row, body, { headers: { 'stripe-signature': signature } })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await events()).toBe(before + 1)
    const jobs = await world.db.prisma.$queryRawUnsafe<object[]>(
      `select 1 from pgboss.job where name = 'billing-sync' and data ->> 'customer' = '${customer}'`,
    )
    expect(jobs).toHaveLength(1)
  })
})

describe('a subscription', () => {
  test('starts with the checkout, in the currency it was paid in, and ends with its deletion', async () => {
    const { customer, state, account, subscribe } = await payer()
    const subscription = subscribe('active')
    await deliver('checkout.session.completed', { id: 'cs_1', customer, subscription: subscription.id })
    await until(async () => (await state())[0] === subscription.id)
    expect((await account()).currency).toBe('eur')
    subscription.status = 'canceled'
    await deliver('customer.subscription.deleted', { ...subscription })
    await until(async () => (await state())[0] === null)
    expect((await account()).currency).toBe('eur')
  })

  test('is not started by a failed first payment, which does not suspend the project either', async () => {
    const { customer, state, subscribe, invoice } = await payer()
    subscribe('incomplete')
    const failed = invoice({ billing_reason: 'subscription_create' })
    await deliver('invoice.payment_failed', failed)
    await syncAccount(world, { customer })
    expect(await state()).toEqual([null, null])
  })
})

describe('an invoice that cannot be collected', () => {
  test('suspends the project until it is paid, and shows the amount', async () => {
    const { projectId, secret, state, subscribe, invoice } = await payer()
    const { id } = subscribe('past_due')
    const unpaid = invoice({})
    await deliver('invoice.payment_failed', unpaid)
    await until(async () => (await state())[1] === 'PAYMENT_FAILED')
    expect(await state()).toEqual([id, 'PAYMENT_FAILED'])
    const security = await callAt(url, `GET /projects/${projectId}/security`, undefined, { key: secret })
    expect(security.body.recentSuspensions).toMatchObject([
      { reason: 'PAYMENT_FAILED', detail: 'Invoice A-7 for €12.50 could not be collected. Paying it lifts the suspension.' },
    ])
    Object.assign(unpaid, { status: 'paid' })
    await deliver('invoice.paid', unpaid)
    await until(async () => (await state())[1] === null)
  })

  test('out of order: a failure that arrives after the payment does not suspend, and the payment of an older invoice lifts nothing', async () => {
    const { customer, state, subscribe, invoice } = await payer()
    const { id } = subscribe('active')
    const first = invoice({ status: 'paid' })
    await deliver('invoice.paid', first)
    await deliver('invoice.payment_failed', { ...first, status: 'open' }, { at: new Date(world.clock.now().getTime() - 60_000) })
    await syncAccount(world, { customer })
    expect(await state()).toEqual([id, null])
    const second = invoice({})
    await deliver('invoice.payment_failed', second)
    await until(async () => (await state())[1] === 'PAYMENT_FAILED')
    await deliver('invoice.paid', first)
    await syncAccount(world, { customer })
    expect(await state()).toEqual([id, 'PAYMENT_FAILED'])
  })

  test('leaves other suspensions alone: paying does not lift one for bounces', async () => {
    const { ctx, projectId, customer, state, subscribe, invoice } = await payer()
    subscribe('active')
    await suspendProject(ctx, { reason: 'EMAIL_REPUTATION', detail: 'Too many bounces.' })
    const unpaid = invoice({})
    await syncAccount(world, { customer })
    Object.assign(unpaid, { status: 'paid' })
    await syncAccount(world, { customer })
    expect((await state())[1]).toBe('EMAIL_REPUTATION')
    expect(await world.db.prisma.suspension.count({ where: { projectId, liftedAt: null } })).toBe(1)
    await liftSuspension(callIn(world, { projectId, actor: { kind: 'system' } }))
    expect((await state())[1]).toBeNull()
  })

  test('of two updates at once the one with the older state does not win', async () => {
    const { projectId, customer, state, subscribe, invoice } = await payer()
    const { id } = subscribe('active')
    const unpaid = invoice({})
    const { promise, resolve } = Promise.withResolvers<void>()
    stripe.hold = promise
    const older = syncAccount(world, { customer })
    await until(async () => stripe.waiting === 2)
    stripe.hold = undefined
    unpaid.status = 'paid'
    await syncAccount(other.world, { customer })
    resolve()
    await older
    expect(await state()).toEqual([id, null])
    expect(await world.db.prisma.suspension.count({ where: { projectId } })).toBe(0)
  })
})

test('while the provider does not respond nothing changes, and the update is retried', async () => {
  const { customer, state, subscribe } = await payer()
  const { id } = subscribe('active')
  stripe.trouble = 'down'
  await expect(syncAccount(world, { customer })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect((await deliver('customer.subscription.updated', { customer })).status).toBe(200)
  expect(await state()).toEqual([null, null])
  stripe.trouble = undefined
  await until(async () => (await state())[0] === id)
})
