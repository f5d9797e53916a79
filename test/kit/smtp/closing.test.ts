import { getEventListeners } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { createSmtpTransport } from '../../../src/kit/mailer.ts'
import { type Script, scriptedServer } from '../../help/smtp.ts'
import { until } from '../../help/until.ts'

const message = { from: 'a@demo.test', to: ['b@example.com'], pieces: [Buffer.from('Subject: x\r\n\r\nHi\r\n')] }
const polite: Record<string, string> = { '<CONNECT>': '220 hi', EHLO: '250 hi', DATA: '354 go', QUIT: '221 bye' }
const never = new Promise<string>(() => undefined)

/** A transport of a process that may end, and the commands its server has read. */
async function ending(script: Script = () => null) {
  const commands: string[] = []
  const { url } = await scriptedServer(async (command, count) => {
    commands.push(command)
    return (await script(command, count)) ?? polite[command] ?? '250 ok'
  })
  const closing = new AbortController()
  const transport = createSmtpTransport(url, 2, { closing: closing.signal })
  afterAll(() => transport.close())
  return { transport, commands, end: () => closing.abort(), listeners: () => getEventListeners(closing.signal, 'abort').length }
}

/** The address of a server that asks for a content and never reads it. */
async function unreading(): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (piece) => {
      const command = piece.toString('latin1', 0, 4)
      socket.write(`${polite[command] ?? '250 ok'}\r\n`)
      if (command === 'DATA') socket.pause()
    })
    socket.write('220 hi\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => void server.close())
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('when this process begins to end', () => {
  test.each(['MAIL', 'RCPT', 'DATA'])('a message does not wait for the reply to %s: it did not leave', async (silentAt) => {
    const { transport, commands, end } = await ending((command) => (command === silentAt ? never : null))
    const connection = await transport.connect('bulk')
    const sent = connection.send(message)
    await until(async () => commands.at(-1) === silentAt)
    end()
    expect([await sent, commands.includes('<CONTENT>')]).toEqual([null, false])
  })

  test('a message whose octets the server does not read is cut before its end', async () => {
    const closing = new AbortController()
    const transport = createSmtpTransport(await unreading(), 1, { closing: closing.signal })
    afterAll(() => transport.close())
    const connection = await transport.connect('bulk')
    const large = { ...message, pieces: [Buffer.from('Subject: x\r\n\r\n'), Buffer.alloc(20_000_000, 'text\r\n')] }
    let looks = 0
    const sent = connection.send(large, { opens: async () => true, holds: () => ++looks > 0 })
    await until(async () => looks > 0)
    closing.abort()
    expect(await sent).toBeNull()
  })

  test('the answer to a content that has left is awaited for a moment, and counts', async () => {
    const answer = Promise.withResolvers<string>()
    const { transport, commands, end } = await ending((command) => (command === '<CONTENT>' ? answer.promise : null))
    const sent = (await transport.connect('bulk')).send(message)
    await until(async () => commands.includes('<CONTENT>'))
    end()
    answer.resolve('250 taken')
    expect(await sent).toEqual({ kind: 'accepted', response: '250 taken' })
  })

  test('a refusal counts although the server does not answer the reset of the session', async () => {
    const { transport, commands, end } = await ending((command) =>
      command === 'RCPT' ? '550 5.1.1 no such user' : command === 'RSET' ? never : null,
    )
    const sent = (await transport.connect('bulk')).send(message)
    await until(async () => commands.includes('RSET'))
    end()
    expect(await sent).toMatchObject({ kind: 'refused', recipient: true })
  })

  test.each(['<CONNECT>', 'EHLO'])(
    'nobody waits for a connection whose server does not answer %s, which says nothing about it',
    async (silentAt) => {
      const { transport, commands, end } = await ending((command) => (command === silentAt ? never : null))
      const checked = transport.check()
      const connecting = transport.connect('bulk')
      await until(async () => commands.filter((command) => command === silentAt).length === 2)
      end()
      expect([await checked, (await connecting).unavailable]).toEqual([null, null])
    },
  )

  test('nothing is sent any more, over old connections or new ones', async () => {
    const { transport, commands, end } = await ending()
    const connection = await transport.connect('bulk')
    expect(await connection.send(message)).toMatchObject({ kind: 'accepted' })
    end()
    const before = commands.length
    expect(await connection.send(message)).toBeNull()
    await connection.renew()
    expect(await connection.send(message)).toBeNull()
    await expect(transport.send(message)).rejects.toThrow('aborted')
    expect(commands.slice(before).filter((command) => command !== 'QUIT')).toEqual([])
  })
})

test('a connection that has ended is not remembered', async () => {
  const { transport, listeners } = await ending()
  const before = listeners()
  const connection = await transport.connect('bulk')
  expect(listeners()).toBe(before + 1)
  await connection.renew()
  connection.release()
  await transport.close()
  await until(async () => listeners() === before)
})
