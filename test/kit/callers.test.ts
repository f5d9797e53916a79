import { expect, test } from 'vitest'
import { callerOf } from '../../src/kit/callers.ts'
import { callIn } from '../../src/kit/context.ts'
import { freshUser } from '../help/people.ts'
import { testWorld } from '../help/world.ts'

const world = await testWorld()
const nobodyAt = (address: string) => callerOf(callIn(world, { client: { address } }))

test('callers without a key are told apart by their sites: of IPv6 one may have a whole /48', () => {
  expect(nobodyAt('2001:db8:1:2::1')).toBe(nobodyAt('2001:db8:1:ffff::7'))
  expect(nobodyAt('2001:db8:1:2::1')).not.toBe(nobodyAt('2001:db8:2:2::1'))
  expect(nobodyAt('192.0.2.1')).not.toBe(nobodyAt('192.0.2.2'))
})

test('an account without a project shares no turn with other accounts', async () => {
  const [{ ctx: one, userId }, { ctx: other }] = [await freshUser(world), await freshUser(world)]
  expect(callerOf(one)).toBe(userId)
  expect(callerOf({ ...one, projectId: 'prj_1' })).toEqual([userId, 'prj_1'])
  expect(callerOf(other)).not.toBe(userId)
})
