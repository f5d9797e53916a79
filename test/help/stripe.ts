import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { afterAll } from 'vitest'

type Values = Record<string, string>
type Thing = Record<string, unknown> & { id: string }

/** A local server that stands in for Stripe, with the state that a test gives it. */
export interface FakeStripe {
  /** The settings of an installation that uses it. */
  env: Record<string, string>
  /** Requests that changed something. */
  asked: { path: string; values: Values; key: string | undefined }[]
  subscriptions: Thing[]
  invoices: Thing[]
  /** Pages on which a subscription can be paid for. */
  checkouts: Thing[]
  customers: Thing[]
  /** Meter events by identifier. */
  meter: Map<string, { value: number; customer: string; name: string; timestamp: number }>
  /** How it misbehaves: it fails, handles the request and loses the answer, or never ends it, has other customers, as another account of it, or takes no meter events. */
  trouble: 'down' | 'loses answers' | 'never ends answers' | 'knows nobody' | 'refuses reports' | undefined
  /** Whether it refuses requests about customers that it does not have. */
  strict: boolean
  /** Answers to requests that arrive while this is set wait for it; they have the state at the time of the request. */
  hold: Promise<void> | undefined
  /** How many answers wait. */
  waiting: number
  /** Body and signature header of a webhook, signed at `at`. */
  webhook(event: { id: string; type: string; object: object }, options: { at: Date; secret?: string }): { body: string; signature: string }
}

const secretKey = 'sk_test_fake'
const webhookSecret = 'whsec_fake'

/** Starts the local stand-in for Stripe; closed after the file's tests. */
export async function fakeStripe(): Promise<FakeStripe> {
  const replays = new Map<string, { of: string; result: object }>()
  const fake: FakeStripe = {
    env: {},
    asked: [],
    subscriptions: [],
    invoices: [],
    checkouts: [],
    customers: [],
    meter: new Map(),
    trouble: undefined,
    strict: false,
    hold: undefined,
    waiting: 0,
    webhook({ id, type, object }, { at, secret = webhookSecret }) {
      const created = Math.floor(at.getTime() / 1000)
      const body = JSON.stringify({ id, object: 'event', type, created, livemode: false, data: { object } })
      return { body, signature: Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp: created }) }
    },
  }
  const server = createServer((request, response) => void answer(fake, replays, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => close(server))
  fake.env = {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_PRICE_EMAIL_USAGE: 'price_usage',
    STRIPE_PRICE_ONBOARDING: 'price_onboarding',
    STRIPE_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  }
  return fake
}

function close(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

async function answer(
  fake: FakeStripe,
  replays: Map<string, { of: string; result: object }>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const url = new URL(request.url ?? '/', 'http://stripe')
  const values = Object.fromEntries(request.method === 'GET' ? url.searchParams : new URLSearchParams(Buffer.concat(chunks).toString()))
  const reply = (status: number, body: object): void => {
    response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_fake' }).end(JSON.stringify(body))
  }
  if (request.headers.authorization !== `Bearer ${secretKey}`) return reply(401, failure('Invalid API Key provided'))
  const isMissing = fake.trouble === 'knows nobody' || (fake.strict && !fake.customers.some(({ id }) => id === values.customer))
  if (isMissing && (values.customer || (fake.trouble && /customers\/\w/.test(url.pathname))))
    return reply(400, missing(`No such customer: '${values.customer}'`))
  if (fake.trouble === 'down') return reply(500, { error: { type: 'api_error', message: 'Something went wrong' } })
  const key = request.headers['idempotency-key'] as string | undefined
  const earlier = key === undefined ? undefined : replays.get(key)
  const of = JSON.stringify([url.pathname, values])
  if (earlier && earlier.of !== of) return reply(400, failure('Keys for idempotent requests can only be used with the same parameters.'))
  const result = structuredClone(earlier?.result ?? handle(fake, { path: url.pathname, values, key, writes: request.method === 'POST' }))
  if (key !== undefined && !('error' in result)) replays.set(key, { of, result })
  if (fake.hold) {
    fake.waiting++
    await fake.hold
    fake.waiting--
  }
  if (fake.trouble === 'loses answers') return void response.destroy()
  if (fake.trouble === 'never ends answers') return drip(response)
  return reply('error' in result ? 400 : 200, result)
}

function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(' '), 200)
  response.once('close', () => clearInterval(timer))
}

const failure = (message: string) => ({ error: { type: 'invalid_request_error', message } })
const missing = (message: string) => ({ error: { ...failure(message).error, code: 'resource_missing' } })
const list = (data: object[]) => ({ object: 'list', data, has_more: false, url: '/' })

interface Asked {
  path: string
  values: Values
  key: string | undefined
  writes: boolean
}

function handle(fake: FakeStripe, { path, values, key, writes }: Asked): object {
  if (writes) fake.asked.push({ path, values, key })
  const mine = ({ customer }: Thing): boolean => customer === values.customer
  const [, customerId] = /^\/v1\/customers\/(\w+)$/.exec(path) ?? []
  const [, expired] = /^\/v1\/checkout\/sessions\/(\w+)\/expire$/.exec(path) ?? []
  const [, subscription] = /^\/v1\/subscriptions\/(\w+)$/.exec(path) ?? []
  if (expired) return expireCheckout(fake, expired)
  if (subscription) return fake.subscriptions.find(({ id }) => id === subscription) ?? missing(`No such subscription: '${subscription}'`)
  if (customerId) return fake.customers.find(({ id }) => id === customerId) ?? missing(`No such customer: '${customerId}'`)
  switch (path) {
    case '/v1/customers': {
      const customer = { id: `cus_${fake.customers.length + 1}`, object: 'customer', balance: 0, currency: null, metadata: values }
      fake.customers.push(customer)
      return customer
    }
    case '/v1/subscriptions':
      return list(fake.subscriptions.filter(mine).filter(({ status }) => values.status === 'all' || status !== 'canceled'))
    case '/v1/invoices':
      return list(fake.invoices.filter(mine).filter(({ status }) => values.status === undefined || status === values.status))
    case '/v1/invoices/create_preview':
      return {
        object: 'invoice',
        amount_due: 1234,
        currency: 'eur',
        period_start: 1_780_272_000,
        period_end: 1_782_864_000,
        subtotal: 1037,
        total: 1234,
      }
    case '/v1/checkout/sessions':
      return writes
        ? openCheckout(fake, values)
        : list(
            fake.checkouts
              .filter(mine)
              .filter(({ status }) => status === values.status)
              .toReversed(),
          )
    case '/v1/billing_portal/sessions':
      return { id: 'bps_1', object: 'billing_portal.session', url: `https://portal.example/${values.customer}` }
    case '/v1/billing/meter_events':
      return meterEvent(fake, values)
    default:
      return failure(`Unrecognized request URL (${path})`)
  }
}

function openCheckout(fake: FakeStripe, { customer }: Values): object {
  const [id, url] = [`cs_${fake.checkouts.length + 1}`, `https://checkout.example/${customer}`]
  fake.checkouts.push({ id, customer, status: 'open' })
  return { id, object: 'checkout.session', url }
}

function expireCheckout({ checkouts }: FakeStripe, id: string): object {
  const session = checkouts.find((one) => one.id === id)
  if (session?.status !== 'open') return failure('Only Checkout Sessions with a status in ["open"] can be expired.')
  return Object.assign(session, { status: 'expired' })
}

function meterEvent(fake: FakeStripe, values: Values): object {
  const identifier = values.identifier ?? ''
  if (fake.trouble === 'refuses reports') return failure('No active meter found for this event name.')
  if (fake.meter.has(identifier)) return failure(`An event already exists with identifier ${identifier}.`)
  const [value, customer, name] = [Number(values['payload[value]']), values['payload[stripe_customer_id]'] ?? '', values.event_name ?? '']
  fake.meter.set(identifier, { value, customer, name, timestamp: Number(values.timestamp) })
  return { object: 'billing.meter_event', identifier }
}
