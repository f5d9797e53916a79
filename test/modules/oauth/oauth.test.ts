import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { callIn } from '../../../src/kit/context.ts'
import { findUserOf } from '../../../src/modules/users/identities.ts'
import { fakeOauthProviders, type Visitor } from '../../help/oauth.ts'
import { freshUser } from '../../help/people.ts'
import { type Answer, callAt, testServer } from '../../help/server.ts'

const twin = await fakeOauthProviders()
const { url, world, call } = await testServer({
  env: { ...twin.env, DASHBOARD_ORIGINS: 'https://app.example.com,https://other.example.com' },
})
const providers = ['github', 'google']

let ids = 1_000
const newAddress = () => `${randomBytes(6).toString('hex')}@people.test`
const somebody = (email: string, more: Partial<Visitor> = {}): Visitor => ({
  id: ids++,
  emails: [
    { email: 'second@people.test', primary: false, verified: true },
    { email, primary: true, verified: true },
  ],
  claims: { email, email_verified: true },
  ...more,
})
beforeEach(() => {
  twin.visitor = somebody(newAddress())
})

const cookieOf = ({ headers }: Answer, name: string) =>
  headers
    .getSetCookie()
    .find((line) => line.startsWith(`${name}=`) && !line.startsWith(`${name}=;`))
    ?.split(';')[0]
const account = (email: string) => world.db.prisma.user.findUnique({ where: { email }, include: { identities: true } })

/** Leaves for a provider; answers the cookie of the attempt and the way back, with a fresh code. */
async function leave(provider: string, at = url) {
  const out = await callAt(at, `GET /oauth/${provider}/outbound`)
  expect(out.status).toBe(302)
  const there = await fetch(String(out.headers.get('location')), { redirect: 'manual' })
  const back = new URL(String(there.headers.get('location')))
  return { cookie: String(cookieOf(out, 'oauth')), back, out, there: new URL(String(out.headers.get('location'))) }
}

const comeBack = (path: string, cookie?: string, at = url) =>
  callAt(at, `GET ${path}`, undefined, { headers: { 'sec-fetch-site': 'cross-site', ...(cookie !== undefined && { cookie }) } })

async function signIn(provider: string, at = url): Promise<Answer> {
  const { cookie, back } = await leave(provider, at)
  return comeBack(back.pathname + back.search, cookie, at)
}

async function me(answer: Answer) {
  const cookie = cookieOf(answer, 'session')
  return cookie ? (await call('GET /users/@me', undefined, { headers: { cookie } })).body : null
}

describe.each(providers)('%s', (provider) => {
  test('makes an account with a proved address and no password, signs in, and leads to the first dashboard', async () => {
    const email = newAddress()
    twin.visitor = somebody(email.toUpperCase())
    const answer = await signIn(provider)
    expect([answer.status, answer.headers.get('location')]).toEqual([302, 'https://app.example.com'])
    expect(await me(answer)).toMatchObject({ email, emailVerified: true })
    expect(await account(email)).toMatchObject({ passwordHash: null, identities: [{ provider, subject: String(twin.visitor.id), email }] })
    expect((await call('POST /auth/login', { email, password: 'anything at all' })).status).toBe(401)
  })

  test('knows somebody by their account there, whatever their address is by now', async () => {
    const email = newAddress()
    twin.visitor = somebody(email)
    await signIn(provider)
    twin.visitor = { ...twin.visitor, emails: [], claims: { email: 'changed@people.test', email_verified: false } }
    expect(await me(await signIn(provider))).toMatchObject({ email })
    expect(await world.db.prisma.user.count({ where: { email: 'changed@people.test' } })).toBe(0)
  })

  test('leaves with state, PKCE (S256) and the least it must ask for, and keeps the attempt in a cookie out of reach', async () => {
    const { there, out } = await leave(provider)
    expect(Object.fromEntries(there.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'our client',
      redirect_uri: `${world.publicUrl}/oauth/${provider}/callback`,
      state: expect.stringMatching(/^.{40,}$/),
      code_challenge: expect.stringMatching(/^.{43}$/),
      code_challenge_method: 'S256',
      scope: provider === 'github' ? 'user:email' : 'openid email',
    })
    expect(there.href).not.toContain('secret')
    expect(out.headers.getSetCookie()).toEqual([expect.stringMatching(/^oauth=.+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)])
  })

  test.each([
    ['another state', (back: URL) => back.searchParams.set('state', 'x'.repeat(43))],
    ['a shorter state', (back: URL) => back.searchParams.set('state', 'x')],
    ['no state', (back: URL) => back.searchParams.delete('state')],
  ])('refuses %s', async (_what, change) => {
    const { cookie, back } = await leave(provider)
    change(back)
    await expectSorry(await comeBack(back.pathname + back.search, cookie), 400, 'was not started in this browser')
  })

  test('refuses a way back without the cookie, with a forged one, with that of the other provider, and after 10 minutes', async () => {
    const { cookie, back } = await leave(provider)
    const path = back.pathname + back.search
    const other = await leave(providers.find((name) => name !== provider) ?? '')
    const crossed = new URL(path, url)
    crossed.searchParams.set('state', other.back.searchParams.get('state') ?? '')
    await expectSorry(await comeBack(path), 400, 'was not started in this browser')
    await expectSorry(await comeBack(path, `${cookie}x`), 400, 'was not started in this browser')
    await expectSorry(await comeBack(crossed.pathname + crossed.search, other.cookie), 400, 'was not started in this browser')
    world.clock.turn(10 * 60_000)
    await expectSorry(await comeBack(path, cookie), 400, 'more than 10 minutes ago')
  })

  test('takes an attempt once', async () => {
    const { cookie, back } = await leave(provider)
    const path = back.pathname + back.search
    expect((await comeBack(path, cookie)).status).toBe(302)
    await expectSorry(await comeBack(path, cookie), 429, 'was used already')
  })

  test('refuses a code that was used, or was given for another verifier', async () => {
    const first = await leave(provider)
    await comeBack(first.back.pathname + first.back.search, first.cookie)
    const second = await leave(provider)
    const third = await leave(provider)
    for (const code of [first.back, third.back].map(({ searchParams }) => searchParams.get('code') ?? '')) {
      const { cookie, back } = code === third.back.searchParams.get('code') ? second : await leave(provider)
      back.searchParams.set('code', code)
      await expectSorry(await comeBack(back.pathname + back.search, cookie), 400, 'does not stand by this sign-in')
    }
  })

  test('shows a page when somebody says no, and when the provider sends neither code nor reason', async () => {
    twin.visitor.denies = true
    await expectSorry(await signIn(provider), 403, 'nothing has changed')
    const { cookie, back } = await leave(provider)
    back.searchParams.delete('error')
    await expectSorry(await comeBack(back.pathname + back.search, cookie), 403, 'did not sign you in')
  })

  test('demands a verified primary address of somebody it does not know', async () => {
    const email = newAddress()
    const unproved = { emails: [{ email, primary: true, verified: false }], claims: { email, email_verified: false } }
    const secondary = { emails: [{ email, primary: false, verified: true }], claims: {} }
    const broken = {
      emails: [{ email: 'no address', primary: true, verified: true }],
      claims: { email: 'no address', email_verified: true },
    }
    for (const visitor of [unproved, secondary, broken]) {
      twin.visitor = somebody(email, visitor)
      await expectSorry(await signIn(provider), 403, 'has no verified primary address')
    }
    expect(await account(email)).toBeNull()
  })

  test.each([
    ['is broken', { status: 500 }],
    ['answers more than 1 MB', { padding: 1_100_000 }],
  ])('says so when the provider %s', async (_what, trouble) => {
    const { cookie, back } = await leave(provider)
    Object.assign(twin.visitor, trouble)
    const answer = await comeBack(back.pathname + back.search, cookie)
    await expectSorry(answer, 503, 'Try again in a moment.')
  })
})

async function expectSorry(answer: Answer, status: number, sentence: string): Promise<void> {
  expect([answer.status, answer.body]).toEqual([status, expect.stringContaining(sentence)])
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(cookieOf(answer, 'session')).toBeUndefined()
}

describe('an ID token', () => {
  const seconds = Math.floor(Date.now() / 1000)
  test.each([
    ['a nonce of another attempt', { claims: { nonce: 'another' } }],
    ['another audience', { claims: { aud: 'somebody else' } }],
    ['another issuer', { claims: { iss: 'https://accounts.evil.example' } }],
    ['an end that is over', { claims: { exp: seconds - 120 } }],
    ['a foreign signature', { foreignKey: true }],
    ['no subject', { claims: { sub: '' } }],
  ])('with %s signs nobody in', async (_what, visitor) => {
    const email = newAddress()
    twin.visitor = somebody(email)
    Object.assign(twin.visitor, visitor, { claims: { ...twin.visitor.claims, ...('claims' in visitor && visitor.claims) } })
    await expectSorry(await signIn('google'), 400, 'does not stand by this sign-in')
    expect(await account(email)).toBeNull()
  })
})

describe('an account with the address', () => {
  test('that was proved is linked, and keeps its password and sessions', async () => {
    const { email, password, cookie, userId } = await freshUser(world)
    twin.visitor = somebody(email)
    expect(await me(await signIn('github'))).toMatchObject({ id: userId })
    expect((await call('POST /auth/login', { email, password })).status).toBe(200)
    expect((await call('GET /users/@me', undefined, { headers: { cookie } })).status).toBe(200)
    twin.visitor = somebody(email)
    expect(await me(await signIn('google'))).toMatchObject({ id: userId })
    expect((await account(email))?.identities).toHaveLength(2)
  })

  test('that was never proved is linked, but whoever made it is out: password gone, sessions and links ended', async () => {
    const email = newAddress()
    const made = await call('POST /auth/signup', { email, password: 'the attacker’s password' })
    const cookie = String(cookieOf(made, 'session'))
    twin.visitor = somebody(email)
    expect(await me(await signIn('google'))).toMatchObject({ id: made.body.data.id, emailVerified: true })
    expect((await call('GET /users/@me', undefined, { headers: { cookie } })).status).toBe(401)
    expect((await call('POST /auth/login', { email, password: 'the attacker’s password' })).status).toBe(401)
    expect(await world.db.prisma.accountToken.count({ where: { userId: made.body.data.id } })).toBe(0)
  })

  test('is not touched by somebody whose address the provider has not verified', async () => {
    const { email, userId } = await freshUser(world)
    twin.visitor = somebody(email, { emails: [{ email, primary: true, verified: false }], claims: { email, email_verified: false } })
    for (const provider of providers) await expectSorry(await signIn(provider), 403, 'has no verified primary address')
    expect(await account(email)).toMatchObject({ id: userId, identities: [], passwordHash: expect.any(String) })
    expect(await findUserOf(callIn(world).db, { provider: 'github', subject: String(twin.visitor.id) })).toBeNull()
  })
})
