import { describe, expect, test } from 'vitest'
import type { Handover } from '../../../../src/kit/mailer.ts'
import { deliverClaimed } from '../../../../src/modules/emails/delivery/attempt.ts'
import { getEmail } from '../../../../src/modules/emails/emails.ts'
import { recordOpen } from '../../../../src/modules/emails/tracking/record.ts'
import { accept, logOf, sendingProject, turnAndSweep } from '../../../help/mails.ts'
import { accepts, claimed, twoWorkers } from '../../../help/workers.ts'

const { world, other, sent, server, turn, stop } = await twoWorkers()

/** An email whose first attempt ended in some way, and that was opened afterwards. */
async function openedAfter(answer: () => Promise<Handover>) {
  const { ctx, projectId } = await sendingProject(world)
  const { id } = await accept(ctx)
  server.answer = answer
  await deliverClaimed(world, await claimed(world, projectId))
  server.answer = accepts
  await recordOpen(ctx, { token: world.vault.sign('tracked mail', [projectId, id]), method: 'HEAD' })
  return { ctx, id }
}

async function sweepAfter(ms: number): Promise<void> {
  turn(ms)
  await turnAndSweep(world, 0)
}

describe('an email that was opened, perhaps by a scanner, before it was recorded as sent', () => {
  test('is sent by the next attempt when the mail server had refused it for the time being', async () => {
    const { ctx, id } = await openedAfter(async () => ({ kind: 'deferred', response: '451 4.7.1 greylisted' }))
    await sweepAfter(60_000)
    expect(sent.filter((one) => one === id)).toEqual([id, id])
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'OPENED', attempts: 2, sentAt: world.clock.now() })
  })

  test.each([
    ['the answer of the mail server was lost', async () => ({ kind: 'deferred', response: 'lost', uncertain: true }) as const],
    ['the attempt failed before the answer', () => Promise.reject(new Error('a defect'))],
  ])('is not sent again when %s: it has arrived', async (_how, answer) => {
    const { ctx, id } = await openedAfter(answer)
    await sweepAfter(60_000)
    expect(sent.filter((one) => one === id)).toEqual([id])
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'OPENED', attempts: 2, sentAt: world.clock.now() })
    expect((await logOf(ctx)).map(({ name }) => name)).toEqual(['email.open', 'email.sent'])
  })

  test('is not sent again although a later attempt was refused: the lost answer still counts', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const { id } = await accept(ctx)
    server.answer = async () => ({ kind: 'deferred', response: 'lost', uncertain: true })
    await deliverClaimed(world, await claimed(world, projectId))
    server.answer = async () => ({ kind: 'deferred', response: '451 4.7.1 greylisted' })
    await sweepAfter(60_000)
    server.answer = accepts
    await recordOpen(ctx, { token: world.vault.sign('tracked mail', [projectId, id]), method: 'GET' })
    await sweepAfter(600_000)
    expect(sent.filter((one) => one === id)).toEqual([id, id])
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'OPENED', attempts: 3 })
  })

  test('is not sent again by the worker that takes it over from one that has stopped', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const { id } = await accept(ctx)
    await claimed(world, projectId)
    // The worker crashes here, after the mail server accepted the email; the recipient opens it.
    await recordOpen(ctx, { token: world.vault.sign('tracked mail', [projectId, id]), method: 'GET' })
    await stop()
    await deliverClaimed(other, await claimed(other, projectId))
    expect(sent).not.toContain(id)
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'OPENED', sentAt: other.clock.now() })
    expect((await logOf(ctx)).map(({ name }) => name)).toEqual(['email.open', 'email.sent'])
  })
})
