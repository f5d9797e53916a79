import { expect, test } from 'vitest'
import type { Ctx } from '../../../src/kit/context.ts'
import type { SmtpMessage } from '../../../src/kit/smtp/message.ts'
import { sendCampaign } from '../../../src/modules/campaigns/sending/send.ts'
import { changeSubscription, deleteContact, updateContact, upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { suppressAddress } from '../../../src/modules/suppressions/suppressions.ts'
import { addContacts, deliver, drafted, runUntil, step } from '../../help/campaigns.ts'
import { sendingProject } from '../../help/mails.ts'
import { until } from '../../help/until.ts'
import { testWorld } from '../../help/world.ts'

const count = 10_000
const holdAt = 3_000

/** The subjects that a mail server has taken, by address; it holds its answers from the 3,000th message on until it is released. */
const taken = new Map<string, string[]>()
const release = Promise.withResolvers<void>()
let under = 0
const mailServer = {
  // Signing 10,000 messages would take most of the time.
  signs: false,
  async send({ to: [to = ''], pieces }: SmtpMessage) {
    const subject = /^Subject: (.+?)\r$/im.exec(Buffer.concat(pieces).toString('latin1'))?.[1] ?? ''
    taken.set(to, [...(taken.get(to) ?? []), subject])
    under++
    if (taken.size > holdAt) await release.promise
    under--
    return { kind: 'accepted' as const, response: '250 ok' }
  },
  check: async () => null,
  async close() {},
}
const world = await testWorld({ mailServer })

interface Person {
  id: string
  email: string
}

/** Contacts that were all created at the same moment: of every hundred one has unsubscribed, and three are suppressed. */
async function manyContacts(ctx: Ctx): Promise<Person[]> {
  const { projectId } = ctx
  const people = await addContacts(ctx, count)
  const every = (at: number): Person[] => people.filter((_, n) => n % 100 === at)
  await world.db.prisma.contact.updateMany({ where: { projectId, id: { in: every(1).map(({ id }) => id) } }, data: { subscribed: false } })
  const reasons = ['MANUAL', 'BOUNCE', 'COMPLAINT'] as const
  await world.db.prisma.suppression.createMany({
    data: reasons.flatMap((reason, n) => every(n + 2).map(({ email }) => ({ projectId, email, reason, createdAt: world.clock.now() }))),
  })
  return people
}

/** What becomes of some people at one moment: five of each kind, and five pairs of which the second takes the address of the first. */
async function change(
  ctx: Ctx,
  people: Person[],
  heirs: Person[],
): Promise<Record<'deleted' | 'unsubscribed' | 'suppressed' | 'moved' | 'renamed' | 'merged', Person[]>> {
  const [deleted = [], unsubscribed = [], suppressed = [], moved = [], renamed = [], merged = []] = Array.from({ length: 6 }, (_, kind) =>
    people.slice(kind * 5, kind * 5 + 5),
  )
  await Promise.all(deleted.map(({ id }) => deleteContact(ctx, { id })))
  for (const { id } of unsubscribed) await changeSubscription(ctx, { id, subscribed: false, source: 'one_click' })
  for (const { email } of suppressed) await suppressAddress(ctx, { email, reason: 'MANUAL' })
  for (const { id, email } of moved) await updateContact(ctx, { id, email: `new-${email}` })
  for (const { id } of renamed) await updateContact(ctx, { id, data: { name: 'Grace' } })
  await Promise.all(
    merged.map(async ({ id, email }, n) => {
      await deleteContact(ctx, { id })
      await updateContact(ctx, { id: heirs[n]?.id ?? '', email })
    }),
  )
  for (let n = 0; n < 5; n++) await upsertContact(ctx, { email: `late${n}-${people[0]?.email}` })
  return { deleted, unsubscribed, suppressed, moved, renamed, merged }
}

test('contacts created in one moment, changed, deleted, unsubscribed, suppressed and merged while a campaign is written down and sent: each once, and all adds up', async () => {
  const { ctx, projectId } = await sendingProject(world)
  const people = await manyContacts(ctx)
  const usual = people.filter((_, n) => ![1, 2, 3, 4].includes(n % 100))
  const { id } = await drafted(ctx, { subject: 'Hello {{ name }}' })
  await sendCampaign(ctx, { id })
  // Its ledger is cleared, its content frozen, and the first 5,000 contacts are written down.
  await step(world, 3)
  const { doneUpTo } = await world.db.prisma.campaign.findUniqueOrThrow({
    where: { projectId_id: { projectId, id } },
    select: { doneUpTo: true },
  })
  expect(doneUpTo).toBe(people[4_999]?.id)
  const written = usual.filter((person) => person.id <= doneUpTo)
  const unwritten = usual.filter((person) => person.id > doneUpTo)
  const early = await change(ctx, written.slice(0, 30), written.slice(30, 35))
  const late = await change(ctx, unwritten.slice(0, 30), unwritten.slice(30, 35))
  await step(world)

  const delivering = deliver(world)
  const claimed = () => world.db.prisma.delivery.count({ where: { projectId, claim: { not: null } } })
  await until(async () => under > 300 && (await claimed()) === under)
  const waiting = await world.db.prisma.delivery.findMany({
    where: { projectId, claim: null },
    orderBy: { emailId: 'desc' },
    take: 100,
    select: { email: { select: { contactId: true, toAddress: true } } },
  })
  const unsent = waiting.map(({ email }) => ({ id: email.contactId, email: email.toAddress }))
  const sentTo = people.filter(({ email }) => (taken.get(email) ?? []).length > 0)
  const during = await change(ctx, unsent.slice(0, 30), unsent.slice(30, 35))
  const after = await change(ctx, sentTo.slice(100, 130), sentTo.slice(130, 135))
  release.resolve()
  await delivering
  const campaign = await runUntil(world, ctx, id, 'SENT')

  const expected = new Map(usual.map(({ email }) => [email, 'Hello Ada']))
  const isNotSent = [early, during].flatMap(({ deleted, unsubscribed, suppressed, merged }) => [deleted, unsubscribed, suppressed, merged])
  for (const { email } of [...isNotSent.flat(), ...late.deleted, ...late.unsubscribed, ...late.suppressed]) expected.delete(email)
  // Whoever was written down with an address that is another's now, or nobody's, is sent nothing.
  const withOtherAddress = [...early.moved, ...during.moved, ...written.slice(30, 35), ...unsent.slice(30, 35)]
  for (const { email } of withOtherAddress) expected.delete(email)
  for (const { email } of [early, late, during].flatMap(({ renamed }) => renamed)) expected.set(email, 'Hello Grace')
  // Whoever was not written down yet is sent it to the address of the moment that follows; the heirs of those are sent it once.
  for (const { email } of late.moved) {
    expected.delete(email)
    expected.set(`new-${email}`, 'Hello Ada')
  }
  for (const { email } of unwritten.slice(30, 35)) expected.delete(email)
  expect(taken).toEqual(new Map([...expected].map(([email, subject]) => [email, [subject]])))
  expect(after.deleted).toHaveLength(5)

  const by = async (status: 'SENT' | 'SUPPRESSED' | 'CANCELLED'): Promise<number> =>
    world.db.prisma.email.count({ where: { projectId, campaignId: id, status } })
  expect([await by('SENT'), await by('SUPPRESSED'), await by('CANCELLED')]).toEqual([expected.size, 20, 20 + withOtherAddress.length])
  const exclusions = await world.db.prisma.campaignExclusion.groupBy({ by: ['reason'], where: { projectId }, _count: true })
  expect(Object.fromEntries(exclusions.map(({ reason, _count }) => [reason, _count]))).toEqual({
    UNSUBSCRIBED: 105,
    SUPPRESSED: 105,
    BOUNCED: 100,
    COMPLAINED: 100,
  })
  expect(campaign).toMatchObject({ totalRecipients: expected.size + 40 + withOtherAddress.length, sentCount: expected.size })
  // The others were deleted before they were written down: five, and five whose address somebody else took.
  expect(campaign.totalRecipients + 410 + 10).toBe(count)
}, 180_000)
