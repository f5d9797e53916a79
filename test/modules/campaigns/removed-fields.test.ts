import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../../src/kit/context.ts'
import { getCampaign } from '../../../src/modules/campaigns/campaigns.ts'
import { duplicateCampaign, updateCampaign } from '../../../src/modules/campaigns/changes.ts'
import { sendCampaign } from '../../../src/modules/campaigns/sending/send.ts'
import { cancelCampaign } from '../../../src/modules/campaigns/sending/stop.ts'
import { upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { deleteField } from '../../../src/modules/contacts/fields/delete.ts'
import { trackEvent } from '../../../src/modules/contacts/track.ts'
import { deleteEventName } from '../../../src/modules/events/events.ts'
import { lockAsking } from '../../../src/modules/filters/segments/sql.ts'
import { createSegment, updateSegment } from '../../../src/modules/segments/segments.ts'
import { createTemplate } from '../../../src/modules/templates/templates.ts'
import { drafted, runUntil, sentBy, withContacts } from '../../help/campaigns.ts'
import { holder } from '../../help/holder.ts'
import { sendingProject } from '../../help/mails.ts'
import { testWorld } from '../../help/world.ts'

const world = await testWorld({ env: { EMAIL_TRANSPORT: 'capture' } })

/** A project of six contacts, each with a plan. */
async function withPlans() {
  const { ctx } = await sendingProject(world)
  await withContacts(ctx, 6)
  return { ctx }
}

describe('a campaign that is scheduled', () => {
  const notPlanned = { field: 'data.plan', operator: 'notExists' } as const
  const inAMinute = () => new Date(world.clock.now().getTime() + 60_000)

  test.each([
    ['a field', 'data.plan', (ctx: Ctx) => deleteField(ctx, { field: 'plan' })],
    ['an event', 'event.joined', (ctx: Ctx) => deleteEventName(ctx, { eventName: 'joined' })],
  ])('becomes a draft again when %s is deleted before its time that its condition asks', async (_what, field, remove) => {
    const { ctx } = await withPlans()
    await trackEvent(ctx, { email: 'user0@example.com', event: 'joined' })
    const operator = field.startsWith('event') ? 'notTriggered' : 'notExists'
    const { id } = await drafted(ctx, { audienceType: 'FILTERED', audienceFilter: { field, operator } })
    const segment = await createSegment(ctx, { name: 'Without', condition: { field, operator } })
    const ofIt = await drafted(ctx, { audienceType: 'SEGMENT', segmentId: segment.id })
    for (const one of [id, ofIt.id]) await sendCampaign(ctx, { id: one, scheduledFor: inAMinute() })
    world.clock.turn(30_000)
    await remove(ctx)
    // Another change says nothing about whom it is sent to.
    await updateCampaign(ctx, { id, subject: 'News', audienceType: 'FILTERED', audienceFilter: { field, operator } })
    world.clock.turn(30_000)
    for (const one of [id, ofIt.id]) await runUntil(world, ctx, one, 'DRAFT')
    expect(await getCampaign(ctx, { id })).toMatchObject({
      statusReason: 'A field or an event that says who it is sent to was deleted.',
      totalRecipients: 0,
    })
    expect(await sentBy(ctx, id)).toEqual({})
    expect(await sentBy(ctx, ofIt.id)).toEqual({})
  })

  test('becomes a draft again as well where it was scheduled months before, and other fields were deleted since', async () => {
    const { ctx } = await withPlans()
    const days = (count: number) => count * 86_400_000
    await upsertContact(ctx, { email: 'user0@example.com', data: { other: 1 } })
    const { id } = await drafted(ctx, { audienceType: 'FILTERED', audienceFilter: notPlanned })
    await sendCampaign(ctx, { id, scheduledFor: new Date(world.clock.now().getTime() + days(120)) })
    world.clock.turn(days(5))
    await deleteField(ctx, { field: 'plan' })
    world.clock.turn(days(100))
    await deleteField(ctx, { field: 'other' })
    world.clock.turn(days(15))
    await runUntil(world, ctx, id, 'DRAFT')
    expect(await sentBy(ctx, id)).toEqual({})
  })

  test('is sent to whom it was said after that', async () => {
    const { ctx } = await withPlans()
    const { id } = await drafted(ctx, { audienceType: 'FILTERED', audienceFilter: notPlanned })
    await sendCampaign(ctx, { id, scheduledFor: inAMinute() })
    await deleteField(ctx, { field: 'plan' })
    world.clock.turn(10_000)
    const again = await drafted(ctx, { audienceType: 'FILTERED', audienceFilter: notPlanned })
    await sendCampaign(ctx, { id: again.id, scheduledFor: inAMinute() })
    await updateCampaign(ctx, { id: again.id, audienceFilter: { field: 'data.none', operator: 'notExists' } })
    await updateCampaign(ctx, { id, audienceType: 'ALL', audienceFilter: null })
    await updateCampaign(ctx, { id, audienceType: 'FILTERED', audienceFilter: notPlanned })
    world.clock.turn(60_000)
    for (const one of [id, again.id]) {
      await runUntil(world, ctx, one, 'SENT')
      expect(Object.keys(await sentBy(ctx, one))).toHaveLength(6)
    }
  })
})

describe('a campaign of which a field is deleted that its condition asks', () => {
  const audience = { audienceType: 'FILTERED', audienceFilter: { field: 'data.plan', operator: 'notExists' } } as const
  const soon = () => new Date(world.clock.now().getTime() + 60_000)
  const refusal = {
    code: 'VALIDATION_ERROR',
    errors: [{ field: 'audienceFilter', message: expect.stringMatching(/deleted after .* choose another/) }],
  }

  /** A campaign whose field was deleted ten minutes ago, after it was scheduled. */
  async function scheduled() {
    const { ctx } = await withPlans()
    const { id } = await drafted(ctx, audience)
    await sendCampaign(ctx, { id, scheduledFor: new Date(world.clock.now().getTime() + 3_600_000) })
    await deleteField(ctx, { field: 'plan' })
    world.clock.turn(600_000)
    return { ctx, id }
  }

  test.each<[string, (ctx: Ctx, id: string) => Promise<unknown>]>([
    ['at another time', async (ctx, id) => sendCampaign(ctx, { id, scheduledFor: soon() })],
    ['at once', async (ctx, id) => sendCampaign(ctx, { id })],
    [
      'after it was cancelled',
      async (ctx, id) => {
        await cancelCampaign(ctx, { id })
        return sendCampaign(ctx, { id })
      },
    ],
    [
      'after the same audience was saved again',
      async (ctx, id) => {
        await updateCampaign(ctx, { id, subject: 'Again', ...audience })
        return sendCampaign(ctx, { id })
      },
    ],
    [
      'after the same audience was saved again, written otherwise',
      async (ctx, id) => {
        const audienceFilter = { logic: 'OR', groups: [{ filters: [{ ...audience.audienceFilter, value: null }] }] } as const
        await updateCampaign(ctx, { id, audienceType: 'FILTERED', audienceFilter } as unknown as Parameters<typeof updateCampaign>[1])
        return sendCampaign(ctx, { id })
      },
    ],
    [
      'after the field was made again',
      async (ctx, id) => {
        await upsertContact(ctx, { email: 'user0@example.com', data: { plan: 'new' } })
        return sendCampaign(ctx, { id })
      },
    ],
    ['as its copy', async (ctx, id) => sendCampaign(ctx, { id: (await duplicateCampaign(ctx, { id })).id })],
  ])('cannot be sent %s', async (_what, send) => {
    const { ctx, id } = await scheduled()
    await expect(send(ctx, id)).rejects.toMatchObject(refusal)
    expect(await sentBy(ctx, id)).toEqual({})
  })

  test.each([undefined, 'template'])('has no copy with the audience from before a change and the time of that (%s)', async (templateId) => {
    const { ctx, id } = await scheduled()
    const run: typeof ctx.db.run = async (statement, values) => {
      if (statement.name === 'campaigns_select_needed') await updateCampaign(ctx, { id, audienceType: 'ALL', audienceFilter: null })
      return ctx.db.run(statement, values)
    }
    const template =
      templateId && (await createTemplate(ctx, { name: 'T', subject: 'S', body: 'B', from: 'a@demo.test', type: 'MARKETING' })).id
    const copy = await duplicateCampaign({ ...ctx, db: { ...ctx.db, run } }, { id, ...(template && { templateId: template }) })
    expect(copy.audienceType).toBe('ALL')
  })

  test('cannot be sent again when it has become a draft', async () => {
    const { ctx, id } = await scheduled()
    world.clock.turn(3_600_000)
    await runUntil(world, ctx, id, 'DRAFT')
    await expect(sendCampaign(ctx, { id })).rejects.toMatchObject(refusal)
  })

  test('cannot be sent where it was a draft, also through a segment, nor when more was deleted since than is remembered', async () => {
    const { ctx } = await withPlans()
    const { id } = await drafted(ctx, audience)
    const segment = await createSegment(ctx, { name: 'Without', condition: audience.audienceFilter })
    const ofIt = await drafted(ctx, { audienceType: 'SEGMENT', segmentId: segment.id })
    await deleteField(ctx, { field: 'plan' })
    world.clock.turn(600_000)
    await expect(sendCampaign(ctx, { id })).rejects.toMatchObject(refusal)
    await expect(sendCampaign(ctx, { id: ofIt.id })).rejects.toMatchObject({ errors: [{ field: 'segmentId' }] })
    await world.db.prisma.removedField.createMany({
      data: Array.from({ length: 10_050 }, (_, n) => ({ projectId: ctx.projectId, field: `event.${n}`, removedAt: world.clock.now() })),
    })
    world.clock.turn(600_000)
    const later = await drafted(ctx, audience)
    await trackEvent(ctx, { email: 'user0@example.com', event: 'joined' })
    await deleteEventName(ctx, { eventName: 'joined' })
    expect(await world.db.prisma.removedField.count({ where: { projectId: ctx.projectId } })).toBeLessThan(10_010)
    await expect(sendCampaign(ctx, { id })).rejects.toMatchObject(refusal)
    await sendCampaign(ctx, { id: later.id })
    expect(await runUntil(world, ctx, later.id, 'SENT')).toMatchObject({ totalRecipients: 6 })
  })
})

test('a campaign for a segment whose condition was chosen after what it asks was deleted is sent', async () => {
  const { ctx } = await withPlans()
  const segment = await createSegment(ctx, { name: 'Users', condition: { field: 'email', operator: 'contains', value: 'user' } })
  const { id } = await drafted(ctx, { audienceType: 'SEGMENT', segmentId: segment.id })
  await deleteField(ctx, { field: 'plan' })
  world.clock.turn(60_000)
  await upsertContact(ctx, { email: 'user0@example.com', data: { plan: 'new' } })
  await updateSegment(ctx, { id: segment.id, condition: { field: 'data.plan', operator: 'exists' } })
  await sendCampaign(ctx, { id })
  await runUntil(world, ctx, id, 'SENT')
  expect(Object.keys(await sentBy(ctx, id))).toEqual(['user0'])
})

describe('a campaign for a segment whose field was deleted', () => {
  const absent = { field: 'data.plan', operator: 'notExists' } as const
  async function broken() {
    const { ctx } = await withPlans()
    const segment = await createSegment(ctx, { name: 'Without', condition: absent })
    world.clock.turn(60_000)
    await deleteField(ctx, { field: 'plan' })
    world.clock.turn(60_000)
    return { ctx, segment }
  }

  test('cannot be sent either when it was created afterwards', async () => {
    const { ctx, segment } = await broken()
    const { id } = await drafted(ctx, { audienceType: 'SEGMENT', segmentId: segment.id })
    await expect(sendCampaign(ctx, { id })).rejects.toMatchObject({ errors: [{ field: 'segmentId' }] })
    await updateSegment(ctx, { id: segment.id, condition: { field: 'email', operator: 'contains', value: 'user1' } })
    await sendCampaign(ctx, { id })
    expect(await runUntil(world, ctx, id, 'SENT')).toMatchObject({ totalRecipients: 1 })
  })

  test('is sent by the condition that was judged, although the segment gets another one meanwhile', async () => {
    const { ctx, segment } = await broken()
    const { id } = await drafted(ctx, { audienceType: 'SEGMENT', segmentId: segment.id })
    const run: typeof ctx.db.run = async (statement, values) => {
      const rows = await ctx.db.run(statement, values)
      const condition = { field: 'email', operator: 'contains', value: 'user1' } as const
      if (statement.name === 'filters_find_segments') await updateSegment(ctx, { id: segment.id, condition })
      return rows
    }
    const db = { ...ctx.db, run }
    const sending = sendCampaign({ ...ctx, db, world: { ...world, db: { ...world.db, run } } }, { id })
    await sending.catch(() => undefined)
    world.clock.turn(60_000)
    const sent = (await getCampaign(ctx, { id })).status === 'DRAFT' ? 0 : (await runUntil(world, ctx, id, 'SENT')).totalRecipients
    expect(sent).toBeLessThan(2)
  })
})

test('a campaign that waits to start is refused when what its segment asks is deleted meanwhile', async () => {
  const { ctx } = await withPlans()
  const segment = await createSegment(ctx, { name: 'Without', condition: { field: 'data.plan', operator: 'notExists' } })
  const { id } = await drafted(ctx, { audienceType: 'SEGMENT', segmentId: segment.id })
  const other = await holder(world)
  await other.run(lockAsking.text, [ctx.projectId])
  const refused = expect(sendCampaign(ctx, { id })).rejects.toMatchObject({ errors: [{ field: 'segmentId' }] })
  await other.waitedFor()
  await deleteField(ctx, { field: 'plan' })
  world.clock.turn(10_000)
  await other.commit()
  await refused
})

describe('a campaign whose condition is chosen at once after a field was deleted', () => {
  const audience = { audienceType: 'FILTERED', audienceFilter: { field: 'data.plan', operator: 'notExists' } } as const

  test('is sent', async () => {
    const { ctx } = await withPlans()
    const changed = await drafted(ctx)
    await deleteField(ctx, { field: 'plan' })
    await updateCampaign(ctx, { id: changed.id, ...audience })
    const segment = await createSegment(ctx, { name: 'Without', condition: audience.audienceFilter })
    const ofSegment = await drafted(ctx, { audienceType: 'SEGMENT', segmentId: segment.id })
    for (const { id } of [changed, await drafted(ctx, audience), ofSegment]) {
      await sendCampaign(ctx, { id })
      expect(await runUntil(world, ctx, id, 'SENT')).toMatchObject({ totalRecipients: 6 })
    }
  })

  test('is not when it is deleted again, and is when nothing is deleted by that', async () => {
    const { ctx } = await withPlans()
    await deleteField(ctx, { field: 'plan' })
    const { id } = await drafted(ctx, audience)
    expect(await deleteField(ctx, { field: 'plan' })).toEqual({ deletedFrom: 0 })
    await sendCampaign(ctx, { id, scheduledFor: new Date(world.clock.now().getTime() + 60_000) })
    await upsertContact(ctx, { email: 'user0@example.com', data: { plan: 'new' } })
    world.clock.turn(1)
    await deleteField(ctx, { field: 'plan' })
    await expect(sendCampaign(ctx, { id })).rejects.toMatchObject({ errors: [{ field: 'audienceFilter' }] })
  })
})
