import { simpleParser } from 'mailparser'
import { expect, test } from 'vitest'
import { getCampaign } from '../../src/modules/campaigns/campaigns.ts'
import { sendCampaign } from '../../src/modules/campaigns/sending/send.ts'
import { drafted, withContacts } from '../help/campaigns.ts'
import { killableWorkers } from '../help/killable.ts'
import { mailServer } from '../help/smtp.ts'
import { until } from '../help/until.ts'
import { testWorld } from '../help/world.ts'

const world = await testWorld({ running: true })
const workers = killableWorkers(world)

test('ten kills while a campaign of 300 is written down and sent: each contact has one row, none is lost, a duplicate has the same Message-ID', async () => {
  const server = await mailServer()
  const { ctx, projectId } = await workers.sender()
  await withContacts(ctx, 300)
  const { id } = await drafted(ctx)
  await sendCampaign(ctx, { id })
  const isSent = async (): Promise<boolean> => (await getCampaign(ctx, { id })).status === 'SENT'
  for (let round = 0; round < 10; round++) {
    const before = server.mails.length
    const worker = await workers.start(server.url)
    // In the first rounds while it is written down, then at some point of sending.
    const delayed = round < 3 ? new Promise((resolve) => setTimeout(resolve, round * 30)) : undefined
    await (delayed ?? until(async () => server.mails.length > before + round || (await isSent()), 40_000))
    await workers.kill(worker)
  }
  const [last, other] = await Promise.all([workers.start(server.url), workers.start(server.url)])
  await until(async () => (await isSent()) && (await getCampaign(ctx, { id })).sentCount === 300, 90_000)
  await Promise.all([workers.kill(last), workers.kill(other)])

  const rows = await world.db.prisma.email.findMany({
    where: { projectId, campaignId: id },
    select: { id: true, toAddress: true, status: true, attempts: true },
  })
  expect([rows.length, new Set(rows.map(({ toAddress }) => toAddress)).size]).toEqual([300, 300])
  expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['SENT']))
  expect(await world.db.prisma.delivery.count({ where: { projectId } })).toBe(0)
  const arrived = await Promise.all(server.mails.map(async ({ raw, to: [to] }) => `${to} ${(await simpleParser(raw)).messageId}`))
  expect(new Set(arrived)).toEqual(new Set(rows.map((row) => `${row.toAddress} <${row.id}@demo.test>`)))
  const repeated = rows.reduce((sum, { attempts }) => sum + attempts - 1, 0)
  expect(arrived.length - 300).toBeLessThanOrEqual(repeated)
}, 300_000)
