import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../../src/kit/context.ts'
import { getCampaign } from '../../../src/modules/campaigns/campaigns.ts'
import { advanceCampaigns, stepsIdle } from '../../../src/modules/campaigns/run/run.ts'
import { sendCampaign } from '../../../src/modules/campaigns/sending/send.ts'
import { cancelCampaign } from '../../../src/modules/campaigns/sending/stop.ts'
import { deliver, drafted, runUntil, step, withContacts } from '../../help/campaigns.ts'
import { logOf, sendingProject } from '../../help/mails.ts'
import { freshUser } from '../../help/people.ts'
import { testServer } from '../../help/server.ts'
import { until } from '../../help/until.ts'

const { world, call } = await testServer({ env: { EMAIL_TRANSPORT: 'capture' } })
const hourMs = 3_600_000

interface Sending {
  ctx: Ctx
  id: string
}

/** A campaign that is being sent. */
async function sending(ctx: Ctx, draft: Parameters<typeof drafted>[1] = {}): Promise<Sending> {
  const { id } = await drafted(ctx, draft)
  await sendCampaign(ctx, { id })
  return { ctx, id }
}

async function stageOf({ ctx, id }: Sending): Promise<string | null | undefined> {
  const [row] = await world.db.prisma.campaign.findMany({ where: { projectId: ctx.projectId, id } })
  return row?.stage
}

/** A project that may send, with a few contacts. */
async function project() {
  const made = await sendingProject(world)
  await withContacts(made.ctx, 3)
  return made
}

describe('campaigns of several accounts', () => {
  test('take turns, however many projects and campaigns one of them has', async () => {
    const hogs = [await project(), await project()]
    await freshUser(world, { member: hogs.map(({ projectId }) => ({ projectId, role: 'OWNER' as const })) })
    const sent: Sending[] = []
    for (const { ctx } of hogs) for (let n = 0; n < 8; n++) sent.push(await sending(ctx))
    const { ctx } = await project()
    const other = await sending(ctx)
    await step(world, 12)
    expect(await stageOf(other)).toBe('DELIVER')
    expect(await Promise.all(sent.map(stageOf))).not.toContain('DELIVER')
    await step(world)
  })

  test('are worked on at the same time: a step that takes long holds up those of its account only', async () => {
    const slow = await project()
    const first = await sending(slow.ctx)
    const gate = Promise.withResolvers<void>()
    const { transaction } = world.db
    world.db.transaction = async (work) => {
      world.db.transaction = transaction
      await gate.promise
      return transaction(work)
    }
    try {
      await advanceCampaigns(world)
      const second = await sending(slow.ctx)
      const other = await sending((await project()).ctx)
      await until(async () => {
        while (await advanceCampaigns(world));
        return (await stageOf(other)) === 'DELIVER'
      })
      expect([await stageOf(first), await stageOf(second)]).toEqual(['CLEAR', 'CLEAR'])
    } finally {
      gate.resolve()
    }
    await stepsIdle(world)
    await step(world)
    expect(await stageOf(first)).toBe('DELIVER')
  })
})

test('a campaign with a rate is not looked at before it allows the next email', async () => {
  const { ctx, projectId } = await project()
  const { id } = await sending(ctx, { maxPerHour: 6 })
  await step(world)
  const first = world.clock.now().getTime()
  for (let n = 0; n < 3; n++) {
    await deliver(world)
    world.clock.turn(1_000)
    await step(world)
  }
  const [row] = await world.db.prisma.campaign.findMany({ where: { projectId, id } })
  expect(row?.wakeAt?.getTime()).toBeGreaterThan(world.clock.now().getTime() + 4 * 60_000)
  expect(await world.db.prisma.email.count({ where: { projectId, status: 'SENT' } })).toBe(1)
  // The rate is ten minutes per email.
  world.clock.turn(first + 10 * 60_000 + 1_000 - world.clock.now().getTime())
  await step(world)
  await deliver(world)
  expect(await world.db.prisma.email.count({ where: { projectId, status: 'SENT' } })).toBe(2)
  world.clock.turn(hourMs)
  await runUntil(world, ctx, id, 'SENT')
  expect(await world.db.prisma.email.count({ where: { projectId, status: 'SENT' } })).toBe(3)
})

test('at most 100 campaigns of a project are scheduled or being sent; one that is can be sent at another time', async () => {
  const { ctx, secret: key, projectId } = await project()
  const time = new Date(world.clock.now().getTime() + hourMs)
  const drafts = await Promise.all(Array.from({ length: 102 }, () => drafted(ctx)))
  const [last, another, ...others] = drafts.map(({ id }) => id)
  await world.db.prisma.campaign.updateMany({
    where: { projectId, id: { in: others.slice(1) } },
    data: { status: 'SCHEDULED', scheduledFor: time, wakeAt: time },
  })
  const send = (id?: string) => call(`POST /campaigns/${id}/send`, { scheduledFor: time }, { key })
  const answers = await Promise.all([last, another, others[0]].map(send))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
    error: { code: 'LIMIT_REACHED', message: '100 campaigns of this project are scheduled or being sent, which is the maximum.' },
  })
  expect((await send(others[1])).status).toBe(200)
  await cancelCampaign(ctx, { id: others[1] ?? '' })
  const refused = [last, another, others[0]].filter((_id, at) => answers[at]?.status === 409)
  expect((await send(refused[0])).status).toBe(200)
})

test.each([
  ['SCHEDULED', new Date(Date.now() + 365 * 24 * hourMs)],
  ['SENDING', undefined],
])('the cancellation of a campaign that is %s is logged, also when nothing has left', async (status, scheduledFor) => {
  const { ctx } = await project()
  const { id } = await drafted(ctx)
  expect(await sendCampaign(ctx, { id, scheduledFor })).toMatchObject({ status })
  expect(await cancelCampaign(ctx, { id })).toMatchObject({ status: 'DRAFT' })
  const data = { campaignId: id, campaignName: 'Spring news' }
  expect((await logOf(ctx)).filter(({ name }) => name === 'campaign.cancelled')).toEqual([{ name: 'campaign.cancelled', data }])
  expect((await getCampaign(ctx, { id })).status).toBe('DRAFT')
})
