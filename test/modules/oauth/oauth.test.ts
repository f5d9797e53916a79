import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { callIn } from '../../../src/kit/context.ts'
import { makeToken } from '../../../src/modules/auth/accounts/tokens.ts'
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

/** Starts a sign-in; returns its cookie and the callback address with a fresh code. */
async function start(provider: string, at = url) {
  const out = await callAt(at, `GET /oauth/${provider}/outbound`)
  expect(out.status).toBe(302)
  const authorize = new URL(String(out.headers.get('location')))
  const redirect = await fetch(authorize, { redirect: 'manual' })
  const back = new URL(String(redirect.headers.get('location')))
  return { cookie: String(cookieOf(out, 'oauth')), back, out, authorize }
}

const comeBack = (path: string, cookie?: string, at = url) =>
  callAt(at, `GET ${path}`, undefined, { headers: { 'sec-fetch-site': 'cross-site', ...(cookie !== undefined && { cookie }) } })

async function signIn(provider: string, at = url): Promise<Answer> {
  const { cookie, back } = await start(provider, at)
  return comeBack(back.pathname + back.search, cookie, at)
}

async function me(answer: Answer) {
  const cookie = cookieOf(answer, 'session')
  return cookie ? (await call('GET /users/@me', undefined, { headers: { cookie } })).body : null
}

describe.each(providers)('%s', (provider) => {
  test('creates an account with a verified address and no password, signs in, and redirects to the first dashboard', async () => {
    const email = newAddress()
    twin.visitor = somebody(email.toUpperCase())
    const answer = await signIn(provider)
    expect([answer.status, answer.headers.get('location')]).toEqual([302, 'https://app.example.com'])
    expect(await me(answer)).toMatchObject({ email, emailVerified: true })
    expect(await account(email)).toMatchObject({ passwordHash: null, identities: [{ provider, subject: String(twin.visitor.id), email }] })
    expect((await call('POST /auth/login', { email, password: 'anything at all' })).status).toBe(401)
  })

  test('identifies a user by their provider account, whatever their address is now', async () => {
    const email = newAddress()
    twin.visitor = somebody(email)
    await signIn(provider)
    twin.visitor = { ...twin.visitor, emails: [], claims: { email: 'changed@people.test', email_verified: false } }
    expect(await me(await signIn(provider))).toMatchObject({ email })
    expect(await world.db.prisma.user.count({ where: { email: 'changed@people.test' } })).toBe(0)
  })

  test('redirects with state, PKCE (S256) and the smallest scope, and stores the sign-in in an HttpOnly cookie', async () => {
    const { authorize, out } = await start(provider)
    expect(Object.fromEntries(authorize.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'our client',
      redirect_uri: `${world.publicUrl}/oauth/${provider}/callback`,
      state: expect.stringMatching(/^.{40,}$/),
      code_challenge: expect.stringMatching(/^.{43}$/),
      code_challenge_method: 'S256',
      scope: provider === 'github' ? 'user:email' : 'openid email',
    })
    expect(authorize.href).not.toContain('secret')
    expect(out.headers.getSetCookie()).toEqual([expect.stringMatching(/^oauth=.+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)])
  })

  test.each([
    ['another state', (back: URL) => back.searchParams.set('state', 'x'.repeat(43))],
    ['a shorter state', (back: URL) => back.searchParams.set('state', 'x')],
    ['no state', (back: URL) => back.searchParams.delete('state')],
  ])('refuses %s', async (_what, change) => {
    const { cookie, back } = await start(provider)
    change(back)
    await expectErrorPage(await comeBack(back.pathname + back.search, cookie), 400, 'was not started in this browser')
  })

  test('refuses a callback without the cookie, with a forged one, with that of the other provider, and after 10 minutes', async () => {
    const { cookie, back } = await start(provider)
    const path = back.pathname + back.search
    const other = await start(providers.find((name) => name !== provider) ?? '')
    const crossed = new URL(path, url)
    crossed.searchParams.set('state', other.back.searchParams.get('state') ?? '')
    await expectErrorPage(await comeBack(path), 400, 'was not started in this browser')
    await expectErrorPage(await comeBack(path, `${cookie}x`), 400, 'was not started in this browser')
    await expectErrorPage(await comeBack(crossed.pathname + crossed.search, other.cookie), 400, 'was not started in this browser')
    world.clock.turn(10 * 60_000)
    await expectErrorPage(await comeBack(path, cookie), 400, 'more than 10 minutes ago')
  })

  test('accepts a callback once', async () => {
    const { cookie, back } = await start(provider)
    const path = back.pathname + back.search
    expect((await comeBack(path, cookie)).status).toBe(302)
    await expectErrorPage(await comeBack(path, cookie), 429, 'has been used already')
  })

  test('refuses a code that was used, or was issued for another verifier', async () => {
    const first = await start(provider)
    await comeBack(first.back.pathname + first.back.search, first.cookie)
    const second = await start(provider)
    const third = await start(provider)
    for (const code of [first.back, third.back].map(({ searchParams }) => searchParams.get('code') ?? '')) {
      const { cookie, back } = code === third.back.searchParams.get('code') ? second : await start(provider)
      back.searchParams.set('code', code)
      await expectErrorPage(await comeBack(back.pathname + back.search, cookie), 400, 'did not confirm this sign-in')
    }
  })

  test('shows a page when the user declines, and when the provider sends neither code nor reason', async () => {
    twin.visitor.denies = true
    await expectErrorPage(await signIn(provider), 403, 'nothing has changed')
    const { cookie, back } = await start(provider)
    back.searchParams.delete('error')
    await expectErrorPage(await comeBack(back.pathname + back.search, cookie), 403, 'did not sign you in')
  })

  test('requires a verified primary address of a new user', async () => {
    const email = newAddress()
    const unverified = { emails: [{ email, primary: true, verified: false }], claims: { email, email_verified: false } }
    const secondary = { emails: [{ email, primary: false, verified: true }], claims: {} }
    const broken = {
      emails: [{ email: 'no address', primary: true, verified: true }],
      claims: { email: 'no address', email_verified: true },
    }
    for (const visitor of [unverified, secondary, broken]) {
      twin.visitor = somebody(email, visitor)
      await expectErrorPage(await signIn(provider), 403, 'has no verified primary address')
    }
    expect(await account(email)).toBeNull()
  })

  test.each([
    ['is broken', { status: 500 }],
    ['answers more than 1 MB', { padding: 1_100_000 }],
  ])('shows an error page when the provider %s', async (_what, trouble) => {
    const { cookie, back } = await start(provider)
    Object.assign(twin.visitor, trouble)
    const answer = await comeBack(back.pathname + back.search, cookie)
    await expectErrorPage(answer, 503, 'Try again in a moment.')
  })

  test('does not log an access token that cannot be sent', async () => {
    const { cookie, back } = await start(provider)
    Object.assign(twin.visitor, { tokenEnd: '\r\nX: y' })
    const warn = vi.spyOn(world.log, 'warn')
    const answer = await comeBack(back.pathname + back.search, cookie)
    const logged = warn.mock.calls.map(([what]) => inspect(what))
    warn.mockRestore()
    await expectErrorPage(answer, 503, 'Try again in a moment.')
    expect(logged).toEqual([expect.not.stringContaining('X: y')])
  })
})

async function expectErrorPage(answer: Answer, status: number, sentence: string): Promise<void> {
  expect([answer.status, answer.body]).toEqual([status, expect.stringContaining(sentence)])
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(cookieOf(answer, 'session')).toBeUndefined()
}

describe('an ID token', () => {
  // By the clock of the world, which stands still.
  const seconds = Math.floor(world.clock.now().getTime() / 1000)
  test.each([
    ['a nonce of another attempt', { claims: { nonce: 'another' } }],
    ['another audience', { claims: { aud: 'somebody else' } }],
    ['one more audience', { claims: { aud: ['our client', 'somebody else'] } }],
    ['another authorized party', { claims: { azp: 'somebody else' } }],
    ['another issuer', { claims: { iss: 'https://accounts.evil.example' } }],
    ['an expiry in the past', { claims: { exp: seconds - 120 } }],
    ['a foreign signature', { foreignKey: true }],
    ['no subject', { claims: { sub: '' } }],
  ])('with %s signs nobody in', async (_what, visitor) => {
    const email = newAddress()
    twin.visitor = somebody(email)
    Object.assign(twin.visitor, visitor, { claims: { ...twin.visitor.claims, ...('claims' in visitor && visitor.claims) } })
    await expectErrorPage(await signIn('google'), 400, 'did not confirm this sign-in')
    expect(await account(email)).toBeNull()
  })
})

describe('an account with the address', () => {
  test('that was verified is linked, and keeps its password and sessions', async () => {
    const { email, password, cookie, userId } = await freshUser(world)
    twin.visitor = somebody(email)
    expect(await me(await signIn('github'))).toMatchObject({ id: userId })
    expect((await call('POST /auth/login', { email, password })).status).toBe(200)
    expect((await call('GET /users/@me', undefined, { headers: { cookie } })).status).toBe(200)
    twin.visitor = somebody(email)
    expect(await me(await signIn('google'))).toMatchObject({ id: userId })
    expect((await account(email))?.identities).toHaveLength(2)
  })

  test('that was never verified is linked, and loses the password, sessions, links and keys of whoever created it', async () => {
    const email = newAddress()
    const made = await call('POST /auth/signup', { email, password: 'the attacker’s password' })
    const cookie = String(cookieOf(made, 'session'))
    const { body: project } = await call('POST /users/@me/projects', { name: 'Theirs' }, { headers: { cookie } })
    const token = await makeToken(world, world.db, made.body.data.id, 'RESET_PASSWORD')
    twin.visitor = somebody(email)
    expect(await me(await signIn('google'))).toMatchObject({ id: made.body.data.id, emailVerified: true })
    expect((await call('GET /contacts', undefined, { key: project.secret })).status).toBe(401)
    expect((await call('GET /users/@me', undefined, { headers: { cookie } })).status).toBe(401)
    expect((await call('POST /auth/login', { email, password: 'the attacker’s password' })).status).toBe(401)
    expect(await world.db.prisma.accountToken.count({ where: { userId: made.body.data.id } })).toBe(0)
    expect((await call('POST /auth/reset-password', { token, newPassword: 'another of the attacker’s' })).status).toBe(400)
  })

  test('is not linked when the provider has not verified the address', async () => {
    const { email, userId } = await freshUser(world)
    twin.visitor = somebody(email, { emails: [{ email, primary: true, verified: false }], claims: { email, email_verified: false } })
    for (const provider of providers) await expectErrorPage(await signIn(provider), 403, 'has no verified primary address')
    expect(await account(email)).toMatchObject({ id: userId, identities: [], passwordHash: expect.any(String) })
    expect(await findUserOf(callIn(world).db, { provider: 'github', subject: String(twin.visitor.id) })).toBeNull()
  })
})
