import { expect, test } from 'vitest'
import { callIn } from '../../../src/kit/context.ts'
import { takeAttempt } from '../../../src/modules/users/attempts.ts'
import { testWorld } from '../../help/world.ts'

const world = await testWorld()
const limitOf = (name: string) => ({ name, max: 2, windowMs: 60_000, message: 'Too many.' })

test.each([
  ['of one IPv6 network', ['2001:db8:1:2::1', '2001:db8:1:2:ffff::2', '[2001:db8:1:2::3]:443']],
  ['that are one IPv4 address', ['192.0.2.7', '::ffff:192.0.2.7', '192.0.2.7:5000']],
])('addresses %s are one subject, though nobody has made networks of them', async (name, addresses) => {
  const attempts = addresses.map((address) => () => takeAttempt(callIn(world), limitOf(name), address))
  for (const attempt of attempts.slice(0, 2)) await attempt()
  await expect(attempts[2]?.()).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' })
})

test('other subjects are as different as they are written', async () => {
  const subjects = ['ada@example.com', 'Ada@example.com', 'usr_01', '192.0.2.7', '192.0.2.8', '2001:db8:1:2::', '2001:db8:1:3::']
  const limit = { ...limitOf('others'), max: 1 }
  for (const subject of subjects) await takeAttempt(callIn(world), limit, subject)
  await expect(takeAttempt(callIn(world), limit, 'usr_01')).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' })
})

test('the networks of one IPv6 site have ten times as many attempts together', async () => {
  const attempt = (site: number, network: number) =>
    takeAttempt(callIn(world), limitOf('site'), `2001:db8:${site}:${network.toString(16)}::1`)
  for (let network = 0; network < 20; network++) await attempt(1, network)
  await expect(attempt(1, 20)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' })
  await attempt(2, 1)
})
