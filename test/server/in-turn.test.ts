import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { testServer } from '../help/server.ts'

const { url } = await testServer()
const good = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'
const chunked = 'POST /v1/track HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nnot a size\r\n'

/** The statuses of the answers to what is sent at once, when the server has ended the connection. */
async function answersTo(sent: string): Promise<string[]> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
  socket.write(sent)
  let text = ''
  socket.on('data', (data) => {
    text += data.toString('latin1')
  })
  await new Promise((resolve) => socket.once('close', resolve))
  return [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = '']) => status)
}

test.each([
  ['of what is not a request', 'nothing\r\n\r\n', '400'],
  ['of a body', chunked, '400'],
  ['of too many headers', `GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`, '431'],
])('the refusal %s comes after the answers to the requests before it', async (_what, sent, status) => {
  expect(await answersTo(sent)).toEqual([status])
  expect(await answersTo(good + sent)).toEqual(['200', status])
  expect(await answersTo(good.repeat(40) + sent)).toEqual([...Array.from({ length: 40 }, () => '200'), status])
})
