import { pbkdf2 } from 'node:crypto'
import { fstatSync, readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { callIn } from '../../src/kit/context.ts'
import { type Held, holdBytes } from '../../src/server/held-bytes.ts'
import { turnOfWhole } from '../help/body-turn.ts'
import { heldRequest } from '../help/held.ts'
import { testServer } from '../help/server.ts'
import { reservedBytes } from '../help/unread.ts'
import { until } from '../help/until.ts'
import { freshProject } from '../help/world.ts'

const { world, call, url } = await testServer()

// Bodies whose turns are held arrive slowly, and would leave their places.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setInterval'] }))
afterAll(() => void vi.useRealTimers())
const megabyte = 1024 * 1024
const sockets: Socket[] = []
const taken: Held[] = []
afterAll(() => {
  for (const socket of sockets) socket.destroy()
})
afterEach(() => {
  for (const held of taken.splice(0)) held.release()
})

// As if other bodies of this address, which are not complete, held so much.
function fill(kind: 'memory' | 'disk', bytes: number, address = '127.0.0.1'): void {
  const held = holdBytes(callIn(world, { client: { address } }), kind)
  held.add(bytes)
  taken.push(held)
}

// Not connections, which others of this process open and close.
const openFiles = () => readdirSync('/dev/fd').filter((fd) => isFile(Number(fd))).length

function isFile(fd: number): boolean {
  try {
    return fstatSync(fd).isFile()
  } catch {
    // That of the list itself is closed by now.
    return false
  }
}

const body = (bytes: number) =>
  JSON.stringify({ email: 'ada@example.com', event: 'seen', data: { text: { value: 'x'.repeat(bytes), persistent: false } } })

describe('holdBytes', () => {
  const of = (address: string) => {
    const held = holdBytes(callIn(world, { client: { address } }), 'memory')
    taken.push(held)
    return held
  }

  test('bounds what the bodies of one address hold, until they are released', () => {
    const [one, other] = [of('192.0.2.1'), of('192.0.2.2')]
    expect([one.add(32 * megabyte), one.add(1), other.add(1)]).toEqual([true, false, true])
    one.release()
    expect(of('192.0.2.1').add(32 * megabyte)).toBe(true)
  })

  test('bounds what all hold, but for those who hold little', () => {
    const [first] = [1, 2, 3, 4].map((last) => of(`192.0.2.${last}`)).filter((held) => held.add(31 * megabyte))
    const little = of('192.0.2.9')
    expect([first?.add(megabyte), little.add(4 * megabyte)]).toEqual([true, true])
    expect([first?.add(1), little.add(1), of('192.0.2.10').add(megabyte)]).toEqual([false, false, true])
  })

  test('cuts off what those who hold most have held for 10 s when others need its room, and nothing before', () => {
    const cut: number[] = []
    for (const last of [1, 2, 3, 4, 5]) {
      const held = of(`192.0.2.${last}`)
      held.yields(() => cut.push(last))
      held.add((last === 3 ? 27 : 25) * megabyte)
    }
    expect([of('192.0.2.9').add(megabyte), cut]).toEqual([true, []])
    world.clock.turn(10_001)
    expect([of('192.0.2.9').add(megabyte), cut]).toEqual([true, [3]])
  })

  test('bounds those of all networks of one IPv6 site together', () => {
    const [one, two, other] = ['2001:db8:1:1::1', '2001:db8:1:2::1', '2001:db8:2:1::1'].map((address) =>
      holdBytes(callIn(world, { client: { address } }), 'memory'),
    )
    expect([one?.add(20 * megabyte), two?.add(20 * megabyte), other?.add(20 * megabyte)]).toEqual([true, false, true])
    for (const held of [one, two, other]) held?.release()
  })

  test('bounds those of one account from all its addresses, also of its projects together', async () => {
    const { ctx } = await freshProject(world)
    const of = (address: string, more: object = {}) => holdBytes({ ...ctx, ...more, client: { address } }, 'memory')
    const other = { ...(await freshProject(world)).ctx, account: 'usr_other' }
    const account = { account: 'usr_one' }
    const held = [of('192.0.2.1', account), of('192.0.2.2', { ...account, projectId: 'prj_other' }), of('192.0.2.2', other)]
    expect(held.map((one) => one.add(20 * megabyte))).toEqual([true, false, false])
    expect(of('192.0.2.3', other).add(0)).toBe(true)
    for (const one of held) one.release()
  })
})

describe('while unfinished bodies hold as much memory as they may', () => {
  test('those of others that come from elsewhere are read, and the oldest of who has most is answered 503', async () => {
    const { secret, ctx } = await freshProject(world)
    const turns = [turnOfWhole(ctx), turnOfWhole(ctx)]
    for (const turn of turns) await turn.begin()
    const waiting = await heldRequest(url, { path: '/v1/track', key: secret, body: body(100_000) })
    await until(async () => (await reservedBytes(world, 'arriving_bodies')) > 100_000)
    fill('memory', 31 * megabyte)
    for (const last of [1, 2, 3, 4]) fill('memory', 25 * megabyte, `192.0.2.${last}`)
    world.clock.turn(10_001)
    const little = holdBytes(callIn(world, { client: { address: '192.0.2.9' } }), 'memory')
    taken.push(little)
    expect(little.add(megabyte)).toBe(true)
    expect(await waiting()).toMatch(/^HTTP\/1.1 503 .*"SERVICE_UNAVAILABLE"/s)
    for (const turn of turns) turn.end()
  })

  test('a larger body arrives in a file, without its turn, and is answered as ever', async () => {
    const { secret, ctx } = await freshProject(world)
    const turns = [turnOfWhole(ctx), turnOfWhole(ctx)]
    for (const turn of turns) await turn.begin()
    fill('memory', 33 * megabyte)
    const large = Buffer.from(body(500_000))
    const files = openFiles()
    const requests = await Promise.all(Array.from({ length: 20 }, () => heldRequest(url, { path: '/v1/track', key: secret, body: large })))
    await until(async () => openFiles() - files === 20)
    for (const turn of turns) turn.end()
    for (const answer of await Promise.all(requests.map((finish) => finish()))) expect(answer).toContain('HTTP/1.1 200')
    await until(async () => openFiles() <= files)
  })

  test('what arrived of one counts until it is in its file, however long the disk takes', async () => {
    const { secret, ctx } = await freshProject(world)
    const turns = [turnOfWhole(ctx), turnOfWhole(ctx)]
    for (const turn of turns) await turn.begin()
    fill('memory', 33 * megabyte)
    const before = await reservedBytes(world, 'arriving_bodies')
    // Files are opened and written by the same few threads.
    const busy = Array.from({ length: 8 }, () => promisify(pbkdf2)('a', 'b', 2_000_000, 32, 'sha512'))
    const large = Buffer.from(body(60_000))
    const requests = Array.from({ length: 20 }, () => heldRequest(url, { path: '/v1/track', key: secret, body: large }))
    await until(async () => (await reservedBytes(world, 'arriving_bodies')) - before > 20 * 16_000)
    await Promise.all(busy)
    await until(async () => (await reservedBytes(world, 'arriving_bodies')) === before)
    for (const turn of turns) turn.end()
    for (const finish of await Promise.all(requests)) expect(await finish()).toContain('HTTP/1.1 200')
  })

  test('a compressed one of up to 64 KB arrives in a file, and a larger one, which would be decompressed before its turn, is refused', async () => {
    const { secret } = await freshProject(world)
    fill('memory', 33 * megabyte)
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const track = (bytes: number) => fetch(`${url}/v1/track`, { method: 'POST', headers, body: new Uint8Array(gzipSync(body(bytes))) })
    expect((await track(60_000)).status).toBe(200)
    const refused = await track(500_000)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10'])
  })

  test('small ones are answered from memory', async () => {
    const { secret } = await freshProject(world)
    fill('memory', 200 * megabyte)
    fill('disk', 3_000 * megabyte)
    expect((await call('POST /v1/track', body(7_000), { key: secret })).status).toBe(200)
  })

  test('one that finds no room on the disk either is refused with 503', async () => {
    const { secret } = await freshProject(world)
    fill('memory', 33 * megabyte)
    fill('disk', 256 * megabyte)
    const refused = await call('POST /v1/track', body(100_000), { key: secret })
    expect(refused).toMatchObject({ status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } })
    expect(refused.headers.get('retry-after')).toBe('10')
  })
})

test('what unfinished bodies hold is counted while they wait for their turn, and given back when their callers leave', async () => {
  const { secret, ctx } = await freshProject(world)
  const turns = [turnOfWhole(ctx), turnOfWhole(ctx)]
  for (const turn of turns) await turn.begin()
  const fits = (bytes: number): boolean => {
    const held = holdBytes(callIn(world, { client: { address: '127.0.0.1' } }), 'memory')
    const isRoom = held.add(bytes)
    held.release()
    return isRoom
  }
  expect(fits(32 * megabyte)).toBe(true)
  const waiting = Array.from({ length: 10 }, () => half(secret, 500_000))
  await until(async () => !fits(32 * megabyte - 10 * 150_000))
  // A connection that is not read is not known to have ended before it is its turn.
  for (const socket of waiting) socket.destroy()
  for (const turn of turns) turn.end()
  await until(async () => fits(32 * megabyte))
})

// A request of which less than a half is sent.
function half(key: string, bytes: number): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
  sockets.push(socket)
  const head = ['POST /v1/track HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${key}`, 'Content-Type: application/json']
  socket.write(`${[...head, `Content-Length: ${bytes}`, '', ''].join('\r\n')}${'x'.repeat(bytes / 2.5)}`)
  return socket
}

test('uploads arrive in files, which are closed whatever comes of them', async () => {
  const { secret } = await freshProject(world)
  const form = (file: Buffer) =>
    Buffer.concat([
      Buffer.from('--x\r\nContent-Disposition: form-data; name="f"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n'),
      file,
      Buffer.from('\r\n--x--\r\n'),
    ])
  const contentType = 'multipart/form-data; boundary=x'
  // Real pixels, and bytes after its end that are dropped.
  const picture = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'black' } })
    .png()
    .toBuffer()
  const bodies = [Buffer.concat([picture, Buffer.alloc(4_000_000)]), Buffer.alloc(10 * megabyte + 1)].map(form)
  const files = openFiles()
  const upload = (body: Buffer | undefined = picture) => heldRequest(url, { path: '/uploads/image', key: secret, body, contentType })
  const [good, tooLarge] = [await upload(bodies[0]), await upload(bodies[1])]
  await until(async () => openFiles() - files === 2)
  expect(await good()).toContain('HTTP/1.1 201')
  expect(await tooLarge()).toContain('HTTP/1.1 413')
  await until(async () => openFiles() <= files)
})
