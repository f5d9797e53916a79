import { afterAll, describe, expect, test } from 'vitest'
import { createSmtpTransport, type SmtpTimeouts, type SmtpTransport } from '../../src/kit/mailer.ts'
import { mailServer, scriptedServer } from '../help/smtp.ts'

const raw = Buffer.from('From: a@demo.test\r\nTo: b@example.com\r\nSubject: Hi\r\n\r\n.dot\r\n..\r\nend\r\n')
const parcel = { from: 'a@demo.test', to: ['b@example.com'], raw }

function transport(url: string, most = 2, waits: Partial<SmtpTimeouts> = {}): SmtpTransport {
  const made = createSmtpTransport(url, most, waits)
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

describe('a mail server that takes mail', () => {
  test('gets envelope and bytes exactly, lone dots included', async () => {
    const server = await mailServer()
    const handover = await transport(server.url).send({ ...parcel, to: ['b@example.com', 'hidden@example.com'] })
    expect(handover).toMatchObject({ kind: 'accepted', response: expect.stringMatching(/^250 /) })
    expect(server.mails).toEqual([{ from: 'a@demo.test', to: ['b@example.com', 'hidden@example.com'], raw }])
  })

  test('keeps within its connections and uses them again', async () => {
    const server = await mailServer()
    const pool = transport(server.url, 3)
    const handovers = await Promise.all(Array.from({ length: 30 }, () => pool.send(parcel)))
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
  ])('%s of the recipient is %s', async (message, code, kind) => {
    const server = await mailServer({ refuse: () => ({ code: Number(code), message: message.slice(4) }) })
    const handover = await transport(server.url).send(parcel)
    expect(handover).toMatchObject({ kind, response: expect.stringContaining(message.slice(4)) })
    expect(server.mails).toEqual([])
  })

  test('tells a bad address from a policy and a full mailbox', async () => {
    const said = { user: '5.1.1 unknown', policy: '5.7.1 blocked by policy', full: '5.2.2 mailbox full' }
    const server = await mailServer({ refuse: (to) => ({ code: 550, message: said[to.split('@')[0] as keyof typeof said] }) })
    const pool = transport(server.url)
    const recipientOf = async (name: string) => pool.send({ ...parcel, to: [`${name}@example.com`] })
    expect(await recipientOf('user')).toMatchObject({ kind: 'refused', recipient: true })
    expect(await recipientOf('policy')).toMatchObject({ kind: 'refused', recipient: false })
    expect(await recipientOf('full')).toMatchObject({ kind: 'refused', recipient: false })
  })

  test('the content: 552 is final, 451 is not, and the connection goes on', async () => {
    const answers = [{ code: 552, message: '5.3.4 too large' }, { code: 451, message: 'try later' }, null]
    const server = await mailServer({ refuseData: () => answers.shift() ?? null })
    const pool = transport(server.url, 1)
    expect(await pool.send(parcel)).toMatchObject({ kind: 'refused', recipient: false, response: expect.stringContaining('too large') })
    expect(await pool.send(parcel)).toMatchObject({ kind: 'deferred' })
    expect(await pool.send(parcel)).toMatchObject({ kind: 'accepted' })
    expect(server.connections()).toBe(1)
  })

  test('only a copy: the mail counts as taken; only the recipient: it counts as refused', async () => {
    const server = await mailServer({ refuse: (to) => (to.startsWith('no') ? { code: 550, message: '5.1.1 unknown' } : null) })
    const pool = transport(server.url)
    expect(await pool.send({ ...parcel, to: ['b@example.com', 'no@example.com'] })).toMatchObject({ kind: 'accepted' })
    expect(await pool.send({ ...parcel, to: ['no@example.com', 'b@example.com'] })).toMatchObject({ kind: 'refused', recipient: true })
  })
})

describe('a mail server in trouble', () => {
  test('not there: deferred, with a sentence', async () => {
    const handover = await transport('smtp://127.0.0.1:1').send(parcel)
    expect(handover).toMatchObject({
      kind: 'deferred',
      response: expect.stringMatching(/^The mail server could not be used: .*ECONNREFUSED/),
    })
  })

  test('full up at the greeting (554): deferred, for nothing was said about the mail', async () => {
    const { url } = await scriptedServer((command) => (command === '<CONNECT>' ? '554 no service' : '221 bye'))
    expect(await transport(url).send(parcel)).toMatchObject({ kind: 'deferred', response: expect.stringContaining('554') })
  })

  test('cut off after the final dot: deferred, and it says that nobody knows', async () => {
    const { url } = await scriptedServer((command) => (command === '<CONTENT>' ? null : (polite[command] ?? '250 ok')))
    const handover = await transport(url).send(parcel)
    expect(handover).toMatchObject({
      kind: 'deferred',
      response: expect.stringMatching(/^The connection was lost before the mail server confirmed/),
    })
  })

  test('silent: deferred after its time', async () => {
    const { url } = await scriptedServer((command) => (command === 'MAIL' ? '250-' : (polite[command] ?? '250 ok')))
    const handover = await transport(url, 1, { answerMs: 200 }).send(parcel)
    expect(handover).toMatchObject({ kind: 'deferred', response: expect.stringContaining('Timeout') })
  })

  test('a kept connection it has ended meanwhile costs nothing: a fresh one is used', async () => {
    const { url } = await scriptedServer((command, count) => (command === 'MAIL' && count === 2 ? null : (polite[command] ?? '250 ok')))
    const pool = transport(url, 1)
    expect(await pool.send(parcel)).toMatchObject({ kind: 'accepted' })
    expect(await pool.send(parcel)).toMatchObject({ kind: 'accepted' })
  })

  test('a login it refuses: deferred, because the operator can cure it', async () => {
    const { url } = await scriptedServer((command) =>
      command === 'EHLO' ? '250-hi\r\n250 AUTH PLAIN' : command === 'AUTH' ? '535 bad password' : (polite[command] ?? '250 ok'),
    )
    const handover = await transport(url.replace('smtp://', 'smtp://user:wrong@')).send(parcel)
    expect(handover).toMatchObject({ kind: 'deferred', response: expect.stringContaining('535') })
  })
})

describe('a check', () => {
  test('of a server that takes mail finds nothing and sends nothing', async () => {
    const server = await mailServer()
    expect(await transport(server.url).check()).toBeNull()
    expect(server.mails).toEqual([])
  })

  test.each([
    ['nobody listens', 'smtp://127.0.0.1:1', /ECONNREFUSED/, /host and port/],
    ['the name does not exist', 'smtp://mail.invalid:25', /ENOTFOUND|EAI_AGAIN/, /host name/],
  ])('%s: says so, and what to change', async (_what, url, reason, advice) => {
    expect(await transport(url).check()).toEqual({ reason: expect.stringMatching(reason), advice: expect.stringMatching(advice) })
  })

  test('a wrong password, a refusal at the door, and TLS where there is none', async () => {
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
    const plain = await mailServer()
    expect(await transport(plain.url.replace('smtp://', 'smtps://')).check()).toMatchObject({ advice: expect.stringMatching(/smtps:\/\//) })
  })
})
