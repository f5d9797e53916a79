import { describe, expect, test } from 'vitest'
import { asker } from '../../../help/ask.ts'
import { noticesTo } from '../../../help/notices.ts'
import { freshUser } from '../../../help/people.ts'
import { testServer } from '../../../help/server.ts'

const { call, url, world } = await testServer({ env: { TRUST_PROXY: '1' } })
const minute = 60_000
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

test('POST /auth/request-verification sends 3 emails per hour beside the one of the sign-up, which its refusal does not count', async () => {
  const email = 'again@example.com'
  const signedUp = await call('POST /auth/signup', { email, password: 'a long enough password 7' })
  const me = { cookie: signedUp.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
  for (let n = 0; n < 3; n++) expect((await call('POST /auth/request-verification', {}, me)).status).toBe(200)
  const { status, body } = await call('POST /auth/request-verification', {}, me)
  expect([status, body.error.message]).toEqual([
    429,
    'At most 3 verification emails can be requested per hour: check your spam folder. Try again in 60 minutes.',
  ])
  expect(await noticesTo(world, email)).toHaveLength(4)
})

describe('POST /auth/request-password-reset', () => {
  const request = (email: string, address: string) => call('POST /auth/request-password-reset', { email }, from(address))
  const mutation = 'mutation { requestPasswordReset(input: { email: "w@example.com" }) { message } }'

  test('says after the third of an hour for how long to wait, in one sentence, over REST and GraphQL', async () => {
    for (let n = 0; n < 3; n++) expect((await request('w@example.com', `192.0.2.${n}`)).status).toBe(200)
    const message = (wait: string) => `Too many password resets were requested: check your spam folder. Try again in ${wait}.`
    const [overRest, overGraphql] = [await request('w@example.com', '192.0.2.4'), await asker(url)(mutation)]
    expect([overRest.status, overRest.body.error.message, overRest.body.error.suggestion]).toEqual([
      429,
      message('60 minutes'),
      'Wait, then try again.',
    ])
    expect(overGraphql.errors).toMatchObject([
      { message: message('60 minutes'), extensions: { suggestion: 'Wait, then try again.', retryAfter: 3600 } },
    ])
    world.clock.turn(60 * minute - 1)
    expect((await request('w@example.com', '192.0.2.5')).body.error.message).toBe(message('1 second'))
    world.clock.turn(1)
    expect((await request('w@example.com', '192.0.2.6')).status).toBe(200)
  })

  test('429 after 100 in 15 minutes from one network, whatever the addresses; other networks are not affected', async () => {
    const many = await Promise.all(Array.from({ length: 105 }, (_, n) => request(`r${n}@example.com`, `2001:db8::${n}`)))
    expect(many.filter(({ status }) => status === 429)).toHaveLength(5)
    const { email } = await freshUser(world)
    expect((await request(email, '2001:db8:0:1::1')).status).toBe(200)
    expect((await request(email, '2001:db8::ffff')).headers.get('retry-after')).toBe('900')
    world.clock.turn(15 * minute)
    expect((await request(email, '2001:db8::ffff')).status).toBe(200)
  })
})
