import { expect, onTestFinished, test } from 'vitest'
import { createSmtpTransport } from '../../../src/kit/mailer.ts'
import { scriptedServer } from '../../help/smtp.ts'

const polite: Record<string, string> = { '<CONNECT>': '220 hi', DATA: '354 go', QUIT: '221 bye' }
const message = {
  from: 'a@demo.test',
  to: ['ada@example.com', 'copy@example.com'],
  pieces: [Buffer.from('Subject: Hi\r\n\r\nHi\r\n')],
}

test.each([[true], [false]])('while the recipient is put off nobody gets a copy, with pipelining: %s', async (pipelining) => {
  const commands: string[] = []
  const { url } = await scriptedServer((command, count) => {
    commands.push(command)
    if (command === 'EHLO') return pipelining ? '250-hi\r\n250 PIPELINING' : '250 hi'
    // The recipient comes first.
    if (command === 'RCPT' && count === 1) return '450 4.7.1 greylisted'
    return polite[command] ?? '250 ok'
  })
  const pool = createSmtpTransport(url, 1)
  onTestFinished(() => pool.close())
  expect(await pool.send(message)).toMatchObject({ kind: 'deferred', response: '450 4.7.1 greylisted' })
  expect(commands).not.toContain('DATA')
  expect(await pool.send(message)).toMatchObject({ kind: 'accepted' })
  // On the same connection.
  expect(commands.filter((command) => command === 'EHLO')).toHaveLength(1)
})

test('copies that are sent alone wait for none of them, and those that are refused are named with the reason', async () => {
  const { url } = await scriptedServer((command, count) => {
    if (command === 'EHLO') return '250-hi\r\n250 PIPELINING'
    if (command === 'RCPT') return ['450 4.7.1 greylisted', '550 5.1.1 unknown', '250 ok', '550 5.7.1 blocked'][(count - 1) % 4] ?? ''
    return polite[command] ?? '250 ok'
  })
  const pool = createSmtpTransport(url, 1)
  onTestFinished(() => pool.close())
  const to = ['later', 'unknown', 'taken', 'never'].map((name) => `${name}@example.com`)
  expect(await pool.send({ ...message, to, onlyCopies: true })).toEqual({
    kind: 'accepted',
    response: '250 ok',
    copies: [
      { address: 'later@example.com', response: '450 4.7.1 greylisted', refused: 'later' },
      { address: 'unknown@example.com', response: '550 5.1.1 unknown', refused: 'unknown' },
      { address: 'never@example.com', response: '550 5.7.1 blocked', refused: 'never' },
    ],
  })
})
