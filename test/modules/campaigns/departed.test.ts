import { beforeEach, describe, expect, test } from 'vitest'
import type { Ctx } from '../../../src/kit/context.ts'
import type { Handover } from '../../../src/kit/mailer.ts'
import { sendCampaign } from '../../../src/modules/campaigns/sending/send.ts'
import { cancelCampaign } from '../../../src/modules/campaigns/sending/stop.ts'
import { deleteContact } from '../../../src/modules/contacts/contacts.ts'
import { eraseContact } from '../../../src/modules/emails/erasure/erase.ts'
import { recordDelivered } from '../../../src/modules/emails/feedback/record.ts'
import { counted, deliver, drafted, step, withContacts } from '../../help/campaigns.ts'
import { sendingProject } from '../../help/mails.ts'
import { twoWorkers } from '../../help/workers.ts'

const { world, server, sent, turn } = await twoWorkers()
const mayHaveArrived = 'It may have arrived: how an earlier attempt ended is not known.'
const lost: Handover = { kind: 'deferred', response: 'The connection was lost.', uncertain: true }
const refused: Handover = { kind: 'refused', response: '554 5.7.1 No', recipient: false }
const deferred: Handover = { kind: 'deferred', response: '450 Later' }

let ctx: Ctx
let projectId: string
beforeEach(async () => {
  ;({ ctx, projectId } = await sendingProject(world))
})

/** A campaign to two contacts: what the mail server answers to the attempts of the first one's email; the other's is put off each time. */
async function toTwo(...answers: Handover[]) {
  const [contactId = '', second = ''] = await withContacts(ctx, 2)
  const { id } = await drafted(ctx)
  await sendCampaign(ctx, { id })
  await step(world)
  const find = (of: string) => world.db.prisma.email.findFirstOrThrow({ where: { projectId, contactId: of } })
  const { id: putOff } = await find(second)
  for (const answer of answers) {
    server.answer = async () => (sent.at(-1) === putOff ? deferred : answer)
    turn(60_000)
    await deliver(world)
  }
  return { id, contactId, find: () => find(contactId) }
}

async function deleteAll(contactId: string): Promise<void> {
  await deleteContact(ctx, { id: contactId })
  await erased(contactId)
}

async function erased(contactId: string): Promise<void> {
  await counted(world)
  for (const { id } of await world.db.prisma.eventErasure.findMany({ where: { projectId, contactId } }))
    await eraseContact(world, { projectId, contactId, erasureId: id })
  expect(await world.db.prisma.email.count({ where: { projectId, contactId } })).toBe(0)
}

async function staysCancelled(id: string): Promise<void> {
  expect(await cancelCampaign(ctx, { id })).toMatchObject({ status: 'CANCELLED' })
  await expect(sendCampaign(ctx, { id })).rejects.toMatchObject({ code: 'CONFLICT' })
}

describe('a campaign stays CANCELLED, and is not sent again, when whoever was deleted with the email', () => {
  test('has got it', async () => {
    const { id, contactId } = await toTwo({ kind: 'accepted', response: '250 ok' })
    await deleteAll(contactId)
    await staysCancelled(id)
  })

  test('may have got it: the answer of the mail server was lost', async () => {
    const { id, contactId } = await toTwo(lost)
    await deleteAll(contactId)
    await staysCancelled(id)
  })

  test('may have got it, and the next attempt ends it because of the deletion', async () => {
    const { id, contactId, find } = await toTwo(lost)
    await deleteContact(ctx, { id: contactId })
    turn(60_000)
    await deliver(world)
    expect(await find()).toMatchObject({
      status: 'FAILED',
      reason: `The contact was deleted before the email was attempted again. ${mayHaveArrived}`,
    })
    await erased(contactId)
    await staysCancelled(id)
  })

  test('was reported to have got it', async () => {
    const { id, contactId, find } = await toTwo(lost)
    const { id: emailId } = await find()
    await recordDelivered(world, { email: { projectId, emailId }, at: world.clock.now(), recipients: [] })
    await deleteAll(contactId)
    await staysCancelled(id)
  })
})

test('an email is sent, not withheld, when its contact is deleted after it was reported to have arrived', async () => {
  const { contactId, find } = await toTwo(lost)
  const { id: emailId } = await find()
  await recordDelivered(world, { email: { projectId, emailId }, at: world.clock.now(), recipients: [] })
  await deleteContact(ctx, { id: contactId })
  turn(60_000)
  await deliver(world)
  expect(await find()).toMatchObject({ status: 'DELIVERED', sentAt: expect.any(Date), reason: null })
})

describe('an email whose first answer was lost says that it may have arrived, and its campaign stays CANCELLED, when', () => {
  test('the next attempt is refused', async () => {
    const { id, find } = await toTwo(lost, refused)
    expect(await find()).toMatchObject({ status: 'FAILED', reason: `554 5.7.1 No. ${mayHaveArrived}` })
    await staysCancelled(id)
  })

  test('it is given up after 24 hours', async () => {
    const { id, find } = await toTwo(lost)
    server.answer = async () => deferred
    for (let hour = 0; hour < 26; hour++) {
      turn(3_600_000)
      await deliver(world)
    }
    const { status, reason } = await find()
    expect([status, reason]).toEqual(['FAILED', expect.stringMatching(/^Given up after 24 hours .*It may have arrived: /)])
    await staysCancelled(id)
  })
})

test('a campaign becomes a draft again when whoever was deleted has got nothing', async () => {
  const { id, contactId } = await toTwo(deferred)
  await deleteAll(contactId)
  expect(await cancelCampaign(ctx, { id })).toMatchObject({ status: 'DRAFT' })
})
