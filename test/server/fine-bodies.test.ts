import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { describe, expect, onTestFinished, test } from 'vitest'
import { testServer } from '../help/server.ts'
import { until } from '../help/until.ts'
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

function connectFrom(localAddress: string): Socket {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress }).on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  return socket
}

/** The statuses of the answers to what is sent at once: when the server has ended the connection, or there are so many. */
async function answersTo(sent: string, how: { count?: number; localAddress?: string } = {}): Promise<string[]> {
  return statusesIn(await textAfter(sent, how))
}

const statusesIn = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = '']) => status)

async function textAfter(sent: string, { count = Number.POSITIVE_INFINITY, localAddress = freshAddress() } = {}): Promise<string> {
  const socket = connectFrom(localAddress)
  socket.write(sent)
  let text = ''
  await new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
    socket.on('data', (data) => {
      text += data.toString('latin1')
      if (statusesIn(text).length >= count) resolve()
    })
  })
  return text
}

describe('a body of very many small chunks', () => {
  const json = () => `{"email":"${crypto.randomUUID()}@example.com"}`
  const inOctets = (text: string) => [...text].map((octet) => `1\r\n${octet}\r\n`).join('')

  test.each([1, 32, 256])('of %i octets is read, and so are the requests after it', async (octets) => {
    const body = `${inOctets(json())}${chunks(100_000 / octets, ' '.repeat(octets))}`
    expect(
      await answersTo(`${head('POST /contacts')}${body}${head('POST /contacts')}${inOctets(json())}${chunks(10)}${good}`, { count: 3 }),
    ).toEqual(['201', '201', '200'])
  })

  test.each([
    ['that is refused', 'POST /nowhere', '404'],
    ['that nobody reads', 'GET /healthz', '200'],
  ])('%s is followed by the next request', async (_what, line, status) => {
    expect(await answersTo(`${head(line)}${chunks(50_000)}${good}`, { count: 2 })).toEqual([status, '200'])
  })

  test('arrives whole, in order, in a file of contacts that a program writes row by row', async () => {
    const rows = Array.from({ length: 5_000 }, (_, at) => `row${at}@example.com,${at}\n`)
    const form = ['--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n', 'email,seat\n', ...rows, '\r\n--x--\r\n']
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'multipart/form-data; boundary=x' }
    const body = Readable.toWeb(Readable.from(form.map((text) => Buffer.from(text)))) as ReadableStream
    const answer = await fetch(`${url}/contacts/import?dryRun=true`, { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
    expect([answer.status, await answer.json()]).toMatchObject([200, { rows: 5_000, new: 5_000, errors: [] }])
  })

  test('is read in turns of the sites that send them: another one is not behind it', async () => {
    const large = connectFrom(freshAddress())
    let answered = false
    large.once('data', () => {
      answered = true
    })
    large.write(head('POST /contacts') + chunks(1_000_000))
    expect(await answersTo(`${head('POST /contacts')}${inOctets(json())}${chunks(1_000)}`, { count: 1 })).toEqual(['201'])
    expect(answered).toBe(false)
  })
})

describe('a site that sends very many small chunks outside of its turns', () => {
  const empty = `${head('POST /contacts')}2\r\n{}\r\n`
  const once = `${empty}${chunks(5_000)}`

  test('is refused further bodies in chunks with 429 meanwhile, after the answers before; others are not, nor its other requests', async () => {
    const localAddress = freshAddress()
    // What was sent a second ago counts less.
    await until(async () => {
      const statuses = await Promise.all(Array.from({ length: 8 }, () => answersTo(once, { count: 1, localAddress })))
      expect(['422', '429']).toEqual(expect.arrayContaining(statuses.flat()))
      // Refused, it ends the connection: what follows is not answered.
      return (await answersTo(good + once + good, { count: 3, localAddress })).join() === '200,429'
    })
    expect(await answersTo(good, { count: 1, localAddress })).toEqual(['200'])
    expect(await answersTo(once, { count: 1 })).toEqual(['422'])
  })

  test('is taken again a while later', async () => {
    const localAddress = freshAddress()
    await Promise.all(Array.from({ length: 8 }, () => answersTo(once, { count: 1, localAddress })))
    await until(async () => (await answersTo(`${empty}${chunks(1)}`, { count: 1, localAddress }))[0] === '422')
  })
})

// What Node would refuse by itself.
describe('a request', () => {
  const refused = (line: string) => `POST /contacts HTTP/1.1\r\n${line}Transfer-Encoding: chunked\r\n\r\n`
  test.each([
    ['with an unknown expectation', refused('Host: localhost\r\nExpect: something\r\n')],
    ['without a host', refused('')],
  ])('%s is refused with 400 in its turn, and its chunks are counted as those of others', async (_what, start) => {
    expect(await answersTo(`${good}${start}${chunks(10)}${good}`, { count: 3 })).toEqual(['200', '400', '200'])
    const localAddress = freshAddress()
    // What was sent a second ago counts less.
    await until(async () => {
      await Promise.all(Array.from({ length: 8 }, () => answersTo(start + chunks(5_000), { count: 1, localAddress })))
      return (await answersTo(start + chunks(1), { count: 1, localAddress }))[0] === '429'
    })
  })

  const track = (codings: string) =>
    `POST /v1/track HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${codings}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`
  test.each([
    ['several', 'Transfer-Encoding: gzip, chunked'],
    ['several, in two headers', 'Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked'],
  ])('with %s transfer codings is refused with a sentence in its turn, and nothing behind it is read', async (_what, codings) => {
    const text = await textAfter(`${good}${track(codings)}${good}`)
    expect(statusesIn(text)).toEqual(['200', '400'])
    expect(text).toContain('\r\nConnection: close\r\n')
    expect(text.endsWith('\r\n\r\nThe header Transfer-Encoding may only be chunked.')).toBe(true)
  })

  test('may write chunked in any case', async () => {
    expect(await answersTo(`${track('Transfer-Encoding: Chunked ')}${good}`, { count: 2 })).toEqual(['401', '200'])
  })
})

test('40,000 small chunks of all sites together outside of their turns hold those that come from others as well', async () => {
  const sockets = Array.from({ length: 12 }, () => connectFrom(freshAddress()))
  const answered: number[] = []
  for (const [at, socket] of sockets.entries()) socket.once('data', () => answered.push(at))
  for (const socket of sockets) socket.write(`${head('POST /contacts')}2\r\n{}\r\n${chunks(9_000)}`)
  await until(async () => answered.length === sockets.length)
  expect(await answersTo(`${head('POST /contacts')}2\r\n{}\r\n${chunks(100)}`, { count: 1 })).toEqual(['422'])
})
