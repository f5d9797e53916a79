import { afterAll, describe, expect, test } from 'vitest'
import { createSmtpTransport, type SmtpPool } from '../../src/kit/mailer.ts'
import type { SmtpTimeouts } from '../../src/kit/smtp/connection.ts'
import { mailServer, type Refusal, scriptedServer } from '../help/smtp.ts'

const raw = Buffer.from('From: a@demo.test\r\nTo: b@example.com\r\nSubject: Hi\r\n\r\n.dot\r\n..\r\nend\r\n')
const message = { from: 'a@demo.test', to: ['b@example.com'], pieces: [raw] }

function transport(url: string, max = 2, timeouts: Partial<SmtpTimeouts> = {}): SmtpPool {
  const made = createSmtpTransport(url, max, timeouts)
  afterAll(() => made.close())
  return made
}

const polite: Record<string, string> = {
  '<CONNECT>': '220 hi',
  EHLO: '250 hi',
  MAIL: '250 ok',
  RCPT: '250 ok',
  DATA: '354 go',
  RSET: '250 ok',
  QUIT: '221 bye',
}

describe('a mail server that accepts email', () => {
  test('receives envelope and bytes exactly, lines of a single dot included', async () => {
    const server = await mailServer()
    const handover = await transport(server.url).send({ ...message, to: ['b@example.com', 'hidden@example.com'] })
    expect(handover).toMatchObject({ kind: 'accepted', response: expect.stringMatching(/^250 /) })
    expect(server.mails).toEqual([{ from: 'a@demo.test', to: ['b@example.com', 'hidden@example.com'], raw }])
  })

  test('is used with at most the given connections, which are reused', async () => {
    const server = await mailServer()
    const pool = transport(server.url, 3)
    const handovers = await Promise.all(Array.from({ length: 30 }, () => pool.send(message)))
    expect(handovers.every(({ kind }) => kind === 'accepted')).toBe(true)
    expect(server.mails).toHaveLength(30)
    expect(server.connections()).toBe(3)
  })
})

describe('a mail server that refuses', () => {
  test.each([
    ['421 closing', 421, 'deferred'],
    ['450 busy', 450, 'deferred'],
    ['451 local error', 451, 'deferred'],
    ['452 no room', 452, 'deferred'],
    ['550 5.1.1 no such user', 550, 'refused'],
  ])('%s of the recipient is %s', async (answer, code, kind) => {
    const server = await mailServer({ refuse: () => ({ code: Number(code), message: answer.slice(4) }) })
    const handover = await transport(server.url).send(message)
    expect(handover).toMatchObject({ kind, response: expect.stringContaining(answer.slice(4)) })
    expect(server.mails).toEqual([])
  })

  test('for a bad address is distinguished from one for policy or a full mailbox', async () => {
    const answers = { user: '5.1.1 unknown', policy: '5.7.1 blocked by policy', full: '5.2.2 mailbox full' }
    const server = await mailServer({ refuse: (to) => ({ code: 550, message: answers[to.split('@')[0] as keyof typeof answers] }) })
    const pool = transport(server.url)
    const recipientOf = async (name: string) => pool.send({ ...message, to: [`${name}@example.com`] })
    expect(await recipientOf('user')).toMatchObject({ kind: 'refused', recipient: true })
    expect(await recipientOf('policy')).toMatchObject({ kind: 'refused', recipient: false })
    expect(await recipientOf('full')).toMatchObject({ kind: 'refused', recipient: false })
  })

  test('the content: 552 is permanent, 451 is temporary, and the connection stays in use', async () => {
    const answers = [{ code: 552, message: '5.3.4 too large' }, { code: 451, message: 'try later' }, null]
    const server = await mailServer({ refuseData: () => answers.shift() ?? null })
    const pool = transport(server.url, 1)
    expect(await pool.send(message)).toMatchObject({ kind: 'refused', recipient: false, response: expect.stringContaining('too large') })
    expect(await pool.send(message)).toMatchObject({ kind: 'deferred' })
    expect(await pool.send(message)).toMatchObject({ kind: 'accepted' })
    expect(server.connections()).toBe(1)
  })

  test('only a copy: the message counts as accepted; only the recipient: it counts as refused', async () => {
    const server = await mailServer({ refuse: (to) => (to.startsWith('no') ? { code: 550, message: '5.1.1 unknown' } : null) })
    const pool = transport(server.url)
    expect(await pool.send({ ...message, to: ['b@example.com', 'no@example.com'] })).toMatchObject({ kind: 'accepted' })
    expect(await pool.send({ ...message, to: ['no@example.com', 'b@example.com'] })).toMatchObject({ kind: 'refused', recipient: true })
  })
})

describe('what an answer is about', () => {
  const answers: Record<string, Refusal> = {
    relay: { code: 550, message: 'relay not permitted' },
    user: { code: 550, message: 'no such user' },
    busy: { code: 450, message: '4.2.0 greylisted' },
  }
  const refuse = (to: string) => answers[to.split('@')[0] ?? ''] ?? null

  test('a relay that does not want us says nothing about the address', async () => {
    const server = await mailServer({ refuse })
    const handover = await transport(server.url).send({ ...message, to: ['relay@example.com'] })
    expect(handover).toMatchObject({
      kind: 'refused',
      recipient: false,
      response: '550 relay not permitted',
      answer: { phase: 'rcpt', code: 550, enhanced: null },
    })
  })

  test('the answer for the recipient decides, whatever is said about the copies', async () => {
    const pool = transport((await mailServer({ refuse })).url)
    const both = (...names: string[]) => pool.send({ ...message, to: names.map((name) => `${name}@example.com`) })
    expect(await both('user', 'busy')).toMatchObject({ kind: 'refused', recipient: true, response: '550 no such user' })
    expect(await both('busy', 'user')).toMatchObject({ kind: 'deferred', response: '450 4.2.0 greylisted' })
    expect(await both('relay', 'busy', 'b')).toMatchObject({
      kind: 'refused',
      recipient: false,
      response: '550 relay not permitted',
    })
  })

  test('a message that is too large fails with that reason, also before it is sent', async () => {
    const refusal = { code: 552, message: '5.3.4 Message size exceeds fixed limit' }
    const server = await mailServer({ refuseData: () => refusal })
    expect(await transport(server.url).send(message)).toMatchObject({
      response: 'The email is too large for the mail server: 552 5.3.4 Message size exceeds fixed limit',
    })
    const { url } = await scriptedServer((command) => (command === 'EHLO' ? '250-hi\r\n250 SIZE 10' : (polite[command] ?? '250 ok')))
    expect(await transport(url).send(message)).toMatchObject({
      kind: 'refused',
      recipient: false,
      response: expect.stringMatching(/^The email is too large for the mail server: .*10$/),
    })
  })

  test('a server that wants a login before MAIL cannot be used', async () => {
    const { url } = await scriptedServer((command) =>
      command === 'MAIL' ? '530 5.7.0 Authentication required' : (polite[command] ?? '250 ok'),
    )
    expect(await transport(url).send(message)).toMatchObject({
      kind: 'deferred',
      answer: { phase: 'mail', code: 530 },
      problem: { reason: '530 5.7.0 Authentication required', advice: expect.stringMatching(/user and password/) },
    })
  })
})

describe('a connection', () => {
  test('is taken before there is a message, and used for several', async () => {
    const server = await mailServer()
    const connection = await transport(server.url).connect('bulk')
    expect([connection.unavailable, server.connections()]).toEqual([null, 1])
    expect(await connection.send(message)).toMatchObject({ kind: 'accepted' })
    expect(await connection.send(message)).toMatchObject({ kind: 'accepted' })
    connection.release()
    expect(server.connections()).toBe(1)
  })

  test('tells at once why it cannot be used', async () => {
    const { url } = await scriptedServer((command) => (command === '<CONNECT>' ? '554 5.7.1 not from here' : '221 bye'))
    const connection = await transport(url, 1).connect('urgent')
    expect(connection.unavailable).toMatchObject({
      kind: 'deferred',
      answer: { phase: 'connect', code: 554 },
      problem: { reason: '554 5.7.1 not from here' },
    })
    expect(await connection.send(message)).toEqual(connection.unavailable)
    connection.release()
    const next = await transport(url, 1).connect('urgent')
    expect(next.unavailable).not.toBeNull()
  })

  test('a transactional message goes before bulk that waits', async () => {
    const pool = transport((await mailServer()).url, 1)
    const held = await pool.connect('bulk')
    const order: string[] = []
    const bulk = pool.connect('bulk').then((connection) => {
      order.push('bulk')
      connection.release()
    })
    const transactional = pool.send(message).then(() => order.push('urgent'))
    held.release()
    await Promise.all([bulk, transactional])
    expect(order).toEqual(['urgent', 'bulk'])
  })

  test('that may carry no more messages (421) is replaced, and the message is sent', async () => {
    const { url } = await scriptedServer((command, count) =>
      command === 'MAIL' && count === 2 ? '421 4.4.2 Max messages' : (polite[command] ?? '250 ok'),
    )
    const pool = transport(url, 1)
    expect(await pool.send(message)).toMatchObject({ kind: 'accepted' })
    expect(await pool.send(message)).toMatchObject({ kind: 'accepted' })
  })
})

describe('a mail server that fails', () => {
  test('unreachable: deferred, with a sentence', async () => {
    const handover = await transport('smtp://127.0.0.1:1').send(message)
    expect(handover).toMatchObject({
      kind: 'deferred',
      response: expect.stringMatching(/^The mail server could not be used: .*ECONNREFUSED/),
    })
  })

  test('refusing at the greeting (554): deferred, because that says nothing about the message', async () => {
    const { url } = await scriptedServer((command) => (command === '<CONNECT>' ? '554 no service' : '221 bye'))
    expect(await transport(url).send(message)).toMatchObject({ kind: 'deferred', response: expect.stringContaining('554') })
  })

  test('cut off after the final dot: deferred, and reported as unconfirmed', async () => {
    const { url } = await scriptedServer((command) => (command === '<CONTENT>' ? null : (polite[command] ?? '250 ok')))
    const handover = await transport(url).send(message)
    expect(handover).toMatchObject({
      kind: 'deferred',
      response: expect.stringMatching(/^The connection was lost before the mail server confirmed/),
      uncertain: true,
    })
  })

  test('cut off before the end of the content: deferred, and it is certain that it was not accepted', async () => {
    const { url, server } = await scriptedServer((command) => polite[command] ?? '250 ok')
    server.on('connection', (socket) => socket.on('data', (piece) => void (piece.length > 1_000 && socket.destroy())))
    const handover = await transport(url).send({ ...message, pieces: Array.from({ length: 1_000 }, () => Buffer.alloc(65_536, 'x')) })
    expect(handover).toEqual({ kind: 'deferred', response: expect.stringMatching(/^The connection was lost before/) })
  })

  test('silent: deferred after the timeout', async () => {
    const { url } = await scriptedServer((command) => (command === 'MAIL' ? '250-' : (polite[command] ?? '250 ok')))
    const handover = await transport(url, 1, { answerMs: 200 }).send(message)
    expect(handover).toMatchObject({ kind: 'deferred', response: expect.stringContaining('Timeout') })
  })

  test('closing an idle connection: a new one is used', async () => {
    const { url } = await scriptedServer((command, count) => (command === 'MAIL' && count === 2 ? null : (polite[command] ?? '250 ok')))
    const pool = transport(url, 1)
    expect(await pool.send(message)).toMatchObject({ kind: 'accepted' })
    expect(await pool.send(message)).toMatchObject({ kind: 'accepted' })
  })

  test('refusing the login: deferred, because the operator can fix it', async () => {
    const { url } = await scriptedServer((command) =>
      command === 'EHLO' ? '250-hi\r\n250 AUTH PLAIN' : command === 'AUTH' ? '535 bad password' : (polite[command] ?? '250 ok'),
    )
    const handover = await transport(url.replace('smtp://', 'smtp://user:wrong@')).send(message)
    expect(handover).toMatchObject({ kind: 'deferred', response: expect.stringContaining('535') })
  })
})

describe('a check', () => {
  test('of a server that accepts email finds no problem and sends nothing', async () => {
    const server = await mailServer()
    expect(await transport(server.url).check()).toBeNull()
    expect(server.mails).toEqual([])
  })

  test.each([
    ['nobody listens', 'smtp://127.0.0.1:1', /ECONNREFUSED/, /host and port/],
    ['the name does not exist', 'smtp://mail.invalid:25', /ENOTFOUND|EAI_AGAIN/, /host name/],
  ])('%s: reports that, and what to change', async (_what, url, reason, advice) => {
    expect(await transport(url).check()).toEqual({ reason: expect.stringMatching(reason), advice: expect.stringMatching(advice) })
  })

  test('a wrong password, a refusal at the greeting, a busy server, and TLS where there is none', async () => {
    const { url: login } = await scriptedServer((command) =>
      command === 'EHLO' ? '250-hi\r\n250 AUTH PLAIN' : command === 'AUTH' ? '535 bad password' : (polite[command] ?? '250 ok'),
    )
    expect(await transport(login.replace('smtp://', 'smtp://user:wrong@')).check()).toMatchObject({
      advice: expect.stringMatching(/user and password/),
    })
    const { url: closed } = await scriptedServer(() => '554 5.7.1 not from here')
    expect(await transport(closed).check()).toMatchObject({
      reason: expect.stringContaining('554'),
      advice: expect.stringMatching(/why it refuses/),
    })
    for (const [step, reply] of [
      ['<CONNECT>', '421 4.7.0 Too many concurrent SMTP connections'],
      ['AUTH', '454 4.7.0 Temporary authentication failure'],
    ] as const) {
      const { url: busy } = await scriptedServer((command) =>
        command === step ? reply : command === 'EHLO' ? '250-hi\r\n250 AUTH PLAIN' : (polite[command] ?? '250 ok'),
      )
      expect(await transport(busy.replace('smtp://', 'smtp://user:right@')).check()).toEqual({
        reason: reply,
        advice: expect.stringMatching(/busy/),
      })
    }
    const plain = await mailServer()
    expect(await transport(plain.url.replace('smtp://', 'smtps://')).check()).toMatchObject({ advice: expect.stringMatching(/smtps:\/\//) })
  })
})
