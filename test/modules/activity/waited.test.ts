import { expect, test } from 'vitest'
import { getActivityStats } from '../../../src/modules/activity/stats.ts'
import { sendCampaign } from '../../../src/modules/campaigns/sending/send.ts'
import { pauseCampaign, resumeCampaign } from '../../../src/modules/campaigns/sending/stop.ts'
import { recordEngaged } from '../../../src/modules/emails/tracking/record.ts'
import { deliver, drafted, step, withContacts } from '../../help/campaigns.ts'
import { countWholeLog } from '../../help/counted.ts'
import { sendingProject } from '../../help/mails.ts'
import { testWorld } from '../../help/world.ts'

const world = await testWorld({ env: { EMAIL_TRANSPORT: 'capture' } })
const dayMs = 86_400_000
const browser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Safari/537.36'

test.each([1, 3, 40])('opens count on the day of sending also for emails that waited %i days', async (days) => {
  const { ctx, projectId } = await sendingProject(world)
  await withContacts(ctx, 3)
  const { id } = await drafted(ctx)
  await sendCampaign(ctx, { id })
  await step(world)
  await pauseCampaign(ctx, { id })
  world.clock.turn(days * dayMs)
  await resumeCampaign(ctx, { id })
  await step(world)
  await deliver(world)
  const [first, second] = await world.db.prisma.email.findMany({ where: { projectId }, select: { id: true } })
  for (const one of [first, second]) await recordEngaged(world, { projectId, id: one?.id ?? '', link: null, userAgent: browser })
  await countWholeLog(world)
  const today = world.clock.now()
  const figures = { totalEmailsSent: 3, totalEmailsOpened: 2, totalEmailsClicked: 0, openRate: 66.7 }
  expect(await getActivityStats(ctx, { startDate: today, endDate: today })).toMatchObject(figures)
  expect(await getActivityStats(ctx, {})).toMatchObject(figures)
  const before = new Date(today.getTime() - dayMs)
  expect(await getActivityStats(ctx, { startDate: before, endDate: before })).toMatchObject({ totalEmailsSent: 0, totalEmailsOpened: 0 })
})
