import { expect, test } from 'vitest'
import type { Ctx } from '../../../src/kit/context.ts'
import { deleteCampaign } from '../../../src/modules/campaigns/changes.ts'
import { getCampaignStats } from '../../../src/modules/campaigns/counts/stats.ts'
import { sendCampaign } from '../../../src/modules/campaigns/sending/send.ts'
import type { EmailName } from '../../../src/modules/emails/feedback/names.ts'
import { recordBounce, recordDelivered, recordFailure, recordRejection } from '../../../src/modules/emails/feedback/record.ts'
import { contactLinks } from '../../../src/modules/emails/subscription/links.ts'
import { changePreferences } from '../../../src/modules/emails/subscription/preferences.ts'
import { counted, drafted, runUntil, step, withContacts } from '../../help/campaigns.ts'
import { sendingProject } from '../../help/mails.ts'
import { testWorld } from '../../help/world.ts'

const world = await testWorld({ env: { EMAIL_TRANSPORT: 'capture' } })
const feeds = { delivery: recordDelivered, failure: recordFailure, rejection: recordRejection, bounce: recordBounce }
type Kind = keyof typeof feeds

const feed = (email: EmailName, kind: Kind) =>
  feeds[kind](world, { email, at: world.clock.now(), recipients: [], reason: '550 No', mailbox: false })

/** A campaign that was sent to one contact, and its email. */
async function sentToOne(): Promise<{ ctx: Ctx; id: string; email: EmailName }> {
  const { ctx, projectId } = await sendingProject(world)
  await withContacts(ctx, 1)
  const { id } = await drafted(ctx)
  await sendCampaign(ctx, { id })
  await runUntil(world, ctx, id, 'SENT')
  const email = await world.db.prisma.email.findFirstOrThrow({ where: { projectId } })
  return { ctx, id, email: { projectId, emailId: email.id } }
}

async function endOf({ ctx, id }: { ctx: Ctx; id: string }) {
  await counted(world)
  const { sentCount, deliveredCount, bouncedCount, failedCount } = await getCampaignStats(ctx, { id })
  const { status } = await world.db.prisma.email.findFirstOrThrow({ where: { projectId: ctx.projectId } })
  return { status, sentCount, deliveredCount, bouncedCount, failedCount }
}

function permutations<Item>(items: Item[]): Item[][] {
  if (items.length < 2) return [items]
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]))
}

test('counts of feedback are the same in every order, also when each comes twice, and when all come at once', {
  timeout: 180_000,
}, async () => {
  const orders = permutations<Kind>(['delivery', 'failure', 'rejection', 'bounce'])
  for (const order of orders) {
    const sent = await sentToOne()
    for (const kind of order) for (const _ of [1, 2]) await feed(sent.email, kind)
    expect([order, await endOf(sent)]).toEqual([
      order,
      { status: 'BOUNCED', sentCount: 1, deliveredCount: 1, bouncedCount: 1, failedCount: 0 },
    ])
  }
  const sent = await sentToOne()
  await feed(sent.email, 'failure')
  await Promise.all((['bounce', 'delivery', 'rejection'] as const).map((kind) => feed(sent.email, kind)))
  expect(await endOf(sent)).toMatchObject({ deliveredCount: 1, bouncedCount: 1, failedCount: 0 })
})

test.each([
  ['failure', 'FAILED'],
  ['rejection', 'REJECTED'],
] as const)('a %s counts as failed', async (kind, status) => {
  const sent = await sentToOne()
  await feed(sent.email, kind)
  expect(await endOf(sent)).toEqual({ status, sentCount: 1, deliveredCount: 0, bouncedCount: 0, failedCount: 1 })
})

test('a recipient whose address bounced is unsubscribed, but not by a link of the campaign', async () => {
  const { ctx, id, email } = await sentToOne()
  await feed(email, 'bounce')
  await counted(world)
  const lines = await world.db.prisma.event.count({
    where: { projectId: ctx.projectId, name: 'contact.unsubscribed', emailId: email.emailId },
  })
  expect([lines, (await getCampaignStats(ctx, { id })).unsubscribedCount]).toEqual([1, 0])
})

test('a recipient who unsubscribes by the link of one email again and again counts once, whenever that is counted', async () => {
  const { ctx, id, email } = await sentToOne()
  const { contactId } = await world.db.prisma.email.findFirstOrThrow({ where: { projectId: ctx.projectId } })
  const token = contactLinks(world, { projectId: ctx.projectId, contactId, emailId: email.emailId }).manageUrl.split('/').at(-1) ?? ''
  for (const wait of [false, false, true, false, true]) {
    for (const subscribed of ['false', 'true']) await changePreferences(ctx, { page: 'manage', token, subscribed })
    if (wait) await counted(world)
  }
  expect(await getCampaignStats(ctx, { id })).toMatchObject({ sentCount: 1, unsubscribedCount: 1, unsubscribeRate: 100 })
})

test('a deleted campaign gets no counts again by what is reported of its emails later', async () => {
  const { ctx, id, email } = await sentToOne()
  const counts = () => world.db.prisma.campaignCount.count({ where: { projectId: ctx.projectId } })
  expect(await counts()).toBe(1)
  await deleteCampaign(ctx, { id })
  await step(world)
  expect(await feed(email, 'delivery')).toBe('recorded')
  await counted(world)
  expect(await counts()).toBe(0)
})
