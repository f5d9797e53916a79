import { describe, expect, test } from 'vitest'
import { callIn } from '../../../src/kit/context.ts'
import { holdUnended } from '../../../src/server/graphql/unended.ts'
import { frame } from '../../help/frames.ts'
import { bare } from '../../help/live.ts'
import { testServer } from '../../help/server.ts'
import { until } from '../../help/until.ts'
import { freshProject } from '../../help/world.ts'

const { url, world } = await testServer()
const megabyte = 1024 * 1024
const pieceBytes = 128

let address = 0
const fresh = () => holdUnended(callIn(world, { client: { address: `198.51.100.${++address}` } }), () => undefined)
const held = () =>
  world.metrics.registry
    .getSingleMetricAsString('postwire_reserved_bytes')
    .then((text) => Number(/arriving_bodies.* (\d+)/.exec(text)?.[1]))

const beginning = (bytes: number) => frame({ bytes, last: false })
const middle = (bytes: number) => frame({ kind: 'next', bytes, last: false })
const end = (bytes: number) => frame({ kind: 'next', bytes })
const pong = (bytes = 0) => frame({ kind: 'pong', bytes })

describe('what a socket holds', () => {
  test('is what has arrived of a message that has not ended, with something for each piece', async () => {
    const unended = fresh()
    for (const byte of frame({ bytes: 1_000 }).subarray(0, 900)) unended.arrived(Buffer.of(byte))
    expect(await held()).toBe(900 * (1 + pieceBytes))
    unended.release()
    expect(await held()).toBe(0)
  })

  test.each(['shortest', 2, 8] as const)(
    'is nothing after messages that have been passed on, with %s bytes of length',
    async (lengthBytes) => {
      const unended = fresh()
      for (const bytes of [0, 125, 126, 65_535, 65_536]) {
        if (lengthBytes === 2 && bytes > 65_535) continue
        unended.arrived(frame({ bytes, lengthBytes }))
        expect(await held()).toBeGreaterThan(bytes)
        unended.passedOn()
        expect(await held()).toBe(0)
      }
    },
  )

  test('is nothing after messages in fragments, however many and however small', async () => {
    const unended = fresh()
    for (let at = 0; at < 200; at++) {
      unended.arrived(beginning(100))
      for (let nth = 0; nth < 60; nth++) unended.arrived(middle(1))
      unended.arrived(end(0))
      unended.passedOn()
    }
    expect(await held()).toBe(0)
  })

  test('is nothing for a client that listens, however many pings it answers', async () => {
    const unended = fresh()
    for (let at = 0; at < 1_000; at++) {
      unended.arrived(pong(at % 126))
      unended.passedOn()
    }
    expect(await held()).toBe(0)
  })

  test('is all that waits to be passed on, until the last of its piece is', async () => {
    const unended = fresh()
    const piece = Buffer.concat([frame({ bytes: 1_000 }), pong(), frame({ bytes: 10 })])
    unended.arrived(piece)
    for (let at = 0; at < 2; at++) {
      unended.passedOn()
      expect(await held()).toBe(piece.length + pieceBytes)
    }
    unended.passedOn()
    expect(await held()).toBe(0)
  })

  test('is a piece as a whole that ends one message and begins another', async () => {
    const unended = fresh()
    const both = Buffer.concat([frame({ bytes: 100 }), beginning(10)])
    unended.arrived(both.subarray(0, 50))
    unended.arrived(both.subarray(50))
    unended.passedOn()
    expect(await held()).toBe(both.length - 50 + pieceBytes)
    unended.arrived(end(10))
    unended.passedOn()
    expect(await held()).toBe(0)
  })

  test('is without the pongs between the frames of a message, whose own pieces stay counted', async () => {
    const unended = fresh()
    unended.arrived(beginning(1_000))
    const ofMessage = beginning(1_000).length + pieceBytes
    for (let at = 0; at < 100; at++) {
      unended.arrived(pong(at))
      expect(await held()).toBe(ofMessage + pong(at).length + pieceBytes)
      unended.passedOn()
      expect(await held()).toBe(ofMessage)
    }
    unended.arrived(Buffer.concat([pong(), end(5)]))
    unended.passedOn()
    expect(await held()).toBeGreaterThan(ofMessage)
    unended.passedOn()
    expect(await held()).toBe(0)
  })

  test('is never less than what has not ended, and nothing when all has been passed on, however it is cut into pieces', async () => {
    const kinds = [() => frame({ bytes: 300 }), () => pong(7), () => Buffer.concat([beginning(200), pong(3), middle(0), end(70_000)])]
    for (let cut = 1; cut < 400; cut += 7) {
      const unended = fresh()
      const sent = Buffer.concat(Array.from({ length: 9 }, (_, nth) => kinds[nth % 3]?.() ?? Buffer.alloc(0)))
      for (let at = 0; at < sent.length - 1; at += cut) unended.arrived(sent.subarray(at, Math.min(at + cut, sent.length - 1)))
      // All but the last message have ended: three messages, three pongs, and three with a pong each.
      for (let nth = 0; nth < 11; nth++) unended.passedOn()
      expect(await held()).toBeGreaterThan(70_000)
      unended.arrived(sent.subarray(-1))
      unended.passedOn()
      expect(await held()).toBe(0)
    }
  })

  test('is bounded for an address, on however many sockets', () => {
    const [one, other] = [fresh(), fresh()]
    const large = beginning(40 * megabyte)
    const sent = [
      one.arrived(large.subarray(0, 31 * megabyte)),
      one.arrived(large.subarray(0, megabyte)),
      other.arrived(large.subarray(0, megabyte)),
    ]
    expect(sent).toEqual([true, false, true])
    one.release()
    other.release()
  })

  test('may be a little however much others have, and more for who has little', () => {
    const others = Array.from({ length: 5 }, fresh)
    for (const other of others) other.arrived(beginning(30 * megabyte))
    const [unended, first] = [fresh(), others[0]]
    expect([unended.arrived(beginning(1_000)), unended.arrived(middle(2 * megabyte)), unended.arrived(middle(10_000))]).toEqual([
      true,
      true,
      false,
    ])
    expect(first?.arrived(middle(1_000))).toBe(false)
    for (const one of [...others, unended]) one.release()
  })
})

test('a socket holds nothing when all it has sent was handled: messages, some in fragments, and answers to pings', async () => {
  const { secret } = await freshProject(world)
  const { socket, types } = await bare(url, secret)
  const ping = JSON.stringify({ type: 'ping' })
  for (let at = 0; at < 20; at++) {
    socket.pong(Buffer.alloc(at))
    socket.send(ping.slice(0, 3), { fin: false })
    socket.pong()
    socket.send(ping.slice(3, 7), { fin: false })
    socket.send(ping.slice(7))
    socket.send(ping)
  }
  await until(async () => types.filter((type) => type === 'pong').length === 40)
  expect(await held()).toBe(0)
  socket.send(ping.slice(0, 3), { fin: false })
  await until(async () => (await held()) > 0)
  socket.terminate()
  await until(async () => (await held()) === 0)
})
