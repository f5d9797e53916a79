import { createServer, type Socket } from 'node:net'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { createSmtpTransport } from '../../../src/kit/mailer.ts'
import { collectGarbage } from '../../help/memory.ts'
import { mailServer, scriptedServer } from '../../help/smtp.ts'

const envelope = { from: 'a@demo.test', to: ['b@example.com'] }

function transport(url: string, max = 2) {
  const made = createSmtpTransport(url, max)
  afterAll(() => made.close())
  return made
}

/** A server that takes the content of a message only when it is asked to. */
async function slowServer(): Promise<{ url: string; contents: () => number; readOn(): void }> {
  const sockets: Socket[] = []
  let contents = 0
  const server = createServer({ highWaterMark: 16_384 }, (socket) => {
    socket.write('220 hi\r\n')
    socket.on('error', () => socket.destroy())
    let last = ''
    let inContent = false
    socket.on('data', (chunk) => {
      last = (last + chunk.toString('latin1', Math.max(0, chunk.length - 100))).slice(-100)
      if (inContent) {
        if (!last.endsWith('\r\n.\r\n')) return
        inContent = false
        return void socket.write('250 ok\r\n')
      }
      if (!last.endsWith('\r\n')) return
      inContent = last.startsWith('DATA')
      socket.write(inContent ? '354 go\r\n' : '250 ok\r\n')
      last = ''
      if (!inContent) return
      contents++
      sockets.push(socket)
      socket.pause()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => void server.close())
  const { port } = server.address() as { port: number }
  return { url: `smtp://127.0.0.1:${port}`, contents: () => contents, readOn: () => sockets.forEach((socket) => void socket.resume()) }
}

describe('a message in pieces', () => {
  test('arrives octet by octet, wherever its pieces and slices end, for 150 generated messages', async () => {
    const server = await mailServer()
    const pool = transport(server.url)
    const line = fc.constantFrom('', '.', '..', '.a', 'a.', 'a', '. .', `${'x'.repeat(900)}.`)
    const message = fc.array(line, { minLength: 1, maxLength: 30 }).map((lines) => `${lines.join('\r\n')}\r\n`)
    const filler = fc.constantFrom(0, 65_500, 65_533, 65_534, 65_535, 65_536)
    await fc.assert(
      fc.asyncProperty(message, filler, fc.array(fc.nat(3_000), { maxLength: 8 }), async (text, length, cuts) => {
        const raw = Buffer.from(`Subject: x\r\n\r\n${'y\r\n'.repeat(length / 3)}${'z'.repeat(length % 3)}${text}`)
        const places = [0, ...cuts.map((cut) => raw.length - (cut % raw.length)).sort((a, b) => a - b), raw.length]
        const pieces = places.slice(1).map((to, at) => raw.subarray(places[at], to))
        expect(await pool.send({ ...envelope, pieces })).toMatchObject({ kind: 'accepted' })
        expect(server.mails.pop()?.raw.equals(raw)).toBe(true)
      }),
      { numRuns: 150 },
    )
  })

  test('may be in memory that threads share', async () => {
    const server = await mailServer()
    const shared = new Uint8Array(new SharedArrayBuffer(300_000)).fill(65)
    const pieces = [Buffer.from('Subject: x\r\n\r\n.'), shared.subarray(10), Buffer.from('\r\n.\r\n')]
    expect(await transport(server.url).send({ ...envelope, pieces })).toMatchObject({ kind: 'accepted' })
    expect(server.mails[0]?.raw.equals(Buffer.concat(pieces))).toBe(true)
  })

  test('is read no faster than the server reads: 40 messages share one file without copies of it', async () => {
    const server = await slowServer()
    const file = Buffer.from(`${'A'.repeat(76)}\r\n`.repeat(130_000))
    const before = process.memoryUsage()
    const pool = transport(server.url, 40)
    const sending = Array.from({ length: 40 }, (_, n) => pool.send({ ...envelope, pieces: [Buffer.from(`X: ${n}\r\n\r\n`), file] }))
    await expect.poll(server.contents).toBe(40)
    collectGarbage()
    const { arrayBuffers } = process.memoryUsage()
    // 40 copies would take 400 MB.
    expect(arrayBuffers - before.arrayBuffers).toBeLessThan(100_000_000)
    server.readOn()
    expect((await Promise.all(sending)).map(({ kind }) => kind)).toEqual(new Array(40).fill('accepted'))
  })

  test('that is refused before its end is not continued as commands: the connection is closed', async () => {
    const seen: string[] = []
    const { url, server } = await scriptedServer((command) => {
      seen.push(command)
      return { '<CONNECT>': '220 hi', EHLO: '250 hi', DATA: '354 go' }[command] ?? '250 ok'
    })
    server.on('connection', (socket) => socket.once('data', () => socket.on('data', refuseContent(socket))))
    const pool = transport(url)
    const large = [Buffer.from('Subject: x\r\n\r\n'), Buffer.alloc(50_000_000, 'RSET\r\n')]
    expect(await pool.send({ ...envelope, pieces: large })).toMatchObject({ kind: 'refused', recipient: false })
    expect(seen).not.toContain('RSET')
    expect(seen).not.toContain('<CONTENT>')
  })
})

function refuseContent(socket: Socket): (chunk: Buffer) => void {
  let refused = false
  return (chunk) => {
    if (refused || !chunk.includes('RSET')) return
    refused = true
    socket.write('552 5.3.4 too large\r\n')
  }
}
