import { describe, expect, test } from 'vitest'
import { deliverEmails, deliveryIdle } from '../../../../src/modules/emails/delivery/worker.ts'
import { getEmail } from '../../../../src/modules/emails/emails.ts'
import { recordDelivered, recordTransientBounce } from '../../../../src/modules/emails/feedback/record.ts'
import { accept, sendingProject, turnAndSweep } from '../../../help/mails.ts'
import { mailServer, type Refusal } from '../../../help/smtp.ts'
import { testWorld } from '../../../help/world.ts'

let refusal: Refusal | null = null
const server = await mailServer({ refuse: () => refusal })
const world = await testWorld({ env: { EMAIL_TRANSPORT: server.url } })
const day = 86_400_000
const full: Refusal = { code: 552, message: '5.2.2 The mailbox is full' }

type Project = Awaited<ReturnType<typeof sendingProject>>

/** Sends emails to one address, some days apart, each with what becomes of it. */
async function send(project: Project, days: number, fates: (Refusal | 'taken' | 'full later' | 'full, then taken')[]): Promise<string[]> {
  const ids: string[] = []
  for (const fate of fates) {
    refusal = typeof fate === 'string' ? null : fate
    const { id } = await accept(project.ctx, { subscribed: ids.length === 0 ? true : undefined })
    ids.push(id)
    await deliverEmails(world, { turns: [[project.projectId, 'transactional']] })
    await deliveryIdle(world)
    const name = { emailId: id, projectId: project.projectId }
    const feedback = { email: name, at: world.clock.now(), recipients: [], reason: '552 5.2.2 Mailbox full', mailbox: true }
    if (fate === 'full later' || fate === 'full, then taken') await recordTransientBounce(world, feedback)
    if (fate === 'full, then taken') await recordDelivered(world, feedback)
    world.clock.turn(days * day)
  }
  return ids
}

async function suppressed({ projectId }: Project): Promise<object[]> {
  return world.db.prisma.suppression.findMany({ where: { projectId }, select: { email: true, reason: true, emailId: true } })
}

describe('an address', () => {
  test('is suppressed after five emails over seven days that its full mailbox did not take', async () => {
    const project = await sendingProject(world)
    await send(project, 2, [full, full, full, full])
    expect(await suppressed(project)).toEqual([])
    const [last] = await send(project, 0, [full])
    expect(await suppressed(project)).toEqual([{ email: 'ada@example.com', reason: 'BOUNCE', emailId: last }])
    expect(await world.db.prisma.contact.count({ where: { projectId: project.projectId, subscribed: false } })).toBe(1)
    expect(await getEmail(project.ctx, { id: last ?? '' })).toMatchObject({ status: 'FAILED', reason: '552 5.2.2 The mailbox is full' })
  })

  test('also when the provider reports it later', async () => {
    const project = await sendingProject(world)
    await send(project, 2, ['full later', full, 'full later', 'full later'])
    expect(await suppressed(project)).toEqual([])
    await send(project, 0, ['full later'])
    expect(await suppressed(project)).toHaveLength(1)
  })

  test('is not suppressed after five within a week, and after six over a week it is', async () => {
    const project = await sendingProject(world)
    await send(project, 1, [full, full, full, full, full])
    world.clock.turn(3 * day)
    expect(await suppressed(project)).toEqual([])
    await send(project, 0, [full])
    expect(await suppressed(project)).toHaveLength(1)
  })

  test.each(['taken', 'full, then taken'] as const)('begins anew with an email that was %s', async (fate) => {
    const project = await sendingProject(world)
    await send(project, 2, [full, full, full, fate, full, full, full, full])
    expect(await suppressed(project)).toEqual([])
    await send(project, 0, [full])
    expect(await suppressed(project)).toHaveLength(1)
  })

  test('of which the last attempt of an email after 24 hours says so', async () => {
    const project = await sendingProject(world)
    await send(project, 2, [full, full, full, full])
    refusal = { code: 452, message: '4.2.2 The mailbox is full' }
    const { id } = await accept(project.ctx)
    for (let hours = 0; hours < 27; hours += 2) await turnAndSweep(world, 2 * 3_600_000)
    expect(await getEmail(project.ctx, { id })).toMatchObject({ status: 'FAILED', reason: expect.stringMatching(/^Given up/) })
    expect(await suppressed(project)).toHaveLength(1)
  })

  test.each<[string, Refusal]>([
    ['the size', { code: 552, message: '5.2.3 Message length exceeds administrative limit' }],
    ['the size in words', { code: 552, message: '5.2.0 Message size exceeds fixed limit' }],
    ['the content', { code: 550, message: '5.2.0 Message content rejected' }],
    ['a policy', { code: 550, message: '5.7.1 Refused by policy' }],
    ['the rate', { code: 450, message: '4.2.1 The user you are trying to contact is receiving mail at a rate that prevents it' }],
    ['a list', { code: 550, message: '5.2.4 Mailing list expansion problem' }],
    ['no code at all', { code: 550, message: 'Over quota' }],
  ])('is not suppressed for %s', async (_what, answer) => {
    const project = await sendingProject(world)
    await send(project, 2, [answer, answer, answer, answer, answer, answer])
    await turnAndSweep(world, 2 * day)
    expect(await suppressed(project)).toEqual([])
  })
})
