import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { connect, type Socket } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { callIn } from '../../src/kit/context.ts'
import { holdBytes } from '../../src/server/held-bytes.ts'
import { turnOfWhole } from '../help/body-turn.ts'
import { testServer } from '../help/server.ts'
import { reservedBytes } from '../help/unread.ts'
import { until } from '../help/until.ts'
import { freshProject } from '../help/world.ts'

type Project = Awaited<ReturnType<typeof freshProject>>
type File = fs.promises.FileHandle

const { world, call, url } = await testServer()

// Bodies whose turns are held arrive slowly, and would leave their places.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setInterval'] }))
afterAll(() => void vi.useRealTimers())
const megabyte = 1024 * 1024
const { open } = fs.promises

afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

// The disk is outside: the files that are opened are remembered, and what is written waits for `isReady`.
function watchDisk(isReady: Promise<void> = Promise.resolve()): File[] {
  const opened: File[] = []
  vi.spyOn(fs.promises, 'open').mockImplementation(async (...how) => {
    const file = await open(...how)
    opened.push(file)
    const append = file.appendFile.bind(file)
    file.appendFile = (...what) => isReady.then(() => append(...what))
    return file
  })
  syncBuiltinESMExports()
  return opened
}

const areClosed = (files: File[]): boolean => files.every(({ fd }) => fd === -1)
const isNothingReserved = async (): Promise<boolean> =>
  (await reservedBytes(world, 'arriving_bodies')) +
    (await reservedBytes(world, 'arriving_files')) +
    (await reservedBytes(world, 'large_bodies')) ===
  0

const encodings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }
type Encoding = keyof typeof encodings

interface Call {
  path: string
  project: Project
  encoding: Encoding
  body: Buffer
  type?: string
}

// Calls whose bodies have been sent, compressed, to their ends.
function sent({ path, project, encoding, body, type = 'application/json' }: Call, count = 12): Promise<Socket[]> {
  const octets = encodings[encoding](body)
  const head = [`POST ${path} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${project.secret}`, `Content-Type: ${type}`]
  const request = [...head, `Content-Encoding: ${encoding}`, `Content-Length: ${octets.length}`, '', ''].join('\r\n')
  const one = async (): Promise<Socket> => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
    socket.write(request)
    await new Promise<void>((resolve) => socket.write(octets, () => resolve()))
    return socket
  }
  return Promise.all(Array.from({ length: count }, one))
}

const leave = (sockets: Socket[]): void => {
  for (const socket of sockets) socket.destroy()
}

const emailOf = (bytes: number): Buffer => Buffer.from(`{"to":"left@example.com","subject":"${'x'.repeat(bytes)}"}`)
const eventOf = (email: string, bytes: number): string => `{"event":"seen","email":"${email}"${' '.repeat(bytes)}}`
const csvOf = (bytes: number): Buffer => Buffer.from(`email\nleft@example.com\n${'\n'.repeat(bytes)}`)
const formOf = (file: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n'),
    file,
    Buffer.from('\r\n--x--\r\n'),
  ])
const form = 'multipart/form-data; boundary=x'
const contacts = ({ projectId }: Project) => world.db.prisma.contact.count({ where: { projectId } })

describe('when the callers have left, nothing is read of bodies', () => {
  test.each(['gzip', 'deflate', 'br'] as const)('that wait for their turn (%s), and what they hold is given back', async (encoding) => {
    const project = await freshProject(world)
    const opened = watchDisk()
    const turns = [turnOfWhole(project.ctx), turnOfWhole(project.ctx)]
    for (const turn of turns) await turn.begin()
    const sockets = await sent({ path: '/v1/track', project, encoding, body: Buffer.from(eventOf('left@example.com', 900_000)) })
    await until(async () => (await reservedBytes(world, 'arriving_bodies')) > sockets.length * 64 * 1024)
    leave(sockets)
    await until(isNothingReserved)
    for (const turn of turns) turn.end()
    expect((await call('POST /v1/track', eventOf('here@example.com', 100_000), { key: project.secret })).status).toBe(200)
    expect([opened.length, await contacts(project)]).toEqual([0, 1])
  })

  test('that wait for the turn of their address, such as those of receivers', async () => {
    const project = await freshProject(world)
    const visitor = callIn(world, { client: { address: '127.0.0.1' } })
    const turns = [turnOfWhole(visitor), turnOfWhole(visitor)]
    for (const turn of turns) await turn.begin()
    const sockets = await sent({ path: '/webhooks/sns', project, encoding: 'gzip', body: emailOf(900_000) })
    await until(async () => (await reservedBytes(world, 'arriving_bodies')) > sockets.length * 64 * 1024)
    leave(sockets)
    await until(isNothingReserved)
    for (const turn of turns) turn.end()
  })

  test.each([
    ['JSON', { path: '/v1/send', body: emailOf(20_000_000), encoding: 'gzip' }],
    ['JSON with brotli', { path: '/v1/send', body: emailOf(20_000_000), encoding: 'br' }],
    ['a form', { path: '/contacts/import', body: formOf(csvOf(4_000_000)), encoding: 'gzip', type: form }],
    ['another form', { path: '/suppressions', body: formOf(csvOf(4_000_000)), encoding: 'deflate', type: form }],
  ] as const)('that arrive in files, of which there are two per account (%s)', async (_what, made) => {
    const project = await freshProject(world)
    const disk = Promise.withResolvers<void>()
    const opened = watchDisk(disk.promise)
    const sockets = await sent({ ...made, project })
    await until(async () => opened.length === 2 && (await reservedBytes(world, 'arriving_files')) > 2 * 64 * 1024)
    leave(sockets)
    disk.resolve()
    await until(async () => areClosed(opened) && (await isNothingReserved()))
    // Whoever calls next has the turn, and a file.
    const next = { to: 'here@example.com', subject: 'x'.repeat(3 * megabyte) }
    expect((await call('POST /v1/send', next, { key: project.secret })).status).toBe(422)
    expect([opened.length, await contacts(project)]).toEqual([3, 0])
    expect(await world.db.prisma.suppression.count({ where: { projectId: project.projectId } })).toBe(0)
  })

  test('that are in files and wait for memory', async () => {
    const [project, ...others] = await Promise.all(Array.from({ length: 3 }, () => freshProject(world)))
    if (!project) throw new Error('no project')
    const busy = others.map(({ ctx }) => turnOfWhole(ctx))
    for (const turn of busy) await turn.beginWork(60 * megabyte)
    const opened = watchDisk()
    const bytes = 4 * megabyte
    const sockets = await sent({ path: '/v1/send', project, encoding: 'gzip', body: emailOf(bytes) }, 2)
    await until(async () => (await reservedBytes(world, 'arriving_files')) >= 2 * bytes)
    leave(sockets)
    await until(async () => areClosed(opened) && (await reservedBytes(world, 'arriving_files')) === 0)
    for (const turn of busy) turn.end()
    await until(isNothingReserved)
  })
})

test('what a body has after decompression counts on the disk, also in its turn, before it is written', async () => {
  const { secret } = await freshProject(world)
  const others = holdBytes(callIn(world), 'diskInTurn')
  others.add(2_048 * megabyte - 10 * megabyte)
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json', 'content-encoding': 'gzip' }
  const send = (bytes: number) => fetch(`${url}/v1/send`, { method: 'POST', headers, body: new Uint8Array(gzipSync(emailOf(bytes))) })
  expect((await send(9 * megabyte)).status).toBe(422)
  const refused = await send(11 * megabyte)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10'])
  others.release()
  expect((await send(11 * megabyte)).status).toBe(422)
  await until(isNothingReserved)
})
