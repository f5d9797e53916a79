import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../../src/kit/context.ts'
import { getCampaign } from '../../../src/modules/campaigns/campaigns.ts'
import { updateCampaign } from '../../../src/modules/campaigns/changes.ts'
import { sendCampaign } from '../../../src/modules/campaigns/sending/send.ts'
import { cancelCampaign, pauseCampaign, resumeCampaign } from '../../../src/modules/campaigns/sending/stop.ts'
import { addContacts, deliver, drafted, runUntil, step } from '../../help/campaigns.ts'
import { sendingProject } from '../../help/mails.ts'
import { testWorld } from '../../help/world.ts'

const world = await testWorld({ env: { EMAIL_TRANSPORT: 'capture' } })

/** A campaign of which the first email has left, with a rate of one per second. */
async function sending(count = 50) {
  const { ctx } = await sendingProject(world)
  await addContacts(ctx, count)
  const { id } = await drafted(ctx, { maxPerHour: 3_600 })
  await sendCampaign(ctx, { id })
  const read = () => getCampaign(ctx, { id })
  await workFor(2)
  return { ctx, id, read }
}

async function workFor(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    world.clock.turn(1_000)
    await step(world)
    await deliver(world)
  }
}

const left = ({ projectId }: Ctx) => world.db.prisma.email.count({ where: { projectId, status: 'SENT' } })
const cursorOf = async ({ projectId }: Ctx, id: string) =>
  world.db.prisma.campaign.findUniqueOrThrow({ where: { projectId_id: { projectId, id } }, select: { queuedUpTo: true, paceAt: true } })

describe('while a campaign is being sent', () => {
  test('its updatedAt stays, so that its rate can be changed by whoever has read it before', async () => {
    const { ctx, id, read } = await sending()
    const before = await read()
    const [leftBefore, cursorBefore] = [await left(ctx), await cursorOf(ctx, id)]
    await workFor(5)
    expect(await left(ctx)).toBeGreaterThan(leftBefore)
    expect(await cursorOf(ctx, id)).not.toEqual(cursorBefore)
    expect((await read()).updatedAt).toEqual(before.updatedAt)
    const changed = await updateCampaign(ctx, { id, maxPerHour: 7_200, ifUpdatedAt: before.updatedAt })
    expect(changed).toMatchObject({ status: 'SENDING', maxPerHour: 7_200 })
    expect(changed.updatedAt.getTime()).toBeGreaterThan(before.updatedAt.getTime())
    await expect(updateCampaign(ctx, { id, maxPerHour: 100, ifUpdatedAt: before.updatedAt })).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await read()).toMatchObject({ maxPerHour: 7_200 })
  })

  test('its updatedAt moves when it is paused, not when it is paused again, when it is resumed, and when it is cancelled', async () => {
    const { ctx, id, read } = await sending()
    const moments = [(await read()).updatedAt]
    for (const change of [pauseCampaign, pauseCampaign, resumeCampaign, cancelCampaign]) moments.push((await change(ctx, { id })).updatedAt)
    const [sent, paused, again, resumed, cancelled] = moments.map((at) => at.getTime()) as [number, number, number, number, number]
    expect([paused > sent, again === paused, resumed > paused, cancelled > resumed]).toEqual([true, true, true, true])
  })
})

test('updatedAt of a campaign moves with its recipients and states, with its reason, and not after its end', async () => {
  const { ctx } = await sendingProject(world)
  await addContacts(ctx, 3)
  const { id, updatedAt } = await drafted(ctx)
  const moments = [updatedAt]
  const moved = async (): Promise<boolean> => {
    const now = (await getCampaign(ctx, { id })).updatedAt
    moments.push(now)
    return now > (moments.at(-2) ?? now)
  }
  await sendCampaign(ctx, { id })
  expect(await moved()).toBe(true)
  await step(world)
  expect([await getCampaign(ctx, { id }), await moved()]).toMatchObject([{ totalRecipients: 3, sentAt: expect.any(Date) }, true])
  const domain = { where: { projectId: ctx.projectId } }
  await world.db.prisma.domain.updateMany({ ...domain, data: { status: 'PENDING' } })
  await workFor(1)
  expect([await getCampaign(ctx, { id }), await moved()]).toMatchObject([{ statusReason: expect.stringContaining('not verified') }, true])
  await workFor(30)
  expect(await moved()).toBe(false)
  await world.db.prisma.domain.updateMany({ ...domain, data: { status: 'VERIFIED' } })
  await workFor(15)
  await runUntil(world, ctx, id, 'SENT')
  expect(await moved()).toBe(true)
  await workFor(5)
  expect(await moved()).toBe(false)
})
