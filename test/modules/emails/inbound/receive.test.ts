import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { updateBillingLimits } from '../../../../src/modules/billing/limits.ts'
import { deleteContact, updateContact } from '../../../../src/modules/contacts/contacts.ts'
import { getEmail } from '../../../../src/modules/emails/emails.ts'
import { type InboundEmail, receiveEmail } from '../../../../src/modules/emails/inbound/receive.ts'
import { findInboundProjects } from '../../../../src/modules/emails/inbound/sql.ts'
import { suspendProject } from '../../../../src/modules/security/suspensions.ts'
import { logOf, sendingProject } from '../../../help/mails.ts'
import { callAt, testServer } from '../../../help/server.ts'
import { sesMail, snsTwin } from '../../../help/sns.ts'
import { freshProject } from '../../../help/world.ts'

const sns = snsTwin()
const { url, world } = await testServer({ env: sns.env })
let count = 0

/** A project of its own domain, so that other tests receive nothing. */
async function receivingProject(domain = `inbound${++count}.test`) {
  const project = await sendingProject(world)
  const { projectId } = project
  await world.db.prisma.domain.updateMany({ where: { projectId }, data: { domain } })
  const state = async () => ({
    emails: await world.db.prisma.email.findMany({ where: { projectId } }),
    contacts: await world.db.prisma.contact.findMany({ where: { projectId, deletedAt: null }, select: { email: true, subscribed: true } }),
    lines: (await logOf(project.ctx)).filter(({ name }) => name === 'email.received'),
    used: (await world.db.prisma.billingUsage.findMany({ where: { projectId, category: 'inbound' } })).reduce(
      (sum, { count }) => sum + count,
      0,
    ),
  })
  return { ...project, domain, address: `help@${domain}`, state }
}

const inbound = (recipients: string[], more: Partial<InboundEmail> = {}): InboundEmail => ({
  providerId: `ses-${++count}`,
  at: world.clock.now(),
  source: 'ada@example.com',
  recipients,
  fromHeader: 'Ada <ada@example.com>',
  toHeader: recipients.join(', '),
  subject: 'A question',
  content: Buffer.from('From: Ada <ada@example.com>\r\nSubject: A question\r\n\r\nHello?\r\n'),
  verdicts: { spamVerdict: 'PASS' },
  processingTimeMillis: 12,
  ...more,
})

describe('an email that comes in', () => {
  test('becomes an email of its sender, a line of the log, and one unit of the cap', async () => {
    const { address, state, ctx } = await receivingProject()
    const email = inbound([address.toUpperCase()])
    expect(await receiveEmail(world, email)).toBe(1)
    const { emails, contacts, lines, used } = await state()
    expect(contacts).toEqual([{ email: 'ada@example.com', subscribed: true }])
    expect(emails).toMatchObject([{ source: 'INBOUND', status: 'RECEIVED', toAddress: address, subject: 'A question', contentId: null }])
    expect(lines.map(({ data }) => data)).toEqual([
      {
        messageId: email.providerId,
        from: 'ada@example.com',
        fromHeader: 'Ada <ada@example.com>',
        to: address.toUpperCase(),
        subject: 'A question',
        timestamp: world.clock.now().toISOString(),
        recipients: [address],
        hasContent: true,
        body: 'Hello?\n',
        spamVerdict: 'PASS',
        processingTimeMillis: 12,
        emailId: emails[0]?.id,
        templateId: null,
        campaignId: null,
        sourceType: 'INBOUND',
      },
    ])
    expect(used).toBe(1)
    expect(await getEmail(ctx, { id: emails[0]?.id ?? '' })).toMatchObject({ source: 'INBOUND', status: 'RECEIVED' })
  })

  test('is stored once, also when it comes again and again at the same time', async () => {
    const { address, state } = await receivingProject()
    const email = inbound([address])
    expect(await Promise.all([1, 2, 3].map(() => receiveEmail(world, email)))).toEqual([1, 1, 1])
    const once = await state()
    expect([once.emails.length, once.lines.length, once.used]).toEqual([1, 1, 1])
    await receiveEmail(world, email)
    expect(await state()).toEqual(once)
  })

  test('goes to every project that has verified the domain, and to no other', async () => {
    const first = await receivingProject()
    const second = await receivingProject(first.domain)
    const pending = await receivingProject(first.domain)
    await world.db.prisma.domain.updateMany({ where: { projectId: pending.projectId }, data: { status: 'PENDING' } })
    const other = await receivingProject()
    expect(await receiveEmail(world, inbound([first.address, `sales@${first.domain}`, 'x@elsewhere.test', 'no address']))).toBe(4)
    expect([first, second, pending, other].length).toBe(4)
    const stored = await Promise.all([first, second, pending, other].map(async ({ state }) => (await state()).emails.length))
    expect(stored).toEqual([2, 2, 0, 0])
  })

  test('says nothing about addresses at domains of others, who may have got a blind copy', async () => {
    const [one, other] = [await receivingProject(), await receivingProject()]
    const elsewhere = `hidden@${other.domain}`
    await receiveEmail(world, inbound([one.address, `two@${one.domain}`, elsewhere, 'out@example.net'], { toHeader: one.address }))
    const lines = (await one.state()).lines
    expect(lines.map(({ data }) => data)).toEqual(
      Array(2).fill(expect.objectContaining({ recipients: [one.address, `two@${one.domain}`] })),
    )
    expect((await other.state()).lines).toMatchObject([{ data: { recipients: [elsewhere] } }])
  })

  test('to more addresses than one may write to at once is stored for each, wherever among others they are', async () => {
    const { domain, state } = await receivingProject()
    const many = Array.from({ length: 60 }, (_, n) => `list${n}@${domain}`)
    const foreign = Array.from({ length: 300 }, (_, n) => `a${n}@elsewhere${n}.test`)
    expect(await receiveEmail(world, inbound([...foreign, ...many]))).toBe(60)
    const { emails, lines, used } = await state()
    expect([emails.map(({ toAddress }) => toAddress).toSorted(), used]).toEqual([many.toSorted(), 60])
    const named = new Map(emails.map(({ id, toAddress }) => [id, toAddress]))
    for (const { data } of lines) {
      expect(data.recipients).toHaveLength(50)
      expect(data.recipients).toContain(named.get(String(data.emailId)))
    }
  })

  test('to more than 1,000 addresses is stored for 1,000 of them, of each domain in turn, and a warning says how many are left', async () => {
    const [one, other] = [await receivingProject(), await receivingProject()]
    const many = Array.from({ length: 1_020 }, (_, n) => `list${n}@${one.domain}`)
    const warn = vi.spyOn(world.log, 'warn')
    onTestFinished(() => warn.mockRestore())
    expect(await receiveEmail(world, inbound([...many, other.address]))).toBe(1_000)
    expect([(await one.state()).used, (await other.state()).used]).toEqual([999, 1])
    expect(warn.mock.calls).toEqual([[expect.objectContaining({ left: 21 }), expect.stringContaining('too many recipients')]])
  })

  test('leaves a contact as it is, and one that opted out stays so, also after it was deleted', async () => {
    const { address, state, ctx } = await receivingProject()
    await receiveEmail(world, inbound([address]))
    const { id } = await world.db.prisma.contact.findFirstOrThrow({ where: { projectId: ctx.projectId } })
    await updateContact(ctx, { id, subscribed: false, data: { name: 'Ada' } })
    await receiveEmail(world, inbound([address]))
    expect((await state()).contacts).toEqual([{ email: 'ada@example.com', subscribed: false }])
    await deleteContact(ctx, { id })
    await receiveEmail(world, inbound([address]))
    expect((await state()).contacts).toEqual([{ email: 'ada@example.com', subscribed: false }])
  })

  test('over the cap is dropped, and nothing of it is stored', async () => {
    const { address, state, ctx } = await receivingProject()
    await updateBillingLimits(ctx, { id: ctx.projectId, inbound: 2 })
    const results = []
    for (let at = 0; at < 4; at++) results.push(await receiveEmail(world, inbound([address], { fromHeader: `sender${at}@example.com` })))
    expect(results).toEqual([1, 1, 0, 0])
    const { emails, contacts, lines, used } = await state()
    expect([emails.length, contacts.length, lines.length, used]).toEqual([2, 2, 2, 2])
  })

  test('to many addresses over the cap is reported once', async () => {
    const { address, ctx } = await receivingProject()
    const domain = address.slice(address.indexOf('@'))
    await updateBillingLimits(ctx, { id: ctx.projectId, inbound: 2 })
    const warn = vi.spyOn(world.log, 'warn')
    expect(await receiveEmail(world, inbound(Array.from({ length: 7 }, (_, at) => `a${at}${domain}`)))).toBe(2)
    const reports = warn.mock.calls.splice(0).filter(([, text]) => String(text).includes('was dropped'))
    expect(reports).toMatchObject([[{ projectId: ctx.projectId, count: 5 }, expect.any(String)]])
  })

  test.each<[string, Partial<InboundEmail>]>([
    ['without a sender', { source: '', fromHeader: '' }],
    ['that is a bounce', { source: '<>' }],
    ['of a sender after a very long header', { source: 'x', fromHeader: `${'a:'.repeat(2_000)}ada@example.com` }],
    ['of a sender that is no address', { source: 'x', fromHeader: 'nobody' }],
    ['to no address', { recipients: [] }],
  ])('%s is dropped', async (_what, more) => {
    const { address, state } = await receivingProject()
    expect(await receiveEmail(world, inbound([address], more))).toBe(0)
    expect(await state()).toEqual({ emails: [], contacts: [], lines: [], used: 0 })
  })

  test('to a suspended project is dropped', async () => {
    const { address, state, ctx } = await receivingProject()
    await suspendProject(ctx, { reason: 'MANUAL', detail: 'Spam.' })
    expect(await receiveEmail(world, inbound([address]))).toBe(0)
    expect((await state()).emails).toEqual([])
  })

  test('is bounded, and what Postgres cannot store of it is left out', async () => {
    const { address, state } = await receivingProject()
    const content = Buffer.from(`Subject: x\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${'a\0'.repeat(100_000)}`)
    const recipients = [address, ...Array.from({ length: 1_000 }, (_, n) => `a${n}@elsewhere.test`)]
    await receiveEmail(world, inbound(recipients, { subject: `${'s\0'.repeat(10_000)}\ud800`, fromHeader: 'ada@example.com', content }))
    const { lines, emails } = await state()
    expect(emails[0]?.subject.length).toBeLessThanOrEqual(1_000)
    expect(JSON.stringify(lines[0]?.data).length).toBeLessThan(50_000)
  })
})

test('Amazon SES reports an email that came in, with its content in base64 or as it is', async () => {
  for (const encoding of ['BASE64', 'UTF8']) {
    const { address, state } = await receivingProject()
    const raw = 'Subject: Hi\r\n\r\nHëllo\r\n'
    const mail = {
      ...sesMail(world.clock, { emailId: 'x' }),
      source: 'grace@example.com',
      commonHeaders: { from: ['Grace <grace@example.com>'], to: [address], subject: 'Hi' },
    }
    const receipt = {
      timestamp: world.clock.now().toISOString(),
      processingTimeMillis: 5,
      recipients: [address],
      spamVerdict: { status: 'PASS' },
      virusVerdict: { status: 'FAIL' },
      action: { type: 'SNS', encoding },
    }
    const content = encoding === 'BASE64' ? Buffer.from(raw).toString('base64') : raw
    const body = sns.notification(world.clock, { notificationType: 'Received', mail, receipt, content })
    expect((await callAt(url, 'POST /webhooks/sns', body)).status).toBe(200)
    expect((await callAt(url, 'POST /webhooks/sns', body)).status).toBe(200)
    const { lines, contacts } = await state()
    expect(contacts).toEqual([{ email: 'grace@example.com', subscribed: true }])
    expect(lines).toHaveLength(1)
    expect(lines[0]?.data).toMatchObject({ subject: 'Hi', body: 'Hëllo\n', spamVerdict: 'PASS', virusVerdict: 'FAIL', dkimVerdict: null })
  }
})

test('an email that Amazon SES reports again with other times of its receipt, or that came in ahead of our clock, is stored and charged once', async () => {
  for (const aheadMs of [0, 30_000]) {
    const { address, state } = await receivingProject()
    const at = (ms: number): string => new Date(world.clock.now().getTime() + ms).toISOString()
    const headers = { from: ['Grace <grace@example.com>'], to: [address], subject: 'Hi' }
    const mail = { timestamp: at(aheadMs), messageId: `ses-again-${aheadMs}`, source: 'grace@example.com', commonHeaders: headers }
    for (const laterMs of [0, 1, 2]) {
      const receipt = { timestamp: at(laterMs), recipients: [address] }
      const body = sns.notification(world.clock, { notificationType: 'Received', mail, receipt, content: null })
      expect((await callAt(url, 'POST /webhooks/sns', body)).status).toBe(200)
      world.clock.turn(10)
    }
    const { emails, lines, used } = await state()
    expect([emails.length, lines.length, used]).toEqual([1, 1, 1])
  }
})

test('an email that came in is listed by state and source in GraphQL', async () => {
  const { address, secret } = await receivingProject()
  await receiveEmail(world, inbound([address]))
  const query = '{ emails(filter: { statuses: [RECEIVED] }) { nodes { source status to contact { email } } } }'
  const { body } = await callAt(url, 'POST /graphql', { query }, { key: secret })
  expect(body.data.emails.nodes).toEqual([{ source: 'INBOUND', status: 'RECEIVED', to: address, contact: { email: 'ada@example.com' } }])
  const other = await freshProject(world)
  expect((await callAt(url, 'POST /graphql', { query }, { key: other.secret })).body.data.emails.nodes).toEqual([])
})

/** Lets something happen while the text of the next email is read, behind the first look at who receives it. */
function whileRead(happen: () => Promise<unknown>): void {
  const run = world.db.run
  let looked = false
  const spy = vi.spyOn(world.db, 'run').mockImplementation(async (asked, values) => {
    const rows = await run(asked, values)
    if (asked.name !== findInboundProjects.name || looked) return rows
    looked = true
    await happen()
    return rows
  })
  onTestFinished(() => spy.mockRestore())
}

describe('an email that waits to be read', () => {
  test.each<[string, (projectId: string) => Promise<unknown>]>([
    [
      'is reset',
      (projectId) => world.db.prisma.reset.create({ data: { projectId, id: 'rst_1', kind: 'RESET', startedAt: now(), progressAt: now() } }),
    ],
    ['is suspended', (projectId) => world.db.prisma.project.update({ where: { id: projectId }, data: { disabled: true } })],
    ['loses the domain', (projectId) => world.db.prisma.domain.updateMany({ where: { projectId }, data: { status: 'PENDING' } })],
  ])('is not stored when the project %s meanwhile', async (_what, happen) => {
    const { address, projectId, state } = await receivingProject()
    whileRead(() => happen(projectId))
    expect(await receiveEmail(world, inbound([address]))).toBe(0)
    expect(await state()).toMatchObject({ emails: [], contacts: [], lines: [], used: 0 })
  })

  test('is stored after a reset when it came in behind it', async () => {
    const { address, projectId, state } = await receivingProject()
    await world.db.prisma.reset.create({
      data: { projectId, id: 'rst_1', kind: 'RESET', startedAt: now(), progressAt: now(), finishedAt: now() },
    })
    expect(await receiveEmail(world, inbound([address]))).toBe(1)
    expect((await state()).emails).toHaveLength(1)
  })

  test('is stored without its text when it would wait for longer than its provider', async () => {
    const { address, state } = await receivingProject()
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort())
    onTestFinished(() => timeout.mockRestore())
    expect(await receiveEmail(world, inbound([address]))).toBe(1)
    expect((await state()).lines).toMatchObject([{ data: { hasContent: true, body: '' } }])
  })
})

const now = () => world.clock.now()
