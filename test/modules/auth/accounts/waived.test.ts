import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { callIn } from '../../../../src/kit/context.ts'
import { sendPasswordReset } from '../../../../src/modules/auth/accounts/passwords.ts'
import { noticesTo, tokenTo } from '../../../help/notices.ts'
import { fakeOauthProviders } from '../../../help/oauth.ts'
import { freshUser } from '../../../help/people.ts'
import { type Answer, type CallOptions, callAt, testServer } from '../../../help/server.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const twin = await fakeOauthProviders()
const production = { ...twin.env, NODE_ENV: 'production', APP_SECRET: 'x'.repeat(40), ALLOW_CAPTURE: 'true', HOST: '127.0.0.1' }
const platform = { PLATFORM_FROM: 'hello@acme.test', PLATFORM_PROJECT_ID: `prj_${'1'.repeat(26)}` }
// One installation, before it has an address to send from, and afterwards.
const before = await testServer({ env: production })
const after = await testServer({
  world: await testWorld({ env: { ...production, ...platform }, databaseUrl: before.world.databaseUrl }),
})

const password = 'correct horse battery'
const mine = 'the password of the owner'
const newAddress = () => `${randomBytes(6).toString('hex')}@people.test`
const sessionOf = ({ headers }: Answer) => ({
  cookie:
    headers
      .getSetCookie()
      .find((line) => /^session=[^;]/.test(line))
      ?.split(';')[0] ?? '',
})
const logIn = async (email: string, given = password) => (await after.call('POST /auth/login', { email, password: given })).status
const statusOf = async (key: string) => (await after.call('GET /contacts', undefined, { key })).status
const me = async (server: typeof before, session: CallOptions) => (await server.call('GET /users/@me', undefined, session)).body

/** An account with a project from before. */
async function signedUp() {
  const email = newAddress()
  const session = sessionOf(await before.call('POST /auth/signup', { email, password }))
  const made = await before.call('POST /users/@me/projects', { name: 'First' }, session)
  expect(made.status).toBe(201)
  return { email, session, project: made.body as { id: string; secret: string } }
}

/** Signs in with Google, in a browser that has a session or none. */
async function signIn({ url }: typeof before, email: string, session?: { cookie: string }): Promise<Answer> {
  twin.visitor = { id: Number.parseInt(email.slice(0, 10), 16), emails: [], claims: { email, email_verified: true } }
  const out = await callAt(url, 'GET /oauth/google/outbound')
  const redirect = await fetch(String(out.headers.get('location')), { redirect: 'manual' })
  const { pathname, search } = new URL(String(redirect.headers.get('location')))
  const cookie = [String(out.headers.get('set-cookie')).split(';')[0], session?.cookie].filter(Boolean).join('; ')
  return callAt(url, `GET ${pathname}${search}`, undefined, { headers: { cookie } })
}

describe('while the installation sends no email of its own', () => {
  test('nobody has to verify an address, and none counts as verified', async () => {
    const { email, session } = await signedUp()
    expect(await me(before, session)).toMatchObject({ email, emailVerified: false })
    const asked = await before.call('POST /auth/request-verification', {}, session)
    expect([asked.status, asked.body.data.message]).toEqual([
      200,
      'This installation sends no emails of its own, so nobody has to confirm an address.',
    ])
    expect(await before.world.db.prisma.accountToken.count({ where: { user: { email } } })).toBe(0)
    expect(await noticesTo(before.world, email)).toEqual([])
    expect((await before.call('GET /config')).body.features.email).toMatchObject({
      verificationRequired: false,
      accountEmailsEnabled: false,
    })
  })

  test('a password reset says that no email is sent, the same for an address without an account', async () => {
    const { email } = await signedUp()
    for (const address of [email, newAddress()]) {
      const { status, body } = await before.call('POST /auth/request-password-reset', { email: address })
      expect([status, body.data.message]).toEqual([
        200,
        'This installation sends no emails of its own, so it cannot send you a link: ask whoever runs it.',
      ])
    }
    const resets = await before.world.db.prisma.$queryRawUnsafe(
      `select from pgboss.job where name = 'auth-reset' and data->>'email' = $1`,
      email,
    )
    expect(resets).toEqual([])
  })

  test('a provider links an account in a browser with a session of it, which keeps everything', async () => {
    const { email, session, project } = await signedUp()
    expect((await signIn(before, email, session)).status).toBe(302)
    expect(await me(before, session)).toMatchObject({ email, emailVerified: true })
    expect([await statusOf(project.secret), await logIn(email)]).toEqual([200, 200])
    expect((await signIn(before, email)).status).toBe(302)
  })

  test('a provider takes no account that owns projects without a session of it: its keys would end, and nobody could tell why', async () => {
    const [first, { email, session, project }] = [await signedUp(), await signedUp()]
    expect((await signIn(before, email, first.session)).status).toBe(403)
    expect(await me(before, session)).toMatchObject({ email, emailVerified: false })
    expect([await statusOf(project.secret), await logIn(email)]).toEqual([200, 200])
  })
})

describe('once it does, an account from before', () => {
  test('has to verify its address, by a link that it asks for, and then keeps everything', async () => {
    const { email, session, project } = await signedUp()
    const again = sessionOf(await after.call('POST /auth/login', { email, password }))
    for (const own of [session, again]) {
      const refused = await after.call('GET /users/@me/projects', undefined, own)
      expect([refused.status, refused.body.error?.code]).toEqual([403, 'EMAIL_VERIFICATION_REQUIRED'])
    }
    expect((await after.call('POST /auth/request-verification', {}, again)).status).toBe(200)
    const token = await tokenTo(after.world, email, 'verify-email')
    expect((await after.call('POST /auth/verify-email', { token }, again)).status).toBe(200)
    expect((await after.call('GET /users/@me/projects', undefined, session)).body).toMatchObject([{ id: project.id }])
    expect(await statusOf(project.secret)).toBe(200)
    expect((await before.call('GET /users/@me/projects', undefined, session)).status).toBe(200)
  })

  test('goes to whoever proves the address with a provider: password and sessions end, and keys are replaced', async () => {
    const { email, session, project } = await signedUp()
    const owner = sessionOf(await signIn(after, email))
    expect(await me(after, owner)).toMatchObject({ email, emailVerified: true })
    expect(await me(after, session)).toMatchObject({ error: { code: 'UNAUTHORIZED' } })
    expect([await statusOf(project.secret), await logIn(email)]).toEqual([401, 401])
  })

  test('goes to whoever resets its password by mail: sessions end, and keys are replaced', async () => {
    const { email, session, project } = await signedUp()
    await sendPasswordReset(callIn(after.world), { email })
    const token = await tokenTo(after.world, email, 'reset-password')
    const reset = await after.call('POST /auth/reset-password', { token, newPassword: mine })
    expect(reset.body.data.message).toMatch(/API keys .* were replaced/)
    expect(await me(after, session)).toMatchObject({ error: { code: 'UNAUTHORIZED' } })
    expect([await statusOf(project.secret), await logIn(email), await logIn(email, mine)]).toEqual([401, 401, 200])
  })

  test('neither sees nor accepts invitations to its address', async () => {
    const { email, session } = await signedUp()
    const { projectId } = await freshProject(after.world)
    const owner = await freshUser(after.world, { member: { projectId, role: 'OWNER' } })
    const { body: sent } = await after.call(`POST /projects/${projectId}/members`, { email, role: 'ADMIN' }, owner)
    const refused = [
      await after.call('GET /users/@me/invitations', undefined, session),
      await after.call(`POST /users/@me/invitations/${sent.id}/accept`, {}, session),
      await after.call('POST /auth/accept-invitation', { token: await tokenTo(after.world, email, 'invitation') }, session),
    ]
    expect(refused.map(({ status, body }) => [status, body.error?.code])).toEqual(Array(3).fill([403, 'EMAIL_VERIFICATION_REQUIRED']))
  })
})

test('a link of an invitation that was passed on by hand proves no address, also once the installation sends email', async () => {
  const email = newAddress()
  const { projectId } = await freshProject(before.world)
  const owner = await freshUser(before.world, { member: { projectId, role: 'OWNER' } })
  const { body: sent } = await before.call(`POST /projects/${projectId}/members`, { email, role: 'MEMBER' }, owner)
  const token = sent.invitationUrl.split('/').at(-1)
  const session = sessionOf(await after.call('POST /auth/accept-invitation', { token, password }))
  expect(await me(after, session)).toMatchObject({ email, emailVerified: false })
  expect((await after.call('GET /users/@me/projects', undefined, session)).body.error?.code).toBe('EMAIL_VERIFICATION_REQUIRED')
  const verify = await tokenTo(after.world, email, 'verify-email')
  await after.call('POST /auth/verify-email', { token: verify }, session)
  expect((await after.call('GET /users/@me/projects', undefined, session)).body).toMatchObject([{ id: projectId, role: 'MEMBER' }])
})
