import { describe, expect, test } from 'vitest'
import { callIn } from '../../../src/kit/context.ts'
import { holdUnended } from '../../../src/server/graphql/unended.ts'
import { testWorld } from '../../help/world.ts'

const world = await testWorld()
const megabyte = 1024 * 1024

let address = 0
const fresh = () => holdUnended(callIn(world, { client: { address: `198.51.100.${++address}` } }))
const held = () =>
  world.metrics.registry
    .getSingleMetricAsString('postwire_reserved_bytes')
    .then((text) => Number(/arriving_bodies.* (\d+)/.exec(text)?.[1]))

describe('what a socket holds of messages that have not ended', () => {
  test('is what has arrived of them, with something for each piece', async () => {
    const unended = fresh()
    for (let at = 0; at < 1_000; at++) unended.arrived(1)
    expect(await held()).toBe(1_000 * 129)
    unended.release()
    expect(await held()).toBe(0)
  })

  test('is nothing after a message that has ended, however many a socket has sent', async () => {
    const unended = fresh()
    for (const size of [0, 125, 126, 65_535, 65_536])
      for (let at = 0; at < 1_000; at++) {
        unended.arrived(size + (size < 126 ? 6 : size < 65_536 ? 8 : 14))
        unended.ended(Buffer.alloc(size))
      }
    expect(await held()).toBe(0)
  })

  test('is what has arrived behind the end of a message', async () => {
    const unended = fresh()
    unended.arrived(64_000)
    unended.ended(Buffer.alloc(100))
    expect(await held()).toBe(64_000 - 106)
    unended.release()
  })

  test('does not grow with the heads of fragments of messages that have ended', async () => {
    const unended = fresh()
    for (let at = 0; at < 1_000; at++) {
      unended.arrived(10_000)
      unended.ended(Buffer.alloc(9_000))
    }
    expect(await held()).toBe(160 * 1024)
    unended.release()
  })

  test('is without the control frames between the frames of a message', async () => {
    const unended = fresh()
    unended.arrived(1_000)
    unended.arrived(106)
    unended.between(Buffer.alloc(100))
    expect(await held()).toBe(1_000 + 2 * 128)
    unended.release()
  })

  test('is bounded for an address, on however many sockets', () => {
    const [one, other] = [fresh(), fresh()]
    expect([one.arrived(31 * megabyte), one.arrived(megabyte), other.arrived(megabyte)]).toEqual([true, false, true])
    one.release()
    other.release()
  })

  test('may be a little however much others have', () => {
    const others = Array.from({ length: 5 }, fresh)
    for (const other of others) other.arrived(30 * megabyte)
    const unended = fresh()
    expect([unended.arrived(1_000), unended.arrived(10_000)]).toEqual([true, false])
    for (const one of [...others, unended]) one.release()
  })
})
