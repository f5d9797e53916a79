import { describe, expect, test } from 'vitest'
import { deleteContact } from '../../../../src/modules/contacts/contacts.ts'
import { getEmail } from '../../../../src/modules/emails/emails.ts'
import { accept, logOf, sendingProject } from '../../../help/mails.ts'
import { callAt, testServer } from '../../../help/server.ts'
import { sesMail, snsTwin } from '../../../help/sns.ts'

const sns = snsTwin()
const { url, world } = await testServer({ env: sns.env })
const at = () => world.clock.now().toISOString()
const post = async (notification: object) =>
  callAt(url, 'POST /webhooks/sns', sns.notification(world.clock, notification), { headers: { 'content-type': 'text/plain' } })

async function sent() {
  const project = await sendingProject(world)
  return { ...project, ...(await accept(project.ctx, { subscribed: true })) }
}

async function unknownCount(): Promise<number> {
  const { values } = await world.metrics.feedback.get()
  return values.filter(({ labels }) => labels.result === 'unknown').reduce((sum, { value }) => sum + value, 0)
}

const to = [{ emailAddress: 'ada@example.com' }]
const bounce = (bounceType: string, bounceSubType: string, recipient: object = {}) => ({
  bounce: { bounceType, bounceSubType, bouncedRecipients: [{ ...to[0], ...recipient }], timestamp: at() },
})

describe('a notification of Amazon SES', () => {
  test.each<[string, () => object, object, string]>([
    ['Delivery', () => ({ delivery: { timestamp: at(), recipients: ['ada@example.com'] } }), { status: 'DELIVERED' }, 'email.delivery'],
    ['Bounce', () => bounce('Permanent', 'General'), { status: 'BOUNCED', reason: 'Permanent bounce (General)' }, 'email.bounce'],
    ['Bounce', () => bounce('Strange', ''), { status: 'BOUNCED', reason: 'Strange bounce' }, 'email.bounce'],
    ['Bounce', () => bounce('Transient', 'ContentRejected'), { status: 'PENDING' }, 'email.bounce'],
    ['Bounce', () => bounce('Undetermined', 'Undetermined'), { status: 'PENDING' }, 'email.bounce'],
    [
      'Bounce',
      () => bounce('Undetermined', '', { status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 no such user' }),
      { status: 'BOUNCED', reason: '550 5.1.1 no such user' },
      'email.bounce',
    ],
    ['Complaint', () => ({ complaint: { timestamp: at(), complainedRecipients: to } }), { status: 'COMPLAINED' }, 'email.complaint'],
    [
      'Reject',
      () => ({ reject: { reason: 'Bad content' } }),
      { status: 'REJECTED', reason: 'Amazon SES refused to send it: Bad content.' },
      'email.failed',
    ],
    ['Open', () => ({ open: { userAgent: 'Mozilla/5.0' } }), { status: 'OPENED', opens: 1 }, 'email.open'],
    [
      'Click',
      () => ({ click: { userAgent: 'Mozilla/5.0', link: 'https://example.com/' } }),
      { status: 'CLICKED', clicks: 1 },
      'email.click',
    ],
  ])('%s is recorded, as an event and as a notification, by tags and by Message-ID', async (type, details, expected, event) => {
    for (const kind of ['eventType', 'notificationType']) {
      for (const tagged of [true, false]) {
        const { ctx, id, projectId } = await sent()
        const mail = sesMail(world.clock, { emailId: id, ...(tagged && { projectId }) })
        expect((await post({ [kind]: type, mail, ...details() })).status).toBe(200)
        expect(await getEmail(ctx, { id })).toMatchObject(expected)
        expect((await logOf(ctx)).at(-1)?.name ?? '').toBe(event)
      }
    }
  })

  test.each([
    ['MailboxFull', {}, true],
    ['General', { status: '4.2.2' }, true],
    ['General', { status: '4.4.7' }, false],
    ['MessageTooLarge', { status: '5.2.2' }, false],
    ['ContentRejected', { status: '5.2.0' }, false],
  ])('a bounce that passes (%s, %j) is one of the mailbox: %s', async (subType, recipient, isMailbox) => {
    const { id, projectId } = await sent()
    await post({ eventType: 'Bounce', mail: sesMail(world.clock, { emailId: id }), ...bounce('Transient', subType, recipient) })
    const email = await world.db.prisma.email.findUnique({ where: { projectId_id: { projectId, id } } })
    expect([email?.softBouncedAt !== null, email?.mailboxErrorAt !== null]).toEqual([true, isMailbox])
  })

  test.each([
    ['Undetermined', { status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 no such user' }, { status: '4.4.7' }, 'PENDING', null],
    [
      'Undetermined',
      { status: '4.4.7' },
      { status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 no such user' },
      'BOUNCED',
      '550 5.1.1 no such user',
    ],
    ['Permanent', { diagnosticCode: 'smtp; 550 copy is gone' }, { diagnosticCode: 'smtp; 550 ada is gone' }, 'BOUNCED', '550 ada is gone'],
  ])('a bounce (%s) of an email and of its copy has the answer to the email itself', async (type, copy, own, status, reason) => {
    const { ctx } = await sendingProject(world)
    const { id } = await accept(ctx, { cc: ['copy@example.com'] })
    const bouncedRecipients = [
      { emailAddress: 'copy@example.com', ...copy },
      { emailAddress: 'ada@example.com', ...own },
    ]
    const details = { bounce: { bounceType: type, bounceSubType: 'General', bouncedRecipients, timestamp: at() } }
    expect((await post({ eventType: 'Bounce', mail: sesMail(world.clock, { emailId: id }), ...details })).status).toBe(200)
    expect(await getEmail(ctx, { id })).toMatchObject({ status, reason })
  })

  test('that an email is no spam after all changes nothing', async () => {
    const { ctx, id } = await sent()
    const complaint = { timestamp: at(), complainedRecipients: to, complaintFeedbackType: 'not-spam' }
    expect((await post({ eventType: 'Complaint', mail: sesMail(world.clock, { emailId: id }), complaint })).status).toBe(200)
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'PENDING', complainedAt: null })
  })

  test('404 for an email that is not known, so that Amazon calls again, and 200 once it is 15 minutes old', async () => {
    const { ctx, id, projectId } = await sent()
    const other = `eml_${'0'.repeat(26)}`
    const before = await unknownCount()
    for (const name of [{ emailId: other }, { emailId: other, projectId }, { emailId: id, projectId: `prj_${'0'.repeat(26)}` }]) {
      const young = { eventType: 'Bounce', mail: sesMail(world.clock, { ...name, sentAgoMs: 899_999 }), ...bounce('Permanent', 'General') }
      const { status, body } = await post(young)
      expect([status, body.error.code]).toEqual([404, 'RESOURCE_NOT_FOUND'])
      const old = { ...young, mail: sesMail(world.clock, { ...name, sentAgoMs: 900_000 }) }
      expect((await post(old)).status).toBe(200)
    }
    expect(await unknownCount()).toBe(before + 6)
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'PENDING' })
  })

  test('is handled when the same message comes again after a 404', async () => {
    const { ctx, id, projectId } = await sent()
    const rename = (domain: string) => world.db.prisma.domain.updateMany({ where: { projectId }, data: { domain } })
    const delivery = { timestamp: at(), recipients: [] }
    const body = sns.notification(world.clock, { eventType: 'Delivery', mail: sesMail(world.clock, { emailId: id }), delivery })
    const call = () => callAt(url, 'POST /webhooks/sns', body, { headers: { 'content-type': 'text/plain' } })
    await rename('gone.test')
    expect((await call()).status).toBe(404)
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'PENDING' })
    await rename('demo.test')
    expect((await call()).status).toBe(200)
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'DELIVERED' })
  })

  test('about a deleted contact changes nothing that is seen', async () => {
    const { ctx, id, contactId, projectId } = await sent()
    await deleteContact(ctx, { id: contactId })
    const mail = sesMail(world.clock, { emailId: id })
    const lines = await logOf(ctx)
    expect((await post({ eventType: 'Bounce', mail, ...bounce('Permanent', 'General') })).status).toBe(200)
    expect((await post({ eventType: 'Open', mail, open: { userAgent: 'x' } })).status).toBe(200)
    expect(await logOf(ctx)).toEqual(lines)
    expect(await world.db.prisma.suppression.count({ where: { projectId } })).toBe(0)
    expect(await world.db.prisma.email.findFirst({ where: { projectId } })).toMatchObject({ status: 'PENDING', opens: 0 })
  })

  test.each<[string, object | string]>([
    ['the text of a new topic', 'Successfully validated SNS topic for Amazon SES event publishing.'],
    ['of another kind', { eventType: 'Rendering Failure', mail: {} }],
    ['without an email', { eventType: 'Delivery' }],
    [
      'about an email of another program',
      { eventType: 'Delivery', delivery: {}, mail: { messageId: 'x', timestamp: '2026-01-01T00:00:00Z' } },
    ],
    ['that is a list', []],
    ['that is null', 'null'],
  ])('%s is ignored and counted', async (_what, notification) => {
    const before = await unknownCount()
    const body = sns.body(world.clock, { Message: typeof notification === 'string' ? notification : JSON.stringify(notification) })
    expect((await callAt(url, 'POST /webhooks/sns', body, { headers: { 'content-type': 'text/plain' } })).status).toBe(200)
    expect(await unknownCount()).toBe(before + 1)
  })

  test('with a link that Postgres cannot store is recorded without it', async () => {
    const { ctx, id } = await sent()
    const click = { userAgent: 'x', link: 'https://example.com/\0\ud800' }
    expect((await post({ eventType: 'Click', mail: sesMail(world.clock, { emailId: id }), click })).status).toBe(200)
    expect(await getEmail(ctx, { id })).toMatchObject({ clicks: 1 })
  })
})
