import { expect, test } from 'vitest'
import { bulkDeleteContacts } from '../../../../src/modules/contacts/bulk/bulk.ts'
import { continueBulk } from '../../../../src/modules/contacts/bulk/continue.ts'
import { deleteContact } from '../../../../src/modules/contacts/contacts.ts'
import { deliverClaimed } from '../../../../src/modules/emails/delivery/attempt.ts'
import { getJob } from '../../../../src/modules/jobs/job.ts'
import { untilNothingLeaves } from '../../../../src/modules/projects/queue/leaving.ts'
import { deleteProject } from '../../../../src/modules/resets/resets.ts'
import { suspendProject } from '../../../../src/modules/security/suspensions.ts'
import { addContacts } from '../../../help/campaigns.ts'
import { holder } from '../../../help/holder.ts'
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

test('a contact that an email is queued for while it is being deleted is sent nothing after the answer', async () => {
  const { ctx, projectId } = await sendingProject(world)
  const [{ id, email } = { id: '', email: '' }] = await addContacts(ctx, 1)
  const before = server.contents()
  const other = await holder(world)
  await other.run('lock table segment_members in share mode')
  const deletion = deleteContact(ctx, { id })
  await other.waitedFor()
  await accept(ctx, { to: email })
  const mine = await claimed(world, projectId)
  await other.commit()
  await deletion
  await deliverClaimed(world, mine)
  expect(server.contents()).toBe(before)
})

test('a bulk deletion has ended when nothing is sent any more to those it deleted', async () => {
  const { ctx, projectId } = await sendingProject(world)
  const { contactId } = await accept(ctx)
  const before = server.contents()
  const mine = await claimed(world, projectId)
  const { jobId } = await bulkDeleteContacts(ctx, { contactIds: [contactId] })
  await continueBulk(world)
  expect(await getJob(ctx, { id: jobId, kind: 'bulk' })).toMatchObject({
    state: 'completed',
    result: { totalRequested: 1, successCount: 1 },
  })
  await deliverClaimed(world, mine)
  expect(server.contents()).toBe(before)
})

test.each(['deleted', 'suspended'])('nothing of a project leaves any more once it is %s', async (how) => {
  const { ctx, projectId } = await sendingProject(world)
  await accept(ctx)
  const before = server.contents()
  const mine = await claimed(world, projectId)
  const held = await server.hold('RCPT')
  const delivering = deliverClaimed(world, mine)
  await held.asked
  if (how === 'deleted') await deleteProject(ctx, { id: projectId })
  else await suspendProject(ctx, { reason: 'MANUAL', detail: 'Reported by three recipients.' }).then(() => untilNothingLeaves(ctx))
  held.release()
  await delivering
  expect(server.contents()).toBe(before)
})
