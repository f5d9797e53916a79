import { beforeEach, describe, expect, test } from 'vitest'
import { getBillingLimits } from '../../../../src/modules/billing/limits.ts'
import { createCheckout } from '../../../../src/modules/billing/stripe/checkout.ts'
import { reportUsage } from '../../../../src/modules/billing/stripe/report.ts'
import { syncAccount } from '../../../../src/modules/billing/stripe/sync.ts'
import { sendEmail } from '../../../../src/modules/emails/accept/send.ts'
import { SendDraft } from '../../../../src/modules/emails/accept/shapes.ts'
import { sendingProject } from '../../../help/mails.ts'
import { fakeStripe } from '../../../help/stripe.ts'
import { testWorld } from '../../../help/world.ts'

const stripe = await fakeStripe()
const env = { ...stripe.env, FREE_MAILS_PER_MONTH: '10' }
const world = await testWorld({ env })
const other = await testWorld({ env, databaseUrl: world.databaseUrl })

beforeEach(() => {
  stripe.trouble = undefined
})

let serial = 0
async function project(on = world) {
  const made = await sendingProject(on)
  const send = (count: number) => {
    const to = Array.from({ length: count }, () => `to${serial++}@example.com`)
    return sendEmail(made.ctx, SendDraft.parse({ to, from: 'hello@demo.test', subject: 'Hi', body: 'Hi' }))
  }
  await createCheckout(made.ctx, { id: made.projectId })
  const account = () => on.db.prisma.billingAccount.findUniqueOrThrow({ where: { projectId: made.projectId } })
  const customer = (await account()).customer ?? ''
  const reported = () => [...stripe.meter.values()].filter((event) => event.customer === customer)
  const total = () => reported().reduce((sum, { value }) => sum + value, 0)
  const subscription = { id: `sub_${serial++}`, customer, status: 'active', currency: 'usd' }
  const subscribe = async () => {
    stripe.subscriptions.push(subscription)
    await syncAccount(on, { customer })
  }
  const cancel = async () => {
    subscription.status = 'canceled'
    await syncAccount(on, { customer })
  }
  return { ...made, send, customer, reported, total, subscribe, cancel }
}

describe('emails of a paying project are reported', () => {
  test('once each, from the start of its subscription on, by any number of workers', async () => {
    const { send, reported, total, subscribe, customer } = await project()
    await send(4)
    await reportUsage(world)
    await subscribe()
    await reportUsage(world)
    expect(reported()).toEqual([])
    await send(25)
    await Promise.all([reportUsage(world), reportUsage(other), reportUsage(world)])
    expect(reported()).toEqual([{ value: 25, customer, name: 'emails', timestamp: Math.floor(world.clock.now().getTime() / 1000) }])
    await send(3)
    await reportUsage(other)
    await reportUsage(world)
    expect([reported().length, total()]).toEqual([2, 28])
  })

  test('exactly, also when a response was lost, a worker died in between, or more emails were accepted meanwhile', async () => {
    const { projectId, send, reported, total, subscribe } = await project()
    await subscribe()
    await send(5)
    stripe.trouble = 'loses answers'
    await reportUsage(world)
    expect(await world.db.prisma.billingReport.findMany({ where: { projectId, pending: 5 } })).toHaveLength(1)
    await send(2)
    stripe.trouble = undefined
    await reportUsage(world)
    expect([reported().length, total()]).toEqual([1, 5])
    await reportUsage(world)
    expect([reported().length, total()]).toEqual([2, 7])
    // A worker that died after the provider responded and before the report was marked as done.
    await send(1)
    await reportUsage(world)
    await world.db.prisma.billingReport.updateMany({ where: { projectId, reported: 8 }, data: { reported: 7, pending: 8 } })
    world.clock.turn(60_000)
    await reportUsage(world)
    await reportUsage(world)
    expect(total()).toBe(8)
    expect(
      await world.db.prisma.billingReport.findMany({ where: { projectId }, select: { reported: true, pending: true } }),
    ).toContainEqual({
      reported: 8,
      pending: null,
    })
  })

  test('without loss when the provider is unavailable for one run', async () => {
    const { send, total, subscribe } = await project()
    await subscribe()
    await send(6)
    stripe.trouble = 'down'
    await reportUsage(world)
    expect(total()).toBe(0)
    stripe.trouble = undefined
    await reportUsage(world)
    expect(total()).toBe(6)
  })

  test('in the month they were sent in, also when they are reported in the next one', async () => {
    const mine = await testWorld({ env })
    const { send, reported, subscribe } = await project(mine)
    await subscribe()
    await send(9)
    const now = mine.clock.now()
    const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)
    mine.clock.turn(next - now.getTime() + 60_000)
    await send(2)
    await reportUsage(mine)
    expect(reported().map(({ value, timestamp }) => [value, timestamp])).toEqual([
      [9, next / 1000 - 1],
      [2, next / 1000 + 60],
    ])
  })
})

describe('the free allowance', () => {
  test('ends with a subscription, and counts all emails of the month when that is cancelled', async () => {
    const { ctx, projectId, send, subscribe, cancel } = await project()
    await send(10)
    await expect(send(1)).rejects.toMatchObject({ code: 'BILLING_LIMIT_EXCEEDED' })
    await subscribe()
    await send(30)
    expect(await getBillingLimits(ctx, { id: projectId })).toMatchObject({ transactional: { limit: null, usage: 40 }, currency: 'usd' })
    await cancel()
    await expect(send(1)).rejects.toMatchObject({ code: 'BILLING_LIMIT_EXCEEDED' })
    expect(await getBillingLimits(ctx, { id: projectId })).toMatchObject({ transactional: { limit: 10, usage: 40, isBlocked: true } })
  })
})
