import { afterAll, describe, expect, test } from 'vitest'
import { createSmtpTransport, type Handover, type SmtpPool } from '../../../../src/kit/mailer.ts'
import type { Priority } from '../../../../src/kit/smtp/pool/shares.ts'
import { scriptedServer } from '../../../help/smtp.ts'
import { until } from '../../../help/until.ts'

const max = 4
const usual: Record<string, string> = { '<CONNECT>': '220 hi', EHLO: '250 hi', DATA: '354 go', QUIT: '221 bye' }

/** A server that answers one command of its first connections only when told; how many wait for that, and how many are open. */
async function silentServer(silentAt: string, silent: number) {
  const seen = { silent: 0, open: 0 }
  const answers: (() => void)[] = []
  const { url, server } = await scriptedServer(async (command) => {
    if (command === silentAt && seen.silent < silent) {
      seen.silent++
      await new Promise<void>((resolve) => answers.push(resolve))
    }
    return usual[command] ?? '250 ok'
  })
  server.on('connection', (socket) => {
    seen.open++
    socket.on('close', () => seen.open--)
  })
  const answerAll = (): void => {
    for (const answer of answers.splice(0)) answer()
  }
  return { url, seen, answerAll }
}

async function send(pool: SmtpPool, owner: string, priority: Priority = 'urgent'): Promise<Handover> {
  const connection = await pool.connect(priority, { owner })
  try {
    for (;;) {
      const handover = await connection.send({
        from: 'a@demo.test',
        to: [`${owner}@example.com`],
        pieces: [Buffer.from('Subject: x\r\n\r\nHi\r\n')],
      })
      if (handover) return handover
      await connection.renew()
    }
  } finally {
    connection.release()
  }
}

describe('a server that leaves as many connections unanswered as there are for quick messages', () => {
  test.each(['<CONNECT>', 'EHLO', 'MAIL', 'RCPT', 'DATA', '<CONTENT>'])('at %s holds up none of another owner', async (silentAt) => {
    const { url, seen, answerAll } = await silentServer(silentAt, max)
    const pool = createSmtpTransport(url, max, { slowMs: 50 })
    afterAll(() => pool.close())
    const held = Array.from({ length: max }, () => send(pool, 'slow'))
    await until(async () => seen.silent === max)
    for (const priority of ['urgent', 'normal', 'bulk'] as const)
      expect(await send(pool, 'quick', priority)).toMatchObject({ kind: 'accepted' })
    answerAll()
    for (const handover of await Promise.all(held)) expect(handover.kind).toBe('accepted')
  })
})

test('a server that never answers EHLO is given up after a while: it cannot be used', async () => {
  const { url } = await silentServer('EHLO', 1)
  const pool = createSmtpTransport(url, max, { openMs: 100 })
  afterAll(() => pool.close())
  const handover = await send(pool, 'any')
  expect(handover).toMatchObject({ kind: 'deferred', problem: expect.anything() })
})

test('a server that never answers QUIT keeps no connection', async () => {
  const { url, seen } = await silentServer('QUIT', 1)
  const pool = createSmtpTransport(url, max, { idleMs: 10 })
  expect(await send(pool, 'any')).toMatchObject({ kind: 'accepted' })
  await until(async () => seen.silent === 1 && seen.open === 0)
})
