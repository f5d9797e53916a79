import { afterAll, describe, expect, test } from 'vitest'
import { createSmtpTransport, type Handover, type SmtpPool } from '../../../../src/kit/mailer.ts'
import { pipeliningServer } from '../../../help/pipelining.ts'

const max = 2

/** A pool of a server that never answers recipients (or contents) whose name begins with `slow`. */
async function pooled(silentAt: 'RCPT' | 'CONTENT' = 'RCPT') {
  let current = ''
  const server = await pipeliningServer(async (command) => {
    current = /^RCPT TO:<(.*)@/.exec(command)?.[1] ?? current
    const isSilent = (silentAt === 'RCPT' ? command.startsWith('RCPT') : command === '<CONTENT>') && current.startsWith('slow')
    return isSilent ? new Promise<string>(() => undefined) : undefined
  })
  const pool = createSmtpTransport(server.url, max, { slowMs: 30, patienceMs: 200, answerMs: 5_000 })
  afterAll(() => pool.close())
  return pool
}

async function send(pool: SmtpPool, owner: string, name: string): Promise<Handover> {
  const message = { from: 'a@demo.test', to: [`${name}@example.com`], pieces: [Buffer.from(`Subject: ${name}\r\n\r\nHi\r\n`)] }
  const connection = await pool.connect('urgent', { owner })
  try {
    for (;;) {
      const handover = await connection.send(message)
      if (handover) return handover
      await connection.renew()
    }
  } finally {
    connection.release()
  }
}

const gaveUp = { kind: 'deferred', response: expect.stringMatching(/did not finish its answers within [\d.]+ s/) }
const tookAll = { kind: 'deferred', response: expect.stringContaining('Timeout') }

describe('messages that the server does not answer', () => {
  test('fail after a while when they keep others of their owner from being sent, which are sent then', async () => {
    const pool = await pooled()
    const slow = Array.from({ length: 6 }, (_, at) => send(pool, 'one', `slow${at}`))
    const quick = Array.from({ length: 6 }, (_, at) => send(pool, 'one', `quick${at}`))
    for (const handover of await Promise.all(quick)) expect(handover).toMatchObject({ kind: 'accepted' })
    expect(await slow[0]).toMatchObject(gaveUp)
    for (const handover of await Promise.all(slow)) {
      expect(handover.kind).toBe('deferred')
      expect(handover).not.toHaveProperty('uncertain')
    }
  })

  test('fail so as well over a connection that has sent others, and keep their own failure', async () => {
    const pool = await pooled()
    await send(pool, 'one', 'quick')
    const slow = Array.from({ length: 5 }, (_, at) => send(pool, 'one', `slow${at}`))
    expect(await slow[0]).toMatchObject(gaveUp)
    await Promise.all(slow)
  })

  test('have all their time while nobody waits for them, be it that another owner waits for its own', async () => {
    const pool = await pooled()
    const alone = send(pool, 'one', 'slow')
    const slow = Array.from({ length: 4 }, (_, at) => send(pool, 'other', `slow${at}`))
    expect(await slow[0]).toMatchObject(gaveUp)
    expect(await alone).toMatchObject(tookAll)
    await Promise.all(slow)
  })

  test('have it as well where the answer is that to a content: they may have left', async () => {
    const pool = await pooled('CONTENT')
    const slow = Array.from({ length: 3 }, (_, at) => send(pool, 'one', `slow${at}`))
    expect(await slow[0]).toMatchObject({ ...tookAll, response: expect.stringContaining('Timeout'), uncertain: true })
    await Promise.all(slow)
  })
})
