import { once } from 'node:events'
import { connect as connectTls } from 'node:tls'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { certificate } from '../../help/certificates.ts'
import { clientOf, receiverOf } from '../../help/mail-port.ts'
import { until } from '../../help/until.ts'

type Client = ReturnType<typeof clientOf>

/** All that a client hears before its session has ended. */
async function heardOf({ socket, heard }: Client): Promise<string[]> {
  await until(async () => socket.closed)
  return heard
}

async function greeted(port: { port: number }): Promise<Client> {
  const client = clientOf(port)
  await client.next()
  client.heard.splice(0)
  return client
}

/** A session over an encrypted connection, once that has been answered. */
async function encrypted() {
  const made = certificate('localhost')
  const key = made.key.export({ type: 'pkcs8', format: 'pem' }).toString()
  const port = await receiverOf({ maxPerAddress: 1, tls: { cert: made.pem, key } })
  const client = await greeted(port)
  await client.next('STARTTLS')
  client.socket.setEncoding()
  const socket = connectTls({ socket: client.socket, ca: made.pem })
  onTestFinished(() => void socket.destroy())
  const said: string[] = []
  socket.on('data', (data) => void said.push(...String(data).split('\r\n').slice(0, -1)))
  socket.on('error', () => undefined)
  await once(socket, 'secureConnect')
  return { port, socket, said }
}

const message = 'MAIL FROM:<>\r\nRCPT TO:<a@example.com>\r\nDATA\r\nx\r\n.\r\n'
const tooManyCommands = '421 4.7.0 Too many commands without a message'
const tooMuch = '421 4.4.2 This session takes too much'

describe('a session that sends many commands at once', () => {
  test.each([
    ['RSET', '250 Flushed'],
    ['NOOP', '250 OK'],
    ['VRFY a', '252 Try to send something. No promises though'],
    ['HELP', '214 See https://tools.ietf.org/html/rfc5321 for details'],
    ['DATA', '503 Error: send HELO/EHLO first'],
    ['RCPT TO:<a@example.com>', '503 Error: send HELO/EHLO first'],
  ])('has 50 of them answered, and waits for another place: %s', async (command, answer) => {
    const port = await receiverOf({ maxPerAddress: 1 })
    const client = await greeted(port)
    client.socket.write(`${command}\r\n`.repeat(5_000))
    expect(await heardOf(client)).toEqual([...Array(50).fill(answer), tooManyCommands])
    expect(await clientOf(port).next()).toBe('421 4.7.0 Too many connections of this address')
    expect(await clientOf(port, '127.0.0.2').next()).toMatch(/^220 /)
  })

  test('has as many answered after an accepted recipient, however often it names that', async () => {
    const client = await greeted(await receiverOf())
    await client.prove()
    client.heard.splice(0)
    client.socket.write('RCPT TO:<a@example.com>\r\n'.repeat(5_000))
    expect(await heardOf(client)).toEqual([...Array(47).fill('250 Accepted'), tooManyCommands])
  })

  test('may send as many again after each accepted message', async () => {
    const client = await greeted(await receiverOf())
    await client.next('HELO x')
    for (let count = 0; count < 5; count++) {
      client.heard.splice(0)
      client.socket.write(`${'NOOP\r\n'.repeat(45)}${message}`)
      await until(async () => client.heard.length === 49)
      expect(client.heard.at(-1)).toMatch(/^250 /)
    }
    client.heard.splice(0)
    client.socket.write('NOOP\r\n'.repeat(51))
    expect(await heardOf(client)).toEqual([...Array(50).fill('250 OK'), tooManyCommands])
  })

  test('has those counted that wait behind a message, and they are new commands only once it was accepted', async () => {
    const handled = Promise.withResolvers<void>()
    let received = 0
    const receive = () => {
      received++
      return handled.promise
    }
    const client = await greeted(await receiverOf({ receive }))
    await client.next('HELO x')
    client.heard.splice(0)
    client.socket.write(`${message}${'NOOP\r\n'.repeat(5_000)}`)
    await until(async () => received === 1)
    handled.reject(new Error('no database'))
    expect((await heardOf(client)).slice(3)).toEqual([
      '451 4.3.0 The message could not be handled now',
      ...Array(46).fill('250 OK'),
      tooManyCommands,
    ])
  })

  test('has them counted over an encrypted connection', async () => {
    const { port, socket, said } = await encrypted()
    socket.write('NOOP\r\n'.repeat(5_000))
    await until(async () => socket.closed)
    expect(said).toEqual([...Array(49).fill('250 OK'), tooManyCommands])
    expect(await clientOf(port).next()).toBe('421 4.7.0 Too many connections of this address')
  })
})

test('a session may name 20 recipients that do not exist', async () => {
  const asked: string[] = []
  const port = await receiverOf({
    maxPerAddress: 1,
    accepts(address) {
      asked.push(address)
      return address === 'a@example.com'
    },
  })
  const client = await greeted(port)
  await client.next('HELO x')
  client.heard.splice(0)
  client.socket.write(`${message}MAIL FROM:<>\r\n${'RCPT TO:<b@example.com>\r\n'.repeat(5_000)}`)
  expect((await heardOf(client)).slice(5)).toEqual([
    ...Array(20).fill('550 5.1.1 There is no such mailbox here'),
    '421 4.7.0 Too many recipients that do not exist here',
  ])
  expect(asked).toHaveLength(22)
  expect(await clientOf(port).next()).toBe('421 4.7.0 Too many connections of this address')
})

test('a session may send 500 messages', async () => {
  let received = 0
  const receive = async () => void received++
  const client = await greeted(await receiverOf({ receive }))
  client.socket.write(`HELO x\r\n${message.repeat(510)}`)
  expect((await heardOf(client)).at(-1)).toBe('421 4.7.0 Too many messages in one session')
  expect(received).toBe(500)
})

describe('a session whose messages', () => {
  test.each([
    ['that were not stuffed', '\n.a'],
    ['that were', '\n..'],
  ])('have very many lines that begin with a dot %s is ended before they are read', async (_what, line) => {
    const received: string[] = []
    const port = await receiverOf({ maxPerAddress: 1, receive: async ({ raw }) => void received.push(raw.toString()) })
    const client = clientOf(port)
    await client.begin()
    expect(await client.next(`${line.repeat(1_900)}\r\n.`)).toMatch(/^250 /)
    await client.prove()
    await client.next('DATA')
    expect(await client.next(`${line.repeat(10_000)}\r\n.`)).toBe(tooMuch)
    await until(async () => client.socket.closed)
    expect(received).toHaveLength(1)
    expect(await clientOf(port).next()).toBe('421 4.7.0 Too many connections of this address')
    expect(await clientOf(port, '127.0.0.2').next()).toMatch(/^220 /)
  })

  test('come in very many pieces is ended', async () => {
    const { socket, said } = await encrypted()
    socket.write('HELO x\r\nMAIL FROM:<>\r\nRCPT TO:<a@example.com>\r\nDATA\r\n')
    await until(async () => said.at(-1)?.startsWith('354 ') === true)
    // Each of them is a record of TLS, and read by itself.
    for (let sent = 0; sent < 11_000 && socket.writable; sent++) await new Promise((resolve) => socket.write('x', resolve))
    await until(async () => socket.closed)
    expect(said.at(-1)).toBe(tooMuch)
  })

  test('are too large is told so after reading up to eight times as much, and ended beyond that', async () => {
    const port = await receiverOf({ maxBytes: 1_000, maxPerAddress: 1 })
    const client = clientOf(port)
    await client.begin()
    expect(await client.next(`${'x'.repeat(7_000)}\r\n.`)).toBe('552 5.3.4 The message is too large')
    await client.prove()
    await client.next('DATA')
    client.heard.splice(0)
    client.socket.write('x'.repeat(9_000))
    expect(await heardOf(client)).toEqual([tooMuch])
    expect(await clientOf(port).next()).toBe('421 4.7.0 Too many connections of this address')
  })
})

test('a session ends after its time in any case', async () => {
  const client = clientOf(await receiverOf({ sessionMs: 1_000 }))
  await client.next()
  client.socket.write('HELO x\r\nMAIL FROM:<>\r\nRCPT TO:<a@example.com>\r\n')
  expect((await heardOf(client)).at(-1)).toBe(tooMuch)
})

test('a session that has ended leaves no timer behind, which would keep the process', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const port = await receiverOf({ maxConnections: 100, maxPerAddress: 100 })
  const before = timers()
  const clients = await Promise.all(Array.from({ length: 50 }, () => greeted(port)))
  await Promise.all(clients.slice(25).map((client) => client.prove()))
  expect(timers()).toBeGreaterThanOrEqual(75)
  for (const { socket } of clients) socket.destroy()
  await until(async () => timers() < before + 20)
})

test('a client that gave way and does not end its side loses its connection at once', async () => {
  const port = await receiverOf({ maxConnections: 1 })
  const { socket } = clientOf(port, '127.0.0.2', { allowHalfOpen: true })
  await once(socket, 'data')
  // No time passes from here on: it is not the one after which smtp-server ends a connection that is half closed.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  clientOf(port, '127.0.0.3')
  const [farewell] = await once(socket, 'data')
  expect(farewell).toBe('421 4.3.2 Too many connections at the moment\r\n')
  const writing = setInterval(() => socket.write('NOOP\r\n'), 10)
  onTestFinished(() => clearInterval(writing))
  await new Promise((resolve) => socket.once('close', resolve))
})
