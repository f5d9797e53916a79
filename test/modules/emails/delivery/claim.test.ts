import { describe, expect, test } from 'vitest'
import type { Handover } from '../../../../src/kit/mailer.ts'
import { deliverClaimed } from '../../../../src/modules/emails/delivery/attempt.ts'
import { claimDueEmails, claimEmail, isClaimed } from '../../../../src/modules/emails/delivery/claim.ts'
import { settleEmail } from '../../../../src/modules/emails/delivery/settle.ts'
import { getEmail } from '../../../../src/modules/emails/emails.ts'
import { recordOpen } from '../../../../src/modules/emails/tracking/record.ts'
import { accept, logOf, sendingProject, settled } from '../../../help/mails.ts'
import { testWorld } from '../../../help/world.ts'

const sent: string[] = []
let answer: Handover = { kind: 'accepted', response: '250 ok' }
const mailServer = {
  async send({ pieces }: { pieces: readonly Uint8Array[] }) {
    sent.push(
      Buffer.concat(pieces)
        .toString('latin1')
        .match(/Message-ID: <(.*?)@/)?.[1] ?? '',
    )
    return answer
  },
  check: async () => null,
  async close() {},
}
const world = await testWorld({ mailServer })
const other = await testWorld({ mailServer, databaseUrl: world.databaseUrl })

describe('a claim', () => {
  test('belongs to one worker only, of two processes', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const { id } = await accept(ctx)
    const claims = await Promise.all([world, other, world, other].map((at) => claimEmail(at, { projectId, id })))
    expect(claims.filter((mail) => mail !== null)).toHaveLength(1)
    expect(await claimDueEmails(other, 10)).toEqual([])
  })

  test('that expired is taken over, and its old holder records nothing any more', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const { id } = await accept(ctx)
    const mine = await claimEmail(world, { projectId, id })
    if (!mine) throw new Error('not claimed')
    world.clock.turn(31_000)
    other.clock.turn(31_000)
    expect(isClaimed(world, mine)).toBe(false)
    const theirs = (await claimDueEmails(other, 10)).find((mail) => mail.id === id)
    if (!theirs) throw new Error('not taken over')
    expect(theirs).toMatchObject({ id, attempts: 2 })
    expect(await settleEmail(world, mine, { kind: 'FAILED', reason: 'late' })).toBe(false)
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'SENDING', reason: null })
    await deliverClaimed(other, theirs)
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'SENT' })
    expect((await logOf(ctx)).map(({ name }) => name)).toEqual(['email.sent'])
  })

  test('that expired before the email was handed over stops the attempt: nothing is sent twice', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const { id } = await accept(ctx)
    const mine = await claimEmail(world, { projectId, id })
    if (!mine) throw new Error('not claimed')
    world.clock.turn(31_000)
    await deliverClaimed(world, mine)
    expect(sent.filter((one) => one === id)).toEqual([])
  })

  test('an email that was opened although the answer of the mail server was lost is not sent again', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const { id } = await accept(ctx)
    const mine = await claimEmail(world, { projectId, id })
    if (!mine) throw new Error('not claimed')
    // The worker crashes here, after the mail server accepted the email; the recipient opens it.
    await recordOpen(ctx, { token: world.vault.sign('tracked mail', [projectId, id]), method: 'GET' })
    other.clock.turn(120_000)
    const again = (await claimDueEmails(other, 10)).find((mail) => mail.id === id)
    if (!again) throw new Error('not taken over')
    await deliverClaimed(other, again)
    expect(sent.filter((one) => one === id)).toEqual([])
    expect(await settled(ctx, id, 'OPENED')).toMatchObject({ sentAt: other.clock.now() })
    expect((await logOf(ctx)).map(({ name }) => name)).toEqual(['email.open', 'email.sent'])
  })

  test('an answer lost on the way: the same message is sent again', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const { id } = await accept(ctx)
    answer = { kind: 'deferred', response: 'The connection was lost before the mail server confirmed the email: closed' }
    const first = await claimEmail(world, { projectId, id })
    if (!first) throw new Error('not claimed')
    await deliverClaimed(world, first)
    answer = { kind: 'accepted', response: '250 ok' }
    world.clock.turn(60_000)
    for (const mail of await claimDueEmails(world, 10)) await deliverClaimed(world, mail)
    expect(sent.filter((one) => one === id)).toEqual([id, id])
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'SENT', attempts: 2 })
  })
})
