import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { testServer } from '../help/server.ts'

const { url } = await testServer()
const megabyte = Buffer.alloc(1024 * 1024)
const inChunk = Buffer.concat([Buffer.from('100000\r\n'), megabyte, Buffer.from('\r\n')])

/** Sends the head of a request, and then more of its body as fast as it is taken; returns its answer, and how much was taken of it. */
async function sending(head: string[], { forMs, piece = megabyte }: { forMs: number; piece?: Buffer }) {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => undefined)
  let answer = ''
  socket.on('data', (data) => {
    answer += data
  })
  socket.write([...head, 'Host: localhost', '', ''].join('\r\n'))
  const more = (): void => {
    while (!socket.destroyed && socket.write(piece));
  }
  socket.on('drain', more)
  more()
  const answered = once(socket, 'data').catch(() => undefined)
  await Promise.race([once(socket, 'close'), pause(forMs)])
  // On a busy machine it may take longer.
  if (answer === '' && !socket.destroyed) await Promise.race([answered, pause(10_000)])
  const megabytes = (socket.bytesWritten - socket.writableLength) / megabyte.length
  socket.destroy()
  return { answer, megabytes }
}

test.each([
  ['POST /v1/send HTTP/1.1', '401 Unauthorized'],
  ['GET /healthz HTTP/1.1', '200 OK'],
  ['POST /nowhere HTTP/1.1', '404 Not Found'],
])('%s with a body of 100 GB is answered, and what follows is thrown away at a bounded pace', async (line, status) => {
  const { answer, megabytes } = await sending([line, 'Content-Length: 99999999999'], { forMs: 1_500 })
  expect(answer).toContain(`HTTP/1.1 ${status}`)
  expect(answer.toLowerCase()).toContain('connection: close')
  expect(megabytes).toBeLessThan(160)
})

test.each([
  ['POST /v1/send HTTP/1.1', '401 Unauthorized'],
  ['GET /healthz HTTP/1.1', '200 OK'],
])('%s with a body in large chunks that never ends is answered, and what follows is read at a bounded pace', async (line, status) => {
  const { answer, megabytes } = await sending([line, 'Transfer-Encoding: chunked'], { forMs: 1_500, piece: inChunk })
  expect(answer).toContain(`HTTP/1.1 ${status}`)
  expect(megabytes).toBeLessThan(160)
})

test('a connection goes on after an answer to a short body that was not read', async () => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let answers = ''
  socket.on('data', (data) => {
    answers += data
  })
  const head = ['POST /v1/send HTTP/1.1', 'Host: localhost', 'Content-Type: application/json', `Content-Length: ${60 * 1024}`, '', '']
  socket.write(head.join('\r\n'))
  await expect.poll(() => answers).toContain('401 Unauthorized')
  socket.write(Buffer.alloc(60 * 1024, ' '))
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await expect.poll(() => answers).toContain('200 OK')
  socket.destroy()
})
