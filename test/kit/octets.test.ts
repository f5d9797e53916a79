import { expect, test } from 'vitest'
import { gatherOctets, giveBack } from '../../src/kit/octets.ts'

test('octets are what has arrived, in order, whatever the sizes of the pieces', () => {
  const sizes = [1, 3, 5_000, 7, 4_096, 4_095, 0, 2, 100_000]
  const all = Buffer.concat(sizes.map((size, at) => Buffer.alloc(size, at + 1)))
  const octets = gatherOctets()
  let at = 0
  for (let round = 0; at < all.length; round++) {
    const size = sizes[round % sizes.length] ?? 1
    octets.add(all.subarray(at, at + size))
    at += size
  }
  expect(octets.bytes()).toBe(all.length)
  expect(octets.take().equals(all)).toBe(true)
  expect(octets.take().length).toBe(0)
})

test('a single piece is passed on, not copied', () => {
  const piece = Buffer.from('{}')
  const octets = gatherOctets()
  octets.add(piece)
  expect(octets.take()).toBe(piece)
})

test('the memory of octets is given back at once where nothing else shares it', () => {
  const own = Buffer.from(new ArrayBuffer(100_000))
  const shared = Buffer.from(new ArrayBuffer(100_000)).subarray(1)
  giveBack(own)
  giveBack(shared)
  expect([own.length, shared.length]).toEqual([0, 99_999])
})

test('what was copied together is given back, and the copy stays', () => {
  const pieces = [1, 2].map((value) => Buffer.from(new Uint8Array(10_000).fill(value).buffer))
  const octets = gatherOctets()
  for (const piece of pieces) octets.add(piece)
  expect([octets.take().length, ...pieces.map(({ length }) => length)]).toEqual([20_000, 0, 0])
})
