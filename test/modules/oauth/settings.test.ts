import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { inviteMember } from '../../../src/modules/projects/members/invitations.ts'
import { fakeOauthProviders } from '../../help/oauth.ts'
import { freshUser } from '../../help/people.ts'
import { type Answer, callAt, testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const twin = await fakeOauthProviders()
const newAddress = () => `${randomBytes(6).toString('hex')}@people.test`
let ids = 1

async function signIn(at: string, email: string, query = ''): Promise<Answer> {
  twin.visitor = { id: ids++, emails: [{ email, primary: true, verified: true }], claims: { email, email_verified: true } }
  const out = await callAt(at, `GET /oauth/github/outbound${query}`)
  const cookie = String(out.headers.get('set-cookie')).split(';')[0] ?? ''
  const redirect = await fetch(String(out.headers.get('location')), { redirect: 'manual' })
  const back = new URL(String(redirect.headers.get('location')))
  return callAt(at, `GET ${back.pathname}${back.search}${query.replace('?', '&')}`, undefined, { headers: { cookie } })
}

const isSignedIn = ({ headers }: Answer) => headers.getSetCookie().some((line) => /^(__Host-)?session=[^;]/.test(line))

describe('without settings', async () => {
  const { url, call } = await testServer({ env: { DISABLE_SIGNUPS: 'true' } })

  test.each(['github', 'google', 'elsewhere', '__proto__'])(
    '/oauth/%s shows an error page, for the redirect and for the callback',
    async (provider) => {
      for (const way of ['outbound', 'callback?code=x&state=y']) {
        const { status, body } = await callAt(url, `GET /oauth/${provider}/${way}`)
        expect([status, body]).toEqual([404, expect.stringContaining('does not offer sign-in with this provider')])
      }
      expect((await call('GET /auth/oauth-config')).body.data).toEqual({ github: false, google: false })
    },
  )
})

describe('with DISABLE_SIGNUPS', async () => {
  const { url, world, call } = await testServer({ env: { ...twin.env, DISABLE_SIGNUPS: 'true' } })

  test('a new user is refused, and no account is created', async () => {
    const email = newAddress()
    const answer = await signIn(url, email)
    expect([answer.status, answer.body, isSignedIn(answer)]).toEqual([403, expect.stringContaining('does not accept new accounts'), false])
    expect(await world.db.prisma.user.count({ where: { email } })).toBe(0)
  })

  test('a user with an account signs in, and an invited user gets one and can accept', async () => {
    const { email } = await freshUser(world)
    expect(isSignedIn(await signIn(url, email))).toBe(true)
    const { projectId } = await freshProject(world)
    const owner = await freshUser(world, { member: { projectId, role: 'OWNER' } })
    const invited = newAddress()
    await inviteMember(owner.ctx, { id: projectId, email: invited, role: 'MEMBER' })
    const answer = await signIn(url, invited)
    const cookie =
      answer.headers
        .getSetCookie()
        .find((line) => line.startsWith('session='))
        ?.split(';')[0] ?? ''
    const { body } = await call('GET /users/@me/invitations', undefined, { cookie })
    expect(body.data).toMatchObject([{ projectId, role: 'MEMBER' }])
    expect(await world.db.prisma.membership.count({ where: { projectId } })).toBe(1)
    expect((await call(`POST /users/@me/invitations/${body.data[0].id}/accept`, {}, { cookie })).status).toBe(200)
  })
})

describe('where the installation has no outgoing email', async () => {
  const production = { NODE_ENV: 'production', APP_SECRET: 'x'.repeat(32), ALLOW_CAPTURE: 'true', HOST: '127.0.0.1' }
  const { url, call } = await testServer({ env: { ...twin.env, ...production } })
  const logIn = async (email: string, password: string) => (await call('POST /auth/login', { email, password })).status

  test('an account that was never verified goes to the owner of the address, who then keeps it', async () => {
    const email = newAddress()
    await call('POST /auth/signup', { email, password: 'whoever came first' })
    expect(await logIn(email, 'whoever came first')).toBe(200)
    expect(isSignedIn(await signIn(url, email))).toBe(true)
    expect(await logIn(email, 'whoever came first')).toBe(401)
  })
})

describe('over https', async () => {
  const { url } = await testServer({ env: { ...twin.env, PUBLIC_URL: 'https://mail.example.com/' } })

  test('cookies are Secure and limited to this host, and the redirect goes to the public address', async () => {
    const out = await callAt(url, 'GET /oauth/google/outbound')
    expect(out.headers.getSetCookie()).toEqual([expect.stringMatching(/^__Host-oauth=.+; Path=\/; HttpOnly; Secure; SameSite=Lax$/)])
    const answer = await signIn(url, newAddress())
    expect([answer.status, answer.headers.get('location')]).toEqual([302, 'https://mail.example.com'])
  })

  test('no parameter of the caller changes the target of the redirect', async () => {
    const answer = await signIn(url, newAddress(), '?redirect=https://evil.example&next=//evil.example&redirect_uri=https://evil.example')
    expect([answer.status, answer.headers.get('location')]).toEqual([302, 'https://mail.example.com'])
  })
})
