import { expect, test } from 'vitest'
import { addressOwner, takePlace } from '../../src/server/places.ts'
import { testWorld } from '../help/world.ts'

const world = await testWorld()
const take = (address: string) => takePlace(world, addressOwner(address).all, 2)

test('a client address has as many places as it may, and gets one back', () => {
  const places = ['192.0.2.1', '192.0.2.1', '192.0.2.2'].map(take)
  expect(take('192.0.2.1')).toBeNull()
  places[0]?.()
  places[0]?.()
  expect([take('192.0.2.1') === null, take('192.0.2.1') === null]).toEqual([false, true])
})

test('the networks of one IPv6 site have ten times as many together', () => {
  const ofSite = (at: number) => take(`2001:db8:1:${at.toString(16)}::1`)
  const places = Array.from({ length: 20 }, (_, at) => ofSite(at))
  expect(places).not.toContain(null)
  expect([ofSite(20), ofSite(0)]).toEqual([null, null])
  expect(take('2001:db8:2:1::1')).not.toBeNull()
  places[0]?.()
  expect(ofSite(20)).not.toBeNull()
})
