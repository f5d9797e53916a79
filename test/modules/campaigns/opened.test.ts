import { expect, test } from 'vitest'
import type { Ctx } from '../../../src/kit/context.ts'
import { getActivityStats } from '../../../src/modules/activity/stats.ts'
import { getCampaignStats } from '../../../src/modules/campaigns/counts/stats.ts'
import { sendCampaign } from '../../../src/modules/campaigns/sending/send.ts'
import { cancelCampaign } from '../../../src/modules/campaigns/sending/stop.ts'
import { recordComplaint } from '../../../src/modules/emails/feedback/record.ts'
import { recordOpen } from '../../../src/modules/emails/tracking/record.ts'
import { counted, deliver, drafted, step, withContacts } from '../../help/campaigns.ts'
import { countWholeLog } from '../../help/counted.ts'
import { sendingProject } from '../../help/mails.ts'
import { twoWorkers } from '../../help/workers.ts'

const { world, server, sent, turn } = await twoWorkers()
const browser = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'

/** A campaign of which the answers about all emails were lost. */
async function lost() {
  const { ctx, projectId } = await sendingProject(world)
  await withContacts(ctx, 2)
  const { id } = await drafted(ctx)
  await sendCampaign(ctx, { id })
  await step(world)
  server.answer = async () => ({ kind: 'deferred', response: 'lost', uncertain: true })
  await deliver(world)
  turn(2_000)
  const emails = await world.db.prisma.email.findMany({ where: { projectId }, orderBy: { id: 'asc' } })
  return { ctx: { ...ctx, client: { ...ctx.client, userAgent: browser } }, projectId, id, emails: emails.map((email) => email.id) }
}

async function open(ctx: Ctx, id = ''): Promise<void> {
  await recordOpen(ctx, { token: world.vault.sign('tracked mail', [ctx.projectId, id]), method: 'GET' })
}

const findAll = (projectId: string) => world.db.prisma.email.findMany({ where: { projectId }, orderBy: { id: 'asc' } })

async function stats(ctx: Ctx, id: string) {
  await counted(world)
  const { sentCount, openedCount, openRate } = await getCampaignStats(ctx, { id })
  return { sentCount, openedCount, openRate }
}

test('of a campaign that is cancelled, what was opened although the answer about it was lost counts as sent, and is not sent again', async () => {
  const { ctx, projectId, id, emails } = await lost()
  await open(ctx, emails[0])
  const before = sent.length
  expect(await cancelCampaign(ctx, { id })).toMatchObject({ status: 'CANCELLED' })
  await step(world)
  await deliver(world)
  expect(sent.length).toBe(before)
  expect(await findAll(projectId)).toMatchObject([
    { status: 'OPENED', sentAt: world.clock.now() },
    { status: 'CANCELLED', sentAt: null, uncertain: true },
  ])
  expect(await world.db.prisma.delivery.count({ where: { projectId } })).toBe(0)
  expect(await stats(ctx, id)).toEqual({ sentCount: 1, openedCount: 1, openRate: 100 })
})

test('what is opened after it was cancelled counts as sent, once, whatever is reported of it', async () => {
  const { ctx, projectId, id, emails } = await lost()
  await cancelCampaign(ctx, { id })
  await step(world)
  await deliver(world)
  turn(10_000)
  const [first = '', second = ''] = emails
  for (const email of [first, first, second]) await open(ctx, email)
  await recordComplaint(world, { email: { projectId, emailId: second }, at: world.clock.now(), recipients: [] })
  expect(await findAll(projectId)).toMatchObject([
    { status: 'CANCELLED', opens: 2 },
    { status: 'CANCELLED', opens: 1, complainedAt: world.clock.now() },
  ])
  expect(await stats(ctx, id)).toEqual({ sentCount: 2, openedCount: 2, openRate: 100 })
  // Which counts what mail servers have accepted.
  await countWholeLog(world)
  expect(await getActivityStats(ctx, {})).toMatchObject({ totalEmailsSent: 0, totalEmailsOpened: 0, openRate: 0 })
})
