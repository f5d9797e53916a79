import { beforeEach, describe, expect, test } from 'vitest'
import { forgetOutdated, reportUsage } from '../../../../src/modules/billing/stripe/report.ts'
import { deleteProject } from '../../../../src/modules/resets/resets.ts'
import { deleteSteps } from '../../../../src/modules/resets/steps.ts'
import { payer } from '../../../help/payer.ts'
import { fakeStripe } from '../../../help/stripe.ts'
import { testWorld } from '../../../help/world.ts'

const stripe = await fakeStripe()
const env = { ...stripe.env, FREE_MAILS_PER_MONTH: '10' }
const world = await testWorld({ env })
const other = await testWorld({ env, databaseUrl: world.databaseUrl })
const dayMs = 86_400_000

/** Turns the clock to a day of the next month. */
function turnToNextMonth(day = 10): void {
  const now = world.clock.now()
  turnTo(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, day))
}
function turnTo(ms: number): void {
  world.clock.turn(ms - world.clock.now().getTime())
  other.clock.turn(ms - other.clock.now().getTime())
}
const turn = (ms: number) => turnTo(world.clock.now().getTime() + ms)

beforeEach(() => {
  stripe.trouble = undefined
  turnToNextMonth()
})

/** A world that notes its warnings. */
function noting() {
  const warned: unknown[][] = []
  const log = Object.assign(Object.create(world.log), { warn: (...given: unknown[]) => warned.push(given) })
  return { warned, noted: { ...world, log } }
}

describe('emails sent while subscribed are reported once, as of before its end', () => {
  test('when the subscription ends before the next report', async () => {
    const { send, subscribe, end, sync, events, nowInSeconds } = await payer(world, stripe)
    await subscribe()
    await send(20)
    await reportUsage(world)
    await send(30)
    end()
    const ended = nowInSeconds()
    // The installation learns of it some time later: until then it is as if it went on.
    turn(90_000)
    await send(4)
    await sync()
    await reportUsage(world)
    await reportUsage(other)
    expect(events()).toEqual([
      [20, ended],
      [34, ended - 1],
    ])
  })

  test('when the provider could not be reached before its end, nor for some time after it', async () => {
    const { projectId, send, subscribe, cancel, events, total, nowInSeconds } = await payer(world, stripe)
    await subscribe()
    await send(20)
    stripe.trouble = 'down'
    await reportUsage(world)
    await send(5)
    await cancel().catch(() => {})
    stripe.trouble = undefined
    const ended = nowInSeconds()
    await cancel()
    stripe.trouble = 'down'
    await reportUsage(world)
    turn(5 * 60_000)
    await reportUsage(other)
    expect(total()).toBe(0)
    stripe.trouble = undefined
    turn(5 * 60_000)
    await Promise.all([reportUsage(world), reportUsage(other)])
    await reportUsage(world)
    expect(events()).toEqual([
      [20, ended - 1],
      [5, ended - 1],
    ])
    expect(await world.db.prisma.billingReport.findMany({ where: { projectId, pending: { not: null } } })).toEqual([])
    expect(await world.db.prisma.billingRemainder.count({ where: { projectId } })).toBe(0)
  })

  test('when the answer to a report was lost before its end, or after it', async () => {
    const { send, subscribe, cancel, events, total } = await payer(world, stripe)
    await subscribe()
    await send(20)
    stripe.trouble = 'loses answers'
    await reportUsage(world)
    stripe.trouble = undefined
    await send(3)
    await cancel()
    stripe.trouble = 'loses answers'
    await reportUsage(world)
    turn(5 * 60_000)
    await reportUsage(world)
    stripe.trouble = undefined
    turn(5 * 60_000)
    await reportUsage(world)
    expect([events().map(([value]) => value), total()]).toEqual([[20, 3], 23])
  })

  test('when it ends and begins again within the month, and not what was free between', async () => {
    const { send, subscribe, cancel, events, nowInSeconds } = await payer(world, stripe)
    await send(6)
    await subscribe()
    await send(30)
    stripe.trouble = 'down'
    await reportUsage(world)
    stripe.trouble = undefined
    await send(1)
    const ended = nowInSeconds()
    await cancel()
    await expect(send(1)).rejects.toMatchObject({ code: 'BILLING_LIMIT_EXCEEDED' })
    turn(60_000)
    await subscribe()
    await send(7)
    await reportUsage(world)
    await reportUsage(world)
    expect(events().toSorted()).toEqual([
      [1, ended - 1],
      [30, ended - 1],
      [7, ended + 60],
    ])
    await cancel()
    await subscribe()
    await reportUsage(world)
    expect(events()).toHaveLength(3)
  })

  test('when another subscription has taken its place before anybody looked', async () => {
    const { send, subscribe, begin, end, sync, events, nowInSeconds } = await payer(world, stripe)
    await subscribe()
    await send(30)
    end()
    const ended = nowInSeconds()
    turn(60_000)
    begin()
    await sync()
    await send(2)
    await reportUsage(world)
    expect(events().toSorted()).toEqual([
      [2, ended + 60],
      [30, ended - 1],
    ])
  })

  test('when events of the provider come late, twice and at the same time', async () => {
    const { send, subscribe, cancel, sync, total } = await payer(world, stripe)
    await subscribe()
    await Promise.all([sync(), sync()])
    await send(30)
    await cancel()
    await Promise.all([sync(), sync(), reportUsage(world), reportUsage(other)])
    turn(5 * 60_000)
    await Promise.all([sync(), reportUsage(world), reportUsage(other)])
    expect(total()).toBe(30)
  })

  test('of the month before as well, in that month', async () => {
    const { send, subscribe, cancel, events, nowInSeconds } = await payer(world, stripe)
    await subscribe()
    await send(30)
    turnToNextMonth(1)
    const begun = nowInSeconds()
    turn(60_000)
    await send(2)
    await cancel()
    await reportUsage(world)
    expect(events().toSorted()).toEqual([
      [2, begun + 59],
      [30, begun - 1],
    ])
  })

  test('when the project is deleted at once', async () => {
    const { ctx, projectId, send, subscribe, cancel, total } = await payer(world, stripe)
    await subscribe()
    await send(30)
    await cancel()
    await deleteProject(ctx, { id: projectId })
    for (const step of deleteSteps) while ((await step(world, projectId)) > 0);
    expect(await world.db.prisma.billingAccount.count({ where: { projectId } })).toBe(0)
    await reportUsage(world)
    expect(total()).toBe(30)
    expect(await world.db.prisma.billingRemainder.count({ where: { projectId } })).toBe(0)
  })

  test('when a process of the version before left a report open, which beginning again does not touch', async () => {
    const { projectId, send, subscribe, cancel, total } = await payer(world, stripe)
    await subscribe()
    await send(30)
    await reportUsage(world)
    await cancel()
    const of = { projectId, reported: 30 }
    await world.db.prisma.billingReport.updateMany({ where: of, data: { reported: 0, pending: 30 } })
    stripe.meter.clear()
    await subscribe()
    await send(2)
    await reportUsage(world)
    expect(total()).toBe(32)
    await cancel()
    stripe.meter.clear()
    await world.db.prisma.billingReport.updateMany({ where: { projectId, reported: 32 }, data: { reported: 30, pending: 32 } })
    await reportUsage(world)
    expect(total()).toBe(2)
  })
})

describe('what the provider refuses', () => {
  test('is reported again every hour, and until then holds up no others', async () => {
    const { projectId, send, subscribe, cancel, total } = await payer(world, stripe)
    await subscribe()
    await send(30)
    await cancel()
    stripe.trouble = 'refuses reports'
    await reportUsage(world)
    stripe.trouble = undefined
    turn(50 * 60_000)
    await reportUsage(world)
    expect(total()).toBe(0)
    expect(await world.db.prisma.billingRemainder.count({ where: { projectId } })).toBe(1)
    turn(11 * 60_000)
    await reportUsage(world)
    expect(total()).toBe(30)
  })

  test('is given up after 35 days, when the provider takes it no more, with a warning that says what is not billed', async () => {
    const { projectId, customer, send, subscribe, cancel, total } = await payer(world, stripe)
    const { warned, noted } = noting()
    await subscribe()
    await send(30)
    await cancel()
    turn(34 * dayMs)
    await forgetOutdated(noted)
    expect(warned).toEqual([])
    turn(2 * dayMs)
    await forgetOutdated(noted)
    await forgetOutdated(noted)
    expect(warned).toEqual([[expect.objectContaining({ projectId, customer, emails: 30 }), expect.stringContaining('not billed')]])
    await reportUsage(world)
    expect(total()).toBe(0)
  })

  test('of a project that still pays, too, when its month and the next are over', async () => {
    const { projectId, customer, send, subscribe, total } = await payer(world, stripe)
    const { warned, noted } = noting()
    await subscribe()
    await send(30)
    stripe.trouble = 'refuses reports'
    await reportUsage(world)
    turnToNextMonth()
    await forgetOutdated(noted)
    expect(warned).toEqual([])
    turnToNextMonth()
    await forgetOutdated(noted)
    await forgetOutdated(noted)
    expect(warned).toEqual([[expect.objectContaining({ projectId, customer, emails: 30 }), expect.stringContaining('not billed')]])
    stripe.trouble = undefined
    await send(2)
    await reportUsage(world)
    expect(total()).toBe(2)
  })
})
