import { describe, expect, test } from 'vitest'
import { deleteContact, upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { deliverEmails, deliveryIdle } from '../../../../src/modules/emails/delivery/worker.ts'
import { eraseContacts, isSendingAny } from '../../../../src/modules/emails/erasure/erase.ts'
import { findReported, recordBounce, recordComplaint, recordDelivered } from '../../../../src/modules/emails/feedback/record.ts'
import { forgetOldRemoved } from '../../../../src/modules/emails/feedback/removed.ts'
import { continueReset } from '../../../../src/modules/resets/erase.ts'
import { insertReset } from '../../../../src/modules/resets/sql.ts'
import { deleteSteps, resetSteps } from '../../../../src/modules/resets/steps.ts'
import { isReputationCounted } from '../../../../src/modules/security/count.ts'
import { reviewReputations } from '../../../../src/modules/security/review.ts'
import { getSecurity } from '../../../../src/modules/security/security.ts'
import { countWholeLog } from '../../../help/counted.ts'
import { holder } from '../../../help/holder.ts'
import { accept, logOf, sendingProject } from '../../../help/mails.ts'
import { countWholeReputation, logMails } from '../../../help/reputation.ts'
import { acceptingTransport } from '../../../help/smtp.ts'
import { until } from '../../../help/until.ts'
import { claim } from '../../../help/workers.ts'
import { logSettled, testWorld } from '../../../help/world.ts'

const world = await testWorld({ mailServer: acceptingTransport().mailServer })
const { prisma } = world.db
const at = world.clock.now()
const ada = 'ada@example.com'
const day = 86_400_000

type Project = Awaited<ReturnType<typeof sendingProject>>

async function sent(draft: Parameters<typeof accept>[1] = {}, project?: Project) {
  const { ctx, projectId } = project ?? (await sendingProject(world))
  const mail = await accept(ctx, { subscribed: true, ...draft })
  await deliverEmails(world, { turns: [[projectId, 'transactional']] })
  await deliveryIdle(world)
  return { ctx, projectId, ...mail, name: { projectId, emailId: mail.id } }
}

async function erased(projectId: string): Promise<void> {
  await countWholeLog(world)
  await countWholeReputation(world)
  const rows = await prisma.eventErasure.findMany({ where: { projectId } })
  await eraseContacts(world, { projectId, contacts: rows.map(({ id, contactId }) => ({ contactId: contactId ?? '', erasureId: id })) })
}

async function waitingReset(projectId: string): Promise<{ projectId: string; id: string }> {
  const id = `job_${projectId}`
  await world.db.run(insertReset, [projectId, id, 'RESET', world.clock.now(), null])
  return { projectId, id }
}

async function emptied(projectId: string, steps = resetSteps): Promise<void> {
  await until(() => isReputationCounted(world, projectId))
  for (const step of steps) while ((await step(world, projectId)) > 0);
}

const bounce = (email: Parameters<typeof recordBounce>[1]['email'], recipients = [ada], unproven = false) =>
  recordBounce(world, { email, at, recipients, reason: '550 5.1.1 No such user', unproven })
const complain = (email: Parameters<typeof recordBounce>[1]['email'], recipients = [ada]) =>
  recordComplaint(world, { email, at, recipients })
const listOf = (projectId: string) => prisma.suppression.findMany({ where: { projectId }, select: { email: true, reason: true } })
async function countsOf({ ctx, projectId }: Pick<Project, 'ctx' | 'projectId'>) {
  await countWholeReputation(world)
  const { total, bounces, complaints } = (await getSecurity(ctx, { id: projectId })).status.allTime
  return { total, bounces, complaints }
}

type Sent = Awaited<ReturnType<typeof sent>>
const removals: [string, (email: Sent) => Promise<unknown>][] = [
  ['its contact was deleted', ({ ctx, contactId }) => deleteContact(ctx, { id: contactId })],
  [
    'it was removed with its contact',
    async ({ ctx, contactId, projectId }) => {
      await deleteContact(ctx, { id: contactId })
      await erased(projectId)
      expect(await prisma.email.count({ where: { projectId } })).toBe(0)
    },
  ],
  ['its project was emptied', ({ projectId }) => emptied(projectId)],
]

describe.each(removals)('a report about an email after %s', (_when, remove) => {
  test('counts once towards the reputation of the project, suppresses the address, and is not logged', async () => {
    const email = await sent()
    await remove(email)
    const lines = await logOf(email.ctx)
    expect(await bounce(email.name)).toBe('recorded')
    expect(await listOf(email.projectId)).toEqual([{ email: ada, reason: 'BOUNCE' }])
    expect(await bounce(email.name)).toBe('unchanged')
    const byMessageId = { domain: 'demo.test', emailId: email.id }
    expect(await complain(byMessageId)).toBe('recorded')
    expect(await complain(byMessageId)).toBe('unchanged')
    expect(await listOf(email.projectId)).toEqual([{ email: ada, reason: 'COMPLAINT' }])
    expect(await countsOf(email)).toEqual({ total: 1, bounces: 1, complaints: 1 })
    expect(await logOf(email.ctx)).toEqual(lines)
  })

  test('unsubscribes whoever has the address by now, and says why', async () => {
    const email = await sent()
    await remove(email)
    const { id } = await upsertContact(email.ctx, { email: ada, subscribed: true })
    expect(await complain(email.name, ['Ada@EXAMPLE.com'])).toBe('recorded')
    expect(await prisma.contact.findFirst({ where: { projectId: email.projectId, id } })).toMatchObject({ subscribed: false })
    expect(await logOf(email.ctx)).toContainEqual({
      name: 'contact.unsubscribed',
      data: expect.objectContaining({ source: 'complaint', reason: 'Reported as spam.' }),
    })
  })

  test('counts where it names nobody, and says nothing of an email with copies that it does not name', async () => {
    const alone = await sent()
    const copied = await sent({ cc: ['grace@example.com'] })
    await remove(alone)
    await remove(copied)
    expect(await bounce(alone.name, [])).toBe('recorded')
    expect(await bounce(copied.name, ['grace@example.com'])).toBe('unchanged')
    expect(await bounce(copied.name, [])).toBe('unchanged')
    expect(await countsOf(copied)).toEqual({ total: 1, bounces: 0, complaints: 0 })
    // Whoever got a copy may have made it up.
    expect(await bounce(copied.name, [ada], true)).toBe('recorded')
    expect(await listOf(copied.projectId)).toEqual([])
    expect(await countsOf(copied)).toEqual({ total: 1, bounces: 1, complaints: 0 })
  })

  test('changes nothing where it is a delivery, was known before, or names another project', async () => {
    const email = await sent()
    const other = await sendingProject(world)
    await bounce(email.name)
    await prisma.suppression.deleteMany({ where: { projectId: email.projectId } })
    await remove(email)
    expect(await recordDelivered(world, { email: email.name, at, recipients: [ada] })).toBe('unchanged')
    expect(await bounce(email.name)).toBe('unchanged')
    expect(await bounce({ projectId: other.projectId, emailId: email.id })).toBe('unknown')
    expect(await listOf(email.projectId)).toEqual([])
    expect(await countsOf(email)).toEqual({ total: 1, bounces: 1, complaints: 0 })
  })
})

test('deleting contacts and emptying a project right after sending does not keep it from being suspended', async () => {
  const project = await sendingProject(world)
  await logMails(project.ctx, { sent: 100 })
  const emails = []
  for (let i = 0; i < 20; i++) emails.push(await sent({ to: `no-one-${i}@example.com` }, project))
  for (const { ctx, contactId } of emails.slice(0, 10)) await deleteContact(ctx, { id: contactId })
  await emptied(project.projectId)
  for (const [i, { name }] of emails.entries()) expect(await bounce(name, [`no-one-${i}@example.com`])).toBe('recorded')
  await reviewReputations(world)
  const { disabled } = await prisma.project.findUniqueOrThrow({ where: { id: project.projectId } })
  expect(disabled).toBe(true)
  expect(await listOf(project.projectId)).toHaveLength(20)
})

test('a bounce counts that is being recorded when the contact is deleted', async () => {
  const email = await sent()
  const found = await findReported(world, email.name)
  if (!found) throw new Error('The email is not found')
  await deleteContact(email.ctx, { id: email.contactId })
  expect(await bounce(found)).toBe('recorded')
  expect(await countsOf(email)).toEqual({ total: 1, bounces: 1, complaints: 0 })
  expect(await bounce(email.name)).toBe('unchanged')
})

test('an email counts as well that may have left when the project is emptied', async () => {
  const { ctx, projectId } = await sendingProject(world)
  const { id } = await accept(ctx)
  await prisma.delivery.updateMany({ where: { projectId }, data: { uncertain: true } })
  await emptied(projectId)
  expect(await bounce({ projectId, emailId: id })).toBe('recorded')
  expect(await countsOf({ ctx, projectId })).toEqual({ total: 1, bounces: 1, complaints: 0 })
  expect(await prisma.delivery.count({ where: { projectId } })).toBe(0)
})

test('a reset waits for the answers of the mail server to emails that are being sent', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  const { mailServer } = acceptingTransport()
  const send: typeof mailServer.send = async (message) => {
    await answered
    return mailServer.send(message)
  }
  const slow = await testWorld({ databaseUrl: world.databaseUrl, mailServer: { ...mailServer, send } })
  const { ctx, projectId } = await sendingProject(world)
  const { id } = await accept(ctx)
  await deliverEmails(slow, { turns: [[projectId, 'transactional']] })
  await until(() => isSendingAny(world, projectId))
  const reset = await waitingReset(projectId)
  await continueReset(world, reset)
  expect(await prisma.email.count({ where: { projectId } })).toBe(1)
  answer()
  await deliveryIdle(slow)
  await logSettled(world)
  await continueReset(world, reset)
  expect(await prisma.email.count({ where: { projectId } })).toBe(0)
  expect(await countsOf({ ctx, projectId })).toEqual({ total: 1, bounces: 0, complaints: 0 })
  expect(await bounce({ projectId, emailId: id })).toBe('recorded')
})

test('emails that wait when a project is emptied do not count as sent, although workers look for work meanwhile', async () => {
  const { ctx, projectId } = await sendingProject(world)
  for (const to of [ada, 'bob@example.com']) await accept(ctx, { to })
  const reset = await waitingReset(projectId)
  // Each step is a transaction.
  const transaction: typeof world.db.transaction = async (...given) => {
    const result = await world.db.transaction(...given)
    await claim(world, projectId)
    return result
  }
  await continueReset({ ...world, db: { ...world.db, transaction } }, reset)
  expect(await prisma.email.count({ where: { projectId } })).toBe(0)
  expect(await countsOf({ ctx, projectId })).toEqual({ total: 0, bounces: 0, complaints: 0 })
})

test('a reset waits while another process counts what the log says, 15 s at most', async () => {
  const [email, late] = [await sent(), await sent()]
  for (const { name } of [email, late]) await bounce(name)
  await logSettled(world)
  const other = await holder(world)
  await other.run(`select 1 from log_readers where reader = 'reputation' for update`)
  const [reset, lateReset] = [await waitingReset(email.projectId), await waitingReset(late.projectId)]
  for (const one of [reset, lateReset]) await continueReset(world, one)
  expect(await prisma.event.count({ where: { projectId: email.projectId, name: 'email.bounce' } })).toBe(1)
  world.clock.turn(10_000)
  await continueReset(world, lateReset)
  expect(await prisma.email.count({ where: { projectId: late.projectId } })).toBe(1)
  world.clock.turn(5_000)
  await continueReset(world, lateReset)
  expect(await prisma.email.count({ where: { projectId: late.projectId } })).toBe(0)
  await other.commit()
  world.clock.turn(-15_000)
  await continueReset(world, reset)
  expect(await prisma.email.count({ where: { projectId: email.projectId } })).toBe(0)
  expect(await countsOf(email)).toEqual({ total: 1, bounces: 1, complaints: 0 })
})

test('a bounce of the mailbox simulator does not count either when the project is emptied right after it', async () => {
  const to = 'bounce@simulator.amazonses.com'
  const email = await sent({ to })
  expect(await bounce(email.name, [to])).toBe('recorded')
  await emptied(email.projectId)
  expect(await countsOf(email)).toEqual({ total: 0, bounces: 0, complaints: 0 })
})

test('what the log says of bounces counts, however soon the project is emptied', async () => {
  const email = await sent()
  expect(await bounce(email.name)).toBe('recorded')
  await emptied(email.projectId)
  expect(await countsOf(email)).toEqual({ total: 1, bounces: 1, complaints: 0 })
})

test('of an email that was withheld, and of one to the mailbox simulator of Amazon SES, nothing is kept', async () => {
  const project = await sendingProject(world)
  const simulated = await sent({ to: 'bounce@simulator.amazonses.com' }, project)
  await prisma.suppression.create({
    data: { projectId: project.projectId, email: ada, reason: 'MANUAL', source: 'API', createdAt: at },
  })
  const withheld = await sent({}, project)
  await deleteContact(project.ctx, { id: withheld.contactId })
  expect(await bounce(withheld.name)).toBe('unchanged')
  await emptied(project.projectId)
  expect(await bounce(withheld.name)).toBe('unknown')
  expect(await bounce(simulated.name, ['bounce@simulator.amazonses.com'])).toBe('unknown')
  expect(await prisma.removedEmail.count({ where: { projectId: project.projectId } })).toBe(0)
})

test('it is kept for 30 days, without the address, and is removed with the project', async () => {
  const [email, other] = [await sent(), await sent()]
  await emptied(email.projectId)
  await emptied(other.projectId, deleteSteps)
  expect(await prisma.removedEmail.count({ where: { projectId: other.projectId } })).toBe(0)
  const kept = await prisma.removedEmail.findMany({ where: { projectId: email.projectId } })
  const { projectId, id: emailId } = email
  const flags = { copied: false, bounced: false, complained: false, leftAt: expect.any(Date) }
  expect(kept).toEqual([{ projectId, emailId, hash: expect.stringMatching(/^[\w-]{43}$/), ...flags }])
  await forgetOldRemoved(world)
  expect(await prisma.removedEmail.count({ where: { projectId: email.projectId } })).toBe(1)
  world.clock.turn(30 * day + 1)
  await forgetOldRemoved(world)
  expect(await bounce(email.name)).toBe('unknown')
})
