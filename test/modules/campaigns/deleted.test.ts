import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../../src/kit/context.ts'
import type { Handover } from '../../../src/kit/mailer.ts'
import { getCampaignStats } from '../../../src/modules/campaigns/counts/stats.ts'
import { sendCampaign } from '../../../src/modules/campaigns/sending/send.ts'
import { deleteContact } from '../../../src/modules/contacts/contacts.ts'
import { deliverClaimed } from '../../../src/modules/emails/delivery/attempt.ts'
import { eraseContact } from '../../../src/modules/emails/erasure/erase.ts'
import { countLog } from '../../../src/modules/events/counter/counter.ts'
import { counted, drafted, step, withContacts } from '../../help/campaigns.ts'
import { sendingProject } from '../../help/mails.ts'
import { accepts, claim, twoWorkers } from '../../help/workers.ts'

const { world, other, sent, server, stop } = await twoWorkers()

const refused = (recipient: boolean) => async (): Promise<Handover> => ({ kind: 'refused', response: '550 No', recipient })
const none = { sentCount: 0, bouncedCount: 0, failedCount: 0 }
const outcomes: [string, () => Promise<Handover>, typeof none][] = [
  ['accepted', accepts, { ...none, sentCount: 1 }],
  ['refused because of its address', refused(true), { ...none, sentCount: 1, bouncedCount: 1 }],
  ['refused for another reason', refused(false), { ...none, failedCount: 1 }],
]

/** A campaign to one contact whose email is being handed over; `settle` lets the mail server answer, and waits for the record. */
async function handingOver(answer: () => Promise<Handover>) {
  const { ctx, projectId } = await sendingProject(world)
  const [contactId = ''] = await withContacts(ctx, 1)
  const { id } = await drafted(ctx)
  await sendCampaign(ctx, { id })
  await step(world)
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  server.answer = async () => {
    asked.resolve()
    await answered.promise
    return answer()
  }
  const [email] = await claim(world, projectId, 'campaign')
  if (!email) throw new Error('not claimed')
  const delivering = deliverClaimed(world, email)
  await asked.promise
  const settle = async () => {
    answered.resolve()
    await delivering
  }
  return { ctx, id, contactId, settle }
}

async function erase(ctx: Ctx): Promise<void> {
  const { projectId } = ctx
  for (const { id, contactId } of await world.db.prisma.eventErasure.findMany({ where: { projectId } }))
    if (contactId) await eraseContact(world, { projectId, contactId, erasureId: id })
}

async function countsOf(ctx: Ctx, id: string): Promise<typeof none> {
  await counted(world)
  const { sentCount, bouncedCount, failedCount } = await getCampaignStats(ctx, { id })
  return { sentCount, bouncedCount, failedCount }
}

/** Nothing is left of the contact, and its counts stay. */
async function expectErased(ctx: Ctx, { id, contactId, counts }: { id: string; contactId: string; counts: typeof none }): Promise<void> {
  expect(await countsOf(ctx, id)).toEqual(counts)
  while (await countLog(world));
  await erase(ctx)
  const { projectId } = ctx
  const { email, event, contact, delivery } = world.db.prisma
  const left = [email, event].map((table) => (table as typeof email).count({ where: { projectId, contactId } }))
  expect(await Promise.all([...left, delivery.count({ where: { projectId } }), contact.count({ where: { projectId } })])).toEqual([
    0, 0, 0, 0,
  ])
  expect(await countsOf(ctx, id)).toEqual(counts)
}

describe.each(outcomes)('an email that is %s counts once, whenever its contact is deleted:', (_what, answer, counts) => {
  test('before the answer is recorded', async () => {
    const { ctx, id, contactId, settle } = await handingOver(answer)
    await deleteContact(ctx, { id: contactId })
    await settle()
    await expectErased(ctx, { id, contactId, counts })
  })

  test('and its data removed before the answer is recorded', async () => {
    const { ctx, id, contactId, settle } = await handingOver(answer)
    await deleteContact(ctx, { id: contactId })
    await erase(ctx)
    await settle()
    await expectErased(ctx, { id, contactId, counts })
  })

  test('and its data removed before the record is counted', async () => {
    const { ctx, id, contactId, settle } = await handingOver(answer)
    await settle()
    await deleteContact(ctx, { id: contactId })
    await erase(ctx)
    await expectErased(ctx, { id, contactId, counts })
  })
})

test('an email counts once, as one that may have arrived, when its contact is deleted and its worker ends before the answer', async () => {
  const { ctx, id, contactId, settle } = await handingOver(accepts)
  await deleteContact(ctx, { id: contactId })
  await erase(ctx)
  await stop()
  const before = sent.length
  const [taken] = await claim(other, ctx.projectId, 'campaign')
  if (!taken) throw new Error('not taken over')
  await deliverClaimed(other, taken)
  await settle()
  expect(sent).toHaveLength(before)
  await expectErased(ctx, { id, contactId, counts: { ...none, failedCount: 1 } })
})
