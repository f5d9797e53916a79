import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { callIn } from '../../../src/kit/context.ts'
import { sendPasswordReset } from '../../../src/modules/auth/accounts/passwords.ts'
import { makeToken } from '../../../src/modules/auth/accounts/tokens.ts'
import { lockAccount } from '../../../src/modules/users/users.ts'
import { tokenTo } from '../../help/notices.ts'
import { fakeOauthProviders } from '../../help/oauth.ts'
import { freshUser } from '../../help/people.ts'
import { type Answer, callAt, testServer } from '../../help/server.ts'
import { until } from '../../help/until.ts'

const twin = await fakeOauthProviders()
// With room for two transactions of one address at a time, also after one of them took long, as on a slow machine.
const { url, world, call } = await testServer({ env: { ...twin.env, DATABASE_POOL_SIZE: '10' } })
const newPassword = 'the password of the owner'
const newAddress = () => `${randomBytes(6).toString('hex')}@people.test`
let ids = 1

const locks = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
const waiting = async () => (await world.db.prisma.$queryRawUnsafe<object[]>(locks)).length

/** Signs in as an account at a provider (`id`), whose address it vouches for. */
async function signIn(provider: string, id: number, email: string, session?: { cookie: string }): Promise<Answer> {
  twin.visitor = { id, emails: [{ email, primary: true, verified: true }], claims: { email, email_verified: true } }
  const out = await callAt(url, `GET /oauth/${provider}/outbound`)
  const redirect = await fetch(String(out.headers.get('location')), { redirect: 'manual' })
  const { pathname, search } = new URL(String(redirect.headers.get('location')))
  const cookie = [String(out.headers.get('set-cookie')).split(';')[0], session?.cookie].filter(Boolean).join('; ')
  return callAt(url, `GET ${pathname}${search}`, undefined, { headers: { cookie } })
}

const sessionOf = ({ headers }: Answer) => {
  const line = headers.getSetCookie().find((one) => /^session=[^;]/.test(one))
  return line === undefined ? null : { cookie: line.split(';')[0] ?? '' }
}
const me = async (answer: Answer) => (await call('GET /users/@me', undefined, sessionOf(answer) ?? {})).body
const identities = (email: string) => world.db.prisma.identity.findMany({ where: { user: { email } }, select: { subject: true } })

async function reset(email: string): Promise<Answer> {
  await sendPasswordReset(callIn(world), { email })
  return call('POST /auth/reset-password', { token: await tokenTo(world, email, 'reset-password'), newPassword })
}

describe.each(['github', 'google'])('an account that is linked to one account at %s', (provider) => {
  test('is not linked to a second one, which may be of another person, in a browser with its session or without', async () => {
    const email = newAddress()
    const [first, second] = [ids++, ids++]
    const linked = await signIn(provider, first, email)
    for (const session of [undefined, sessionOf(linked) ?? undefined]) {
      const refused = await signIn(provider, second, email, session)
      expect([refused.status, sessionOf(refused)]).toEqual([403, null])
      expect(refused.body).toContain('is linked to another')
      expect(refused.body).toContain('reset the password by email')
    }
    expect(await identities(email)).toEqual([{ subject: String(first) }])
    expect(await me(await signIn(provider, first, email))).toMatchObject({ email })
  })

  test('is not linked to it any more once its password is reset by mail, and is linked by the next sign-in', async () => {
    const email = newAddress()
    const [first, second] = [ids++, ids++]
    const { id } = await me(await signIn(provider, first, email))
    expect((await reset(email)).status).toBe(200)
    expect(await identities(email)).toEqual([])
    const elsewhere = newAddress()
    expect(await me(await signIn(provider, first, elsewhere))).toMatchObject({ email: elsewhere, id: expect.not.stringMatching(id) })
    expect(await me(await signIn(provider, second, email))).toMatchObject({ email, id })
    expect(await identities(email)).toEqual([{ subject: String(second) }])
  })

  test('signs nobody in by it who waited for the reset', async () => {
    const email = newAddress()
    const first = ids++
    const { id } = await me(await signIn(provider, first, email))
    await sendPasswordReset(callIn(world), { email })
    const token = await tokenTo(world, email, 'reset-password')
    const late = await world.db.transaction(async (tx) => {
      await lockAccount(tx, id)
      // In the order of the queue: the reset, then the sign-in.
      const resetting = call('POST /auth/reset-password', { token, newPassword })
      await until(async () => (await waiting()) === 1)
      const signingIn = signIn(provider, first, newAddress())
      await until(async () => (await waiting()) === 2)
      return [resetting, signingIn] as const
    })
    const [done, signedIn] = await Promise.all(late)
    expect(done.status).toBe(200)
    expect((await me(signedIn)).id).not.toBe(id)
  })
})

test('an account that a provider takes from whoever created it keeps none of their accounts at providers', async () => {
  const { email, userId } = await freshUser(world)
  const [first, second] = [ids++, ids++]
  await signIn('github', first, email)
  await world.db.prisma.user.update({ where: { id: userId }, data: { emailVerified: false } })
  expect(await me(await signIn('google', second, email))).toMatchObject({ id: userId, emailVerified: true })
  expect(await identities(email)).toEqual([{ subject: String(second) }])
})

test('an account that was never verified is only linked in a browser with a session of it, unless that has ended', async () => {
  const password = 'the password of somebody'
  const signUp = async (email: string) => ({
    email,
    session: sessionOf(await call('POST /auth/signup', { email, password })) ?? { cookie: '' },
  })
  const logIn = async (email: string) => (await call('POST /auth/login', { email, password })).status
  const own = await signUp(newAddress())
  const { body: project } = await call('POST /users/@me/projects', { name: 'Mine' }, own.session)
  expect(await me(await signIn('google', ids++, own.email, own.session))).toMatchObject({ email: own.email, emailVerified: true })
  expect((await call('GET /users/@me', undefined, own.session)).status).toBe(200)
  expect([await logIn(own.email), (await call('GET /contacts', undefined, { key: project.secret })).status]).toEqual([200, 200])
  const ended = await signUp(newAddress())
  await call('GET /auth/logout', undefined, ended.session)
  expect(await me(await signIn('google', ids++, ended.email, ended.session))).toMatchObject({ email: ended.email })
  expect(await logIn(ended.email)).toBe(401)
})

test('the link that verifies an address, followed without a session of the account, removes them as well', async () => {
  const { email, userId } = await freshUser(world)
  await signIn('github', ids++, email)
  const token = await makeToken(world, world.db, userId, 'VERIFY_EMAIL')
  expect((await call('POST /auth/verify-email', { token, newPassword })).status).toBe(200)
  expect(await identities(email)).toEqual([])
})
