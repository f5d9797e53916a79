import { beforeEach, describe, expect, test } from 'vitest'
import { chargeOf, recordCharge } from '../../../../src/modules/billing/charge.ts'
import { getBillingConsumption } from '../../../../src/modules/billing/consumption.ts'
import { updateBillingLimits } from '../../../../src/modules/billing/limits.ts'
import { reportUsage } from '../../../../src/modules/billing/stripe/report.ts'
import { sendCampaign } from '../../../../src/modules/campaigns/sending/send.ts'
import { cancelCampaign, pauseCampaign, resumeCampaign } from '../../../../src/modules/campaigns/sending/stop.ts'
import { resetSteps } from '../../../../src/modules/resets/steps.ts'
import { addContacts, deliver, drafted, runUntil, step } from '../../../help/campaigns.ts'
import { holder } from '../../../help/holder.ts'
import { payer } from '../../../help/payer.ts'
import { fakeStripe } from '../../../help/stripe.ts'
import { until } from '../../../help/until.ts'
import { testWorld } from '../../../help/world.ts'

const stripe = await fakeStripe()
const world = await testWorld({ env: { ...stripe.env, FREE_MAILS_PER_MONTH: '60' } })

/** Turns the clock to the 10th of the next month. */
function turnToNextMonth(): void {
  const now = world.clock.now()
  world.clock.turn(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 10) - now.getTime())
}

beforeEach(() => {
  stripe.trouble = undefined
  turnToNextMonth()
})

/** A paying project with a campaign to 50 contacts, or more; `start` starts and pauses it, so that it is charged and nothing has left. */
async function campaign({ paying = true, recipients = 50 } = {}) {
  const made = await payer(world, stripe)
  const { ctx, projectId, subscribe } = made
  if (paying) await subscribe()
  await addContacts(ctx, recipients)
  const { id } = await drafted(ctx)
  const charged = async () => (await world.db.prisma.campaign.findUniqueOrThrow({ where: { projectId_id: { projectId, id } } })).chargedAt
  const start = async () => {
    await sendCampaign(ctx, { id })
    while (!(await charged())) await step(world, 1)
    await pauseCampaign(ctx, { id })
  }
  const used = async () => {
    const usage = await world.db.prisma.billingUsage.findMany({ where: { projectId, category: 'campaigns' } })
    return usage.reduce((sum, { count }) => sum + count, 0)
  }
  const shown = async () => (await getBillingConsumption(ctx, { id: projectId })).usage.total
  const deferred = () => world.db.prisma.billingDeferral.count({ where: { projectId } })
  return { ...made, id, start, used, shown, deferred }
}

describe('a campaign that is given back is not billed', () => {
  test('when a report was made meanwhile', async () => {
    const { ctx, id, start, shown, send, events, deferred, nowInSeconds } = await campaign()
    await start()
    await send(3)
    expect(await shown()).toBe(53)
    await reportUsage(world)
    expect((await cancelCampaign(ctx, { id })).status).toBe('DRAFT')
    expect(await shown()).toBe(3)
    await reportUsage(world)
    expect([events(), await deferred()]).toEqual([[[3, nowInSeconds()]], 0])
    await send(4)
    await reportUsage(world)
    expect(events().map(([value]) => value)).toEqual([3, 4])
  })

  test('when it is cancelled in the next month', async () => {
    const { ctx, id, start, used, send, total } = await campaign()
    await start()
    await reportUsage(world)
    turnToNextMonth()
    await reportUsage(world)
    await cancelCampaign(ctx, { id })
    await send(4)
    await reportUsage(world)
    expect([await used(), total()]).toEqual([0, 4])
  })

  test('when it is sent later, it is billed then, once', async () => {
    const { ctx, id, start, total } = await campaign()
    await start()
    await cancelCampaign(ctx, { id })
    await step(world)
    await start()
    await reportUsage(world)
    expect(total()).toBe(0)
    await resumeCampaign(ctx, { id })
    await runUntil(world, ctx, id, 'SENT')
    await reportUsage(world)
    expect(total()).toBe(50)
  })

  test('when it was charged within the free allowance, before the subscription', async () => {
    const { ctx, id, start, subscribe, send, total } = await campaign({ paying: false })
    await start()
    await subscribe()
    await send(4)
    await reportUsage(world)
    expect(total()).toBe(4)
    await resumeCampaign(ctx, { id })
    await runUntil(world, ctx, id, 'SENT')
    await reportUsage(world)
    expect(total()).toBe(4)
  })

  test('when it was charged within the free allowance, and cancelled under the subscription; what is sent then is billed', async () => {
    const { ctx, id, start, subscribe, send, total, shown } = await campaign({ paying: false })
    await start()
    await subscribe()
    expect((await cancelCampaign(ctx, { id })).status).toBe('DRAFT')
    await send(4)
    await reportUsage(world)
    expect([total(), await shown()]).toEqual([4, 4])
    await step(world)
    await start()
    await resumeCampaign(ctx, { id })
    await runUntil(world, ctx, id, 'SENT')
    await reportUsage(world)
    expect([total(), await shown()]).toEqual([54, 54])
  })

  test('when its project is emptied before anything has left', async () => {
    const { projectId, start, cancel, total, deferred } = await campaign()
    await start()
    for (const erase of resetSteps) while ((await erase(world, projectId)) > 0);
    expect(await deferred()).toBe(0)
    await cancel()
    await reportUsage(world)
    expect(total()).toBe(0)
  })
})

describe('what a campaign had taken that is given back', () => {
  test('is free again under a cap that was set below it meanwhile, and no more than that', async () => {
    const { ctx, projectId, id, start, shown } = await campaign()
    await start()
    await updateBillingLimits(ctx, { id: projectId, campaigns: 10 })
    expect((await cancelCampaign(ctx, { id })).status).toBe('DRAFT')
    const charge = chargeOf(ctx, { category: 'campaigns', count: 10, at: world.clock.now() })
    const charged = () => world.db.transaction((tx) => recordCharge(tx, world, charge))
    expect([await charged(), await charged(), await charged()]).toEqual([null, ...Array(2).fill(expect.objectContaining({ status: 402 }))])
    expect(await shown()).toBe(10)
  })

  test('is free again in the allowance, which is no larger then because the subscription ended beyond it', async () => {
    const { ctx, id, start, send, cancel } = await campaign({ recipients: 80 })
    await start()
    await cancel()
    expect((await cancelCampaign(ctx, { id })).status).toBe('DRAFT')
    await send(60)
    await expect(send(1)).rejects.toMatchObject({ code: 'BILLING_LIMIT_EXCEEDED' })
  })

  test('is free again in the allowance when the subscription ends in the same moment', async () => {
    const { ctx, projectId, id, start, send, end, sync } = await campaign()
    await start()
    await reportUsage(world)
    const reports = await holder(world)
    await reports.run('select from billing_reports where project_id = $1 for update', [projectId])
    end()
    const ending = sync()
    await reports.waitedFor()
    const cancelling = cancelCampaign(ctx, { id })
    await reports.waitedForOrEnded(2, cancelling)
    await reports.commit()
    await ending
    expect((await cancelling).status).toBe('DRAFT')
    await send(60)
  })

  test('is free again at once, also where a call was refused just before', async () => {
    const { ctx, id, start, send } = await campaign({ paying: false })
    await start()
    await expect(send(20)).rejects.toMatchObject({ code: 'BILLING_LIMIT_EXCEEDED' })
    await cancelCampaign(ctx, { id })
    // Sooner than what a process remembers ends by itself.
    await until(() => send(20).then(Boolean, () => false), 3_000)
  })
})

describe('a campaign is billed as a whole', () => {
  test('once something of it has left, while it goes on', async () => {
    const { ctx, id, start, events, total, nowInSeconds, deferred } = await campaign()
    await start()
    await resumeCampaign(ctx, { id })
    await step(world)
    await deliver(world)
    expect(await deferred()).toBe(1)
    await pauseCampaign(ctx, { id })
    await step(world)
    await reportUsage(world)
    expect([events(), await deferred()]).toEqual([[[50, nowInSeconds()]], 0])
    await resumeCampaign(ctx, { id })
    await runUntil(world, ctx, id, 'SENT')
    await reportUsage(world)
    expect(total()).toBe(50)
  })

  test('in the month in which it leaves, also when it was charged in an earlier one', async () => {
    const { ctx, id, start, shown, events, nowInSeconds } = await campaign()
    await start()
    await reportUsage(world)
    turnToNextMonth()
    turnToNextMonth()
    await reportUsage(world)
    expect(events()).toEqual([])
    await resumeCampaign(ctx, { id })
    await runUntil(world, ctx, id, 'SENT')
    await reportUsage(world)
    expect([events(), await shown()]).toEqual([[[50, nowInSeconds()]], 0])
  })

  test('when it is cancelled after something has left, before a worker has seen that', async () => {
    const { ctx, id, start, total, used } = await campaign()
    await start()
    await resumeCampaign(ctx, { id })
    await step(world)
    await deliver(world)
    expect((await cancelCampaign(ctx, { id })).status).toBe('CANCELLED')
    await reportUsage(world)
    expect([total(), await used()]).toEqual([50, 50])
  })

  test('when the subscription ends before anything has left, as it can leave afterwards', async () => {
    const { ctx, id, start, send, cancel, subscribe, events, total, nowInSeconds } = await campaign()
    await start()
    await send(3)
    const ended = nowInSeconds()
    await cancel()
    await reportUsage(world)
    expect(events()).toEqual([[53, ended - 1]])
    await subscribe()
    await resumeCampaign(ctx, { id })
    await runUntil(world, ctx, id, 'SENT')
    await reportUsage(world)
    expect(total()).toBe(53)
  })
})
