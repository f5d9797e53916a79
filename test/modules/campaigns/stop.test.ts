import { describe, expect, test } from 'vitest'
import { previewAudience } from '../../../src/modules/campaigns/audience/preview.ts'
import { getCampaign } from '../../../src/modules/campaigns/campaigns.ts'
import { deleteCampaign, updateCampaign } from '../../../src/modules/campaigns/changes.ts'
import { getCampaignStats } from '../../../src/modules/campaigns/counts/stats.ts'
import { sendCampaign } from '../../../src/modules/campaigns/sending/send.ts'
import { cancelCampaign, pauseCampaign, resumeCampaign } from '../../../src/modules/campaigns/sending/stop.ts'
import { createSegment } from '../../../src/modules/segments/segments.ts'
import { counted, deliver, drafted, runUntil, step, withContacts } from '../../help/campaigns.ts'
import { logOf, sendingProject } from '../../help/mails.ts'
import { twoWorkers } from '../../help/workers.ts'

const { world, sent, server } = await twoWorkers()

/** How many emails a mail server was handed since, and to whom each belongs is asked of the ledger. */
async function ledgerOf(ctx: Parameters<typeof getCampaign>[0], id: string): Promise<Record<string, number>> {
  const rows = await world.db.prisma.email.groupBy({ by: ['status'], where: { projectId: ctx.projectId, campaignId: id }, _count: true })
  return Object.fromEntries(rows.map(({ status, _count }) => [status, _count]))
}

describe('a campaign that is stopped', () => {
  test('before anything has left becomes a draft again without recipients, and can be sent again', async () => {
    const { ctx } = await sendingProject(world)
    await withContacts(ctx, 10)
    const { id } = await drafted(ctx)
    await sendCampaign(ctx, { id })
    world.clock.turn(1_000)
    await step(world)
    const before = sent.length
    expect(await cancelCampaign(ctx, { id })).toMatchObject({ status: 'DRAFT', totalRecipients: 0, sentAt: null })
    await deliver(world)
    world.clock.turn(1_000)
    await step(world)
    expect([sent.length - before, await ledgerOf(ctx, id)]).toEqual([0, {}])
    await sendCampaign(ctx, { id })
    expect(await runUntil(world, ctx, id, 'SENT')).toMatchObject({ totalRecipients: 10, sentCount: 10 })
    expect(sent.length - before).toBe(10)
  })

  test('after something has left is CANCELLED for good: the rest is cancelled, each with the reason', async () => {
    const { ctx } = await sendingProject(world)
    await withContacts(ctx, 10)
    const { id } = await drafted(ctx, { maxPerHour: 3_600 * 3 })
    await sendCampaign(ctx, { id })
    await step(world)
    world.clock.turn(1_000)
    await step(world)
    await deliver(world)
    const left = sent.length
    expect(await cancelCampaign(ctx, { id })).toMatchObject({ status: 'CANCELLED' })
    await expect(cancelCampaign(ctx, { id })).rejects.toMatchObject({ code: 'CONFLICT' })
    await step(world)
    await deliver(world)
    expect(sent.length).toBe(left)
    expect(await ledgerOf(ctx, id)).toEqual({ SENT: 4, CANCELLED: 6 })
    expect((await logOf(ctx)).map(({ name }) => name)).toContain('campaign.cancelled')
  })

  test('by a pause sends nothing until it is resumed, and then the rest, each once', async () => {
    const { ctx } = await sendingProject(world)
    await withContacts(ctx, 10)
    const { id } = await drafted(ctx)
    await sendCampaign(ctx, { id })
    await step(world)
    const before = sent.length
    expect(await pauseCampaign(ctx, { id })).toMatchObject({ status: 'SENDING', paused: true })
    for (let round = 0; round < 3; round++) {
      world.clock.turn(1_000)
      await step(world)
      await deliver(world)
    }
    expect(sent.length).toBe(before)
    expect(await resumeCampaign(ctx, { id })).toMatchObject({ paused: false })
    expect(await runUntil(world, ctx, id, 'SENT')).toMatchObject({ sentCount: 10 })
    expect(sent.length - before).toBe(10)
    await expect(pauseCampaign(ctx, { id })).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('while an email is being handed over is cancelled when that is known, and does not become a draft', async () => {
    const { ctx } = await sendingProject(world)
    await withContacts(ctx, 1)
    const { id } = await drafted(ctx)
    await sendCampaign(ctx, { id })
    const asked = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    const usual = server.answer
    server.answer = async () => {
      asked.resolve()
      await answered.promise
      return usual()
    }
    await step(world)
    const delivering = deliver(world)
    await asked.promise
    const cancelling = cancelCampaign(ctx, { id })
    await expect.poll(async () => (await getCampaign(ctx, { id })).status).toBe('CANCELLED')
    answered.resolve()
    server.answer = usual
    await delivering
    expect(await cancelling).toMatchObject({ status: 'CANCELLED' })
    expect(await ledgerOf(ctx, id)).toEqual({ SENT: 1 })
  })
})

describe('a campaign whose project is suspended', () => {
  test('waits until the suspension is lifted, and then goes on, each once', async () => {
    const { ctx, projectId } = await sendingProject(world)
    await withContacts(ctx, 6)
    const { id } = await drafted(ctx)
    await sendCampaign(ctx, { id })
    world.clock.turn(1_000)
    await step(world)
    const before = sent.length
    const suspend = (disabled: boolean) => world.db.prisma.project.update({ where: { id: projectId }, data: { disabled } })
    await suspend(true)
    for (let round = 0; round < 3; round++) {
      await deliver(world)
      world.clock.turn(10_000)
      await step(world)
    }
    expect([sent.length - before, await ledgerOf(ctx, id)]).toEqual([0, { PENDING: 6 }])
    await suspend(false)
    world.clock.turn(10_000)
    expect(await runUntil(world, ctx, id, 'SENT')).toMatchObject({ sentCount: 6 })
    expect(sent.length - before).toBe(6)
  })
})

test('the rate of a campaign holds, and may change while it is sent', async () => {
  const { ctx } = await sendingProject(world)
  await withContacts(ctx, 12)
  const { id } = await drafted(ctx, { maxPerHour: 3_600 })
  await sendCampaign(ctx, { id })
  await step(world)
  const before = sent.length
  const second = async (): Promise<number> => {
    world.clock.turn(1_000)
    await step(world)
    await deliver(world)
    return sent.length - before
  }
  expect([await second(), await second()]).toEqual([2, 3])
  await updateCampaign(ctx, { id, maxPerHour: 3_600 })
  expect(await second()).toBe(4)
  await updateCampaign(ctx, { id, maxPerHour: 3_600 * 4 })
  expect(await second()).toBe(8)
  await updateCampaign(ctx, { id, maxPerHour: null })
  expect(await runUntil(world, ctx, id, 'SENT')).toMatchObject({ sentCount: 12, maxPerHour: null })
})

test('an email whose answer was lost, or that is being handed over for longer than a cancellation waits, may have left: no draft', async () => {
  const { ctx } = await sendingProject(world)
  await withContacts(ctx, 1)
  const { id } = await drafted(ctx)
  await sendCampaign(ctx, { id })
  const usual = server.answer
  server.answer = async () => ({ kind: 'deferred', response: 'lost', uncertain: true })
  await step(world)
  await deliver(world)
  server.answer = usual
  expect(await cancelCampaign(ctx, { id })).toMatchObject({ status: 'CANCELLED' })
  await expect(sendCampaign(ctx, { id })).rejects.toMatchObject({ code: 'CONFLICT' })
})

test('a call that dies while it cancels leaves the decision to the worker: here a draft, without what was counted before', async () => {
  const { ctx, projectId } = await sendingProject(world)
  await withContacts(ctx, 3)
  const { id } = await drafted(ctx)
  await sendCampaign(ctx, { id })
  const usual = server.answer
  server.answer = async () => ({ kind: 'refused', response: '554 5.6.0 no', recipient: false })
  await step(world)
  await deliver(world)
  server.answer = usual
  await counted(world)
  expect(await getCampaignStats(ctx, { id })).toMatchObject({ failedCount: 3 })
  const died = { status: 'CANCELLED', wakeAt: world.clock.now() } as const
  await world.db.prisma.campaign.update({ where: { projectId_id: { projectId, id } }, data: died })
  await expect(deleteCampaign(ctx, { id })).rejects.toMatchObject({ code: 'CAMPAIGN_ACTIVE' })
  expect(await runUntil(world, ctx, id, 'DRAFT')).toMatchObject({ status: 'DRAFT', totalRecipients: 0 })
  world.clock.turn(1_000)
  await step(world)
  expect(await getCampaignStats(ctx, { id })).toMatchObject({ totalRecipients: 0, failedCount: 0 })
  await sendCampaign(ctx, { id })
  expect(await runUntil(world, ctx, id, 'SENT')).toMatchObject({ sentCount: 3 })
  expect(await getCampaignStats(ctx, { id })).toMatchObject({ sentCount: 3, failedCount: 0 })
})

test('a rate that is set while a campaign is sent also holds for what waits in the queue', async () => {
  const { ctx } = await sendingProject(world)
  await withContacts(ctx, 8)
  const { id } = await drafted(ctx)
  await sendCampaign(ctx, { id })
  await step(world)
  const before = sent.length
  await updateCampaign(ctx, { id, maxPerHour: 3_600 })
  await deliver(world)
  expect(sent.length - before).toBe(0)
  world.clock.turn(1_000)
  await step(world)
  await deliver(world)
  expect(sent.length - before).toBe(1)
  expect(await runUntil(world, ctx, id, 'SENT')).toMatchObject({ sentCount: 8 })
  expect(sent.length - before).toBe(8)
})

test('changes of the audience at the same time never leave a campaign to everybody', async () => {
  const { ctx } = await sendingProject(world)
  await withContacts(ctx, 3)
  const segment = await createSegment(ctx, { name: 'Nobody', type: 'STATIC' })
  const nobody = { field: 'email', operator: 'equals', value: 'nobody@example.com' } as const
  for (let round = 0; round < 5; round++) {
    const { id } = await drafted(ctx, { audienceType: 'SEGMENT', segmentId: segment.id })
    await Promise.allSettled([
      updateCampaign(ctx, { id, segmentId: segment.id }),
      updateCampaign(ctx, { id, audienceType: 'FILTERED', audienceFilter: nobody }),
    ])
    expect(await previewAudience(ctx, { id })).toEqual({ recipients: 0, excluded: [] })
  }
})
