import { describe, expect, test } from 'vitest'
import { getCampaign } from '../../../src/modules/campaigns/campaigns.ts'
import { updateCampaign } from '../../../src/modules/campaigns/changes.ts'
import { advanceCampaigns, stepsIdle } from '../../../src/modules/campaigns/run/run.ts'
import { sendCampaign } from '../../../src/modules/campaigns/sending/send.ts'
import { cancelCampaign } from '../../../src/modules/campaigns/sending/stop.ts'
import { deleteField } from '../../../src/modules/contacts/fields/delete.ts'
import { trackEvent } from '../../../src/modules/contacts/track.ts'
import { createSegment, deleteSegment, updateSegment } from '../../../src/modules/segments/segments.ts'
import { drafted, runUntil, sentBy, step, withContacts } from '../../help/campaigns.ts'
import { holder } from '../../help/holder.ts'
import { sendingProject } from '../../help/mails.ts'
import { logSettled, testWorld } from '../../help/world.ts'

const world = await testWorld({ env: { EMAIL_TRANSPORT: 'capture' } })
const plan = (value: string) => ({ field: 'data.plan', operator: 'equals' as const, value })

/** Every other one of six contacts is on the plan `pro`, the others are on `free`. */
async function ofSegment() {
  const { ctx } = await sendingProject(world)
  await withContacts(ctx, 6)
  const segment = await createSegment(ctx, { name: 'Meant', condition: plan('pro') })
  const outer = await createSegment(ctx, { name: 'Outer', condition: { field: `segment.${segment.id}`, operator: 'memberOfSegment' } })
  const toOthers = () => updateSegment(ctx, { id: segment.id, condition: plan('free') })
  return { ctx, segment, outer, toOthers }
}

describe('a segment that is changed after the answer, when a campaign for it is sent,', () => {
  test.each([
    ['directly', 0],
    ['while its audience is read', 2],
  ])('%s changes nothing of whom it is sent to', async (_when, steps) => {
    const { ctx, segment, toOthers } = await ofSegment()
    const { id } = await drafted(ctx, { audienceType: 'SEGMENT', segmentId: segment.id, subject: 'News' })
    await sendCampaign(ctx, { id })
    await step(world, steps)
    await toOthers()
    await runUntil(world, ctx, id, 'SENT')
    expect(await sentBy(ctx, id)).toEqual({ user1: 'News', user3: 'News', user5: 'News' })
  })

  test('changes nothing either where a condition or another segment asks for it', async () => {
    const { ctx, segment, outer, toOthers } = await ofSegment()
    const audienceFilter = { field: `segment.${segment.id}`, operator: 'notMemberOfSegment' } as const
    const drafts = [{ audienceType: 'SEGMENT', segmentId: outer.id } as const, { audienceType: 'FILTERED', audienceFilter } as const]
    const campaigns = await Promise.all(drafts.map((draft) => drafted(ctx, { ...draft, subject: 'News' })))
    for (const { id } of campaigns) await sendCampaign(ctx, { id })
    await toOthers()
    for (const { id } of campaigns) await runUntil(world, ctx, id, 'SENT')
    const found = await Promise.all(campaigns.map(async ({ id }) => Object.keys(await sentBy(ctx, id))))
    expect(found).toEqual([
      ['user1', 'user3', 'user5'],
      ['user0', 'user2', 'user4'],
    ])
  })
})

test('a campaign that is scheduled is sent to the segment as it is when it starts', async () => {
  const { ctx, segment, toOthers } = await ofSegment()
  const { id } = await drafted(ctx, { audienceType: 'SEGMENT', segmentId: segment.id, subject: 'News' })
  await sendCampaign(ctx, { id, scheduledFor: new Date(world.clock.now().getTime() + 60_000) })
  await toOthers()
  world.clock.turn(60_000)
  await runUntil(world, ctx, id, 'SENT')
  expect(Object.keys(await sentBy(ctx, id))).toEqual(['user0', 'user2', 'user4'])
})

test('a campaign becomes a draft again when a segment is gone that only another one asks for: what is left of the condition is everybody', async () => {
  const { ctx, segment } = await ofSegment()
  const outer = await createSegment(ctx, { name: 'All but', condition: { field: `segment.${segment.id}`, operator: 'notMemberOfSegment' } })
  const { id } = await drafted(ctx, { audienceType: 'SEGMENT', segmentId: outer.id })
  await sendCampaign(ctx, { id })
  await step(world, 2)
  // No call can delete it now.
  await world.db.prisma.segment.delete({ where: { projectId_id: { projectId: ctx.projectId, id: segment.id } } })
  expect(await runUntil(world, ctx, id, 'DRAFT')).toMatchObject({ status: 'DRAFT', statusReason: expect.stringContaining('deleted') })
  expect(await sentBy(ctx, id)).toEqual({})
})

test('a campaign becomes a draft again when a field is deleted that a segment asked when it started, and asks no more', async () => {
  const { ctx, segment } = await ofSegment()
  const audienceFilter = { field: `segment.${segment.id}`, operator: 'notMemberOfSegment' } as const
  const { id } = await drafted(ctx, { audienceType: 'FILTERED', audienceFilter })
  await sendCampaign(ctx, { id })
  await updateSegment(ctx, { id: segment.id, condition: { field: 'email', operator: 'contains', value: 'user' } })
  await deleteField(ctx, { field: 'plan' })
  const statusReason = 'A field or an event that says who it is sent to was deleted.'
  expect(await runUntil(world, ctx, id, 'DRAFT')).toMatchObject({ status: 'DRAFT', statusReason })
  expect(await sentBy(ctx, id)).toEqual({})
})

test('a campaign that is cancelled, changed and sent again while its first audience is read has its new text and audience only', async () => {
  const { ctx } = await sendingProject(world)
  await withContacts(ctx, 6)
  for (const n of [0, 1, 2])
    await trackEvent(ctx, { email: `user${n}@example.com`, event: 'signed-up' } as Parameters<typeof trackEvent>[1])
  await logSettled(world)
  const first = { audienceType: 'FILTERED', audienceFilter: { field: 'event.signed-up', operator: 'triggered' }, subject: 'First' } as const
  const { id } = await drafted(ctx, first)
  await sendCampaign(ctx, { id })
  await step(world, 2)
  const other = await holder(world)
  await other.run('lock table contact_events in access exclusive mode')
  await advanceCampaigns(world)
  await other.waitedFor()
  await cancelCampaign(ctx, { id })
  await updateCampaign(ctx, { id, audienceType: 'FILTERED', audienceFilter: plan('pro'), subject: 'Second' })
  world.clock.turn(1)
  await sendCampaign(ctx, { id })
  // What is left of the first run is removed.
  await advanceCampaigns(world)
  await other.commit()
  await stepsIdle(world)
  await runUntil(world, ctx, id, 'SENT')
  expect(await sentBy(ctx, id)).toEqual({ user1: 'Second', user3: 'Second', user5: 'Second' })
})

test('a campaign is a draft again when a segment that it leads to is deleted after its audience was read, and before that is written down', async () => {
  const { ctx, segment, outer } = await ofSegment()
  const audienceFilter = {
    logic: 'AND',
    groups: [
      {
        filters: [
          { field: 'event.signed-up', operator: 'notTriggered' },
          { field: `segment.${outer.id}`, operator: 'memberOfSegment' },
        ],
      },
    ],
  } as const
  const { id } = await drafted(ctx, { audienceType: 'FILTERED', audienceFilter } as unknown as Parameters<typeof drafted>[1])
  await sendCampaign(ctx, { id })
  await step(world, 2)
  const [reading, writing] = [await holder(world), await holder(world)]
  await reading.run('lock table contact_events in access exclusive mode')
  await advanceCampaigns(world)
  await reading.waitedFor()
  await writing.run('select 1 from campaigns where project_id = $1 and id = $2 for update', [ctx.projectId, id])
  await reading.commit()
  await writing.waitedFor()
  await updateSegment(ctx, { id: outer.id, condition: plan('pro') })
  await deleteSegment(ctx, segment)
  await writing.commit()
  await stepsIdle(world)
  expect(await getCampaign(ctx, { id })).toMatchObject({
    status: 'DRAFT',
    statusReason: 'A segment that says who it is sent to was deleted.',
  })
})
