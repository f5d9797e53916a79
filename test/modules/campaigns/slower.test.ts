import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { getCampaign } from '../../../src/modules/campaigns/campaigns.ts'
import { updateCampaign } from '../../../src/modules/campaigns/changes.ts'
import { sendCampaign } from '../../../src/modules/campaigns/sending/send.ts'
import { pauseCampaign, resumeCampaign } from '../../../src/modules/campaigns/sending/stop.ts'
import { freshMs } from '../../../src/modules/emails/queue/claim.ts'
import { addContacts, deliver, drafted, runUntil, step } from '../../help/campaigns.ts'
import { sendingProject } from '../../help/mails.ts'
import { scriptedServer } from '../../help/smtp.ts'
import { until } from '../../help/until.ts'
import { testWorld } from '../../help/world.ts'

const answers: Record<string, string> = { '<CONNECT>': '220 hi', EHLO: '250 hi', DATA: '354 go', QUIT: '221 bye' }
const server = { received: 0, waitMs: 0 }
const { url } = await scriptedServer(async (verb) => {
  if (verb !== '<CONTENT>') return answers[verb] ?? '250 ok'
  server.received++
  await sleep(server.waitMs)
  return '250 ok'
})
const world = await testWorld({ env: { EMAIL_TRANSPORT: url, SEND_RATE_PER_PROJECT: '0' } })

/** A campaign to some contacts, of which a slow mail server has a few while workers have claimed hundreds. */
async function leaving(count: number, maxPerHour: number | null) {
  const { ctx } = await sendingProject(world)
  await addContacts(ctx, count)
  const { id } = await drafted(ctx, { maxPerHour })
  await sendCampaign(ctx, { id })
  await step(world)
  world.clock.turn(1_000)
  await step(world)
  Object.assign(server, { received: 0, waitMs: 100 })
  const delivering = deliver(world)
  await until(async () => server.received > 20)
  const ended = async () => {
    await delivering
    server.waitMs = 0
  }
  return { ctx, id, ended }
}

/** Does the work of a worker for some seconds; returns how many emails leave in them. */
async function leaveIn(seconds: number): Promise<number> {
  const before = server.received
  for (let second = 0; second < seconds; second++) {
    world.clock.turn(1_000)
    await step(world)
    await deliver(world)
  }
  return server.received - before
}

test.each([null, 3_600_000])(
  'a rate that is lowered from %s holds from the answer on, also for what workers have claimed',
  async (from) => {
    const { ctx, id, ended } = await leaving(500, from)
    expect(await updateCampaign(ctx, { id, maxPerHour: 3_600 })).toMatchObject({ status: 'SENDING', paused: false, maxPerHour: 3_600 })
    const atAnswer = server.received
    await ended()
    expect([server.received - atAnswer, atAnswer < 250]).toEqual([0, true])
    const left = await leaveIn(10)
    expect(left).toBeGreaterThan(5)
    expect(left).toBeLessThanOrEqual(10)
    await updateCampaign(ctx, { id, maxPerHour: null })
    expect(await runUntil(world, ctx, id, 'SENT')).toMatchObject({ sentCount: 500 })
    expect(server.received).toBe(500)
  },
)

test('a rate that is set while a campaign is paused holds when it is resumed, whoever else stops meanwhile', async () => {
  const { ctx, id, ended } = await leaving(300, null)
  await Promise.all([updateCampaign(ctx, { id, maxPerHour: 3_600 }), pauseCampaign(ctx, { id })])
  await ended()
  expect(await leaveIn(3)).toBe(0)
  expect(await getCampaign(ctx, { id })).toMatchObject({ paused: true, maxPerHour: 3_600 })
  await resumeCampaign(ctx, { id })
  expect(await leaveIn(5)).toBeLessThanOrEqual(6)
  await updateCampaign(ctx, { id, maxPerHour: null })
  expect(await runUntil(world, ctx, id, 'SENT')).toMatchObject({ sentCount: 300 })
  expect(server.received).toBe(300)
})

test('a rate that is lowered holds what waits until every worker has read so: one that has just claimed some hands them over until then', async () => {
  const { ctx, id, ended } = await leaving(100, null)
  const isHeld = async () =>
    (
      await world.db.prisma.campaign.findUniqueOrThrow({
        where: { projectId_id: { projectId: ctx.projectId, id } },
        select: { held: true },
      })
    ).held
  await updateCampaign(ctx, { id, maxPerHour: 3_600 })
  await ended()
  await step(world)
  expect(await isHeld()).toBe(true)
  world.clock.turn(2 * freshMs)
  await step(world)
  expect(await isHeld()).toBe(false)
})
