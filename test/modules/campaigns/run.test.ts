import { describe, expect, test } from 'vitest'
import { previewAudience } from '../../../src/modules/campaigns/audience/preview.ts'
import { getCampaign } from '../../../src/modules/campaigns/campaigns.ts'
import { deleteCampaign, duplicateCampaign, updateCampaign } from '../../../src/modules/campaigns/changes.ts'
import { listRecipients } from '../../../src/modules/campaigns/recipients/recipients.ts'
import { advanceCampaigns } from '../../../src/modules/campaigns/run/run.ts'
import { sendCampaign } from '../../../src/modules/campaigns/sending/send.ts'
import { cancelCampaign } from '../../../src/modules/campaigns/sending/stop.ts'
import { changeSubscription, deleteContact } from '../../../src/modules/contacts/contacts.ts'
import { createSegment, deleteSegment } from '../../../src/modules/segments/segments.ts'
import { suppressAddress } from '../../../src/modules/suppressions/suppressions.ts'
import { counted, deliver, drafted, runUntil, step, withContacts } from '../../help/campaigns.ts'
import { logOf, sendingProject } from '../../help/mails.ts'
import { twoWorkers } from '../../help/workers.ts'

const { world, other, sent, server } = await twoWorkers()

/** How many emails a mail server was handed since, and to whom each belongs is asked of the ledger. */
async function ledgerOf(ctx: Parameters<typeof getCampaign>[0], id: string): Promise<Record<string, number>> {
  const rows = await world.db.prisma.email.groupBy({ by: ['status'], where: { projectId: ctx.projectId, campaignId: id }, _count: true })
  return Object.fromEntries(rows.map(({ status, _count }) => [status, _count]))
}

describe('a campaign that is sent', () => {
  test('reaches every contact once, with what was frozen when it started, and ends SENT with its counts', async () => {
    const { ctx } = await sendingProject(world)
    await withContacts(ctx, 30)
    const { id } = await drafted(ctx)
    const before = sent.length
    expect(await sendCampaign(ctx, { id })).toMatchObject({ status: 'SENDING', scheduledAt: null })
    await expect(updateCampaign(ctx, { id, subject: 'Other' })).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await runUntil(world, ctx, id, 'SENT')).toMatchObject({ status: 'SENT', totalRecipients: 30, sentCount: 30, bouncedCount: 0 })
    expect(new Set(sent.slice(before)).size).toBe(30)
    expect(sent.length - before).toBe(30)
    expect(await ledgerOf(ctx, id)).toEqual({ SENT: 30 })
    const names = (await logOf(ctx)).map(({ name }) => name)
    expect(names.filter((name) => name === 'email.sent')).toHaveLength(30)
    expect(names.at(-1)).toBe('campaign.sent')
    expect((await logOf(ctx)).find(({ name }) => name === 'email.sent')?.data).toMatchObject({ campaignId: id, sourceType: 'CAMPAIGN' })
  })

  test('without anybody in its audience ends SENT with no recipients', async () => {
    const { ctx } = await sendingProject(world)
    const { id } = await drafted(ctx)
    await sendCampaign(ctx, { id })
    expect(await runUntil(world, ctx, id, 'SENT')).toMatchObject({ totalRecipients: 0, sentCount: 0 })
  })

  test('is not sent to those who were created after it started, nor to those who were excluded, each with the reason', async () => {
    const { ctx } = await sendingProject(world)
    const [first = '', second = ''] = await withContacts(ctx, 5)
    await changeSubscription(ctx, { id: first, subscribed: false, source: 'api' })
    await suppressAddress(ctx, { email: 'user2@example.com', reason: 'BOUNCE' })
    await suppressAddress(ctx, { email: 'user3@example.com', reason: 'MANUAL' })
    const { id } = await drafted(ctx)
    const preview = await previewAudience(ctx, { id })
    expect(preview).toEqual({
      recipients: 2,
      excluded: [
        { reason: 'BOUNCED', count: 1 },
        { reason: 'SUPPRESSED', count: 1 },
        { reason: 'UNSUBSCRIBED', count: 1 },
      ],
    })
    await sendCampaign(ctx, { id })
    await step(world)
    await withContacts(ctx, 7)
    const { totalRecipients } = await runUntil(world, ctx, id, 'SENT')
    expect(totalRecipients).toBe(preview.recipients)
    const page = await listRecipients(ctx, { id, limit: 20 })
    expect(page.data.map(({ contactId }) => contactId)).toContain(second)
    const excluded = await listRecipients(ctx, { id, outcome: 'EXCLUDED', limit: 20 })
    expect(excluded.data.map(({ contactId, reason }) => [contactId === first, reason])).toContainEqual([
      true,
      'The contact is not subscribed to marketing emails.',
    ])
    expect([page.total, excluded.total]).toEqual([2, 3])
  })

  test('of a condition or a segment goes to those who match when it starts', async () => {
    const { ctx } = await sendingProject(world)
    await withContacts(ctx, 10)
    const condition = { field: 'data.plan', operator: 'equals', value: 'pro' } as const
    const filtered = await drafted(ctx, { audienceType: 'FILTERED', audienceFilter: condition })
    const segment = await createSegment(ctx, { name: 'Pro', condition })
    const ofSegment = await drafted(ctx, { audienceType: 'SEGMENT', segmentId: segment.id })
    for (const { id } of [filtered, ofSegment]) {
      await sendCampaign(ctx, { id })
      expect(await runUntil(world, ctx, id, 'SENT')).toMatchObject({ totalRecipients: 5, sentCount: 5 })
    }
  })

  test('whose segment is deleted while it is written down becomes a draft again, and nothing leaves', async () => {
    const { ctx } = await sendingProject(world)
    await withContacts(ctx, 10)
    const segment = await createSegment(ctx, { name: 'All', condition: { field: 'email', operator: 'contains', value: '@' } })
    const { id } = await drafted(ctx, { audienceType: 'SEGMENT', segmentId: segment.id })
    await sendCampaign(ctx, { id })
    await step(world, 2)
    await expect(deleteSegment(ctx, { id: segment.id })).rejects.toMatchObject({ code: 'SEGMENT_IN_USE' })
    await world.db.prisma.segment.delete({ where: { projectId_id: { projectId: ctx.projectId, id: segment.id } } })
    const before = sent.length
    expect(await runUntil(world, ctx, id, 'DRAFT')).toMatchObject({ status: 'DRAFT', statusReason: expect.stringContaining('deleted') })
    await step(world)
    expect([sent.length - before, await ledgerOf(ctx, id)]).toEqual([0, {}])
  })

  test('withholds it from those who unsubscribe or are deleted meanwhile', async () => {
    const { ctx } = await sendingProject(world)
    const [first = '', second = ''] = await withContacts(ctx, 4)
    const { id } = await drafted(ctx)
    await sendCampaign(ctx, { id })
    await step(world)
    await changeSubscription(ctx, { id: first, subscribed: false, source: 'api' })
    await deleteContact(ctx, { id: second })
    expect(await runUntil(world, ctx, id, 'SENT')).toMatchObject({ totalRecipients: 4, sentCount: 2 })
    expect(await ledgerOf(ctx, id)).toEqual({ SENT: 2, SUPPRESSED: 1, CANCELLED: 1 })
  })

  test('by two workers at once reaches everybody once', async () => {
    const { ctx } = await sendingProject(world)
    await withContacts(ctx, 40)
    const { id } = await drafted(ctx)
    const before = sent.length
    await sendCampaign(ctx, { id })
    for (let round = 0; round < 30 && (await getCampaign(ctx, { id })).status !== 'SENT'; round++) {
      world.clock.turn(1_000)
      other.clock.turn(1_000)
      await Promise.all([advanceCampaigns(world), advanceCampaigns(other), advanceCampaigns(world), advanceCampaigns(other)])
      await Promise.all([deliver(world), deliver(other)])
    }
    await counted(world)
    expect(await getCampaign(ctx, { id })).toMatchObject({ status: 'SENT', sentCount: 40 })
    expect([sent.length - before, new Set(sent.slice(before)).size]).toEqual([40, 40])
  })
})

describe('a campaign that is scheduled', () => {
  test('starts when its time has come, by what it is then, and can be scheduled anew or cancelled', async () => {
    const { ctx } = await sendingProject(world)
    await withContacts(ctx, 2)
    const { id } = await drafted(ctx)
    const inAnHour = new Date(world.clock.now().getTime() + 3_600_000)
    expect(await sendCampaign(ctx, { id, scheduledFor: inAnHour })).toMatchObject({ status: 'SCHEDULED', scheduledAt: inAnHour })
    expect(await cancelCampaign(ctx, { id })).toMatchObject({ status: 'DRAFT', scheduledFor: null })
    await sendCampaign(ctx, { id, scheduledFor: new Date(inAnHour.getTime() + 60_000) })
    await sendCampaign(ctx, { id, scheduledFor: inAnHour })
    await updateCampaign(ctx, { id, subject: 'Changed' })
    await step(world)
    expect(await getCampaign(ctx, { id })).toMatchObject({ status: 'SCHEDULED' })
    world.clock.turn(3_600_000)
    expect(await runUntil(world, ctx, id, 'SENT')).toMatchObject({ sentCount: 2, scheduledAt: inAnHour })
    expect((await logOf(ctx)).filter(({ name }) => name === 'campaign.scheduled')).toHaveLength(3)
    expect((await logOf(ctx)).find(({ name }) => name === 'email.sent')?.data).toMatchObject({ subject: 'Changed' })
  })

  test('for a segment that is deleted before becomes a draft with the reason', async () => {
    const { ctx } = await sendingProject(world)
    const segment = await createSegment(ctx, { name: 'All', condition: { field: 'email', operator: 'contains', value: '@' } })
    const { id } = await drafted(ctx, { audienceType: 'SEGMENT', segmentId: segment.id })
    await sendCampaign(ctx, { id, scheduledFor: new Date(world.clock.now().getTime() + 1_000) })
    await world.db.prisma.segment.delete({ where: { projectId_id: { projectId: ctx.projectId, id: segment.id } } })
    expect(await runUntil(world, ctx, id, 'DRAFT')).toMatchObject({ status: 'DRAFT', statusReason: 'Its segment was deleted.' })
    await expect(sendCampaign(ctx, { id })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })
})

test('a copy for those whom a campaign did not reach goes to them alone', async () => {
  const { ctx } = await sendingProject(world)
  await withContacts(ctx, 6)
  const { id } = await drafted(ctx)
  await sendCampaign(ctx, { id })
  const usual = server.answer
  let answers = 0
  server.answer = async () => (answers++ < 2 ? { kind: 'refused', response: '554 5.6.0 no', recipient: false } : usual())
  await runUntil(world, ctx, id, 'SENT')
  server.answer = usual
  const copy = await duplicateCampaign(ctx, { id, audience: 'FAILED' })
  expect(copy).toMatchObject({ name: 'Spring news (Copy)', status: 'DRAFT', sourceCampaignId: id, sourceOutcome: 'FAILED' })
  expect(await previewAudience(ctx, { id: copy.id })).toEqual({ recipients: 2, excluded: [] })
  await sendCampaign(ctx, { id: copy.id })
  expect(await runUntil(world, ctx, copy.id, 'SENT')).toMatchObject({ totalRecipients: 2, sentCount: 2 })
})

test('deleting a campaign keeps its emails, and is refused while it is sent', async () => {
  const { ctx } = await sendingProject(world)
  await withContacts(ctx, 3)
  const { id } = await drafted(ctx)
  await sendCampaign(ctx, { id })
  await expect(deleteCampaign(ctx, { id })).rejects.toMatchObject({ code: 'CAMPAIGN_ACTIVE' })
  await runUntil(world, ctx, id, 'SENT')
  await deleteCampaign(ctx, { id })
  await expect(getCampaign(ctx, { id })).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' })
  await step(world)
  expect(await world.db.prisma.campaign.count({ where: { projectId: ctx.projectId } })).toBe(0)
  expect(await ledgerOf(ctx, id)).toEqual({ SENT: 3 })
})
