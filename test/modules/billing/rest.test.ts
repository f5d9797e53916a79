import { describe, expect, test } from 'vitest'
import { asker } from '../../help/ask.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { call, world, url } = await testServer()
const none = { limit: null, usage: 0, percentage: 0, isWarning: false, isBlocked: false }
const paths = (id: string) => ({
  limits: `/users/@me/projects/${id}/billing-limits`,
  consumption: `/users/@me/projects/${id}/billing-consumption`,
})

async function sender() {
  const project = await freshProject(world)
  await call('POST /domains', { domain: 'demo.test' }, { key: project.secret })
  const send = (more: object = {}) =>
    call('POST /v1/send', { to: 'ada@example.com', from: 'hello@demo.test', subject: 'Hi', body: 'Hi', ...more }, { key: project.secret })
  return { ...project, send, ...paths(project.projectId) }
}

describe('GET …/billing-limits', () => {
  test('200 returns every category, without an envelope; nothing is capped at first', async () => {
    const { limits, secret, send } = await sender()
    await send()
    const { status, body } = await call(`GET ${limits}`, undefined, { key: secret })
    expect(status).toBe(200)
    expect(body).toEqual({ workflows: none, campaigns: none, transactional: { ...none, usage: 1 }, inbound: none, currency: null })
  })

  test('404 for another project, 401 for the public key', async () => {
    const { secret, limits, public: publicKey } = await sender()
    const other = await sender()
    for (const path of [other.limits, paths('prj_nothing').limits])
      expect((await call(`GET ${path}`, undefined, { key: secret })).status).toBe(404)
    expect((await call(`GET ${limits}`, undefined, { key: publicKey })).status).toBe(401)
  })
})

describe('PUT …/billing-limits', () => {
  test('200 sets what is sent, keeps what is left out, and null removes a cap', async () => {
    const { limits, secret } = await sender()
    await call(`PUT ${limits}`, { transactional: 10, campaigns: 500 }, { key: secret })
    const { status, body } = await call(`PUT ${limits}`, { transactional: null, inbound: 7 }, { key: secret })
    expect(status).toBe(200)
    expect(body).toEqual({
      workflows: none,
      campaigns: { ...none, limit: 500 },
      transactional: none,
      inbound: { ...none, limit: 7 },
      currency: null,
    })
    expect((await call(`GET ${limits}`, undefined, { key: secret })).body).toEqual(body)
  })

  test('402 for the call that would exceed the cap, with code and message; earlier emails count', async () => {
    const { limits, secret, send } = await sender()
    await call(`PUT ${limits}`, { transactional: 1 }, { key: secret })
    expect((await send()).status).toBe(200)
    const { status, body } = await send()
    expect(status).toBe(402)
    expect(body.error).toMatchObject({
      code: 'BILLING_LIMIT_EXCEEDED',
      statusCode: 402,
      suggestion: expect.stringMatching(/billing-limits/),
    })
    expect(body.error.message).toMatch(/is 1 per month: 1 used, 1 more requested/)
  })

  test.each([0, -1, 1.5, '5', true, {}, 1_000_000_001])('422 for %j, and nothing changes', async (workflows) => {
    const { limits, secret } = await sender()
    const { status, body } = await call(`PUT ${limits}`, { workflows, campaigns: 3 }, { key: secret })
    expect(status).toBe(422)
    expect(body.error.errors).toMatchObject([{ field: 'workflows', message: expect.stringMatching(/null/) }])
    expect((await call(`GET ${limits}`, undefined, { key: secret })).body.campaigns).toEqual(none)
  })

  test('404 for another project, whose caps are unchanged', async () => {
    const { secret } = await sender()
    const other = await sender()
    expect((await call(`PUT ${other.limits}`, { campaigns: 1 }, { key: secret })).status).toBe(404)
    expect((await call(`GET ${other.limits}`, undefined, { key: other.secret })).body.campaigns).toEqual(none)
  })
})

describe('GET …/billing-consumption', () => {
  test('200 returns the month and its emails per category; no credits and no invoice without a payment provider', async () => {
    const { consumption, secret, send } = await sender()
    await send({ cc: ['grace@example.com'] })
    const { status, body } = await call(`GET ${consumption}`, undefined, { key: secret })
    expect(status).toBe(200)
    expect(body).toEqual({
      period: { start: expect.stringMatching(/-01T00:00:00\.000Z$/), end: expect.stringMatching(/-01T00:00:00\.000Z$/) },
      usage: {
        total: 2,
        records: [
          { category: 'workflows', count: 0 },
          { category: 'campaigns', count: 0 },
          { category: 'transactional', count: 2 },
          { category: 'inbound', count: 0 },
        ],
      },
      credits: null,
      upcomingInvoice: null,
    })
    expect(new Date(body.period.end) > world.clock.now()).toBe(true)
  })
})

describe('GraphQL', () => {
  test('Project.billing and billingConsumption show the same; updateBillingLimits sets', async () => {
    const { secret, limits, send } = await sender()
    await send()
    const ask = asker(url, secret)
    const set = await ask(
      'mutation { updateBillingLimits(input: { transactional: 4, inbound: null }) { billingLimits { transactional { limit isWarning } } } }',
    )
    expect(set).toMatchObject({
      errors: [],
      data: { updateBillingLimits: { billingLimits: { transactional: { limit: 4, isWarning: false } } } },
    })
    const shown = await ask(`{ project {
      billingLimits { transactional { limit usage percentage isWarning isBlocked } inbound { limit } currency }
      billingConsumption { period { start end } usage { total records { category count } } credits { balance } upcomingInvoice { total } }
    } }`)
    expect(shown.errors).toEqual([])
    const { body } = await call(`GET ${limits}`, undefined, { key: secret })
    expect(shown.data).toMatchObject({
      project: { billingLimits: { transactional: body.transactional }, billingConsumption: { usage: { total: 1 }, credits: null } },
    })
    const refused = await ask('mutation { updateBillingLimits(input: { transactional: 0 }) { billingLimits { currency } } }')
    expect(refused.errors[0]?.extensions.code).toBe('VALIDATION_ERROR')
  })
})
