import { describe, expect, test, vi } from 'vitest'
import { deleteContact, updateContact } from '../../../../src/modules/contacts/contacts.ts'
import { readContents } from '../../../../src/modules/emails/delivery/sql.ts'
import { deliverEmails, deliveryIdle } from '../../../../src/modules/emails/delivery/worker.ts'
import { getEmail } from '../../../../src/modules/emails/emails.ts'
import type { EmailStatus } from '../../../../src/modules/emails/shapes.ts'
import { suppressAddress } from '../../../../src/modules/suppressions/suppressions.ts'
import { TemplateDraft } from '../../../../src/modules/templates/shapes.ts'
import { createTemplate } from '../../../../src/modules/templates/templates.ts'
import { accept, logOf, sendingProject, settled, turnAndSweep } from '../../../help/mails.ts'
import { mailServer, type Refusal } from '../../../help/smtp.ts'
import { testWorld } from '../../../help/world.ts'

let refusal: Refusal | null = null
const server = await mailServer({ refuse: () => refusal })
const world = await testWorld({ env: { EMAIL_TRANSPORT: server.url } })
const minute = 60_000

async function deliver(projectId: string): Promise<void> {
  await deliverEmails(world, { turns: [[projectId, 'transactional']] })
}

describe('an email that may be sent', () => {
  test('is sent once, logged once, and settled', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const { id, contactId } = await accept(ctx, { data: { name: 'Ada' } })
    await Promise.all([deliver(projectId), deliver(projectId), deliver(projectId)])
    const email = await settled(ctx, id, 'SENT')
    expect(email).toMatchObject({ subject: 'Hello Ada', attempts: 1, reason: null, sentAt: world.clock.now() })
    expect(server.mails.filter(({ raw }) => raw.includes(id))).toHaveLength(1)
    expect(await logOf(ctx)).toEqual([
      {
        name: 'email.sent',
        data: {
          subject: 'Hello Ada',
          from: 'hello@demo.test',
          fromName: null,
          messageId: `${id}@demo.test`,
          emailId: id,
          templateId: null,
          campaignId: null,
          sourceType: 'TRANSACTIONAL',
          sentAt: world.clock.now().toISOString(),
        },
      },
    ])
    expect(contactId).toBe(email.contactId)
    await turnAndSweep(world, 60 * minute)
    expect(server.mails.filter(({ raw }) => raw.includes(id))).toHaveLength(1)
  })

  test('is sent by the next sweep although its job was lost', async () => {
    const { ctx } = await sendingProject(world)
    const { id } = await accept(ctx)
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'PENDING', attempts: 0 })
    await turnAndSweep(world, 0)
    await settled(ctx, id, 'SENT')
  })
})

describe('an email that must not be sent has the reason', () => {
  test('its contact was deleted: CANCELLED, and nothing is logged', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const { id, contactId } = await accept(ctx)
    await deleteContact(ctx, { id: contactId })
    await deliver(projectId)
    await turnAndSweep(world, 0)
    const rows = await world.db.prisma.email.findMany({ where: { projectId, id }, select: { status: true, reason: true } })
    expect(rows).toEqual([{ status: 'CANCELLED', reason: 'The contact was deleted before the email was sent.' }])
    expect(await logOf(ctx)).toEqual([])
  })

  test('the project was disabled: FAILED', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const { id } = await accept(ctx)
    await world.db.prisma.project.update({ where: { id: projectId }, data: { disabled: true } })
    await deliver(projectId)
    expect(await settled(ctx, id, 'FAILED')).toMatchObject({ reason: 'The project is disabled.', sentAt: null })
    expect(await logOf(ctx)).toMatchObject([
      { name: 'email.failed', data: { emailId: id, status: 'FAILED', reason: 'The project is disabled.' } },
    ])
  })

  test('the sender domain is not verified for a while: it leaves once it is again, and is FAILED after 24 hours', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const setStatus = (status: 'PENDING' | 'VERIFIED') => world.db.prisma.domain.updateMany({ where: { projectId }, data: { status } })
    const { id } = await accept(ctx)
    await setStatus('PENDING')
    // It has waited long for something else.
    world.clock.turn(25 * 60 * minute)
    const run = vi.spyOn(world.db, 'run')
    await deliver(projectId)
    await deliveryIdle(world)
    const waiting = { status: 'PENDING', attempts: 0, reason: expect.stringContaining('not verified at the moment') }
    expect(await getEmail(ctx, { id })).toMatchObject(waiting)
    // Many that wait with attachments would hold up all others.
    expect(run.mock.calls.filter(([{ name }]) => name === readContents.name)).toEqual([])
    run.mockRestore()
    for (let hour = 0; hour < 5; hour++) await turnAndSweep(world, 3_600_000)
    expect(await getEmail(ctx, { id })).toMatchObject(waiting)
    await setStatus('VERIFIED')
    await turnAndSweep(world, 60 * minute)
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'SENT', attempts: 1, reason: null })
    const late = await accept(ctx)
    await setStatus('PENDING')
    for (let hour = 0; hour < 25; hour++) await turnAndSweep(world, 3_600_000)
    const given = expect.stringMatching(/^Given up after 24 hours: .* not verified at the moment/)
    expect(await getEmail(ctx, { id: late.id })).toMatchObject({ status: 'FAILED', reason: given })
  })

  test('the sender domain was not verified for 23 hours: the mail server has its own 24 hours afterwards', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const setStatus = (status: 'PENDING' | 'VERIFIED') => world.db.prisma.domain.updateMany({ where: { projectId }, data: { status } })
    const { id } = await accept(ctx)
    await setStatus('PENDING')
    await turnAndSweep(world, 0)
    for (let hour = 0; hour < 23; hour++) await turnAndSweep(world, 3_600_000)
    await setStatus('VERIFIED')
    refusal = { code: 451, message: '4.7.1 greylisted' }
    for (let hour = 0; hour < 4; hour++) await turnAndSweep(world, 3_600_000)
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'PENDING', reason: expect.stringContaining('greylisted') })
    await setStatus('PENDING')
    for (let hour = 0; hour < 23; hour++) await turnAndSweep(world, 3_600_000)
    await setStatus('VERIFIED')
    for (let hour = 0; hour < 17; hour++) await turnAndSweep(world, 3_600_000)
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'PENDING', reason: expect.stringContaining('greylisted') })
    for (let hour = 0; hour < 8; hour++) await turnAndSweep(world, 3_600_000)
    refusal = null
    const given = expect.stringMatching(/^Given up after 24 hours and \d+ attempts: .*greylisted/)
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'FAILED', reason: given })
  })

  test('the sender domain was deleted: FAILED', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const { id } = await accept(ctx)
    await world.db.prisma.domain.deleteMany({ where: { projectId } })
    await deliver(projectId)
    expect(await settled(ctx, id, 'FAILED')).toMatchObject({ reason: expect.stringContaining('was deleted') })
  })

  test('the address is suppressed: SUPPRESSED', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const { id } = await accept(ctx)
    await suppressAddress(ctx, { email: 'ada@example.com', reason: 'COMPLAINT' })
    await deliver(projectId)
    expect(await settled(ctx, id, 'SUPPRESSED')).toMatchObject({ reason: expect.stringContaining('suppression list') })
  })

  test('the template fails for this contact: FAILED with the sentence, and nothing else fails', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const body = '{% for i in (1..n) %}{{ i }}{% endfor %}'
    const broken = await accept(ctx, { body, data: { n: 2_000_000_000 } })
    const whole = await accept(ctx, { to: 'bob@example.com', body, data: { n: 2 } })
    await deliver(projectId)
    expect(await settled(ctx, broken.id, 'FAILED')).toMatchObject({
      reason: expect.stringMatching(/^The template could not be rendered: .* \(line 1, column 1\)\.$/),
    })
    await settled(ctx, whole.id, 'SENT')
  })

  test('marketing to a contact that unsubscribed: SUPPRESSED; to one that never subscribed: sent', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const template = await createTemplate(
      ctx,
      TemplateDraft.parse({ subject: 'News', body: '<p>News</p>', from: 'hello@demo.test', type: 'MARKETING' }),
    )
    const never = await accept(ctx, { template: template.id, subject: undefined, body: undefined })
    await deliver(projectId)
    await settled(ctx, never.id, 'SENT')
    await updateContact(ctx, { id: never.contactId, subscribed: true })
    await updateContact(ctx, { id: never.contactId, subscribed: false })
    const after = await accept(ctx, { template: template.id, subject: undefined, body: undefined })
    const transactional = await accept(ctx)
    await deliver(projectId)
    expect(await settled(ctx, after.id, 'SUPPRESSED')).toMatchObject({ reason: 'The contact has unsubscribed from marketing emails.' })
    await settled(ctx, transactional.id, 'SENT')
  })
})

describe('a mail server that refuses', () => {
  test('5xx for the address: BOUNCED, suppressed, unsubscribed; the next email is SUPPRESSED', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const { id, contactId } = await accept(ctx, { subscribed: true })
    refusal = { code: 550, message: '5.1.1 no such user' }
    await deliver(projectId)
    const email = await settled(ctx, id, 'BOUNCED')
    refusal = null
    expect(email).toMatchObject({ reason: '550 5.1.1 no such user', bouncedAt: world.clock.now(), sentAt: null })
    expect(await logOf(ctx)).toMatchObject([
      { name: 'contact.unsubscribed', data: { source: 'bounce', reason: '550 5.1.1 no such user' } },
      { name: 'email.bounce', data: { emailId: id, bounceType: 'Permanent' } },
    ])
    const next = await accept(ctx)
    expect(next.contactId).toBe(contactId)
    await deliver(projectId)
    await settled(ctx, next.id, 'SUPPRESSED')
  })

  test('5.7.x is about policy: FAILED, and the address is not suppressed', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const { id } = await accept(ctx)
    refusal = { code: 550, message: '5.7.1 blocked' }
    await deliver(projectId)
    expect(await settled(ctx, id, 'FAILED')).toMatchObject({ reason: '550 5.7.1 blocked' })
    refusal = null
    const next = await accept(ctx)
    await deliver(projectId)
    await settled(ctx, next.id, 'SENT')
  })

  test('4xx: tried again after growing delays, then sent with the same Message-ID', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const { id } = await accept(ctx)
    refusal = { code: 451, message: 'try later' }
    await deliver(projectId)
    await turnAndSweep(world, 0)
    expect(await settled(ctx, id, 'PENDING')).toMatchObject({ attempts: 1, reason: '451 try later' })
    await turnAndSweep(world, 29_000)
    expect(await getEmail(ctx, { id })).toMatchObject({ attempts: 1 })
    await turnAndSweep(world, 2_000)
    expect(await settled(ctx, id, 'PENDING')).toMatchObject({ attempts: 2 })
    refusal = null
    await turnAndSweep(world, 2 * minute)
    expect(await settled(ctx, id, 'SENT')).toMatchObject({ attempts: 3, reason: null })
    expect(server.mails.filter(({ raw }) => raw.includes(`Message-ID: <${id}@demo.test>`))).toHaveLength(1)
  })

  test('4xx for 24 hours: FAILED with the last reason', async () => {
    const { ctx } = await sendingProject(world)
    const { id } = await accept(ctx)
    refusal = { code: 421, message: 'too busy' }
    for (let hour = 0; hour <= 26; hour++) await turnAndSweep(world, 60 * minute)
    refusal = null
    expect(await getEmail(ctx, { id })).toMatchObject({
      status: 'FAILED',
      reason: expect.stringMatching(/^Given up after 24 hours and \d+ attempts: 421 too busy/),
    })
    expect((await logOf(ctx)).map(({ name }) => name)).toEqual(['email.failed'])
  })

  test('the 24 hours begin with the first attempt, however long an email waited for it', async () => {
    const { ctx } = await sendingProject(world)
    const { id } = await accept(ctx)
    world.clock.turn(25 * 60 * minute)
    refusal = { code: 451, message: 'greylisted' }
    await turnAndSweep(world, 0)
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'PENDING', attempts: 1, reason: '451 greylisted' })
    for (let hour = 0; hour < 20; hour++) await turnAndSweep(world, 60 * minute)
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'PENDING' })
    for (let hour = 0; hour < 6; hour++) await turnAndSweep(world, 60 * minute)
    refusal = null
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'FAILED', reason: expect.stringMatching(/^Given up after 24 hours/) })
  })
})

describe('a mail server that refuses us, and not the addresses', () => {
  test('pauses the sender after ten equal refusals: nobody is suppressed or unsubscribed, the rest waits and is sent later', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const to = Array.from({ length: 30 }, (_, n) => `reader${n}@example${n % 4}.com`)
    await accept(ctx, { to, subscribed: true })
    refusal = { code: 550, message: 'relay not permitted' }
    await deliver(projectId)
    await deliveryIdle(world)
    const count = (status: EmailStatus) => world.db.prisma.email.count({ where: { projectId, status } })
    expect([await count('BOUNCED'), await world.db.prisma.suppression.count({ where: { projectId } })]).toEqual([0, 0])
    expect(await world.db.prisma.contact.count({ where: { projectId, subscribed: true } })).toBe(30)
    // Those that were under way at the same time are failed, the others wait.
    const failed = await count('FAILED')
    expect([failed < 10, failed + (await count('PENDING'))]).toEqual([true, 30])
    refusal = null
    await turnAndSweep(world, 4 * minute)
    expect(await count('SENT')).toBe(0)
    // One is tried first, and the others follow when it was accepted.
    await turnAndSweep(world, minute)
    expect(await count('SENT')).toBe(1)
    await turnAndSweep(world, 10_000)
    expect(await count('SENT')).toBe(30 - failed)
    const attempts = await world.db.prisma.email.findMany({ where: { projectId, status: 'SENT' }, select: { attempts: true } })
    expect(attempts.every((email) => email.attempts === 1)).toBe(true)
  })
})
