import { once } from 'node:events'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ReceivedMessage } from '../../../src/kit/smtp/receiver.ts'
import { certificate } from '../../help/certificates.ts'
import { clientOf, receiverOf } from '../../help/mail-port.ts'
import { until } from '../../help/until.ts'

test('a session that ends while its message is handled says so, and is not reported', async () => {
  const received: ReceivedMessage[] = []
  const reported: unknown[] = []
  const receiver = await receiverOf({
    receive: (message) =>
      new Promise((_, reject) => {
        received.push(message)
        message.ended?.addEventListener('abort', () => reject(new Error('given up')))
      }),
    report: (error) => void reported.push(error),
  })
  const socket = connect(receiver.port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const lines = ['EHLO x', 'MAIL FROM:<a@example.com>', 'RCPT TO:<b@example.com>', 'DATA', 'Subject: x\r\n\r\nx\r\n.']
  socket.on('data', () => void (lines.length > 0 && socket.write(`${lines.shift()}\r\n`)))
  await until(async () => received.length === 1)
  expect(received[0]?.ended?.aborted).toBe(false)
  socket.destroy()
  await until(async () => received[0]?.ended?.aborted === true)
  expect(reported).toEqual([])
})

test('it greets with its name and ESMTP, once (RFC 5321, 4.2)', async () => {
  const receiver = await receiverOf()
  const socket = connect(receiver.port, '127.0.0.1').setEncoding('latin1')
  onTestFinished(() => void socket.destroy())
  const [greeting] = (await once(socket, 'data')) as [string]
  expect(greeting).toBe('220 localhost ESMTP\r\n')
})

describe('of the places of a port', () => {
  test('one client that connects quickly takes no more than its own', async () => {
    const receiver = await receiverOf({ maxConnections: 10 })
    const many = Array.from({ length: 200 }, () => clientOf(receiver, '127.0.0.2'))
    const other = clientOf(receiver, '127.0.0.3')
    expect(await other.next()).toBe('220 localhost ESMTP')
    await until(async () => many.every(({ heard }) => heard.length > 0))
    const answers = many.map(({ heard }) => heard[0])
    expect(answers.filter((answer) => answer === '220 localhost ESMTP')).toHaveLength(5)
    expect(answers.filter((answer) => answer === '421 4.7.0 Too many connections of this address')).toHaveLength(195)
    await until(async () => many.filter(({ socket }) => socket.closed).length === 195)
  })

  test('those of clients that only stay go to newcomers', async () => {
    const receiver = await receiverOf({ maxConnections: 6 })
    const staying = ['127.0.0.2', '127.0.0.3'].flatMap((address) => [1, 2, 3].map(() => clientOf(receiver, address)))
    await until(async () => staying.every(({ heard }) => heard.length > 0))
    const server = clientOf(receiver, '127.0.0.4')
    expect(await server.next()).toMatch(/^220 /)
    await server.prove()
    const [oldest, ...others] = staying
    await until(async () => oldest?.socket.closed === true)
    expect(oldest?.heard.at(-1)).toBe('421 4.3.2 Too many connections at the moment')
    expect(others.filter(({ socket }) => socket.closed)).toEqual([])
  })

  test('none of a session with an accepted recipient goes to another, which is asked to come again', async () => {
    const receiver = await receiverOf({ maxConnections: 2 })
    const proven = ['127.0.0.2', '127.0.0.3'].map((address) => clientOf(receiver, address))
    for (const client of proven) {
      await client.next()
      await client.prove()
    }
    const newcomer = clientOf(receiver, '127.0.0.4')
    expect(await newcomer.next()).toBe('421 4.3.2 Too many connections at the moment')
    for (const client of proven) expect(await client.next('NOOP')).toMatch(/^250 /)
    proven[0]?.socket.destroy()
    await until(async () => (await clientOf(receiver, '127.0.0.4').next()).startsWith('220 '))
  })

  test('that of an encrypted session goes to a newcomer as well, and that of one that never says hello', async () => {
    const made = certificate('localhost')
    const key = made.key.export({ type: 'pkcs8', format: 'pem' }).toString()
    const receiver = await receiverOf({ maxConnections: 1, tls: { cert: made.pem, key } })
    const encrypting = async (localAddress: string) => {
      const client = clientOf(receiver, localAddress)
      await client.next()
      await client.next('EHLO x')
      expect(await client.next('STARTTLS')).toMatch(/^220 /)
      return client
    }
    const silent = await encrypting('127.0.0.2')
    const { socket } = await encrypting('127.0.0.3')
    await until(async () => silent.socket.closed)
    const secure = connectTls({ socket, ca: made.pem })
    await once(secure, 'secureConnect')
    const closed = once(secure, 'close')
    const said: string[] = []
    secure.on('data', (data) => void said.push(String(data)))
    expect(await clientOf(receiver, '127.0.0.4').next()).toMatch(/^220 /)
    await closed
    expect(said.join('')).toBe('421 4.3.2 Too many connections at the moment\r\n')
  })

  test('a refused recipient proves nothing', async () => {
    const receiver = await receiverOf({ maxConnections: 1, accepts: (address) => address === 'a@example.com' })
    const client = clientOf(receiver, '127.0.0.2')
    await client.next()
    for (const line of ['HELO x', 'MAIL FROM:<>', 'RCPT TO:<b@example.com>']) await client.next(line)
    expect(await clientOf(receiver, '127.0.0.3').next()).toMatch(/^220 /)
    await until(async () => client.socket.closed)
  })

  test('a session without an accepted recipient ends after its time, whatever it says, and one with such a recipient does not', async () => {
    const receiver = await receiverOf({ unprovenMs: 2_000 })
    const proven = clientOf(receiver)
    await proven.next()
    await proven.prove()
    const idle = clientOf(receiver)
    await idle.next()
    let commands = 0
    await until(async () => {
      if (!idle.socket.closed && commands++ < 20) idle.socket.write('NOOP\r\n')
      return idle.socket.closed
    })
    expect(idle.heard.at(-1)).toBe('421 4.4.2 This session takes too much')
    expect(await proven.next('NOOP')).toMatch(/^250 /)
  })
})

test('a sender that leaves in the middle of its message is not reported, and a failure to handle one is', async () => {
  const reported: unknown[] = []
  const failure = new Error('no database')
  const receiver = await receiverOf({
    maxPerAddress: 1,
    receive: () => Promise.reject(failure),
    report: (error) => void reported.push(error),
  })
  const begin = async (client: ReturnType<typeof clientOf>) => {
    await client.prove()
    expect(await client.next('DATA')).toMatch(/^354 /)
    return client
  }
  const leaving = clientOf(receiver)
  await leaving.next()
  await begin(leaving)
  leaving.socket.write('Subject: x\r\n')
  leaving.socket.destroy()
  // The place of the first is free when the port has noticed its end.
  let next = clientOf(receiver)
  await until(async () => {
    if ((await next.next()).startsWith('220 ')) return true
    next = clientOf(receiver)
    return false
  })
  expect(reported).toEqual([])
  await begin(next)
  expect(await next.next('Subject: x\r\n\r\nx\r\n.')).toBe('451 4.3.0 The message could not be handled now')
  expect(reported).toEqual([failure])
})

test('the place of a sender that leaves while its message is handled is taken until that has ended', async () => {
  const received: ReceivedMessage[] = []
  const handled = Promise.withResolvers<void>()
  const receiver = await receiverOf({
    maxPerAddress: 1,
    receive(message) {
      received.push(message)
      return handled.promise
    },
  })
  const leaving = clientOf(receiver)
  await leaving.next()
  await leaving.prove()
  await leaving.next('DATA')
  leaving.socket.write('Subject: x\r\n\r\nx\r\n.\r\n')
  await until(async () => received.length === 1)
  leaving.socket.destroy()
  await until(async () => received[0]?.ended?.aborted === true)
  expect(await clientOf(receiver).next()).toBe('421 4.7.0 Too many connections of this address')
  expect(await clientOf(receiver, '127.0.0.2').next()).toMatch(/^220 /)
  handled.resolve()
  await until(async () => (await clientOf(receiver).next()).startsWith('220 '))
})

test.each([
  ['the whole of a short message', 900],
  ['the beginning of a long one', 50_000],
])('it keeps and passes on %s', async (_what, length) => {
  const received: string[] = []
  const receiver = await receiverOf({ receive: async ({ raw }) => void received.push(raw.toString()) })
  const client = clientOf(receiver)
  await client.next()
  await client.prove()
  await client.next('DATA')
  expect(await client.next(`${'x'.repeat(length)}\r\n.`)).toMatch(/^250 /)
  expect(received).toEqual([`${'x'.repeat(length)}\r\n`.slice(0, 1_000)])
})

test('a session whose message comes in very many pieces is cut off, keeps what it had in few octets, and leaves its place late', async () => {
  const received: string[] = []
  const receiver = await receiverOf({ maxPerAddress: 1, receive: async ({ raw }) => void received.push(raw.toString()) })
  const client = clientOf(receiver)
  await client.next()
  await client.prove()
  await client.next('DATA')
  expect(await client.next(`${'\n..'.repeat(30_000)}\r\n.`)).toBe('421 4.4.2 This session takes too much')
  await until(async () => client.socket.closed)
  expect(received).toEqual([])
  expect(await clientOf(receiver).next()).toBe('421 4.7.0 Too many connections of this address')
  expect(await clientOf(receiver, '127.0.0.2').next()).toMatch(/^220 /)
})

test('what was stuffed with dots is passed on without them, as often as mail has such lines', async () => {
  const received: string[] = []
  const receiver = await receiverOf({ keptBytes: 5_000, receive: async ({ raw }) => void received.push(raw.toString()) })
  const client = clientOf(receiver)
  await client.next()
  await client.prove()
  await client.next('DATA')
  expect(await client.next(`${'x\r\n..\r\n'.repeat(900)}.`)).toMatch(/^250 /)
  expect(received).toEqual(['x\r\n.\r\n'.repeat(900).slice(0, 5_000)])
})
