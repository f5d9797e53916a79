import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createConnection } from '../../../src/kit/smtp/connection.ts'
import { until } from '../../help/until.ts'

const timeouts = { connectMs: 5_000, greetingMs: 5_000, openMs: 20_000, answerMs: 20_000, idleMs: 60_000, slowMs: 1_000, patienceMs: 5_000 }

/** A mail server that writes a megabyte of line breaks at some moment. */
async function flooding(moment: 'greeting' | 'EHLO' | 'idle') {
  const flood = (socket: Socket) => socket.write('\n'.repeat(1_000_000))
  let session: Socket | undefined
  const server = createServer((socket) => {
    session = socket.on('error', () => undefined)
    if (moment === 'greeting') return flood(socket)
    socket.write('220 ready\r\n')
    socket.on('data', (said) => {
      if (!/^EHLO/.test(String(said))) return
      if (moment === 'EHLO') flood(socket)
      else socket.write('250-here\r\n250 SIZE 1000\r\n')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    session?.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { connection: createConnection(`smtp://127.0.0.1:${port}?ignoreTLS=true`, timeouts), flood: () => session && flood(session) }
}

test.each(['greeting', 'EHLO', 'idle'] as const)(
  'line breaks without end (%s) end the session, and nothing goes on with them afterwards',
  async (moment) => {
    const { connection, flood } = await flooding(moment)
    const turns = vi.spyOn(globalThis, 'setImmediate')
    onTestFinished(() => turns.mockRestore())
    const opened = connection.open()
    if (moment === 'idle') {
      await opened
      flood()
    } else await expect(opened).rejects.toThrow('Server response exceeds maximum allowed size')
    await until(async () => connection.dead())
    await pause(100)
    turns.mockClear()
    await pause(200)
    expect(turns.mock.calls.length).toBeLessThan(100)
  },
)
