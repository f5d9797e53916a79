import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { createSmtpTransport, type Handover, type SmtpPool } from '../../../../src/kit/mailer.ts'
import { slowPerQuick } from '../../../../src/kit/smtp/pool/shares.ts'
import { until } from '../../../help/until.ts'

const max = 4
const usual: Record<string, string> = { EHLO: '250 hi', DATA: '354 go', QUIT: '221 bye' }
// More than the connections take without being read.
const large = [Buffer.from('Subject: x\r\n\r\n'), Buffer.alloc(20_000_000, 'text\r\n')]

/** A server that does not read the contents for recipients whose name begins with `slow`, until told: whose it has asked for, and whose it has, complete. */
async function unreadingServer() {
  const asked: string[] = []
  const taken: string[] = []
  const unread = new Set<Socket>()
  let reads = false
  const server = createServer((socket) => {
    let recipient = ''
    let tail: string | undefined
    socket.on('error', () => socket.destroy())
    socket.on('close', () => unread.delete(socket))
    socket.on('data', (piece) => {
      const text = piece.toString('latin1')
      if (tail !== undefined) {
        tail = (tail + text).slice(-5)
        if (tail !== '\r\n.\r\n') return
        tail = undefined
        taken.push(recipient)
        return void socket.write('250 taken\r\n')
      }
      recipient = /^RCPT TO:<(.*)@/.exec(text)?.[1] ?? recipient
      socket.write(`${usual[text.slice(0, 4)] ?? '250 ok'}\r\n`)
      if (!text.startsWith('DATA')) return
      tail = ''
      asked.push(recipient)
      if (reads || !recipient.startsWith('slow')) return
      unread.add(socket.pause())
    })
    socket.write('220 hi\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => void server.close())
  const readAll = (): void => {
    reads = true
    for (const socket of unread) socket.resume()
  }
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, taken, readAll }
}

async function send(pool: SmtpPool, name: string, pieces: Buffer[]): Promise<Handover> {
  const connection = await pool.connect('urgent', { owner: name })
  try {
    for (;;) {
      const handover = await connection.send({ from: 'a@demo.test', to: [`${name}@example.com`], pieces })
      if (handover) return handover
      await connection.renew()
    }
  } finally {
    connection.release()
  }
}

test('messages of many owners that the server does not read hold up no others: they are cut before their end, and sent again', async () => {
  const { url, asked, taken, readAll } = await unreadingServer()
  const pool = createSmtpTransport(url, max, { slowMs: 50 })
  afterAll(() => pool.close())
  const names = Array.from({ length: max + max * slowPerQuick }, (_, at) => `slow-${at}`)
  const slow = names.map((name) => send(pool, name, large))
  await until(async () => names.every((name) => asked.includes(name)))
  for (let at = 0; at < 10; at++)
    expect(await send(pool, `quick-${at}`, [Buffer.from('Subject: x\r\n\r\nHi\r\n')])).toMatchObject({ kind: 'accepted' })
  expect(taken).toHaveLength(10)
  readAll()
  for (const handover of await Promise.all(slow)) expect(handover.kind).toBe('accepted')
  expect([taken.length, new Set(taken).size]).toEqual([10 + names.length, 10 + names.length])
})
