import { expect, test } from 'vitest'
import { deleteContact } from '../../../../src/modules/contacts/contacts.ts'
import { deliverClaimed } from '../../../../src/modules/emails/delivery/attempt.ts'
import { type HeldStep, holdingServer } from '../../../help/holding.ts'
import { accept, sendingProject } from '../../../help/mails.ts'
import { claimed, twoWorkers } from '../../../help/workers.ts'

const server = await holdingServer()
const { world } = await twoWorkers({ EMAIL_TRANSPORT: server.url })

test.each<[HeldStep, number]>([
  ['<CONNECT>', 0],
  ['RCPT', 0],
  ['DATA', 0],
  ['<CONTENT>', 1],
])('a contact that is deleted while a mail server holds its answer back at %s is sent nothing after the answer', async (at, expected) => {
  const { ctx, projectId } = await sendingProject(world)
  const { contactId } = await accept(ctx)
  const before = server.contents()
  const mine = await claimed(world, projectId)
  const held = await server.hold(at)
  const delivering = deliverClaimed(world, mine)
  await held.asked
  await deleteContact(ctx, { id: contactId })
  const atAnswer = server.contents() - before
  held.release()
  await delivering
  expect([atAnswer, server.contents() - before]).toEqual([expected, expected])
})

test('a contact that is deleted when a worker has just claimed an email to it is sent nothing after the answer', async () => {
  const { ctx, projectId } = await sendingProject(world)
  const { contactId } = await accept(ctx)
  const before = server.contents()
  const mine = await claimed(world, projectId)
  await deleteContact(ctx, { id: contactId })
  await deliverClaimed(world, mine)
  expect(server.contents()).toBe(before)
})
