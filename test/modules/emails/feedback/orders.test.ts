import { beforeAll, describe, expect, test } from 'vitest'
import type { Ctx } from '../../../../src/kit/context.ts'
import { getActivityStats } from '../../../../src/modules/activity/stats.ts'
import { getEmailTotals } from '../../../../src/modules/analytics/timeseries.ts'
import { getCampaignStats } from '../../../../src/modules/campaigns/counts/stats.ts'
import { sendCampaign } from '../../../../src/modules/campaigns/sending/send.ts'
import { settleEmail } from '../../../../src/modules/emails/delivery/settle.ts'
import {
  recordBounce,
  recordComplaint,
  recordDelivered,
  recordFailure,
  recordRejection,
  recordTransientBounce,
} from '../../../../src/modules/emails/feedback/record.ts'
import type { ClaimedEmail } from '../../../../src/modules/emails/queue/claim.ts'
import { getSecurity } from '../../../../src/modules/security/security.ts'
import { addContacts, counted, drafted, step } from '../../../help/campaigns.ts'
import { countWholeAnalytics, countWholeLog } from '../../../help/counted.ts'
import { sendingProject } from '../../../help/mails.ts'
import { countWholeReputation } from '../../../help/reputation.ts'
import { claim } from '../../../help/workers.ts'
import { testWorld } from '../../../help/world.ts'

const world = await testWorld()

const reports = {
  delivery: recordDelivered,
  transient: recordTransientBounce,
  bounce: recordBounce,
  complaint: recordComplaint,
  failure: recordFailure,
  rejection: recordRejection,
}
type Report = keyof typeof reports
type Own = 'SENT' | 'BOUNCED' | 'FAILED'
type Happening = Report | Own

const ownOutcomes: Own[] = ['SENT', 'BOUNCED', 'FAILED']
const reported: Report[][] = [
  ...(Object.keys(reports) as Report[]).map((kind) => [kind]),
  ['bounce', 'failure'],
  ['bounce', 'delivery'],
  ['bounce', 'complaint'],
  ['failure', 'delivery'],
]
const cases = ownOutcomes.flatMap((own) => reported.map((kinds) => ({ own, kinds })))

function orders<Item>(items: Item[]): Item[][] {
  if (items.length < 2) return [items]
  return items.flatMap((item, at) => orders(items.toSpliced(at, 1)).map((rest) => [item, ...rest]))
}

async function happen(email: ClaimedEmail, what: Happening): Promise<void> {
  if (what === 'SENT') return void (await settleEmail(world, email, { kind: what }))
  if (what === 'BOUNCED' || what === 'FAILED') return void (await settleEmail(world, email, { kind: what, reason: what }))
  const name = { projectId: email.projectId, emailId: email.id }
  await reports[what](world, { email: name, at: world.clock.now(), recipients: [], reason: what, mailbox: false })
}

/** A campaign to whose emails the same is to happen, in another order to each. */
async function campaignOf({ own, kinds }: (typeof cases)[number]) {
  const { ctx, projectId } = await sendingProject(world)
  const all = orders<Happening>([own, ...kinds])
  await addContacts(ctx, all.length)
  const { id } = await drafted(ctx)
  await sendCampaign(ctx, { id })
  await step(world)
  const emails = await claim(world, projectId, 'campaign')
  expect(emails).toHaveLength(all.length)
  return { ctx, id, emails: emails.map((email, at) => ({ email, order: all[at] ?? [] })) }
}

/** What became of an email, by what happened to it in any order. */
function ledger(own: Own, kinds: Report[]) {
  const has = (kind: Report) => kinds.includes(kind)
  const bounced = own === 'BOUNCED' || has('bounce')
  const arrived = has('delivery') || has('complaint')
  const failed = own === 'FAILED' || has('failure') || has('rejection')
  return {
    accepted: own === 'SENT',
    sent: own === 'SENT' || bounced || arrived,
    delivered: has('delivery'),
    bounced,
    complained: has('complaint'),
    failed: failed && !bounced && !arrived,
  }
}

// Of two failures the first is shown.
function statusOf({ bounced, complained, delivered, failed }: Omit<ReturnType<typeof ledger>, 'accepted'>, order: Happening[]): string {
  if (complained) return 'COMPLAINED'
  if (bounced) return 'BOUNCED'
  if (delivered) return 'DELIVERED'
  if (!failed) return 'SENT'
  return order.find((what) => what === 'rejection' || what === 'failure' || what === 'FAILED') === 'rejection' ? 'REJECTED' : 'FAILED'
}

async function figuresOf(ctx: Ctx, projectId: string, id: string) {
  const campaign = await getCampaignStats(ctx, { id })
  const { emails: sent, delivered, bounces: bounced, complained, failed } = await getEmailTotals(ctx, { timezone: 'UTC' })
  const { total, bounces, complaints } = (await getSecurity(ctx, { id: projectId })).status.allTime
  return {
    campaign: {
      sent: campaign.sentCount,
      delivered: campaign.deliveredCount,
      bounced: campaign.bouncedCount,
      complained: campaign.complainedCount,
      failed: campaign.failedCount,
    },
    series: { sent, delivered, bounced, complained, failed },
    reputation: { sent: total, bounced: bounces, complained: complaints },
    activity: { sent: (await getActivityStats(ctx, {})).totalEmailsSent },
  }
}

async function count(): Promise<void> {
  await counted(world)
  await Promise.all([countWholeAnalytics(world), countWholeLog(world), countWholeReputation(world)])
}

const times = <Facts extends Record<string, boolean>>(number: number, facts: Facts) =>
  Object.fromEntries(Object.entries(facts).map(([name, is]) => [name, is ? number : 0]))

describe('what is reported of an email and how its own attempt ends, in every order', () => {
  const campaigns = new Map<string, Awaited<ReturnType<typeof campaignOf>>>()
  const keyOf = ({ own, kinds }: (typeof cases)[number]) => `${own} ${kinds.join()}`
  // Counted after each step, as the readers of the log may do it at any time.
  beforeAll(async () => {
    for (const one of cases) campaigns.set(keyOf(one), await campaignOf(one))
    const emails = [...campaigns.values()].flatMap((campaign) => campaign.emails)
    for (const nth of [0, 1, 2]) {
      await Promise.all(emails.map(async ({ email, order }) => order[nth] && happen(email, order[nth])))
      await count()
    }
  })

  test.each(cases)('$own and $kinds end the same, and all counters agree', async (one) => {
    const campaign = campaigns.get(keyOf(one))
    if (!campaign) throw new Error('nothing happened')
    const { ctx, id, emails } = campaign
    const { accepted, ...facts } = ledger(one.own, one.kinds)
    const rows = await world.db.prisma.email.findMany({ where: { projectId: ctx.projectId } })
    const shown = emails.map(({ email, order }) => ({ order, row: rows.find((row) => row.id === email.id) }))
    expect(shown.map(({ order, row }) => [order, row?.status])).toEqual(emails.map(({ order }) => [order, statusOf(facts, order)]))
    const firstBounce = (order: Happening[]) => order.find((what) => what === 'bounce' || what === 'BOUNCED')
    if (facts.bounced)
      expect(shown.map(({ order, row }) => [order, row?.reason])).toEqual(emails.map(({ order }) => [order, firstBounce(order)]))
    expect(await figuresOf(ctx, ctx.projectId, id)).toEqual({
      campaign: times(emails.length, facts),
      series: times(emails.length, facts),
      reputation: times(emails.length, { sent: facts.sent, bounced: facts.bounced, complained: facts.complained }),
      activity: times(emails.length, { sent: accepted }),
    })
  })
})
