import fc from 'fast-check'
import { expect, test } from 'vitest'
import { updateCampaign } from '../../../src/modules/campaigns/changes.ts'
import { getCampaignStats } from '../../../src/modules/campaigns/counts/stats.ts'
import { wakeStalled } from '../../../src/modules/campaigns/run/run.ts'
import { resumeCampaign } from '../../../src/modules/campaigns/sending/stop.ts'
import type { Campaign } from '../../../src/modules/campaigns/shapes.ts'
import { campaignOf, expected, groups, type Move, make, moodyServer, type Scene, type Taken } from '../../help/campaign-moves.ts'
import { counted, deliver, drafted, step, withContacts } from '../../help/campaigns.ts'
import { sendingProject } from '../../help/mails.ts'
import { testWorld } from '../../help/world.ts'

const runs = Number(process.env.RUNS ?? 15)
const server = moodyServer()
const first = await testWorld({ mailServer: server })
const worlds = [first, await testWorld({ mailServer: server, databaseUrl: first.databaseUrl })] as const

async function scene(): Promise<Scene> {
  const { ctx } = await sendingProject(first)
  const contacts = await withContacts(ctx, 6)
  Object.assign(server, { mood: 'accepts', taken: [], bounces: 0 })
  return { worlds, ctx, contacts, server, id: (await drafted(ctx)).id }
}

function expectLegal({ status, paused, scheduledAt, totalRecipients, sentAt }: Campaign): void {
  expect(['DRAFT', 'SCHEDULED', 'SENDING', 'SENT', 'CANCELLED']).toContain(status)
  if (paused) expect(status).toBe('SENDING')
  if (status === 'SCHEDULED') expect(scheduledAt).not.toBeNull()
  if (status === 'DRAFT') expect([scheduledAt, sentAt]).toEqual([null, null])
  if (status === 'DRAFT' || status === 'SCHEDULED') expect(totalRecipients).toBe(0)
  if (status === 'SENT' || status === 'CANCELLED') expect(sentAt).not.toBeNull()
}

/** Does one move alone, and compares the answer and the state with what they have to be. */
async function makeOne(at: Scene, one: Move): Promise<void> {
  const before = await campaignOf(at)
  const hasLeft = server.taken.length + server.bounces > 0
  const { answer, after } = expected(before, one, hasLeft)
  expect([one, await make(at, one)]).toEqual([one, answer])
  const now = await campaignOf(at)
  expectLegal(now)
  if (after) expect([one, before.status, now.status]).toEqual([one, before.status, after])
}

/** Does moves at the same time: each is done, or refused because of the state, or the time, that it found. */
async function makeTogether(at: Scene, group: Move[]): Promise<void> {
  const answers = await Promise.all(group.map((one) => make(at, one)))
  for (const [n, answer] of answers.entries())
    expect([group[n], ['ok', 'CONFLICT', 'VALIDATION_ERROR'].includes(answer)]).toEqual([group[n], true])
  expectLegal(await campaignOf(at))
}

/** Lets everything that is under way come to its end. */
async function finish(at: Scene): Promise<Campaign> {
  const { ctx, id } = at
  server.mood = 'accepts'
  await first.db.prisma.project.update({ where: { id: ctx.projectId }, data: { disabled: false } })
  if ((await campaignOf(at)).paused) await resumeCampaign(ctx, { id })
  for (let round = 0; round < 60; round++) {
    const { status, maxPerHour } = await campaignOf(at)
    if (status === 'SENDING' && maxPerHour !== null) await updateCampaign(ctx, { id, maxPerHour: null })
    for (const world of worlds) {
      world.clock.turn(600_000)
      await wakeStalled(world)
    }
    for (const world of worlds) {
      await step(world)
      await deliver(world)
    }
    if (status !== 'SCHEDULED' && (await countOpen(at)) === 0) break
  }
  await counted(first)
  return campaignOf(at)
}

/** How many emails of the campaign have not ended; one if it is being sent. */
async function countOpen(at: Scene): Promise<number> {
  const { projectId } = at.ctx
  if ((await campaignOf(at)).status === 'SENDING') return 1
  return first.db.prisma.email.count({ where: { projectId, status: 'PENDING' } })
}

interface Row {
  id: string
  toAddress: string
  status: string
}

const nameOf = ({ to, messageId }: Taken): string => `${to} ${messageId}`
const rowNameOf = ({ toAddress, id }: Row): string => `${toAddress} <${id}@demo.test>`

async function expectExact({ ctx, id }: Scene, campaign: Campaign): Promise<void> {
  const where = { projectId: ctx.projectId }
  const rows: Row[] = await first.db.prisma.email.findMany({ where, select: { id: true, toAddress: true, status: true } })
  const withStatus = (...wanted: string[]): Row[] => rows.filter(({ status }) => wanted.includes(status))
  expect(await first.db.prisma.delivery.count({ where })).toBe(0)
  expect(withStatus('PENDING')).toEqual([])
  expect(campaign.totalRecipients).toBe(rows.length)
  expect(new Set(rows.map(({ toAddress }) => toAddress)).size).toBe(rows.length)
  // Each was taken once: again only where the answer was lost, and then the same message.
  const known = server.taken.filter(({ lost }) => !lost).map(nameOf)
  expect(known.toSorted()).toEqual(withStatus('SENT').map(rowNameOf).toSorted())
  expect(rows.map(rowNameOf)).toEqual(expect.arrayContaining(server.taken.map(nameOf)))
  expect(await getCampaignStats(ctx, { id })).toMatchObject({
    sentCount: withStatus('SENT', 'BOUNCED').length,
    bouncedCount: withStatus('BOUNCED').length,
    failedCount: withStatus('FAILED').length,
    suppressedCount: withStatus('SUPPRESSED').length,
  })
  const excluded = await first.db.prisma.campaignExclusion.count({ where })
  const { _sum } = await first.db.prisma.billingUsage.aggregate({ where: { ...where, category: 'campaigns' }, _sum: { count: true } })
  expect(_sum.count ?? 0).toBe(rows.length)
  if (campaign.status === 'DRAFT') expect([rows.length, excluded]).toEqual([0, 0])
}

test('whatever is called, in whatever order, at the same time and with workers in between: each contact gets at most one, and all is exact', async () => {
  await fc.assert(
    fc.asyncProperty(groups, async (moves) => {
      const at = await scene()
      for (const group of moves) {
        const [one, ...others] = group
        if (one && others.length === 0) await makeOne(at, one)
        else await makeTogether(at, group)
      }
      const campaign = await finish(at)
      expect(['DRAFT', 'SENT', 'CANCELLED']).toContain(campaign.status)
      expectLegal(campaign)
      await expectExact(at, campaign)
    }),
    { numRuns: runs },
  )
}, 1_200_000)
