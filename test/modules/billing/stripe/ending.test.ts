import { beforeEach, describe, expect, test } from 'vitest'
import { createCheckout } from '../../../../src/modules/billing/stripe/checkout.ts'
import { syncAccount } from '../../../../src/modules/billing/stripe/sync.ts'
import { asker } from '../../../help/ask.ts'
import { freshUser } from '../../../help/people.ts'
import { testServer } from '../../../help/server.ts'
import { fakeStripe } from '../../../help/stripe.ts'
import { until } from '../../../help/until.ts'
import { freshProject } from '../../../help/world.ts'

const stripe = await fakeStripe()
const { call, world, url } = await testServer({ env: stripe.env, worker: true })

beforeEach(() => {
  stripe.trouble = undefined
  stripe.hold = undefined
})

async function paying() {
  const { projectId, ctx } = await freshProject(world)
  const owner = await freshUser(world, { member: { projectId, role: 'OWNER' } })
  await createCheckout(ctx, { id: projectId })
  const { customer } = await world.db.prisma.billingAccount.findUniqueOrThrow({ where: { projectId } })
  const pages = () => stripe.checkouts.filter((one) => one.customer === customer).map(({ status }) => status)
  const subscribe = () => stripe.subscriptions.push({ id: `sub_${projectId}`, customer, status: 'active', metadata: { projectId } })
  const remove = () => call(`DELETE /users/@me/projects/${projectId}`, undefined, owner)
  return { projectId, owner, customer: customer ?? '', pages, subscribe, remove }
}

describe('what the payment provider answers is not for whoever may not ask any more', () => {
  const rows = [
    ['POST', 'billing-portal', {}],
    ['POST', 'checkout', {}],
    ['GET', 'billing-invoices', undefined],
    ['GET', 'billing-consumption', undefined],
  ] as const
  const fields = [
    'mutation { openBillingPortal { url } }',
    'mutation { createCheckout(input: {}) { url } }',
    'query ($id: ID!) { project(id: $id) { invoices { invoices { id } } } }',
  ]

  /** Asks as an admin, who becomes a member, or leaves, while the provider is asked. */
  async function asked<Answer>(ask: (admin: { cookie: string }, projectId: string) => Promise<Answer>, becomes?: 'MEMBER') {
    const { projectId, owner } = await paying()
    const admin = await freshUser(world, { member: { projectId, role: 'ADMIN' } })
    const answered = Promise.withResolvers<void>()
    stripe.hold = answered.promise
    const answer = ask(admin, projectId)
    await until(async () => stripe.waiting === 1)
    const member = `/projects/${projectId}/members/${admin.userId}`
    const { status } = becomes ? await call(`PATCH ${member}`, { role: becomes }, owner) : await call(`DELETE ${member}`, undefined, owner)
    expect(status).toBe(becomes ? 200 : 204)
    stripe.hold = undefined
    answered.resolve()
    return await answer
  }

  test.each(rows)('%s …/%s, when a member is removed', async (method, row, body) => {
    const { status } = await asked((admin, projectId) => call(`${method} /users/@me/projects/${projectId}/${row}`, body, admin))
    expect(status).toBe(401)
  })

  test.each(rows.slice(0, 3))('%s …/%s, when an admin becomes a member', async (method, row, body) => {
    const { status } = await asked((admin, projectId) => call(`${method} /users/@me/projects/${projectId}/${row}`, body, admin), 'MEMBER')
    expect(status).toBe(403)
  })

  test.each(fields)('%s, when an admin becomes a member', async (document) => {
    const { errors } = await asked(({ cookie }, id) => asker(url)(document, { id }, { cookie }), 'MEMBER')
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN'])
  })
})

describe('deleting a project', () => {
  test('ends the pages on which it could still be paid for', async () => {
    const { remove, pages } = await paying()
    expect(pages()).toEqual(['open'])
    expect((await remove()).status).toBe(204)
    expect(pages()).toEqual(['expired'])
  })

  test('ends a page as well that was opened while that was looked at', async () => {
    const { remove, pages, customer } = await paying()
    const answered = Promise.withResolvers<void>()
    stripe.hold = answered.promise
    const removed = remove()
    await until(async () => stripe.waiting === 1)
    stripe.checkouts.push({ id: 'cs_late', customer, status: 'open' })
    stripe.hold = undefined
    answered.resolve()
    expect((await removed).status).toBe(204)
    expect(pages()).toEqual(['expired', 'expired'])
  })

  test('twice at the same moment happens once', async () => {
    const { remove, pages } = await paying()
    const answers = await Promise.all([remove(), remove(), remove()])
    // The key is gone as well.
    const others = answers.map(({ status }) => status).filter((status) => status !== 204)
    expect([others.length, others.every((status) => [401, 404].includes(status))]).toEqual([2, true])
    expect(pages()).toEqual(['expired'])
  })

  test('works when the payment provider does not know its customer, as after a change of keys', async () => {
    const { remove } = await paying()
    stripe.trouble = 'knows nobody'
    expect((await remove()).status).toBe(204)
  })

  test('is refused while it is paid for, also when that has not been reported yet', async () => {
    const { remove, subscribe, projectId, owner } = await paying()
    subscribe()
    const { status, body } = await remove()
    expect([status, body.error.code]).toEqual([409, 'CONFLICT'])
    expect((await call(`GET /users/@me/projects/${projectId}`, undefined, owner)).status).toBe(200)
  })

  test('is refused while the payment provider does not respond', async () => {
    const { remove, pages } = await paying()
    stripe.trouble = 'down'
    expect((await remove()).status).toBe(503)
    stripe.trouble = undefined
    expect(pages()).toEqual(['open'])
    expect((await remove()).status).toBe(204)
  })
})

test('what is paid for a project that was deleted is written to the log, with what to do; other customers are passed over', async () => {
  const { remove, subscribe, customer, projectId } = await paying()
  await remove()
  await until(async () => (await world.db.prisma.billingAccount.count({ where: { projectId } })) === 0)
  const warned: unknown[][] = []
  const log = Object.assign(Object.create(world.log), { warn: (...given: unknown[]) => warned.push(given) })
  stripe.subscriptions.push({ id: 'sub_other', customer: 'cus_other', status: 'active', metadata: {} })
  await syncAccount({ ...world, log }, { customer: 'cus_other' })
  await syncAccount({ ...world, log }, { customer })
  expect(warned).toEqual([])
  subscribe()
  await syncAccount({ ...world, log }, { customer })
  expect(warned).toEqual([[{ subscription: `sub_${projectId}`, customer, projectId }, expect.stringContaining('cancel it')]])
})
