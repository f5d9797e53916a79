import { createServer, type Socket } from 'node:net'
import fc from 'fast-check'
import { SMTPServer } from 'smtp-server'
import { afterAll, describe, expect, test } from 'vitest'
import { createSmtpTransport } from '../../../src/kit/mailer.ts'
import type { SmtpTimeouts } from '../../../src/kit/smtp/connection.ts'
import { isWireReady, wireSlices } from '../../../src/kit/smtp/message.ts'
import { scriptedServer } from '../../help/smtp.ts'

const message = { from: 'a@demo.test', to: ['b@example.com'], pieces: [Buffer.from('Subject: x\r\n\r\nHi\r\n')] }

function transport(url: string, timeouts: Partial<SmtpTimeouts> = {}) {
  const made = createSmtpTransport(url, 1, timeouts)
  afterAll(() => made.close())
  return made
}

/** A server that calls `say` with each piece it reads, as it came; after its greeting it writes only what that does. */
async function rawServer(say: (text: string, socket: Socket) => void): Promise<{ url: string; pieces: string[]; connections(): number }> {
  const pieces: string[] = []
  let connections = 0
  const server = createServer({ noDelay: true }, (socket) => {
    connections++
    socket.on('error', () => socket.destroy())
    socket.on('data', (piece) => {
      pieces.push(piece.toString('latin1'))
      say(piece.toString('latin1'), socket)
    })
    socket.write('220 hi\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => void server.close())
  return { url: `smtp://127.0.0.1:${(server.address() as { port: number }).port}`, pieces, connections: () => connections }
}

const script = (answers: Record<string, string>) => (command: string) => answers[command] ?? '250 ok'
const plain = { '<CONNECT>': '220 hi', EHLO: '250 hi', DATA: '354 go', QUIT: '221 bye' }

describe('commands', () => {
  const answer = (text: string, socket: Socket): void => {
    if (text.startsWith('EHLO')) socket.write('250-hi\r\n250-PIPELINING\r\n250 SIZE\r\n')
    else if (text.startsWith('MAIL')) socket.write('250 ok\r\n250 ok\r\n354 go\r\n')
    else socket.write('250 ok\r\n')
  }

  test('are sent together where the server offers it, and the content in one piece', async () => {
    const { url, pieces } = await rawServer(answer)
    expect(await transport(url).send(message)).toMatchObject({ kind: 'accepted' })
    expect(pieces.slice(1)).toEqual([
      'MAIL FROM:<a@demo.test> SIZE=18\r\nRCPT TO:<b@example.com>\r\nDATA\r\n',
      'Subject: x\r\n\r\nHi\r\n.\r\n',
    ])
  })

  test('wait for the answer to the one before, where it does not', async () => {
    const seen: string[] = []
    const { url } = await rawServer((text, socket) => {
      seen.push(text)
      setImmediate(() => socket.write(text.startsWith('DATA') ? '354 go\r\n' : '250 ok\r\n'))
    })
    expect(await transport(url).send({ ...message, to: ['b@example.com', 'c@example.com'] })).toMatchObject({ kind: 'accepted' })
    expect(seen.slice(1, 5)).toEqual([
      'MAIL FROM:<a@demo.test>\r\n',
      'RCPT TO:<b@example.com>\r\n',
      'RCPT TO:<c@example.com>\r\n',
      'DATA\r\n',
    ])
  })

  test('are not made of addresses with line breaks or brackets', async () => {
    const { url, pieces } = await rawServer(answer)
    for (const to of ['b@example.com>\r\nRCPT TO:<c@example.com', 'b@example.com\nDATA', 'b>@example.com', ''])
      expect(await transport(url).send({ ...message, to: [to] })).toMatchObject({ kind: 'refused', recipient: false })
    expect(pieces.join('')).not.toMatch(/MAIL|RCPT|DATA/)
  })

  test('ask for SMTPUTF8 only where an address needs it', async () => {
    const mails: string[] = []
    const { url } = await rawServer((text, socket) => {
      if (text.startsWith('MAIL')) mails.push(text.split('\r\n')[0] ?? '')
      socket.write(text.startsWith('EHLO') ? '250-hi\r\n250 SMTPUTF8\r\n' : text.startsWith('DATA') ? '354 go\r\n' : '250 ok\r\n')
    })
    for (const to of ['b@example.com', 'grüße@example.com']) await transport(url).send({ ...message, to: [to] })
    expect(mails).toEqual(['MAIL FROM:<a@demo.test>', 'MAIL FROM:<a@demo.test> SMTPUTF8'])
  })
})

describe('answers', () => {
  test('may have several lines, and arrive in pieces', async () => {
    const { url } = await rawServer((text, socket) => {
      if (text.startsWith('EHLO')) return void socket.write('250 hi\r\n')
      if (!text.startsWith('MAIL')) return void socket.write('250 ok\r\n')
      const octets = [...Buffer.from('550-5.7.1 first\r\n550-5.7.1 second ü\r\n550 5.7.1 last\r\n')]
      const writeNext = (): void => {
        const octet = octets.shift()
        if (octet !== undefined) socket.write(Buffer.of(octet), () => setImmediate(writeNext))
      }
      writeNext()
    })
    const { response } = await transport(url).send(message)
    expect(response).toBe('550 5.7.1 first second ü last')
  })

  test.each([
    ['of one endless line', 'x'.repeat(10_000)],
    ['of endless lines', '250-more\r\n'.repeat(1_000)],
    ['nobody asked for', '250 ok\r\n'.repeat(1_000)],
  ])('without end are not read without end: %s', async (_what, flood) => {
    let closed = false
    const { url } = await rawServer((text, socket) => {
      socket.on('close', () => {
        closed = true
      })
      if (text.startsWith('EHLO')) return void socket.write('250 hi\r\n')
      const pour = (): void => void (socket.writable && socket.write(flood, () => setImmediate(pour)))
      if (text.startsWith('MAIL')) pour()
    })
    expect(await transport(url).send(message)).toMatchObject({ kind: 'deferred' })
    await expect.poll(() => closed).toBe(true)
  })

  test('that are no answers say nothing about the message', async () => {
    const { url } = await scriptedServer(script({ ...plain, MAIL: 'what?' }))
    expect(await transport(url).send(message)).toMatchObject({ kind: 'deferred' })
  })

  test('that come bit by bit end after five times the limit', async () => {
    const { url } = await rawServer((text, socket) => {
      if (text.startsWith('EHLO')) return void socket.write('250 hi\r\n')
      const drip = setInterval(() => socket.write('250-\r\n'), 20)
      socket.on('close', () => clearInterval(drip))
    })
    const { response } = await transport(url, { answerMs: 400 }).send(message)
    expect(response).toContain('did not finish its answers within 2 s')
  })

  test('before the end of a content count only if they refuse it', async () => {
    const { url } = await rawServer((text, socket) => {
      if (text.startsWith('EHLO')) socket.write('250 hi\r\n')
      else if (text.startsWith('DATA')) socket.write('354 go\r\n')
      else if (/^(MAIL|RCPT)/.test(text)) socket.write('250 ok\r\n')
      else if (text.startsWith('Subject')) {
        socket.pause()
        socket.write('250 done\r\n')
      }
    })
    const large = [Buffer.from('Subject: x\r\n\r\n'), Buffer.alloc(50_000_000, 'RSET\r\n')]
    expect(await transport(url).send({ ...message, pieces: large })).toMatchObject({ kind: 'deferred' })
  })

  test('to a message are taken although the server closes the connection with them', async () => {
    const { url, connections } = await rawServer((text, socket) => {
      if (text.startsWith('DATA')) socket.write('354 go\r\n')
      else socket.write(text.startsWith('Subject') ? '250 taken\r\n421 closing\r\n' : '250 ok\r\n')
    })
    const pool = transport(url)
    expect(await pool.send(message)).toMatchObject({ kind: 'accepted', response: '250 taken' })
    expect(await pool.send(message)).toMatchObject({ kind: 'accepted', response: '250 taken' })
    expect(connections()).toBe(2)
  })
})

describe('a server that asks for the content although it has refused', () => {
  const pipelining = { ...plain, EHLO: '250-hi\r\n250 PIPELINING' }

  test('all addresses gets an empty one, and the session stays', async () => {
    const seen: string[] = []
    let first = true
    const { url } = await rawServer((text, socket) => {
      seen.push(text)
      if (text.startsWith('EHLO')) socket.write('250-hi\r\n250 PIPELINING\r\n')
      else if (text.startsWith('MAIL')) socket.write(first ? '250 ok\r\n550 5.1.1 no\r\n354 go\r\n' : '250 ok\r\n250 ok\r\n354 go\r\n')
      else socket.write('250 ok\r\n')
      if (text.startsWith('RSET')) first = false
    })
    const pool = transport(url)
    expect(await pool.send(message)).toMatchObject({ kind: 'refused', recipient: true, response: '550 5.1.1 no' })
    expect(await pool.send(message)).toMatchObject({ kind: 'accepted' })
    expect(seen.slice(2, 4)).toEqual(['.\r\n', 'RSET\r\n'])
    expect(seen.filter((text) => text.startsWith('EHLO'))).toHaveLength(1)
  })

  test('the sender is left', async () => {
    const { url } = await scriptedServer(script({ ...pipelining, MAIL: '550 5.7.1 not you' }))
    const pool = transport(url)
    for (const _ of [1, 2]) expect(await pool.send(message)).toMatchObject({ kind: 'refused', response: '550 5.7.1 not you' })
  })
})

test('messages leave no listeners behind on a connection', async () => {
  const warnings: Error[] = []
  const warn = (warning: Error): void => void warnings.push(warning)
  process.on('warning', warn)
  const { url } = await scriptedServer((command, count) => (command === 'RCPT' && count % 2 ? '550 no' : script(plain)(command)))
  const pool = transport(url)
  for (let n = 0; n < 40; n++) await pool.send({ ...message, pieces: [Buffer.alloc(200_000, 'x\r\n')] })
  process.off('warning', warn)
  expect(warnings).toEqual([])
})

test('a message goes over STARTTLS', async () => {
  const received: Buffer[] = []
  let secure = false
  const server = new SMTPServer({
    authOptional: true,
    onData(stream, session, done) {
      secure = session.secure
      stream.on('data', (piece: Buffer) => received.push(piece)).on('end', () => done())
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => new Promise<void>((resolve) => server.close(resolve)))
  const { port } = server.server.address() as { port: number }
  const pieces = [Buffer.from('Subject: x\r\n\r\n'), Buffer.alloc(400_000, '.x\r\n')]
  const handover = await transport(`smtp://127.0.0.1:${port}?tls.rejectUnauthorized=false`).send({ ...message, pieces })
  expect([handover.kind, secure, Buffer.concat(received).equals(Buffer.concat(pieces))]).toEqual(['accepted', true, true])
})

describe('the octets after DATA', () => {
  const text = fc.array(fc.constantFrom('\r\n', '\r', '\n', '.', 'a'), { maxLength: 30 }).map((parts) => parts.join(''))
  const cut = (raw: Buffer, at: number) => [raw.subarray(0, at), raw.subarray(at)]
  const wire = (pieces: Buffer[], wireReady = false) => Buffer.concat([...wireSlices({ ...message, pieces, wireReady })]).toString()

  test('end lines with CRLF only, and the first lone dot is the end, whatever is in the message', () => {
    fc.assert(
      fc.property(text, fc.nat(60), (raw, at) => {
        const sent = wire(cut(Buffer.from(raw), at))
        expect(`\r\n${sent}`.indexOf('\r\n.\r\n')).toBe(sent.length - 3)
        expect(sent).not.toMatch(/[^\r]\n|^\n|\r(?!\n)/)
        expect(
          sent
            .replace(/\.\r\n$/, '')
            .replace(/^\./gm, '')
            .replace(/\r\n$/, ''),
        ).toBe(raw.replace(/\r\n|\r|\n/g, '\r\n').replace(/\r\n$/, ''))
      }),
      { numRuns: 5_000 },
    )
  })

  test('are the same where they were found to need no change', () => {
    fc.assert(
      fc.property(text, fc.nat(60), (raw, at) => {
        const pieces = cut(Buffer.from(raw), at)
        const ready = isWireReady(pieces)
        if (ready) expect([wire(pieces, true), wire(pieces)]).toEqual([`${raw}.\r\n`, `${raw}.\r\n`])
        if (!/^\.|[\r\n]\.|^\n|[^\r]\n|\r(?!\n)/.test(raw) && raw.endsWith('\r\n') && at >= raw.length) expect(ready).toBe(true)
      }),
      { numRuns: 5_000 },
    )
  })
})
