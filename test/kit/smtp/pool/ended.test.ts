import { describe, expect, onTestFinished, test } from 'vitest'
import { createSmtpTransport, type Handover, type SmtpPool } from '../../../../src/kit/mailer.ts'
import { createPool } from '../../../../src/kit/smtp/pool/pool.ts'
import { pipeliningServer, type Said } from '../../../help/pipelining.ts'

/** How a server ends a session: its answer to a command after so many messages, of which it takes `max`. */
type Ends = (command: string, messages: number, max: number) => Said

const ways: [string, Ends][] = [
  [
    'by 421 for the next one',
    (command, messages, max) => (isNext('MAIL', command, messages, max) ? { last: '421 4.7.0 Enough' } : undefined),
  ],
  ['by 421 without closing', (command, messages, max) => (isNext('MAIL', command, messages, max) ? '421 4.7.0 Enough' : undefined)],
  ['by dropping it at the next one', (command, messages, max) => (isNext('MAIL', command, messages, max) ? null : undefined)],
  ['by dropping it before the next content', (command, messages, max) => (isNext('DATA', command, messages, max) ? null : undefined)],
  [
    'with its answer to the last one',
    (command, messages, max) => (isNext('<CON', command, messages, max - 1) ? { last: '250 ok' } : undefined),
  ],
  [
    'by 421 behind its answer to the last one',
    (command, messages, max) => (isNext('<CON', command, messages, max - 1) ? { last: '250 ok\r\n421 Enough' } : undefined),
  ],
]

function isNext(step: string, command: string, messages: number, max: number): boolean {
  return messages === max && command.startsWith(step)
}

async function endingServer(max: number, ends: Ends, pipelining: boolean) {
  const messages = new Map<number, number>()
  const { url } = await pipeliningServer((command, connection) => {
    if (command.startsWith('EHLO') && !pipelining) return '250 hi'
    const count = messages.get(connection) ?? 0
    if (command === '<CONTENT>') messages.set(connection, count + 1)
    return ends(command, count, max)
  })
  return { url, taken: () => [...messages.values()].reduce((sum, count) => sum + count, 0) }
}

/** Sends a message until something has become of it, and returns over how many connections. */
async function send(pool: SmtpPool, at: number): Promise<{ kind: Handover['kind']; tries: number }> {
  const connection = await pool.connect('bulk', { owner: String(at % 3) })
  try {
    for (let tries = 1; ; tries++) {
      const handover = await connection.send({ from: 'a@demo.test', to: [`to${at}@example.com`], pieces: [Buffer.from('x\r\n')] })
      if (handover) return { kind: handover.kind, tries }
      await connection.renew()
    }
  } finally {
    connection.release()
  }
}

describe.each([1, 2, 3])('of a server that ends sessions after %i messages', (max) => {
  describe.each(ways)('%s', (_how, ends) => {
    test.each([
      ['with', true],
      ['without', false],
    ])('each of many messages is taken once, by the second connection at the latest, %s pipelining', async (_what, pipelining) => {
      const { url, taken } = await endingServer(max, ends, pipelining)
      const pool = createSmtpTransport(url, 6)
      onTestFinished(() => pool.close())
      const sent = await Promise.all(Array.from({ length: 150 }, (_, at) => send(pool, at)))
      expect([new Set(sent.map(({ kind }) => kind)), taken()]).toEqual([new Set(['accepted']), 150])
      expect(Math.max(...sent.map(({ tries }) => tries))).toBeLessThanOrEqual(2)
    })
  })
})

describe('of two callers whose connection has ended', () => {
  /** Two that shared a connection which has ended; it could be shared until then. */
  async function sharing(signal?: AbortSignal, slowMs = 60_000) {
    const made: { lost: boolean; dead(): boolean; takesNext(): boolean; end(): void }[] = []
    const pool = createPool(1, { slowMs, patienceMs: 60_000, idleMs: 60_000 }, () => {
      const one = { lost: false, dead: () => one.lost, takesNext: () => !one.lost, end: () => void Object.assign(one, { lost: true }) }
      made.push(one)
      return one
    })
    const [front, behind] = [
      await pool.take('bulk', { owner: 'front' }),
      await pool.take('bulk', { owner: 'behind', ...(signal && { signal }) }),
    ]
    expect(behind.connection).toBe(front.connection)
    front.connection.lost = true
    return { pool, made, front, behind }
  }

  test('one continues at once, and the other with a connection of its own when that one is done, before anybody else', async () => {
    const { pool, made, front, behind } = await sharing()
    await behind.renew()
    const renewed = front.renew()
    let isServed = false
    const third = pool.take('bulk').finally(() => {
      isServed = true
    })
    expect([behind.connection === made[1], made.length]).toEqual([true, 2])
    behind.release()
    await renewed
    expect([front.connection === made[2], made[1]?.lost, isServed]).toEqual([true, true, false])
    front.release()
    expect((await third).connection).toBe(made[2])
  })

  test('the one that waits gives up when it is told to', async () => {
    const stopped = new AbortController()
    const { front, behind } = await sharing(stopped.signal)
    await front.renew()
    const renewed = behind.renew()
    stopped.abort(new Error('stopped'))
    await expect(renewed).rejects.toThrow('stopped')
    expect(front.connection.dead()).toBe(false)
  })

  test('the one that waits goes elsewhere when that one takes long', async () => {
    const { made, front, behind } = await sharing(undefined, 1)
    await front.renew()
    const end = front.begin({ withdraw: () => false, giveUp: () => undefined })
    await behind.renew()
    expect([made.length, behind.connection === made[2]]).toEqual([3, true])
    end?.()
  })
})
