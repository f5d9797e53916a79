import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { callIn } from '../../src/kit/context.ts'
import { Failure } from '../../src/kit/errors.ts'
import { readBody } from '../../src/server/body.ts'
import { testWorld } from '../help/world.ts'

const ctx = callIn(await testWorld())
const outcomes: ((outcome: unknown) => void)[] = []
const server = createServer((request) => {
  const nothing = () => undefined
  const turn = {
    begin: async () => undefined,
    arrived: nothing,
    beginWork: async () => undefined,
    end: nothing,
    isOver: () => false,
    whenOver: nothing,
  }
  readBody(ctx, { request, limit: 10_000_000, turn }).then(
    (body) => outcomes.shift()?.(body.toString()),
    (error: unknown) => outcomes.shift()?.(error),
  )
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(() => server.close())

// The outcome of readBody for a request whose connection ends in the middle of its body.
function cutOff(headers: string, part: Buffer): Promise<unknown> {
  return new Promise((resolve) => {
    outcomes.push(resolve)
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => {
      socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${headers}${headers.includes('Content-Length') ? '' : 'Content-Length: 100000\r\n'}\r\n`)
      socket.write(part, () => socket.destroy())
    })
  })
}

test('a large body that ends early, when it is in a file already, is refused', async () => {
  const outcome = await cutOff('Content-Length: 9000000\r\n', Buffer.alloc(5_000_000, ' '))
  expect(outcome).toMatchObject({ code: 'BAD_REQUEST' })
})

test.each([
  ['plain', ''],
  ['gzip', 'Content-Encoding: gzip\r\n'],
])('a %s body that ends early is refused, not waited for', async (kind, headers) => {
  const text = Buffer.from(JSON.stringify({ text: 'x'.repeat(5_000) }))
  const part = kind === 'gzip' ? gzipSync(text).subarray(0, 20) : text
  const outcome = await cutOff(headers, part)
  expect(outcome).toBeInstanceOf(Failure)
  expect(outcome).toMatchObject({ code: 'BAD_REQUEST' })
})

test.each(['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__', 'compress'])(
  'the content encoding %s is refused, and the process goes on',
  async (encoding) => {
    const uncaught = vi.fn()
    process.on('uncaughtException', uncaught)
    onTestFinished(() => void process.off('uncaughtException', uncaught))
    expect(await cutOff(`Content-Encoding: ${encoding}\r\n`, Buffer.from('{}'))).toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE' })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(uncaught).not.toHaveBeenCalled()
  },
)
