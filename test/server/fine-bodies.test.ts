import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { testServer } from '../help/server.ts'
import { freshProject } from '../help/world.ts'

const { url, world } = await testServer()
const { secret } = await freshProject(world)
const good = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'

/** A body of so many chunks, all of which are `of` but the last, empty one. */
const chunks = (count: number, of = ' ') => `${`${of.length.toString(16)}\r\n${of}\r\n`.repeat(count)}0\r\n\r\n`

const head = (line: string, type = 'application/json') =>
  `${line} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${secret}\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`

let addresses = 10
/** Of a client who has sent nothing yet. */
const freshAddress = () => `127.0.1.${++addresses}`

/** The statuses of the answers to what is sent at once: when the server has ended the connection, or there are so many. */
async function answersTo(sent: string, { count = Number.POSITIVE_INFINITY, localAddress = freshAddress() } = {}): Promise<string[]> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress }).on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  socket.write(sent)
  let text = ''
  const statuses = () => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = '']) => status)
  await new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
    socket.on('data', (data) => {
      text += data.toString('latin1')
      if (statuses().length >= count) resolve()
    })
  })
  return statuses()
}

test.each([
  ['that is read', 'POST /contacts'],
  ['that is refused', 'POST /nowhere'],
  ['of GraphQL', 'POST /graphql'],
  ['of a form', 'POST /contacts/import'],
])('a body of very many chunks of a byte %s ends its connection with 400', async (_what, line) => {
  const type = line.includes('import') ? 'multipart/form-data; boundary=x' : 'application/json'
  const statuses = await answersTo(head(line, type) + chunks(200_000))
  expect(['400', '404', '422']).toContain(statuses[0])
})

test('a body of very many chunks that nobody reads ends its connection', async () => {
  expect((await answersTo(head('GET /healthz') + chunks(200_000) + good))[0]).toBe('200')
})

test('the refusal comes after the answers to the requests before it', async () => {
  expect(await answersTo(good + good + head('POST /contacts') + chunks(200_000))).toEqual(['200', '200', '400'])
})

test.each([
  ['400 chunks of a byte', chunks(400)],
  ['very many chunks of 40 bytes', chunks(20_000, ' '.repeat(40))],
])('a body of %s is read, and one of the next request as well', async (_what, body) => {
  const json = `{"email":"${crypto.randomUUID()}@example.com"}`
  const request = `${head('POST /contacts')}${json.length.toString(16)}\r\n${json}\r\n${body}`
  expect(await answersTo(request + request + good, { count: 3 })).toEqual(['201', '200', '200'])
})

test('a request with very many small chunks that was sent ahead ends its connection after the answers to those before it', async () => {
  expect(await answersTo(`${head('GET /healthz')}${chunks(1)}${head('POST /contacts')}${chunks(3_000)}`)).toEqual(['200', '400'])
})

test('a body that nobody reads is followed by the next request', async () => {
  expect(await answersTo(head('GET /healthz') + chunks(400) + good, { count: 2 })).toEqual(['200', '200'])
})

test('small chunks are counted over all bodies of a connection', async () => {
  const once = `${head('POST /contacts')}${chunks(400)}`
  expect((await answersTo(once.repeat(10))).length).toBeLessThan(5)
})

test('small chunks are counted over all connections of a client address; others may send some', async () => {
  const once = `${head('POST /contacts')}2\r\n{}\r\n${chunks(900)}`
  const localAddress = freshAddress()
  const answers = await Promise.all(Array.from({ length: 10 }, () => answersTo(once, { count: 1, localAddress })))
  expect(answers.flat().filter((status) => status === '400').length).toBeGreaterThanOrEqual(3)
  expect(await answersTo(once, { count: 1 })).toEqual(['422'])
})
