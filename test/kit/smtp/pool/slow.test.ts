import { afterAll, describe, expect, test } from 'vitest'
import { createSmtpTransport, type Handover, type SmtpPool } from '../../../../src/kit/mailer.ts'
import { OwnerSlow } from '../../../../src/kit/smtp/pool/pool.ts'
import { type Priority, slowPerQuick } from '../../../../src/kit/smtp/pool/shares.ts'
import { pipeliningServer } from '../../../help/pipelining.ts'
import { until } from '../../../help/until.ts'

const max = 4
const maxSlow = max * slowPerQuick

/** A server that never answers recipients (or the content) whose subject begins with `slow`, until told; what it was asked, and what it has taken. */
async function slowServer(silentAt: 'RCPT' | 'CONTENT' = 'RCPT') {
  const asked: string[] = []
  const taken: string[] = []
  const answers: (() => void)[] = []
  const recipients: string[] = []
  const server = await pipeliningServer(async (command, at) => {
    const to = /^RCPT TO:<(.*)@/.exec(command)?.[1]
    if (to !== undefined) recipients[at] = to
    const current = recipients[at] ?? ''
    const isSilent = silentAt === 'RCPT' ? to !== undefined : command === '<CONTENT>'
    if (isSilent) asked.push(current)
    if (isSilent && current.startsWith('slow')) await new Promise<void>((resolve) => answers.push(resolve))
    if (command === '<CONTENT>') taken.push(current)
    return undefined
  })
  const pool = createSmtpTransport(server.url, max, { slowMs: 300 })
  afterAll(() => pool.close())
  const underWay = (): number => asked.filter((name) => name.startsWith('slow')).length - answered
  let answered = 0
  const answerAll = (): void => {
    answered += answers.length
    for (const answer of answers.splice(0)) answer()
  }
  return { ...server, pool, asked, taken, underWay, answerAll }
}

async function send(pool: SmtpPool, owner: string, name: string, priority: Priority = 'urgent'): Promise<Handover> {
  const message = { from: 'a@demo.test', to: [`${name}@example.com`], pieces: [Buffer.from(`Subject: ${name}\r\n\r\nHi\r\n`)] }
  const connection = await pool.connect(priority, { owner })
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

const many = (pool: SmtpPool, owner: string, count: number, priority?: Priority): Promise<Handover>[] =>
  Array.from({ length: count }, (_, at) => send(pool, owner, `slow-${owner}-${priority ?? ''}${at}`, priority))

describe('messages that a server takes long for', () => {
  test.each<Priority>(['urgent', 'normal', 'bulk'])('hold up no %s ones of others, however many of them wait', async (priority) => {
    const { pool, taken, underWay, answerAll, commands } = await slowServer()
    const slow = many(pool, 'slow', 40, priority)
    await until(async () => underWay() > 0)
    for (let at = 0; at < 20; at++) expect(await send(pool, 'quick', `quick-${at}`, priority)).toMatchObject({ kind: 'accepted' })
    expect(taken).toEqual(Array.from({ length: 20 }, (_, at) => `quick-${at}`))
    expect(underWay()).toBeGreaterThan(0)
    const timer = setInterval(answerAll, 5)
    const ended = await Promise.all(slow).finally(() => clearInterval(timer))
    expect(ended.filter(({ kind }) => kind === 'accepted')).toHaveLength(40)
    expect(new Set(taken).size).toBe(60)
    expect(taken).toHaveLength(60)
    expect(commands.length).toBeLessThanOrEqual(max + maxSlow)
  })

  test('have few connections per owner and in all: those of many accounts are withdrawn from the places of others', async () => {
    const { pool, taken, open, asked, answerAll } = await slowServer()
    const slow = Array.from({ length: 12 }, (_, at) => many(pool, `owner${at}`, 5)).flat()
    // Each has had its turn.
    await until(async () => new Set(asked.map((name) => name.split('-')[1])).size === 12)
    for (let at = 0; at < 10; at++) await send(pool, 'quick', `quick-${at}`)
    expect(taken).toHaveLength(10)
    expect(open()).toBeLessThanOrEqual(max + maxSlow)
    const timer = setInterval(answerAll, 5)
    await Promise.all(slow).finally(() => clearInterval(timer))
    expect([taken.length, new Set(taken).size]).toEqual([70, 70])
  })

  test('are bounded per owner: half of the connections for such messages', async () => {
    const { pool, asked, open, answerAll } = await slowServer()
    const slow = many(pool, 'slow', 20)
    await until(async () => pool.maxUnderWay({ priority: 'urgent', owner: 'slow' }) < 20)
    for (let at = 0; at < 5; at++) await send(pool, 'quick', `quick-${at}`)
    // Those that began at other places stay there while nobody wants them.
    await until(async () => open() <= maxSlow / 2 + max)
    expect(new Set(asked.filter((name) => name.startsWith('slow'))).size).toBeLessThanOrEqual(maxSlow / 2 + max)
    const timer = setInterval(answerAll, 5)
    await Promise.all(slow).finally(() => clearInterval(timer))
  })

  test.each<Priority>(['urgent', 'normal', 'bulk'])(
    'hold up no %s ones of others once the server has them, whatever their owner sends',
    async (priority) => {
      const { pool, taken, asked, answerAll, open } = await slowServer('CONTENT')
      const priorities: Priority[] = ['bulk', 'normal', 'urgent']
      const slow = priorities.map((each) => many(pool, 'slow', 20, each))
      await until(async () => asked.length >= max)
      for (let at = 0; at < 20; at++) expect(await send(pool, 'quick', `quick-${at}`, priority)).toMatchObject({ kind: 'accepted' })
      expect(taken).toEqual(Array.from({ length: 20 }, (_, at) => `quick-${at}`))
      expect(asked.filter((name) => name.startsWith('slow')).length).toBeLessThanOrEqual(max)
      expect(open()).toBeLessThanOrEqual(max + maxSlow)
      const timer = setInterval(answerAll, 5)
      await Promise.all(slow.flat()).finally(() => clearInterval(timer))
      expect([taken.length, new Set(taken).size]).toEqual([80, 80])
    },
  )

  test('that the server has hold up no others of their owner that a person waits for', async () => {
    const { pool, asked, answerAll } = await slowServer('CONTENT')
    const slow = many(pool, 'slow', 20, 'bulk')
    await until(async () => asked.length > 0 && pool.maxUnderWay({ priority: 'bulk', owner: 'slow' }) === maxSlow / 2)
    for (let at = 0; at < 5; at++) expect(await send(pool, 'slow', `urgent-${at}`)).toMatchObject({ kind: 'accepted' })
    const timer = setInterval(answerAll, 5)
    await Promise.all(slow).finally(() => clearInterval(timer))
  })

  test('make other priorities of their owner wait without anything once they have all that is its: those that must not wait fail', async () => {
    const { pool, asked, answerAll } = await slowServer('CONTENT')
    const [first, ...others] = await Promise.all(Array.from({ length: max / 2 }, () => pool.connect('bulk', { owner: 'slow' })))
    const waiting = pool.connect('normal', { owner: 'slow', onlyQuick: true })
    const slow = [first, ...others].map((connection, at) =>
      connection?.send({ from: 'a@demo.test', to: [`slow-${at}@example.com`], pieces: [Buffer.from('Subject: x\r\n\r\nHi\r\n')] }),
    )
    await expect(waiting).rejects.toBeInstanceOf(OwnerSlow)
    await until(async () => asked.length === max / 2)
    await expect(pool.connect('normal', { owner: 'slow', onlyQuick: true })).rejects.toBeInstanceOf(OwnerSlow)
    expect(pool.maxUnderWay({ priority: 'normal', owner: 'slow' })).toBe(maxSlow / 2)
    answerAll()
    await Promise.all(slow)
    for (const connection of [first, ...others]) connection?.release()
    expect(await send(pool, 'slow', 'normal', 'normal')).toMatchObject({ kind: 'accepted' })
  })

  test('make their owner wait for such a connection, or fail where it must not wait; another priority of it does not', async () => {
    const { pool, underWay, answerAll } = await slowServer()
    const slow = many(pool, 'slow', max, 'bulk')
    await until(async () => underWay() > 0)
    await until(async () => pool.maxUnderWay({ priority: 'bulk', owner: 'slow' }) === maxSlow / 2)
    await expect(pool.connect('bulk', { owner: 'slow', onlyQuick: true })).rejects.toBeInstanceOf(OwnerSlow)
    expect(await send(pool, 'slow', 'urgent')).toMatchObject({ kind: 'accepted' })
    const timer = setInterval(answerAll, 5)
    await Promise.all(slow).finally(() => clearInterval(timer))
  })

  test('fail those of their owner that wait and must not when they turn out to take long', async () => {
    const { pool, answerAll } = await slowServer()
    const slow = many(pool, 'slow', max)
    await expect(pool.connect('urgent', { owner: 'slow', onlyQuick: true })).rejects.toBeInstanceOf(OwnerSlow)
    answerAll()
    const timer = setInterval(answerAll, 5)
    await Promise.all(slow).finally(() => clearInterval(timer))
  })
})

describe('a message behind one that takes long', () => {
  test.each(['RCPT', 'CONTENT'] as const)(
    'leaves over another connection while the answer to %s is awaited, each once',
    async (silentAt) => {
      const { pool, taken, asked, answerAll, commands } = await slowServer(silentAt)
      const first = await pool.connect('bulk', { owner: 'slow' })
      const message = (name: string) => ({
        from: 'a@demo.test',
        to: [`${name}@example.com`],
        pieces: [Buffer.from('Subject: x\r\n\r\nHi\r\n')],
      })
      await first.send(message('first'))
      const others = await Promise.all(Array.from({ length: max / 2 - 1 }, (_, at) => pool.connect('bulk', { owner: `other${at}` })))
      const behind = await pool.connect('bulk', { owner: 'quick' })
      const slow = first.send(message('slow'))
      await until(async () => asked.includes('slow'))
      expect(await behind.send(message('behind'))).toBeNull()
      await behind.renew()
      expect(await behind.send(message('behind'))).toMatchObject({ kind: 'accepted' })
      answerAll()
      expect(await slow).toMatchObject({ kind: 'accepted' })
      expect(taken.toSorted()).toEqual(['behind', 'first', 'slow'])
      expect(commands).toHaveLength(max / 2 + 1)
      for (const one of [first, behind, ...others]) one.release()
    },
  )
})
