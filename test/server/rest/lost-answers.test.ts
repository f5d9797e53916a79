import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { url, world } = await testServer()

/** What a client reads that first sends all that it can: the status of the answer, or why the connection ended. */
async function statusOf(head: string[], body: Buffer): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let [text, problem] = ['', '']
  socket.on('data', (data) => {
    text += data.toString()
  })
  socket.pause()
  socket.on('error', (error: NodeJS.ErrnoException) => {
    problem = error.code ?? ''
  })
  socket.write([...head, 'Host: localhost', 'Connection: close', `Content-Length: ${body.length}`, '', ''].join('\r\n'))
  for (let at = 0; at < body.length && socket.writable; at += 65_536)
    if (!socket.write(body.subarray(at, at + 65_536)))
      await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => undefined)
  socket.resume()
  if (!socket.closed) await once(socket, 'close').catch(() => undefined)
  return text.slice(9, 12) || problem
}

const json = 'Content-Type: application/json'
const large = Buffer.alloc(5_000_000, 'x')
const form = Buffer.concat([
  Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'),
  Buffer.alloc(6_000_000, 'x'),
  Buffer.from('\r\n--x--\r\n'),
])
const { secret } = await freshProject(world)
const key = `Authorization: Bearer ${secret}`

test.each([
  ['401', ['POST /v1/track HTTP/1.1', 'Authorization: Bearer sk_wrong', json], large],
  ['404', ['POST /nowhere HTTP/1.1', key, json], large],
  ['405', ['POST /healthz HTTP/1.1', key, json], large],
  ['413', ['POST /v1/track HTTP/1.1', key, json], large],
  ['413', ['POST /contacts/import HTTP/1.1', key, 'Content-Type: multipart/form-data; boundary=x'], form],
  ['413', ['POST /graphql HTTP/1.1', json], large],
])('%s is read by whoever is still sending its body: %j', async (status, head, body) => {
  const answers = []
  for (let round = 0; round < 10; round++) answers.push(await statusOf(head, body))
  expect(answers).toEqual(Array(10).fill(status))
})
