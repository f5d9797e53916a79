import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createSmtpTransport } from '../../../../src/kit/mailer.ts'
import { getEmail } from '../../../../src/modules/emails/emails.ts'
import { startReturnPath } from '../../../../src/modules/emails/feedback/receive.ts'
import { readReturnPath, returnPathOf } from '../../../../src/modules/emails/feedback/return-path.ts'
import { holder } from '../../../help/holder.ts'
import { accept, logOf, sendingProject, turnAndSweep } from '../../../help/mails.ts'
import { abuseReport, dsn, dsnOf } from '../../../help/reports.ts'
import { mailServer } from '../../../help/smtp.ts'
import { until } from '../../../help/until.ts'
import { testWorld } from '../../../help/world.ts'

const outgoing = await mailServer()
const world = await testWorld({ env: { EMAIL_TRANSPORT: outgoing.url, BOUNCE_PORT: '0', RETURN_PATH_HOST: 'bounces.example.com' } })
const receiver = await startReturnPath(world)
const incoming = createSmtpTransport(`smtp://127.0.0.1:${receiver?.port}`, 5)

afterEach(() => void outgoing.mails.splice(0))

/** Sends a message to a return path, as a mail server does. */
const back = (to: string | string[], raw: Buffer) => incoming.send({ from: 'mailer-daemon@example.com', to: [to].flat(), pieces: [raw] })

async function sent(draft: Parameters<typeof accept>[1] = {}) {
  const project = await sendingProject(world)
  const mail = await accept(project.ctx, { subscribed: true, ...draft })
  await turnAndSweep(world, 0)
  const [message] = outgoing.mails.splice(0)
  const state = async () => ({
    email: await getEmail(project.ctx, mail),
    list: await world.db.prisma.suppression.findMany({ where: { projectId: project.projectId }, select: { email: true, reason: true } }),
    lines: await logOf(project.ctx),
  })
  return { ...project, ...mail, path: message?.from ?? '', state }
}

const ada = 'rfc822; ada@example.com'
const elsewhere = { 'Final-Recipient': 'rfc822; ada@elsewhere.example' }
const failedAs = (Action: string): [string, Buffer, object, string[]] => [`"${Action}"`, dsn({ Action }), { status: 'BOUNCED' }, ['BOUNCE']]
const delayedFor = (recipient: string): [string, Buffer, object, string[]] => [
  `a delay for "${recipient}" beside the failure of another`,
  dsnOf([elsewhere, { 'Final-Recipient': recipient, Action: 'delayed', Status: '4.4.1' }]),
  { status: 'SENT' },
  [],
]

describe('the return path of an email', () => {
  test('is its envelope sender: 64 octets in lower case, below bounce. of the sender domain, and names the email', async () => {
    const { path, projectId, id } = await sent()
    expect(path).toMatch(/^b\+[0-9a-z]{62}@bounce\.demo\.test$/)
    expect(path.indexOf('@')).toBe(64)
    expect(readReturnPath(world, path)).toEqual({ projectId, emailId: id })
    expect(readReturnPath(world, path.toUpperCase())).toEqual({ projectId, emailId: id })
    expect(path).toBe(returnPathOf(world, { projectId, id }, 'demo.test'))
  })

  test('is forged when any of its characters is another', async () => {
    const { path, projectId } = await sent()
    const other = await sent()
    const swapped = `b+${path.slice(2, 28)}${other.path.slice(28)}`
    for (const forged of [
      swapped,
      path.replace('b+', 'c+'),
      path.replace('@bounce', 'x@bounce'),
      path.slice(1),
      '',
      `${projectId}@bounce.demo.test`,
    ])
      expect(readReturnPath(world, forged)).toBeNull()
    for (let at = 2; at < 64; at++) {
      const changed = path[at] === 'a' ? 'b' : 'a'
      expect(readReturnPath(world, `${path.slice(0, at)}${changed}${path.slice(at + 1)}`)).toBeNull()
    }
  })

  test('is used once the record of the domain is verified, and not before', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const finding = (found: boolean) => [{ purpose: 'RETURN_PATH', found, current: [], problem: null }]
    for (const found of [false, true]) {
      await world.db.prisma.domain.updateMany({ where: { projectId }, data: { findings: finding(found) } })
      await accept(ctx, { to: `${found}@example.com` })
      await turnAndSweep(world, 60_000)
      expect(outgoing.mails.splice(0).map(({ from }) => from.startsWith('b+'))).toEqual([found])
    }
  })

  test('is not used without BOUNCE_PORT', async () => {
    const plain = await testWorld({ env: { EMAIL_TRANSPORT: outgoing.url } })
    expect(await startReturnPath(plain)).toBeNull()
    const { ctx } = await sendingProject(plain)
    await accept(ctx)
    await turnAndSweep(plain, 0)
    expect(outgoing.mails.map(({ from }) => from)).toEqual(['hello@demo.test'])
  })
})

describe('what comes back', () => {
  test.each<[string, Buffer, object, string[]]>([
    ['that there is no such address', dsn(), { status: 'BOUNCED', reason: '550 5.1.1 User unknown' }, ['BOUNCE']],
    ['so in words only', dsn({ Status: null, 'Diagnostic-Code': 'smtp; 550 No such user here' }), { status: 'BOUNCED' }, ['BOUNCE']],
    [
      'a failure without status and words',
      dsn({ Status: null, 'Diagnostic-Code': null }),
      { status: 'FAILED', reason: 'It came back as undeliverable (no reason given).' },
      [],
    ],
    [
      'a refused content',
      dsn({ Status: '5.7.1', 'Diagnostic-Code': 'smtp; 550 5.7.1 Spam' }),
      { status: 'FAILED', reason: '550 5.7.1 Spam' },
      [],
    ],
    [
      'a sender that it does not know',
      dsn({ Status: '5.1.8', 'Diagnostic-Code': null }),
      { status: 'FAILED', reason: 'It came back as undeliverable (5.1.8).' },
      [],
    ],
    [
      'a full mailbox',
      dsn({ Status: '4.2.2', 'Diagnostic-Code': 'smtp; 452 4.2.2 Mailbox full' }),
      { status: 'FAILED', reason: '452 4.2.2 Mailbox full' },
      [],
    ],
    ['a delay', dsn({ Action: 'delayed', Status: '4.4.1' }), { status: 'SENT' }, []],
    ['a relay', dsn({ Action: 'relayed', Status: '2.0.0' }), { status: 'SENT' }, []],
    ['a delivery', dsn({ Action: 'delivered', Status: '2.0.0' }), { status: 'DELIVERED' }, []],
    ['a failure whose action is missing', dsn({ Action: null }), { status: 'BOUNCED' }, ['BOUNCE']],
    ['a delay beside the failure of another', dsnOf([elsewhere, { Action: 'delayed', Status: '4.4.1' }]), { status: 'SENT' }, []],
    ['a delivery beside the failure of another', dsnOf([elsewhere, { Action: 'delivered' }]), { status: 'DELIVERED' }, []],
    ['a failure of what its address leads to', dsnOf([elsewhere]), { status: 'BOUNCED' }, ['BOUNCE']],
    ...['failed (permanently)', '(x) Failed', 'failed;', '(a (b) c) failed', '(a\\) b) failed'].map(failedAs),
    ...['(x) rfc822; ada@example.com', 'rfc822 (x); ada@example.com', 'rfc822; ada@example.com (Ada (x))'].map(delayedFor),
    [
      'a failure without action whose status has a comment',
      dsn({ Action: null, Status: '(not 4.2.2) 5.1.1', 'Diagnostic-Code': null }),
      { status: 'BOUNCED' },
      ['BOUNCE'],
    ],
    ['a failure with a blank before a colon', dsn({ 'Final-Recipient': null, 'Final-Recipient ': ada }), { status: 'BOUNCED' }, ['BOUNCE']],
    ['a complaint with a comment', abuseReport('(x) Abuse (y)'), { status: 'COMPLAINED' }, ['COMPLAINT']],
    ['a complaint', abuseReport(), { status: 'COMPLAINED' }, ['COMPLAINT']],
    ['a report of no abuse', abuseReport('not-spam'), { status: 'SENT' }, []],
    [
      'an automatic reply',
      Buffer.from('Subject: Away\r\nAuto-Submitted: auto-replied\r\n\r\nI am away: 550 5.1.1 User unknown\r\n'),
      { status: 'SENT' },
      [],
    ],
    ['nothing', Buffer.alloc(0), { status: 'SENT' }, []],
    ['junk', Buffer.from([0xff, 0xfe, 0, 13, 10, 0]), { status: 'SENT' }, []],
    ['a report nested too deeply', Buffer.from(`${nested(100)}`), { status: 'SENT' }, []],
  ])('as %s', async (_what, raw, email, reasons) => {
    const { path, state } = await sent()
    expect(await back(path, raw)).toMatchObject({ kind: 'accepted' })
    const after = await state()
    expect(after.email).toMatchObject(email)
    expect(after.list).toEqual(reasons.map((reason) => ({ email: 'ada@example.com', reason })))
  })

  test('twice and in another order ends the same', async () => {
    const reports = [dsn({ Action: 'delivered', Status: '2.0.0' }), abuseReport(), dsn(), dsn({ Status: '4.2.2', 'Diagnostic-Code': null })]
    const ends = []
    for (const order of [reports, reports.toReversed(), [...reports, ...reports]]) {
      const { path, state } = await sent()
      for (const report of order) await back(path, report)
      const { email, list, lines } = await state()
      ends.push({
        status: email.status,
        reason: email.reason,
        list,
        flips: lines.filter(({ name }) => name === 'contact.unsubscribed').length,
      })
    }
    expect(ends[0]).toEqual({
      status: 'COMPLAINED',
      reason: '550 5.1.1 User unknown',
      list: [{ email: 'ada@example.com', reason: 'COMPLAINT' }],
      flips: 1,
    })
    expect(ends).toEqual([ends[0], ends[0], ends[0]])
  })

  test('is about the email of its return path, whatever message it carries', async () => {
    const [mine, other] = [await sent(), await sent()]
    const before = await other.state()
    await back(mine.path, dsn({}, `Message-ID: <${other.id}@demo.test>\r\n`))
    expect((await mine.state()).email.status).toBe('BOUNCED')
    expect(await other.state()).toEqual(before)
  })

  test('about a copy says nothing about the recipient', async () => {
    const { path, state } = await sent({ cc: ['grace@example.com'] })
    const before = await state()
    await back(path, dsn({ 'Final-Recipient': 'rfc822; grace@example.com' }))
    expect(await state()).toEqual(before)
  })

  // Whoever got a copy knows the return path.
  test.each<[string, Buffer, string, object]>([
    ['a bounce', dsn(), 'BOUNCED', { cc: ['grace@example.com'] }],
    ['a bounce with a hidden copy', dsn(), 'BOUNCED', { bcc: ['grace@example.com'] }],
    ['a complaint', abuseReport(), 'COMPLAINED', { cc: ['grace@example.com'] }],
    ['a full mailbox', dsn({ Status: '4.2.2', 'Diagnostic-Code': null }), 'FAILED', { cc: ['grace@example.com'] }],
  ])('of an email with copies is recorded, and suppresses and unsubscribes nobody: %s', async (_what, raw, status, copies) => {
    const { path, state, projectId } = await sent(copies)
    const before = await state()
    await back(path, raw)
    const { email, list, lines } = await state()
    expect(email.status).toBe(status)
    expect(list).toEqual([])
    expect(lines.slice(before.lines.length).map(({ name }) => name)).toEqual([
      { BOUNCED: 'email.bounce', COMPLAINED: 'email.complaint', FAILED: 'email.failed' }[status],
    ])
    expect(await world.db.prisma.contact.count({ where: { projectId, subscribed: true } })).toBe(1)
    expect(await world.db.prisma.email.count({ where: { projectId, mailboxErrorAt: null } })).toBe(1)
  })

  test('is to be sent again while it cannot be recorded', async () => {
    const { path, state, id } = await sent()
    const lock = await holder(world)
    await lock.run('lock table suppressions in access exclusive mode')
    const waiting = back(path, dsn())
    await lock.terminate(await lock.waitedFor())
    expect(await waiting).toMatchObject({ kind: 'deferred', response: '451 4.3.0 The message could not be handled now' })
    await lock.commit()
    expect((await state()).email).toMatchObject({ id, status: 'SENT' })
    expect(await back(path, dsn())).toMatchObject({ kind: 'accepted' })
    expect((await state()).email.status).toBe('BOUNCED')
  })
})

describe('the receiver refuses', () => {
  test('every recipient that is no return path of this installation, before the message', async () => {
    const { path } = await sent()
    for (const to of [`x${path}`, path.replace('b+0', 'b+1'), 'postmaster@bounce.demo.test', 'ada@example.com'])
      expect(await back(to, dsn())).toMatchObject({ kind: 'refused', answer: { phase: 'rcpt', code: 550, enhanced: '5.1.1' } })
  })

  test('a message of more than 1 MB, and nothing changes', async () => {
    const { path, state } = await sent()
    const before = await state()
    const large = Buffer.concat([dsn(), Buffer.alloc(1_100_000, 'x\r\n')])
    expect(await back(path, large)).toMatchObject({ kind: 'refused' })
    expect(await state()).toEqual(before)
  })

  test('a message that does not end, after 8 MB, and ends its session', async () => {
    const { path } = await sent()
    // Its address waits for the place that it had.
    const socket = connect({ port: receiver?.port ?? 0, host: '127.0.0.1', localAddress: '127.0.0.2' })
    const said: string[] = []
    socket.on('data', (data) => void said.push(String(data)))
    socket.on('error', () => undefined)
    const closed = once(socket, 'close')
    await until(async () => said.length > 0)
    for (const line of ['EHLO x', 'MAIL FROM:<>', `RCPT TO:<${path}>`, 'DATA']) {
      const before = said.length
      socket.write(`${line}\r\n`)
      await until(async () => said.length > before)
    }
    for (let megabytes = 0; megabytes < 30; megabytes++) socket.write(Buffer.alloc(1_000_000, 'x'))
    await closed
    expect(said.at(-1)).toMatch(/^421 /)
  })

  test('more than five sessions of one address, until one of them ends', async () => {
    const { port = 0 } = receiver ?? {}
    const open = async () => {
      const socket = connect(port, '127.0.0.1')
      const [greeting] = await once(socket, 'data')
      return { socket, code: String(greeting).slice(0, 3) }
    }
    await incoming.close()
    const sessions = []
    for (let count = 0; count < 6; count++) sessions.push(await open())
    expect(sessions.map(({ code }) => code)).toEqual(['220', '220', '220', '220', '220', '421'])
    for (const { socket } of sessions) socket.destroy()
    await until(async () => (await open()).code === '220')
  })

  test('more than ten recipients at once', async () => {
    const mails = []
    for (let count = 0; count < 11; count++) mails.push(await sent())
    await back(
      mails.map(({ path }) => path),
      dsn({ 'Final-Recipient': 'rfc822; ada@example.com' }),
    )
    const states = await Promise.all(mails.map(async ({ state }) => (await state()).email.status))
    expect(states.filter((status) => status === 'BOUNCED')).toHaveLength(10)
  })
})

function nested(depth: number): string {
  let text =
    'Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\nFinal-Recipient: rfc822; ada@example.com\r\nAction: failed\r\nStatus: 5.1.1\r\n'
  for (let at = 0; at < depth; at++) text = `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n${text}\r\n--b${at}--\r\n`
  return text
}
