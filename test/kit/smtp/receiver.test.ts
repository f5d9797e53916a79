import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type ReceivedMessage, receiveMail } from '../../../src/kit/smtp/receiver.ts'
import { until } from '../../help/until.ts'

const limits = { host: '127.0.0.1', port: 0, name: 'localhost', maxBytes: 100_000, maxConnections: 5, maxPerAddress: 5 }

test('a session that ends while its message is handled says so, and is not reported', async () => {
  const received: ReceivedMessage[] = []
  const reported: unknown[] = []
  const receiver = await receiveMail({
    ...limits,
    accepts: () => true,
    receive: (message) =>
      new Promise((_, reject) => {
        received.push(message)
        message.ended?.addEventListener('abort', () => reject(new Error('given up')))
      }),
    report: (error) => void reported.push(error),
  })
  onTestFinished(receiver.close)
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
  const receiver = await receiveMail({ ...limits, accepts: () => true, receive: async () => {}, report: () => {} })
  onTestFinished(receiver.close)
  const socket = connect(receiver.port, '127.0.0.1').setEncoding('latin1')
  onTestFinished(() => void socket.destroy())
  const [greeting] = (await once(socket, 'data')) as [string]
  expect(greeting).toBe('220 localhost ESMTP\r\n')
})
