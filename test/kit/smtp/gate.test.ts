import { createServer } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { createSmtpTransport, type SmtpPool } from '../../../src/kit/mailer.ts'
import { scriptedServer } from '../../help/smtp.ts'

const message = { from: 'a@demo.test', to: ['b@example.com'], pieces: [Buffer.from('Subject: x\r\n\r\nHi\r\n')] }
const replies: Record<string, string> = { '<CONNECT>': '220 hi', EHLO: '250 hi', DATA: '354 go', QUIT: '221 bye' }

function transport(url: string): SmtpPool {
  const made = createSmtpTransport(url, 1)
  afterAll(() => made.close())
  return made
}

/** A server that counts the octets of the contents it has read, how many were complete, and the connections that ended. */
async function listener() {
  const seen = { url: '', octets: 0, complete: 0, closed: 0 }
  const server = createServer((socket) => {
    let tail: string | undefined
    socket.on('error', () => undefined)
    socket.on('close', () => seen.closed++)
    socket.on('data', (piece) => {
      const text = piece.toString('latin1')
      if (tail === undefined) {
        if (text.startsWith('DATA')) tail = ''
        return void socket.write(`${replies[text.slice(0, 4)] ?? '250 ok'}\r\n`)
      }
      seen.octets += piece.length
      tail = (tail + text).slice(-5)
      if (tail !== '\r\n.\r\n') return
      tail = undefined
      seen.complete++
      socket.write('250 taken\r\n')
    })
    socket.write('220 hi\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => void server.close())
  seen.url = `smtp://127.0.0.1:${(server.address() as { port: number }).port}`
  return seen
}

describe('a message whose gate is closed', () => {
  test.each([
    ['when the server asks for the content', { opens: async () => false, holds: () => true }],
    ['right before the content', { opens: async () => true, holds: () => false }],
  ])('%s: no octet of it leaves, and the connection is cut', async (_when, gate) => {
    const server = await listener()
    const connection = await transport(server.url).connect('urgent')
    expect(await connection.send(message, gate)).toBeNull()
    await expect.poll(() => server.closed).toBe(1)
    expect(server.octets).toBe(0)
    await connection.renew()
    expect(await connection.send(message)).toMatchObject({ kind: 'accepted', response: '250 taken' })
    connection.release()
  })

  test('before its end, however near: the end is never sent', async () => {
    const server = await listener()
    const connection = await transport(server.url).connect('urgent')
    const large = { ...message, pieces: [Buffer.from('Subject: x\r\n\r\n'), Buffer.alloc(20_000_000, 'text\r\n')] }
    let looks = 0
    const closesAt = (last: number) => ({ opens: async () => true, holds: () => ++looks < last })
    expect(await connection.send(large, closesAt(Number.POSITIVE_INFINITY))).toMatchObject({ kind: 'accepted' })
    const all = looks
    for (const last of [2, Math.floor(all / 2), all]) {
      looks = 0
      expect(await connection.send(large, closesAt(last))).toBeNull()
      expect(looks).toBe(last)
      await connection.renew()
    }
    await expect.poll(() => server.closed).toBe(3)
    expect([server.complete, server.octets > 20_000_000]).toEqual([1, true])
    connection.release()
  })
})

test('a connection that ended while it was unused sends nothing over a new one by itself', async () => {
  const { url } = await scriptedServer((command, count) =>
    command === 'MAIL' && count === 2 ? '421 4.4.2 Max messages' : (replies[command] ?? '250 ok'),
  )
  const connection = await transport(url).connect('urgent')
  expect(await connection.send(message)).toMatchObject({ kind: 'accepted' })
  expect(await connection.send(message)).toBeNull()
  await connection.renew()
  expect(await connection.send(message)).toMatchObject({ kind: 'accepted' })
  connection.release()
})
