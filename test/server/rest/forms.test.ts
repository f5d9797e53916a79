import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { postCsv } from '../../help/csv.ts'
import { testServer } from '../../help/server.ts'
import { reservedBytes } from '../../help/unread.ts'
import { until } from '../../help/until.ts'
import { freshProject } from '../../help/world.ts'

const { url, world } = await testServer()

const type = 'multipart/form-data; boundary=x'
const field = (value: string) => `--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n${value}\r\n`
const startOfFile = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n'
const file = (bytes: number) => `${startOfFile}email\n${'x'.repeat(bytes)}\r\n`
const end = '--x--\r\n'
const manyFields = field('1').repeat(101)
const manyParts = '--x\r\nX-A: b\r\n\r\n1\r\n'.repeat(201)
const largeField = field('x'.repeat(70_000))

interface Sent {
  key: string
  body: string | Buffer
  path?: string
  headers?: string[]
  /** How long the body is said to be. Default: as long as it is. */
  length?: number
}

/** A connection on which the beginning of a request has been sent, or all of it. */
function sent({
  key,
  body,
  path = '/contacts/import',
  headers = [`Content-Type: ${type}`],
  length = Buffer.byteLength(body),
}: Sent): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  const own = ['Host: localhost', `Authorization: Bearer ${key}`, `Content-Length: ${length}`]
  socket.write([`POST ${path} HTTP/1.1`, ...own, ...headers, '', ''].join('\r\n'))
  socket.write(body)
  return socket
}

/** The answer on a connection: its status, its code, and whether it ends the connection. */
async function answerOn(socket: Socket) {
  let text = ''
  for (;;) {
    const [data] = (await once(socket, 'data')) as [Buffer]
    text += data.toString()
    if (/"code":/.test(text)) break
  }
  return [Number(text.slice(9, 12)), /"code":"(\w+)"/.exec(text)?.[1], /^connection: close\r$/im.test(text)]
}

const isNothingReserved = async (): Promise<boolean> =>
  (await reservedBytes(world, 'arriving_bodies')) + (await reservedBytes(world, 'arriving_files')) === 0

describe('a form that is refused before its end is answered at once, and ends its connection', () => {
  test.each([
    ['101 fields before a file', manyFields + file(200_000) + end, 400],
    ['a field of 70 KB before a file', largeField + file(1_000_000) + end, 413],
    ['201 parts before a file', manyParts + file(200_000) + end, 400],
    ['101 fields after a file', file(100_000) + manyFields + file(200_000) + end, 400],
    ['20,000 fields', field('1').repeat(20_000) + end, 400],
    ['20,000 fields in place of a boundary', 'x'.repeat(20) + field('1').repeat(20_000), 400],
  ])('%s', async (_what, body, status) => {
    const { secret: key, projectId } = await freshProject(world)
    const code = status === 400 ? 'BAD_REQUEST' : 'PAYLOAD_TOO_LARGE'
    const paths = ['/contacts/import', '/uploads/image', '/suppressions']
    // More of it is said to follow, and never does.
    const answers = await Promise.all(paths.map((path) => answerOn(sent({ key, path, body, length: Buffer.byteLength(body) + 10_000 }))))
    expect(answers).toEqual(paths.map(() => [status, code, true]))
    expect(await world.db.prisma.job.count({ where: { projectId } })).toBe(0)
  })

  test('a form without a boundary in its type', async () => {
    const { secret: key } = await freshProject(world)
    const headers = ['Content-Type: multipart/form-data; charset=utf-8']
    expect(await answerOn(sent({ key, headers, body: 'x'.repeat(500_000) }))).toEqual([400, 'BAD_REQUEST', true])
  })

  test('so does a body that cannot be decompressed, a form or not', async () => {
    const { secret: key } = await freshProject(world)
    const body = Buffer.concat([gzipSync('{}').subarray(0, 10), Buffer.alloc(900_000, 0xff)])
    for (const [path, contentType] of [
      ['/contacts/import', type],
      ['/contacts', 'application/json'],
    ]) {
      const headers = [`Content-Type: ${contentType}`, 'Content-Encoding: gzip']
      expect(await answerOn(sent({ key, path, headers, body }))).toEqual([400, 'BAD_REQUEST', true])
    }
  })
})

test.each([
  ['that never says where it ends', field('1')],
  ['that ends in a header', `${field('1')}--x\r\nX-A: ${'b'.repeat(100_000)}`],
  ['that ends in a field', `${field('1').slice(0, -2)}${'x'.repeat(100)}`],
  ['that ends in a file', startOfFile + 'x'.repeat(200_000)],
  ['of another boundary', field('1').replaceAll('--x', '--y')],
])('a form %s is refused with 400, and the next request on its connection is answered', async (_what, body) => {
  const { secret: key } = await freshProject(world)
  const socket = sent({ key, body })
  expect(await answerOn(socket)).toEqual([400, 'BAD_REQUEST', false])
  socket.write('GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n')
  expect(await answerOn(socket)).toEqual([404, expect.any(String), false])
})

test('an account that sends many such forms can send others afterwards', async () => {
  const { secret: key } = await freshProject(world)
  const bodies = [manyFields, largeField, manyParts].map((start) => start + file(200_000) + end)
  const refused = Array.from({ length: 14 }, (_, at) => answerOn(sent({ key, body: bodies[at % bodies.length] ?? '' })))
  for (const [status] of await Promise.all(refused)) expect(status).toBeOneOf([400, 413])
  expect((await postCsv(url, key, 'email\nada@example.com\n')).status).toBe(202)
  await until(isNothingReserved)
})

test('an account whose callers leave in the middle of forms, wherever that is, can send others afterwards', async () => {
  const { secret: key, projectId } = await freshProject(world)
  const parts = ['', '--x', '--x\r\nContent-Dis', field('1').slice(0, -2), field('1'), startOfFile, startOfFile + 'x'.repeat(3_000_000)]
  for (const body of [...parts, file(10) + startOfFile, file(10) + field('1'), manyFields + file(200_000)]) {
    const sockets = Array.from({ length: 3 }, () => sent({ key, body, length: 4_000_000 }))
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.write('', resolve))))
    for (const socket of sockets) socket.destroy()
  }
  expect((await postCsv(url, key, 'email\nada@example.com\n')).status).toBe(202)
  await until(isNothingReserved)
  expect(await world.db.prisma.job.count({ where: { projectId } })).toBe(1)
})
