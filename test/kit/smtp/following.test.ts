import { afterAll, describe, expect, test } from 'vitest'
import { createSmtpTransport, type SmtpConnection, type SmtpPool } from '../../../src/kit/mailer.ts'
import type { SmtpMessage } from '../../../src/kit/smtp/message.ts'
import { pipeliningServer } from '../../help/pipelining.ts'
import { mailServer } from '../../help/smtp.ts'
import { until } from '../../help/until.ts'

const text = (subject: string): SmtpMessage => ({
  from: 'a@demo.test',
  to: [`${subject}@example.com`],
  pieces: [Buffer.from(`Subject: ${subject}\r\n\r\nHi\r\n`)],
})

/** A connection that has sent a message, and another one that shares it. */
async function sharing(url: string, closing?: AbortSignal): Promise<{ pool: SmtpPool; front: SmtpConnection; next: SmtpConnection }> {
  const pool = createSmtpTransport(url, 1, { ...(closing && { closing }) })
  afterAll(() => pool.close())
  const front = await pool.connect('bulk')
  expect(await front.send(text('first'))).toMatchObject({ kind: 'accepted' })
  return { pool, front, next: await pool.connect('bulk') }
}

describe('a message that is sent while another one is', () => {
  test('follows the content of that one in the same write, before that is answered', async () => {
    const { url, pieces } = await pipeliningServer()
    const { front, next } = await sharing(url)
    const sent = await Promise.all([front.send(text('front')), next.send(text('next'))])
    expect(sent).toMatchObject([{ kind: 'accepted' }, { kind: 'accepted' }])
    expect(pieces[0]).toContain('Subject: front\r\n\r\nHi\r\n.\r\nMAIL FROM:<a@demo.test>\r\nRCPT TO:<next@example.com>\r\nDATA\r\n')
  })

  test('goes on when the content of that one is refused', async () => {
    let contents = 0
    const { url, commands } = await pipeliningServer((command) => (command === '<CONTENT>' && ++contents === 2 ? '554 spam' : undefined))
    const { front, next } = await sharing(url)
    const sent = await Promise.all([front.send(text('front')), next.send(text('next'))])
    expect(sent).toMatchObject([{ kind: 'refused', response: '554 spam' }, { kind: 'accepted' }])
    expect([commands.length, commands[0]]).toEqual([1, expect.not.arrayContaining(['RSET'])])
  })

  test('waits until the session is reset when the recipient of that one is refused', async () => {
    let refused = false
    const { url, commands } = await pipeliningServer((command) => {
      const isOfRefused = refused && command === 'DATA'
      refused = command === 'RCPT TO:<front@example.com>'
      return refused ? '550 5.1.1 unknown' : isOfRefused ? '503 no recipient' : undefined
    })
    const { front, next } = await sharing(url)
    const sent = await Promise.all([front.send(text('front')), next.send(text('next'))])
    expect(sent).toMatchObject([{ kind: 'refused', recipient: true }, { kind: 'accepted' }])
    const all = commands[0] ?? []
    expect(all.indexOf('RSET')).toBeLessThan(all.indexOf('RCPT TO:<next@example.com>'))
  })

  test.each([
    ['closes the session (421) with its answer to', '421 closing'],
    ['cuts the connection instead of an answer to', null],
  ])('did not leave when the server %s that one; it is sent over another connection', async (_how, answer) => {
    let contents = 0
    const { url, commands } = await pipeliningServer((command) => (command === '<CONTENT>' && ++contents === 2 ? answer : undefined))
    const { front, next } = await sharing(url)
    const sent = await Promise.all([front.send(text('front')), next.send(text('next'))])
    expect(sent).toMatchObject([{ kind: 'deferred' }, null])
    const renewed = next.renew()
    front.release()
    await renewed
    expect(await next.send(text('next'))).toMatchObject({ kind: 'accepted' })
    expect(commands.map((list) => list.filter((command) => command === '<CONTENT>').length)).toEqual([2, 1])
  })

  test('is withheld when its gate is closed meanwhile; that one counts', async () => {
    const { url, commands } = await pipeliningServer()
    const { front, next } = await sharing(url)
    const sent = await Promise.all([front.send(text('front')), next.send(text('next'), { opens: async () => false, holds: () => true })])
    expect([sent, commands[0]?.filter((command) => command === '<CONTENT>').length]).toMatchObject([[{ kind: 'accepted' }, null], 2])
  })

  test('is withheld when this process begins to end; the answer to that one is awaited', async () => {
    const answer = Promise.withResolvers<string>()
    let contents = 0
    const { url, commands } = await pipeliningServer((command) =>
      command === '<CONTENT>' && ++contents === 2 ? answer.promise : undefined,
    )
    const closing = new AbortController()
    const { front, next } = await sharing(url, closing.signal)
    const sent = Promise.all([front.send(text('front')), next.send(text('next'))])
    await until(async () => contents === 2)
    closing.abort()
    answer.resolve('250 taken')
    expect(await sent).toMatchObject([{ kind: 'accepted', response: '250 taken' }, null])
    expect(commands[0]?.filter((command) => command === '<CONTENT>').length).toBe(2)
  })
})

describe('messages follow each other', () => {
  test('not over a connection that has sent none yet, nor where the server has no pipelining', async () => {
    const first = await pipeliningServer()
    const plain = await pipeliningServer((command) => (command.startsWith('EHLO') ? '250 hi' : undefined))
    for (const { url, isUsed } of [
      { ...first, isUsed: false },
      { ...plain, isUsed: true },
    ]) {
      const pool = createSmtpTransport(url, 1)
      const one = await pool.connect('bulk')
      if (isUsed) await one.send(text('first'))
      const waiting = pool.connect('bulk')
      const isGranted = await Promise.race([waiting.then(() => true), new Promise((done) => setImmediate(() => done(false)))])
      expect(isGranted).toBe(false)
      one.release()
      ;(await waiting).release()
      await pool.close()
    }
  })

  test('each once, whatever is refused: 400 messages over three connections to a real server', async () => {
    let offered = 0
    const { url, mails, connections } = await mailServer({
      refuse: (to) => (to.startsWith('no') ? { code: 550, message: '5.1.1 unknown' } : null),
      refuseData: () => (++offered % 7 === 0 ? { code: 554, message: 'refused' } : null),
    })
    const pool = createSmtpTransport(url, 5)
    const sendOne = async (at: number): Promise<string | undefined> => {
      const connection = await pool.connect('bulk', { owner: String(at % 3) })
      try {
        for (;;) {
          const handover = await connection.send(text(`${at % 11 === 0 ? 'no' : 'to'}${at}`))
          if (handover) return handover.kind
          await connection.renew()
        }
      } finally {
        connection.release()
      }
    }
    const kinds = await Promise.all(Array.from({ length: 400 }, (_, at) => sendOne(at)))
    await pool.close()
    const accepted = kinds.flatMap((kind, at) => (kind === 'accepted' ? [`to${at}@example.com`] : []))
    expect(mails.map(({ to }) => to[0]).toSorted()).toEqual(accepted.toSorted())
    for (const { to, raw } of mails) expect(raw.toString()).toContain(`Subject: ${to[0]?.split('@')[0]}`)
    expect([connections(), kinds.filter((kind) => kind === 'refused').length > 80]).toEqual([3, true])
  })
})
