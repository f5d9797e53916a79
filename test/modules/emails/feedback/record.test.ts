import { describe, expect, test } from 'vitest'
import { deleteContact } from '../../../../src/modules/contacts/contacts.ts'
import { deliverEmails, deliveryIdle } from '../../../../src/modules/emails/delivery/worker.ts'
import { getEmail } from '../../../../src/modules/emails/emails.ts'
import { type EmailName, readMessageId } from '../../../../src/modules/emails/feedback/names.ts'
import {
  type FeedbackResult,
  recordBounce,
  recordComplaint,
  recordDelivered,
  recordFailure,
  recordRejection,
  recordTransientBounce,
} from '../../../../src/modules/emails/feedback/record.ts'
import { deleteSuppression } from '../../../../src/modules/suppressions/suppressions.ts'
import { accept, logOf, sendingProject } from '../../../help/mails.ts'
import { acceptingTransport } from '../../../help/smtp.ts'
import { testWorld } from '../../../help/world.ts'

const world = await testWorld({ mailServer: acceptingTransport().mailServer })
const at = world.clock.now()

type Kind = 'delivery' | 'transient' | 'bounce' | 'complaint' | 'failure' | 'rejection'

function feed(email: EmailName, kind: Kind, recipients: string[] = []): Promise<FeedbackResult> {
  const feedback = { email, at, recipients, reason: '550 5.1.1 No such user', mailbox: false }
  const operations = {
    delivery: recordDelivered,
    transient: recordTransientBounce,
    bounce: recordBounce,
    complaint: recordComplaint,
    failure: recordFailure,
    rejection: recordRejection,
  }
  return operations[kind](world, feedback)
}

async function sent(draft: Parameters<typeof accept>[1] = {}) {
  const project = await sendingProject(world)
  const mail = await accept(project.ctx, { subscribed: true, ...draft })
  await deliverEmails(world, { turns: [[project.projectId, 'transactional']] })
  await deliveryIdle(world)
  const name = { projectId: project.projectId, emailId: mail.id }
  /** Everything that feedback may have changed. */
  const state = async () => {
    const { updatedAt: _, ...email } = await getEmail(project.ctx, mail)
    const { projectId } = project
    const contact = await world.db.prisma.contact.findUnique({ where: { projectId_id: { projectId, id: mail.contactId } } })
    const list = await world.db.prisma.suppression.findMany({ where: { projectId }, select: { email: true, reason: true } })
    const lines = (await logOf(project.ctx)).map(({ name, data }) => `${name}${data.transientBounce ? ' transient' : ''}`)
    return { email, subscribed: contact?.subscribed, list, lines: lines.toSorted() }
  }
  return { ...project, ...mail, name, state }
}

function permutations<Item>(items: Item[]): Item[][] {
  if (items.length < 2) return [items]
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]))
}

describe('feedback', () => {
  test.each<[Kind, object, string[], object]>([
    ['delivery', { status: 'DELIVERED', deliveredAt: at }, [], { deliveredAt: at.toISOString() }],
    [
      'transient',
      { status: 'SENT', bouncedAt: null },
      [],
      { bounceType: 'Transient', transientBounce: true, reason: '550 5.1.1 No such user' },
    ],
    [
      'bounce',
      { status: 'BOUNCED', bouncedAt: at, reason: '550 5.1.1 No such user' },
      ['BOUNCE'],
      { bounceType: 'Permanent', bouncedAt: at.toISOString() },
    ],
    ['complaint', { status: 'COMPLAINED', complainedAt: at }, ['COMPLAINT'], { complainedAt: at.toISOString() }],
    ['failure', { status: 'FAILED', reason: '550 5.1.1 No such user' }, [], { status: 'FAILED' }],
    ['rejection', { status: 'REJECTED', reason: '550 5.1.1 No such user' }, [], { status: 'REJECTED' }],
  ])('%s is recorded once: status, time, one line of the log, suppression and subscription', async (kind, email, reasons, data) => {
    const { name, state, ctx, id, contactId } = await sent()
    expect(await feed(name, kind)).toBe('recorded')
    const once = await state()
    expect(once.email).toMatchObject(email)
    expect(once.list).toEqual(reasons.map((reason) => ({ email: 'ada@example.com', reason })))
    expect(once.subscribed).toBe(reasons.length === 0)
    const names = {
      delivery: 'delivery',
      complaint: 'complaint',
      failure: 'failed',
      rejection: 'failed',
      bounce: 'bounce',
      transient: 'bounce',
    }
    const line = (await logOf(ctx)).find(({ name }) => name === `email.${names[kind]}`)
    expect(line?.data).toMatchObject({
      ...{
        subject: 'Hello you',
        from: 'hello@demo.test',
        fromName: null,
        messageId: `${id}@demo.test`,
        emailId: id,
        sourceType: 'TRANSACTIONAL',
      },
      ...data,
    })
    if (reasons.length > 0) {
      const flip = await world.db.prisma.event.findFirst({ where: { projectId: name.projectId, name: 'contact.unsubscribed' } })
      expect(flip).toMatchObject({ contactId, emailId: id, data: { source: kind } })
    }
    expect(await feed(name, kind)).toBe('unchanged')
    expect(await state()).toEqual(once)
  })

  test('of every kind ends the same in every order, also when each comes twice', async () => {
    const kinds: Kind[] = ['delivery', 'transient', 'bounce', 'complaint']
    const ends = await Promise.all(
      permutations(kinds).map(async (order) => {
        const { name, state } = await sent()
        for (const kind of order) {
          await feed(name, kind)
          await feed(name, kind)
        }
        const { email, lines, ...rest } = await state()
        return { ...rest, lines, email: { ...email, id: '', contactId: '' } }
      }),
    )
    expect(ends).toHaveLength(24)
    expect(ends[0]).toMatchObject({
      email: { status: 'COMPLAINED', deliveredAt: at, bouncedAt: at, complainedAt: at, reason: '550 5.1.1 No such user' },
      subscribed: false,
      list: [{ email: 'ada@example.com', reason: 'COMPLAINT' }],
      lines: ['contact.unsubscribed', 'email.bounce', 'email.bounce transient', 'email.complaint', 'email.delivery', 'email.sent'],
    })
    for (const end of ends) expect(end).toEqual(ends[0])
  })

  test.each<[Kind[], string]>([
    [['failure', 'delivery'], 'DELIVERED'],
    [['delivery', 'failure'], 'DELIVERED'],
    [['rejection', 'bounce'], 'BOUNCED'],
    [['bounce', 'rejection'], 'BOUNCED'],
    [['failure', 'complaint'], 'COMPLAINED'],
  ])('%j ends %s', async (kinds, status) => {
    const { name, state } = await sent()
    for (const kind of kinds) await feed(name, kind)
    expect((await state()).email.status).toBe(status)
  })

  test('that arrives at the same time is one statement, and each kind is logged once', async () => {
    const { name, state } = await sent()
    const kinds: Kind[] = ['delivery', 'complaint', 'bounce']
    const results = await Promise.all([...kinds, ...kinds, ...kinds].map((kind) => feed(name, kind)))
    expect(results.filter((result) => result === 'recorded')).toHaveLength(3)
    const { email, lines } = await state()
    expect(email.status).toBe('COMPLAINED')
    expect(lines.filter((line) => line.startsWith('email.'))).toEqual(['email.bounce', 'email.complaint', 'email.delivery', 'email.sent'])
  })

  test('before the email is settled stays, and the email is not sent again', async () => {
    const project = await sendingProject(world)
    const mail = await accept(project.ctx)
    expect(await feed({ projectId: project.projectId, emailId: mail.id }, 'delivery')).toBe('recorded')
    expect(await getEmail(project.ctx, mail)).toMatchObject({ status: 'DELIVERED' })
    await deliverEmails(world, { turns: [[project.projectId, 'transactional']] })
    await deliveryIdle(world)
    expect(await getEmail(project.ctx, mail)).toMatchObject({ status: 'DELIVERED', deliveredAt: at, sentAt: at, reason: null })
    expect(await world.db.prisma.delivery.count({ where: { projectId: project.projectId } })).toBe(0)
  })

  test('that a bounce came before the email is settled keeps its reason', async () => {
    const project = await sendingProject(world)
    const mail = await accept(project.ctx)
    await feed({ projectId: project.projectId, emailId: mail.id }, 'bounce')
    const bounced = { status: 'BOUNCED', reason: '550 5.1.1 No such user' }
    expect(await getEmail(project.ctx, mail)).toMatchObject(bounced)
    await deliverEmails(world, { turns: [[project.projectId, 'transactional']] })
    await deliveryIdle(world)
    expect(await getEmail(project.ctx, mail)).toMatchObject({ ...bounced, attempts: 1 })
    expect((await logOf(project.ctx)).map(({ name }) => name)).not.toContain('email.failed')
  })

  test('with a time in the future counts as now', async () => {
    const { name, state } = await sent()
    await recordDelivered(world, { email: name, at: new Date(at.getTime() + 3_600_000), recipients: [] })
    expect((await state()).email.deliveredAt).toEqual(at)
  })

  test('does not suppress an address again that was taken off the list since', async () => {
    const { name, ctx, state } = await sent()
    await feed(name, 'bounce')
    await deleteSuppression(ctx, { email: 'ada@example.com' })
    expect(await feed(name, 'bounce')).toBe('unchanged')
    expect((await state()).list).toEqual([])
  })
})

describe('the email that feedback is about', () => {
  test('is found by its Message-ID, in any spelling', async () => {
    const { id, state } = await sent()
    const name = readMessageId(` <${id.toUpperCase().replace('EML_', 'eml_')}@Demo.TEST> `)
    expect(name).toEqual({ emailId: id, domain: 'demo.test' })
    expect(name && (await feed(name, 'delivery'))).toBe('recorded')
    expect((await state()).email.status).toBe('DELIVERED')
  })

  test.each(['', 'x', '<0102018f@email.amazonses.com>', 'eml_1@demo.test', `eml_${'0'.repeat(26)}@`, `eml_${'0'.repeat(26)}@a b.test`])(
    'is not named by the Message-ID "%s"',
    (text) => {
      expect(readMessageId(text)).toBeNull()
    },
  )

  test('is unknown under the domain or the project of somebody else, and nothing changes', async () => {
    const { id, state } = await sent()
    const other = await sendingProject(world)
    const before = await state()
    expect(await feed({ projectId: other.projectId, emailId: id }, 'bounce')).toBe('unknown')
    expect(await feed({ domain: 'other.test', emailId: id }, 'bounce')).toBe('unknown')
    expect(await feed({ domain: 'demo.test', emailId: `eml_${'0'.repeat(26)}` }, 'bounce')).toBe('unknown')
    expect(await state()).toEqual(before)
  })

  test('of a deleted contact stays as it is', async () => {
    const { name, ctx, contactId, projectId } = await sent()
    await deleteContact(ctx, { id: contactId })
    const lines = await logOf(ctx)
    for (const kind of ['delivery', 'transient', 'failure'] as const) expect(await feed(name, kind)).toBe('unchanged')
    for (const kind of ['bounce', 'complaint'] as const) expect(await feed(name, kind)).toBe('recorded')
    const email = await world.db.prisma.email.findFirst({ where: { projectId } })
    expect(email).toMatchObject({ status: 'SENT', deliveredAt: null, bouncedAt: null, complainedAt: null, softBouncedAt: null })
    expect(await logOf(ctx)).toEqual(lines)
  })

  test('is not touched by what is about a copy of it', async () => {
    const { name, state, projectId } = await sent({ cc: ['grace@example.com'] })
    const before = await state()
    expect(await feed(name, 'bounce', ['grace@example.com'])).toBe('unchanged')
    expect(await feed(name, 'bounce')).toBe('unchanged')
    expect(await state()).toEqual(before)
    expect(await feed(name, 'bounce', ['Ada@EXAMPLE.com'])).toBe('recorded')
    expect(await world.db.prisma.suppression.count({ where: { projectId } })).toBe(1)
  })

  test('may be about another spelling of the address, where nobody got a copy', async () => {
    const { name } = await sent()
    expect(await feed(name, 'bounce', ['ada@forwarded.example'])).toBe('recorded')
  })
})
