import { describe, expect, test } from 'vitest'
import { type Ctx, callIn } from '../../../src/kit/context.ts'
import { getCampaign } from '../../../src/modules/campaigns/campaigns.ts'
import { updateCampaign } from '../../../src/modules/campaigns/changes.ts'
import { advanceCampaigns, wakeStalled } from '../../../src/modules/campaigns/run/run.ts'
import { sendCampaign } from '../../../src/modules/campaigns/sending/send.ts'
import { CampaignSending } from '../../../src/modules/campaigns/sending/shapes.ts'
import { cancelCampaign } from '../../../src/modules/campaigns/sending/stop.ts'
import { deliverClaimed } from '../../../src/modules/emails/delivery/attempt.ts'
import { claimEmails } from '../../../src/modules/emails/queue/claim.ts'
import { undoClaims } from '../../../src/modules/emails/queue/sql.ts'
import { deliver, drafted, runUntil, step, withContacts } from '../../help/campaigns.ts'
import { logOf, sendingProject } from '../../help/mails.ts'
import { twoWorkers } from '../../help/workers.ts'
import { testWorld } from '../../help/world.ts'

const { world, other, sent, turn } = await twoWorkers()
const hourMs = 3_600_000
const inHours = (hours: number): Date => new Date(world.clock.now().getTime() + hours * hourMs)

/** A campaign whose emails were queued, and which was cancelled before anything had left. */
async function cancelled(): Promise<{ ctx: Ctx; id: string; before: number }> {
  const { ctx } = await sendingProject(world)
  await withContacts(ctx, 6)
  const { id } = await drafted(ctx)
  await sendCampaign(ctx, { id })
  await step(world)
  expect(await world.db.prisma.delivery.count({ where: { projectId: ctx.projectId } })).toBe(6)
  expect(await cancelCampaign(ctx, { id })).toMatchObject({ status: 'DRAFT' })
  return { ctx, id, before: sent.length }
}

async function rowsOf({ projectId }: Ctx): Promise<number[]> {
  const where = { projectId }
  return [await world.db.prisma.email.count({ where }), await world.db.prisma.delivery.count({ where })]
}

describe('a campaign that became a draft again, when what was queued of it is not removed yet,', () => {
  test('and is sent at once, reaches each once, with its new content', async () => {
    const { ctx, id, before } = await cancelled()
    await updateCampaign(ctx, { id, subject: 'Second' })
    await sendCampaign(ctx, { id })
    await deliver(other)
    expect(sent.length - before).toBe(0)
    expect(await runUntil(world, ctx, id, 'SENT')).toMatchObject({ totalRecipients: 6, sentCount: 6 })
    expect(sent.length - before).toBe(6)
    const subjects = (await logOf(ctx)).filter(({ name }) => name === 'email.sent').map(({ data }) => data.subject)
    expect(subjects).toEqual(Array(6).fill('Second'))
  })

  test('and is scheduled at once, starts when its time has come', async () => {
    const { ctx, id, before } = await cancelled()
    await sendCampaign(ctx, { id, scheduledFor: inHours(1) })
    await step(world)
    await deliver(world)
    expect([await getCampaign(ctx, { id }), await rowsOf(ctx)]).toMatchObject([{ status: 'SCHEDULED' }, [0, 0]])
    turn(hourMs)
    expect(await runUntil(world, ctx, id, 'SENT')).toMatchObject({ sentCount: 6 })
    expect(sent.length - before).toBe(6)
  })

  test('and is scheduled and cancelled at once, has no recipients', async () => {
    const { ctx, id } = await cancelled()
    await sendCampaign(ctx, { id, scheduledFor: inHours(1) })
    await cancelCampaign(ctx, { id })
    await step(world)
    expect([await getCampaign(ctx, { id }), await rowsOf(ctx)]).toMatchObject([{ status: 'DRAFT', totalRecipients: 0 }, [0, 0]])
  })
})

test('a campaign that is scheduled for another time, or cancelled, in the moment it starts, does not start', async () => {
  const { ctx, projectId } = await sendingProject(world)
  await withContacts(ctx, 2)
  const elsewhere = callIn(other, { projectId, actor: ctx.actor })
  const changes: [(id: string) => Promise<unknown>, string][] = [
    [(id) => sendCampaign(elsewhere, { id, scheduledFor: inHours(5) }), 'SCHEDULED'],
    [(id) => cancelCampaign(elsewhere, { id }), 'DRAFT'],
  ]
  for (const [change, status] of changes) {
    const { id } = await drafted(ctx)
    await sendCampaign(ctx, { id, scheduledFor: inHours(1) })
    turn(hourMs)
    const { transaction } = world.db
    world.db.transaction = async (work) => {
      world.db.transaction = transaction
      await change(id)
      return transaction(work)
    }
    await step(world)
    expect(await getCampaign(ctx, { id })).toMatchObject({ status })
    if (status === 'SCHEDULED') await cancelCampaign(ctx, { id })
  }
})

test('a campaign whose rate changes while another worker has sent its later emails is not a draft again when it is cancelled', async () => {
  const { ctx, projectId } = await sendingProject(world)
  await withContacts(ctx, 6)
  const { id } = await drafted(ctx)
  await sendCampaign(ctx, { id })
  await step(world)
  const [first] = await claimEmails(world, 'campaign', [{ projectId, after: '', want: 3 }])
  const [second] = await claimEmails(other, 'campaign', [{ projectId, after: '', want: 3 }])
  await Promise.all((second?.emails ?? []).map((email) => deliverClaimed(other, email)))
  await world.db.lookups.run(undoClaims, [[projectId], [2], [first?.emails[0]?.claim], world.clock.aheadMs])
  await updateCampaign(ctx, { id, maxPerHour: 1 })
  expect(await cancelCampaign(ctx, { id })).toMatchObject({ status: 'CANCELLED' })
  const reached = await world.db.prisma.email.count({ where: { projectId, status: 'SENT' } })
  expect(reached).toBe(3)
})

test('a campaign that came due while nothing ran starts when something runs again, once', async () => {
  const { ctx } = await sendingProject(world)
  await withContacts(ctx, 3)
  const { id } = await drafted(ctx)
  await sendCampaign(ctx, { id, scheduledFor: inHours(1) })
  turn(72 * hourMs)
  const before = sent.length
  const late = await testWorld({ databaseUrl: world.databaseUrl })
  late.clock.turn(world.clock.aheadMs)
  await Promise.all([advanceCampaigns(late), advanceCampaigns(world), advanceCampaigns(other)])
  expect(await runUntil(world, ctx, id, 'SENT')).toMatchObject({ sentCount: 3 })
  expect(sent.length - before).toBe(3)
})

describe('when the clock of the machine jumps', () => {
  test.each([
    ['forward', 5 * hourMs],
    ['back', -5 * hourMs],
  ])('%s while a campaign is sent, it goes on at its rate, and reaches each once', async (_way, ms) => {
    const { ctx } = await sendingProject(world)
    await withContacts(ctx, 8)
    const { id } = await drafted(ctx, { maxPerHour: 3_600 * 2 })
    await sendCampaign(ctx, { id })
    const before = sent.length
    for (let round = 0; round < 2; round++) {
      turn(1_000)
      await step(world)
      await deliver(world)
    }
    const half = sent.length - before
    expect(half).toBeGreaterThan(0)
    turn(ms)
    await wakeStalled(world)
    await step(world)
    await deliver(world)
    expect(sent.length - before - half).toBeLessThanOrEqual(2)
    expect(await runUntil(world, ctx, id, 'SENT')).toMatchObject({ sentCount: 8 })
    expect(sent.length - before).toBe(8)
    turn(-ms)
  })

  test('back while a campaign waits for its time, it starts at its time', async () => {
    const { ctx } = await sendingProject(world)
    await withContacts(ctx, 1)
    const { id } = await drafted(ctx)
    await sendCampaign(ctx, { id, scheduledFor: inHours(1) })
    turn(-2 * hourMs)
    await wakeStalled(world)
    await step(world)
    turn(2.5 * hourMs)
    await step(world)
    expect(await getCampaign(ctx, { id })).toMatchObject({ status: 'SCHEDULED' })
    turn(hourMs)
    expect(await runUntil(world, ctx, id, 'SENT')).toMatchObject({ sentCount: 1 })
  })
})

test('a time in the hour that summer time skips, or repeats, is the moment that its offset says', async () => {
  const { ctx } = await sendingProject(world)
  const { id } = await drafted(ctx)
  const moments = ['2999-03-31T02:30:00+01:00', '2999-03-31T02:30:00+02:00', '2999-10-27T02:30:00+02:00', '2999-10-27T02:30:00+01:00']
  const scheduled: (string | undefined)[] = []
  for (const moment of moments) {
    const { scheduledAt } = await sendCampaign(ctx, CampaignSending.parse({ id, scheduledFor: moment }))
    scheduled.push(scheduledAt?.toISOString())
  }
  expect(scheduled).toEqual([
    '2999-03-31T01:30:00.000Z',
    '2999-03-31T00:30:00.000Z',
    '2999-10-27T00:30:00.000Z',
    '2999-10-27T01:30:00.000Z',
  ])
  expect(CampaignSending.safeParse({ id, scheduledFor: '2999-03-31T02:30:00' }).success).toBe(false)
})
