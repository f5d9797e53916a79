import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../../../src/kit/context.ts'
import { deleteContact, updateContact } from '../../../../src/modules/contacts/contacts.ts'
import { deliverClaimed } from '../../../../src/modules/emails/delivery/attempt.ts'
import { settleEmail } from '../../../../src/modules/emails/delivery/settle.ts'
import { deliveryIdle, sweepEmails } from '../../../../src/modules/emails/delivery/worker.ts'
import { getEmail, listEmails } from '../../../../src/modules/emails/emails.ts'
import { recordDelivered } from '../../../../src/modules/emails/feedback/record.ts'
import { confirmClaim, renewClaims } from '../../../../src/modules/emails/queue/claim.ts'
import { leaseOf } from '../../../../src/modules/emails/queue/lease/lease.ts'
import { suppressAddress } from '../../../../src/modules/suppressions/suppressions.ts'
import { TemplateDraft } from '../../../../src/modules/templates/shapes.ts'
import { createTemplate } from '../../../../src/modules/templates/templates.ts'
import { accept, logOf, sendingProject } from '../../../help/mails.ts'
import { accepts, claim, claimed, twoWorkers } from '../../../help/workers.ts'

const { world, other, sent, server, turn, pass, stop } = await twoWorkers()

describe('a claim', () => {
  test('belongs to one worker only, of two processes', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const { id } = await accept(ctx)
    const claims = await Promise.all([world, other, world, other].map((at) => claim(at, projectId)))
    expect(claims.flat().map((email) => email.id)).toEqual([id])
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'SENDING', attempts: 1 })
    expect((await listEmails(ctx, { limit: 20, status: 'SENDING' })).data).toMatchObject([{ id, status: 'SENDING' }])
    expect((await listEmails(ctx, { limit: 20, status: 'PENDING' })).data).toEqual([])
  })

  test('whose worker has stopped is taken over, and its old holder records nothing any more', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const { id } = await accept(ctx)
    const mine = await claimed(world, projectId)
    await stop()
    expect(leaseOf(world).holds()).toBe(false)
    const theirs = await claimed(other, projectId)
    expect(theirs).toMatchObject({ id, attempts: 2 })
    expect(await settleEmail(world, mine, { kind: 'FAILED', reason: 'late' })).toBe(false)
    expect(await settleEmail(world, mine, { kind: 'retry', reason: 'late', waitMs: 0 })).toBe(false)
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'SENDING', reason: null })
    await deliverClaimed(other, theirs)
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'SENT' })
    expect((await logOf(ctx)).map(({ name }) => name)).toEqual(['email.sent'])
  })

  test('that another worker took over before the email was handed over stops the attempt: nothing is sent twice', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const { id } = await accept(ctx)
    const mine = await claimed(world, projectId)
    await stop()
    const theirs = await claimed(other, projectId)
    await deliverClaimed(world, mine)
    expect(sent.filter((one) => one === id)).toEqual([])
    await deliverClaimed(other, theirs)
    expect(sent.filter((one) => one === id)).toEqual([id])
  })

  test('that expired, but that nobody took, is renewed, and its email is sent', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const { id } = await accept(ctx)
    const mine = await claimed(world, projectId)
    await stop()
    await deliverClaimed(world, mine)
    expect(sent.filter((one) => one === id)).toEqual([id])
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'SENT' })
  })

  test('of an email that was accepted is recorded although it has expired, unless another worker has claimed the email since', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const { id } = await accept(ctx)
    const mine = await claimed(world, projectId)
    await stop()
    expect(await settleEmail(world, mine, { kind: 'SENT', subject: 'Hello' })).toBe(true)
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'SENT' })
    expect(await claim(other, projectId)).toEqual([])
  })

  test('is never taken over by its own process, nor by one that was cut off from Postgres itself', async () => {
    const { ctx, projectId } = await sendingProject(world)
    await accept(ctx)
    const mine = await claimed(world, projectId)
    // Both leases end, as when Postgres was unavailable for longer than a claim.
    turn(60_000)
    expect(await claim(world, projectId)).toEqual([])
    expect(await claim(other, projectId)).toEqual([])
    expect([mine.lost, await confirmClaim(world, mine), leaseOf(other).mayTakeOver()]).toEqual([false, true, false])
    await deliverClaimed(world, mine)
    expect(sent.filter((one) => one === mine.id)).toEqual([mine.id])
  })

  test('that another worker has taken meanwhile is given up when the lease is renewed', async () => {
    const { ctx, projectId } = await sendingProject(world)
    await accept(ctx)
    const mine = await claimed(world, projectId)
    await stop()
    const theirs = await claimed(other, projectId)
    await renewClaims(world)
    expect([theirs.id, mine.lost]).toEqual([mine.id, true])
    await settleEmail(other, theirs, { kind: 'SENT' })
  })
})

test('machines whose clocks differ by a minute take nothing from each other', async () => {
  const { now } = other.clock
  Object.assign(other.clock, { now: () => new Date(world.clock.now().getTime() + 60_000) })
  const { ctx, projectId } = await sendingProject(world)
  await accept(ctx)
  await pass()
  const mine = await claimed(world, projectId)
  expect([leaseOf(other).mayTakeOver(), await claim(other, projectId)]).toEqual([true, []])
  Object.assign(other.clock, { now })
  expect(await settleEmail(world, mine, { kind: 'SENT' })).toBe(true)
})

describe('an email', () => {
  test('that waited after it was claimed is not sent to a contact deleted or an address suppressed meanwhile', async () => {
    const { ctx, projectId } = await sendingProject(world)
    await accept(ctx, { to: ['deleted@example.com', 'suppressed@example.com', 'kept@example.com'] })
    const emails = await claim(world, projectId)
    const byAddress = new Map(emails.map((email) => [email.toAddress, email]))
    await deleteContact(ctx, { id: byAddress.get('deleted@example.com')?.contactId ?? '' })
    await suppressAddress(ctx, { email: 'suppressed@example.com', reason: 'COMPLAINT' })
    for (const email of emails) {
      email.readAt -= 300
      await deliverClaimed(world, email)
    }
    const arrived = emails.filter(({ id }) => sent.includes(id)).map(({ toAddress }) => toAddress)
    expect(arrived).toEqual(['kept@example.com'])
    const rows = await world.db.prisma.email.findMany({ where: { projectId }, select: { toAddress: true, status: true } })
    expect(new Map(rows.map(({ toAddress, status }) => [toAddress, status]))).toEqual(
      new Map([
        ['deleted@example.com', 'CANCELLED'],
        ['suppressed@example.com', 'SUPPRESSED'],
        ['kept@example.com', 'SENT'],
      ]),
    )
  })

  test.each([
    ['its project is disabled', { status: 'FAILED', reason: 'The project is disabled.' }],
    ['the sender domain is no longer verified', { status: 'PENDING', reason: expect.stringContaining('not verified at the moment') }],
    ['the sender domain is deleted', { status: 'FAILED', reason: expect.stringContaining('was deleted') }],
    ['the contact unsubscribes from marketing', { status: 'SUPPRESSED', reason: expect.stringContaining('unsubscribed') }],
    ['the mail server reports to have delivered what an earlier attempt may have sent', { status: 'DELIVERED', reason: null }],
  ])('that waited after it was claimed is not sent when meanwhile %s', async (what, expected) => {
    const { ctx, projectId } = await sendingProject(world)
    const template = await createTemplate(
      ctx,
      TemplateDraft.parse({ subject: 'News', body: '<p>News</p>', from: 'hello@demo.test', type: 'MARKETING' }),
    )
    const { id, contactId } = await accept(ctx, { template: template.id, subject: undefined, body: undefined, subscribed: true })
    const mine = await claimed(world, projectId)
    await settleEmail(world, mine, { kind: 'retry', reason: 'no answer', waitMs: 0, uncertain: what.startsWith('the mail server') })
    const again = await claimed(world, projectId)
    await happen(what, ctx, { id, contactId })
    again.readAt -= 300
    await deliverClaimed(world, again)
    expect(sent).not.toContain(id)
    expect(await getEmail(ctx, { id })).toMatchObject(expected)
  })

  test('goes to no copy whose address is suppressed while it waits', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const { id } = await accept(ctx, { cc: ['kept@example.com', 'late@example.com'] })
    const email = await claimed(world, projectId)
    email.readAt -= 300
    await suppressAddress(ctx, { email: 'late@example.com', reason: 'BOUNCE' })
    const recipients: string[][] = []
    const mailServer = {
      async send({ to }: { to: string[] }) {
        recipients.push(to)
        return accepts()
      },
      check: async () => null,
      close: async () => {},
    }
    await deliverClaimed({ ...world, mailServer }, email)
    expect(recipients).toEqual([['ada@example.com', 'kept@example.com']])
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'SENT' })
  })

  test('whose answer was lost on the way is sent again as the same message', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const { id } = await accept(ctx)
    server.answer = async () => ({ kind: 'deferred', response: answerLost })
    await deliverClaimed(world, await claimed(world, projectId))
    server.answer = accepts
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'PENDING', attempts: 1, reason: answerLost })
    turn(60_000)
    await sweepEmails(world)
    await deliveryIdle(world)
    expect(sent.filter((one) => one === id)).toEqual([id, id])
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'SENT', attempts: 2, reason: null })
  })

  test('that was accepted is recorded as sent whatever fails in this process afterwards', async () => {
    const { ctx, projectId } = await sendingProject(world)
    await accept(ctx)
    await deliverClaimed(world, await claimed(world, projectId))
    const { id } = await accept(ctx, { to: 'bob@example.com' })
    const { now } = world.clock
    server.answer = async () => {
      world.clock.now = () => {
        world.clock.now = now
        throw new Error('a defect')
      }
      return accepts()
    }
    await deliverClaimed(world, await claimed(world, projectId))
    server.answer = accepts
    expect(world.clock.now).toBe(now)
    expect(sent.filter((one) => one === id)).toEqual([id])
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'SENT', attempts: 1 })
  })

  test('that was accepted is not attempted again although its record is refused: the status is recorded without it', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const { id } = await accept(ctx)
    const mine = await claimed(world, projectId)
    // Postgres cannot store a NUL character.
    expect(await settleEmail(world, mine, { kind: 'SENT', subject: 'Hello \0' })).toBe(true)
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'SENT' })
    expect((await logOf(ctx)).map(({ name }) => name)).toEqual(['email.sent'])
  })
})

const answerLost = 'The connection was lost before the mail server confirmed the email: closed'

async function happen(what: string, ctx: Ctx, { id, contactId }: { id: string; contactId: string }): Promise<void> {
  const { prisma } = world.db
  if (what.startsWith('its project')) await prisma.project.update({ where: { id: ctx.projectId }, data: { disabled: true } })
  else if (what.endsWith('is deleted')) await prisma.domain.deleteMany({ where: { projectId: ctx.projectId } })
  else if (what.startsWith('the sender'))
    await prisma.domain.updateMany({ where: { projectId: ctx.projectId }, data: { status: 'PENDING' } })
  else if (what.startsWith('the contact')) await updateContact(ctx, { id: contactId, subscribed: false })
  else await recordDelivered(world, { email: { projectId: ctx.projectId, emailId: id }, at: world.clock.now(), recipients: [] })
}
