import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import type { Readable } from 'node:stream'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Ctx, callIn } from '../../../src/kit/context.ts'
import { newId } from '../../../src/kit/ids.ts'
import { openPicture, type StoredPicture } from '../../../src/modules/uploads/serve.ts'
import { freshFolder } from '../../help/folder.ts'
import { objectStore } from '../../help/s3.ts'
import { testServer } from '../../help/server.ts'
import { unreadBytes } from '../../help/unread.ts'
import { until } from '../../help/until.ts'
import { freshProject, type TestWorld, testWorld } from '../../help/world.ts'

const { url, world } = await testServer({ env: { DATA_DIR: await freshFolder() } })
const store = await objectStore()
const bucketWorld = await testWorld({ env: store.env })
const size = 9_000_000
const pieceBytes = 65_536

/** Stores bytes as a picture, which serving does not look at. */
async function stored(at: TestWorld): Promise<StoredPicture & { bytes: Buffer }> {
  const { projectId } = await freshProject(at)
  const id = newId('upload', at.clock.now())
  const bytes = randomBytes(size)
  const row = { projectId, id, key: `${projectId}/${id}.png`, filename: 'a.png', contentType: 'image/png', size }
  await at.storage.put(row.key, bytes, row.contentType)
  await at.db.prisma.upload.create({ data: { ...row, width: 1, height: 1, createdAt: at.clock.now() } })
  return { ...row, bytes }
}

const from = (at: TestWorld, address: string, left?: AbortSignal): Ctx => ({
  ...callIn(at, { client: { address } }),
  ...(left && { left: () => left }),
})

async function opened(ctx: Ctx, picture: StoredPicture): Promise<Readable> {
  const stream = await openPicture(ctx, picture)
  if (!stream) throw new Error('The picture is missing')
  return stream
}

/** Asks for a path over and over on one connection, and reads nothing. */
function unread(path: string, times = 1) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').pause()
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(times))
  return socket
}

test.each([
  ['a folder', world],
  ['a bucket', bucketWorld],
])('a picture of %s is read in small pieces, which are the picture', async (_where, at) => {
  const picture = await stored(at)
  const pieces: Buffer[] = await Array.fromAsync(await opened(from(at, '192.0.2.1'), picture))
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(2 * pieceBytes)
  expect(Buffer.concat(pieces).equals(picture.bytes)).toBe(true)
})

test('a picture of which storage brings nothing for 15 s fails, and its reader leaves the place to others; one that is not read may wait', async () => {
  const picture = await stored(bucketWorld)
  const ctx = from(bucketWorld, '192.0.2.4')
  const unreadOnes = await Promise.all(Array.from({ length: 10 }, () => opened(ctx, picture)))
  store.behave('stalling')
  const stalled = await Promise.all(Array.from({ length: 10 }, () => opened(ctx, picture)))
  store.behave('well')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let read = 0
  const failures = stalled.map(async (one) => {
    try {
      for await (const piece of one) read += piece.length
    } catch (error) {
      return (error as Error).message
    }
  })
  await until(async () => read >= (stalled.length * size) / 2 - 1)
  await vi.advanceTimersByTimeAsync(14_000)
  expect(stalled.some(({ destroyed }) => destroyed)).toBe(false)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await Promise.all(failures)).toEqual(Array(10).fill('Storage has sent nothing for 15 s.'))
  vi.useRealTimers()
  const others = await Promise.all(Array.from({ length: 10 }, () => opened(ctx, picture)))
  for (const one of [...unreadOnes, ...others]) expect((await one.toArray()).reduce((sum, { length }) => sum + length, 0)).toBe(size)
})

test('20 pictures are sent to an address at a time; the next one waits for its turn, and other addresses do not', async () => {
  const picture = await stored(world)
  const open = await Promise.all(Array.from({ length: 20 }, () => opened(from(world, '192.0.2.2'), picture)))
  const impatient = from(world, '192.0.2.2', AbortSignal.abort())
  await expect(opened(impatient, picture)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '5' } })
  const other = await opened(from(world, '192.0.2.3'), picture)
  const next = opened(from(world, '192.0.2.2'), picture)
  open[0]?.destroy()
  for (const one of [...open, other, await next]) one.destroy()
})

test('of pictures that are not read a piece each is in memory, and those who leave give their turns back', async () => {
  const picture = await stored(world)
  const sockets = Array.from({ length: 20 }, () => unread(`/uploads/${picture.key}`, 40))
  await until(async () => (await unreadBytes(world)) === sockets.length * 2 * pieceBytes)
  for (const socket of sockets) socket.destroy()
  await until(async () => (await unreadBytes(world)) === 0)
  const answer = await fetch(`${url}/uploads/${picture.key}`)
  expect([answer.status, Buffer.from(await answer.arrayBuffer()).equals(picture.bytes)]).toEqual([200, true])
})

describe('while all 200 places are taken', () => {
  const addresses = Array.from({ length: 36 }, (_, at) => `192.0.2.${10 + at}`)
  const takeAll = async (picture: StoredPicture) => {
    const sockets = Array.from({ length: 20 }, () => unread(`/uploads/${picture.key}`))
    await until(async () => (await unreadBytes(world)) === sockets.length * 2 * pieceBytes)
    const others = await Promise.all(
      addresses.flatMap((address, at) => Array.from({ length: at < 16 ? 10 : 1 }, () => opened(from(world, address), picture))),
    )
    return {
      others,
      async leave() {
        for (const one of others) one.destroy()
        for (const socket of sockets) socket.destroy()
        await until(async () => (await unreadBytes(world)) === 0)
      },
    }
  }

  test('the next one takes that of a picture that has been read for 30 s, of the address that reads most, and the one after it too', async () => {
    const picture = await stored(world)
    const { others, leave } = await takeAll(picture)
    const waiting = opened(from(world, '192.0.2.8'), picture)
    world.clock.turn(30_000)
    const next = [await waiting, await opened(from(world, '192.0.2.9'), picture)]
    await until(async () => (await unreadBytes(world)) === 18 * 2 * pieceBytes)
    expect([...others, ...next].some(({ destroyed }) => destroyed)).toBe(false)
    for (const one of next) one.destroy()
    await leave()
    world.clock.turn(-30_000)
  })
})
