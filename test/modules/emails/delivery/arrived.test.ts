import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../../../src/kit/context.ts'
import type { Handover } from '../../../../src/kit/mailer.ts'
import { getEmailTotals } from '../../../../src/modules/analytics/timeseries.ts'
import { deliverClaimed } from '../../../../src/modules/emails/delivery/attempt.ts'
import { getEmail } from '../../../../src/modules/emails/emails.ts'
import { recordDelivered } from '../../../../src/modules/emails/feedback/record.ts'
import { recordEngaged, recordOpen } from '../../../../src/modules/emails/tracking/record.ts'
import { countWholeAnalytics } from '../../../help/counted.ts'
import { accept, logOf, sendingProject, turnAndSweep } from '../../../help/mails.ts'
import { accepts, claimed, twoWorkers } from '../../../help/workers.ts'

const { world, other, sent, server, turn, stop } = await twoWorkers()

/** The email is opened by a person, or by another program. */
async function open(ctx: Ctx, id: string, userAgent: string | undefined = browser): Promise<void> {
  const token = world.vault.sign('tracked mail', [ctx.projectId, id])
  await recordOpen({ ...ctx, client: { ...ctx.client, userAgent } }, { token, method: 'GET' })
}

const browser = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'

/** An email whose first attempt ended in some way. */
async function attempted(answer: (email: { ctx: Ctx; id: string }) => Promise<Handover>) {
  const { ctx, projectId } = await sendingProject(world)
  const { id } = await accept(ctx)
  server.answer = () => answer({ ctx, id })
  await deliverClaimed(world, await claimed(world, projectId))
  server.answer = accepts
  return { ctx, id, projectId }
}

const lost: Handover = { kind: 'deferred', response: 'lost', uncertain: true }

async function sweepAfter(ms: number): Promise<void> {
  turn(ms)
  await turnAndSweep(world, 0)
}

const names = async (ctx: Ctx) => (await logOf(ctx)).map(({ name }) => name)

describe('an email that was opened before it was recorded as sent', () => {
  test('is sent by the next attempt when the mail server had refused it for the time being', async () => {
    const { ctx, id } = await attempted(async () => ({ kind: 'deferred', response: '451 4.7.1 greylisted' }))
    await open(ctx, id)
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'PENDING', machineOpens: 1 })
    await sweepAfter(60_000)
    expect(sent.filter((one) => one === id)).toEqual([id, id])
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'SENT', attempts: 2, sentAt: world.clock.now() })
  })

  test.each([
    ['the answer of the mail server was lost', async () => lost],
    ['the attempt failed before the answer', () => Promise.reject(new Error('a defect'))],
  ])('is not sent again when %s: a person has it', async (_how, answer) => {
    const { ctx, id } = await attempted(answer)
    turn(2_000)
    await open(ctx, id)
    await sweepAfter(60_000)
    expect(sent.filter((one) => one === id)).toEqual([id])
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'OPENED', attempts: 2, machineOpens: 0, sentAt: world.clock.now() })
    expect(await names(ctx)).toEqual(['email.open', 'email.sent'])
  })

  // Some servers open the links of an email before they answer.
  test.each([
    ['while the mail server had not answered', async (email: { ctx: Ctx; id: string }) => open(email.ctx, email.id), undefined],
    ['in the two seconds after that', undefined, browser],
    ['by a program', undefined, 'Googlebot/2.1'],
  ])('%s is sent again, because it may not have arrived', async (_when, before, after) => {
    const { ctx, id } = await attempted(async (email) => {
      await before?.(email)
      return lost
    })
    if (after) await open(ctx, id, after)
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'PENDING', opens: 1, machineOpens: 1 })
    await sweepAfter(60_000)
    expect(sent.filter((one) => one === id)).toEqual([id, id])
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'SENT', attempts: 2 })
  })

  test('while the mail server had not answered for the second time is sent again as well', async () => {
    const { ctx, id } = await attempted(async () => lost)
    server.answer = async () => {
      await open(ctx, id)
      return lost
    }
    await sweepAfter(60_000)
    server.answer = accepts
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'PENDING', machineOpens: 1 })
    await sweepAfter(600_000)
    expect(sent.filter((one) => one === id)).toEqual([id, id, id])
  })

  test('while the mail server had not answered, which then refused it for good, has failed', async () => {
    const { ctx, id } = await attempted(async (email) => {
      await open(email.ctx, email.id)
      return { kind: 'refused', recipient: false, response: '554 5.7.1 phishing' }
    })
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'FAILED', reason: '554 5.7.1 phishing' })
    await open(ctx, id)
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'FAILED', machineOpens: 2 })
    expect(await names(ctx)).toEqual(['email.open', 'email.failed', 'email.open'])
  })

  test('is not sent again although a later attempt was refused: the lost answer still counts', async () => {
    const { ctx, id } = await attempted(async () => lost)
    server.answer = async () => ({ kind: 'deferred', response: '451 4.7.1 greylisted' })
    await sweepAfter(60_000)
    server.answer = accepts
    await open(ctx, id)
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'PENDING', machineOpens: 1 })
    turn(2_000)
    await open(ctx, id)
    await sweepAfter(600_000)
    expect(sent.filter((one) => one === id)).toEqual([id, id])
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'OPENED', attempts: 3 })
  })

  test('is sent again by the worker that takes it over from one that stopped while it was with the mail server', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const { id } = await accept(ctx)
    await claimed(world, projectId)
    // The worker crashes here; perhaps the mail server has the email, which opens its links.
    await open(ctx, id)
    await stop()
    await deliverClaimed(other, await claimed(other, projectId))
    expect(sent.filter((one) => one === id)).toEqual([id])
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'SENT', sentAt: other.clock.now() })
  })

  test('as its provider reports while a later attempt is refused counts as sent, once, whatever is reported afterwards', async () => {
    const { ctx, id, projectId } = await attempted(async () => lost)
    server.answer = async () => {
      await recordEngaged(world, { projectId, id, link: null, userAgent: browser })
      return { kind: 'refused', recipient: false, response: '554 5.7.1 duplicate' }
    }
    await sweepAfter(60_000)
    server.answer = accepts
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'OPENED', sentAt: world.clock.now() })
    await recordDelivered(world, { email: { projectId, emailId: id }, at: world.clock.now(), recipients: [] })
    expect(await names(ctx)).toEqual(['email.open', 'email.sent', 'email.delivery'])
    await countWholeAnalytics(world)
    expect(await getEmailTotals(ctx, { timezone: 'UTC' })).toMatchObject({ emails: 1, delivered: 1, opens: 1, failed: 0 })
  })

  test('as its provider reports, of which only a copy has left, stays failed', async () => {
    const { ctx, id, projectId } = await attempted(async () => ({ kind: 'refused', recipient: false, response: '550 5.7.1 policy' }))
    const { contentId } = await world.db.prisma.email.findFirstOrThrow({ where: { projectId, id } })
    await world.db.prisma.emailContent.updateMany({ where: { projectId, id: contentId ?? '' }, data: { cc: ['copy@example.com'] } })
    turn(5_000)
    await recordEngaged(world, { projectId, id, link: null, userAgent: browser })
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'FAILED', reason: '550 5.7.1 policy', machineOpens: 1, sentAt: null })
  })
})
