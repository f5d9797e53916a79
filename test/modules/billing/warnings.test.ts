import { describe, expect, test } from 'vitest'
import type { World } from '../../../src/kit/world.ts'
import { getBillingLimits, updateBillingLimits } from '../../../src/modules/billing/limits.ts'
import { warnOfCaps } from '../../../src/modules/billing/warnings.ts'
import { sendEmail } from '../../../src/modules/emails/accept/send.ts'
import { SendDraft } from '../../../src/modules/emails/accept/shapes.ts'
import type { NotificationJob } from '../../../src/modules/notifications/shapes.ts'
import { sendingProject } from '../../help/mails.ts'
import { testWorld } from '../../help/world.ts'

const stripe = { STRIPE_SECRET_KEY: 'sk_test_none', STRIPE_WEBHOOK_SECRET: 'whsec_none', STRIPE_PRICE_EMAIL_USAGE: 'price_none' }
const world = await testWorld()
const other = await testWorld({ databaseUrl: world.databaseUrl })
const billing = await testWorld({ env: { ...stripe, FREE_MAILS_PER_MONTH: '10' } })

let serial = 0
const people = (count: number) => Array.from({ length: count }, () => `to${serial++}@example.com`)

async function projectWithTeam(on: typeof world) {
  const project = await sendingProject(on)
  const now = on.clock.now()
  for (const role of ['OWNER', 'ADMIN', 'MEMBER'] as const) {
    const id = `usr_${serial++}`
    const email = `${role.toLowerCase()}.${id}@example.com`
    await on.db.prisma.user.create({ data: { id, email, createdAt: now, updatedAt: now } })
    await on.db.prisma.membership.create({ data: { projectId: project.projectId, userId: id, role, createdAt: now } })
  }
  const send = (count: number) =>
    sendEmail(project.ctx, SendDraft.parse({ to: people(count), from: 'hello@demo.test', subject: 'Hi', body: 'Hi' }))
  return { ...project, send }
}

async function notifications(on: World): Promise<{ kind: string; to: string; data: Record<string, unknown> }[]> {
  const jobs = await on.db.prisma.$queryRawUnsafe<{ data: NotificationJob }[]>(
    `select data from pgboss.job where name = 'platform-mail' and data -> 'notification' ->> 'kind' like 'billing-%' order by data ->> 'id'`,
  )
  return jobs.map(({ data }) => ({ kind: data.notification.kind, to: data.to.split('.')[0] ?? '', data: data.notification.data }))
}

describe('owners and admins are notified', () => {
  test('at 80 and at 100 percent, once each, whatever the number of workers', async () => {
    const { ctx, projectId, send } = await projectWithTeam(world)
    await updateBillingLimits(ctx, { id: projectId, transactional: 10 })
    await send(7)
    await warnOfCaps(world)
    expect(await notifications(world)).toEqual([])
    await send(1)
    await Promise.all([warnOfCaps(world), warnOfCaps(other), warnOfCaps(world)])
    const data = { projectName: 'Acme', category: 'transactional', limit: 10, periodEnd: expect.stringMatching(/-01T00:00:00\.000Z$/) }
    expect(await notifications(world)).toEqual([
      { kind: 'billing-warning', to: 'owner', data: { ...data, used: 8 } },
      { kind: 'billing-warning', to: 'admin', data: { ...data, used: 8 } },
    ])
    await send(1)
    await warnOfCaps(world)
    expect(await notifications(world)).toHaveLength(2)
    await send(1)
    await Promise.all([warnOfCaps(world), warnOfCaps(other)])
    await warnOfCaps(world)
    expect((await notifications(world)).slice(2)).toEqual([
      { kind: 'billing-limit-reached', to: 'owner', data: { ...data, used: 10 } },
      { kind: 'billing-limit-reached', to: 'admin', data: { ...data, used: 10 } },
    ])
  })
})

describe('with billing on, a project without a subscription', () => {
  test('has one allowance over all categories, whatever caps it sets itself, and is notified when it is used up', async () => {
    const { ctx, projectId, send } = await projectWithTeam(billing)
    await send(4)
    expect(await getBillingLimits(ctx, { id: projectId })).toMatchObject({
      campaigns: { limit: 10, usage: 4, percentage: 40 },
      transactional: { limit: 10, usage: 4, percentage: 40 },
    })
    await updateBillingLimits(ctx, { id: projectId, transactional: 1_000 })
    await send(6)
    await expect(send(1)).rejects.toMatchObject({
      code: 'BILLING_LIMIT_EXCEEDED',
      message: expect.stringMatching(/^The free allowance is 10 per month: 10 used, 1 more requested\./),
      suggestion: expect.stringMatching(/checkout/),
    })
    expect(await getBillingLimits(ctx, { id: projectId })).toMatchObject({
      inbound: { limit: 10, usage: 10, isBlocked: true },
      transactional: { limit: 1_000, usage: 10, isBlocked: false },
    })
    await warnOfCaps(billing)
    const kinds = (await notifications(billing)).map(({ kind, to, data }) => [kind, to, data.category, data.used])
    expect(kinds).toEqual([
      ['billing-limit-reached', 'owner', 'all', 10],
      ['billing-limit-reached', 'admin', 'all', 10],
    ])
  })

  test('a cap of its own below the allowance is enforced too', async () => {
    const { ctx, projectId, send } = await projectWithTeam(billing)
    await updateBillingLimits(ctx, { id: projectId, transactional: 3 })
    await send(3)
    await expect(send(1)).rejects.toThrow(/cap for transactional email is 3 per month/)
  })
})
