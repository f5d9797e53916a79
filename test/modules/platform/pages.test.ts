import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { sendPasswordReset } from '../../../src/modules/auth/accounts/passwords.ts'
import { inviteMember } from '../../../src/modules/projects/members/invitations.ts'
import { tokenTo } from '../../help/notices.ts'
import { freshUser } from '../../help/people.ts'
import { callAt, testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { url, world, call } = await testServer({ env: { EMAIL_TRANSPORT: 'capture' } })
const hour = 3_600_000
const good = 'a good long password'

const newAddress = () => `${randomBytes(6).toString('hex')}@people.test`
const show = (path: string, headers: Record<string, string> = {}) => callAt(url, `GET ${path}`, undefined, { headers })
const send = (path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  callAt(url, `POST ${path}`, new URLSearchParams(fields).toString(), {
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: url, 'sec-fetch-site': 'same-origin', ...headers },
  })
const account = (email: string) => world.db.prisma.user.findUnique({ where: { email } })
const alertOf = (body: string) => /role="alert"[^>]*>([^<]*)</.exec(body)?.[1]

async function signedUp() {
  const email = newAddress()
  const { headers } = await call('POST /auth/signup', { email, password: good })
  const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return { email, cookie, verify: `/verify-email/${await tokenTo(world, email, 'verify-email')}` }
}

async function resetting() {
  const person = await freshUser(world)
  await call('POST /auth/request-password-reset', { email: person.email })
  await sendPasswordReset(person.ctx, { email: person.email })
  return { ...person, path: `/reset-password/${await tokenTo(world, person.email, 'reset-password')}` }
}

async function invitation(email = newAddress()) {
  const { projectId } = await freshProject(world, 'Acme <&>')
  const owner = await freshUser(world, { member: { projectId, role: 'OWNER' } })
  await inviteMember(owner.ctx, { id: projectId, email, role: 'ADMIN' })
  const members = () =>
    world.db.prisma.membership.findMany({ where: { projectId, role: 'ADMIN' }, select: { user: { select: { email: true } } } })
  return { email, projectId, path: `/invitations/${await tokenTo(world, email, 'invitation')}`, members }
}

describe('every page', () => {
  test('runs no script, is not cached, sends no referrer to other sites, and accepts only its own form', async () => {
    const { verify } = await signedUp()
    const { headers, body } = await show(verify)
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self'; frame-src 'self'; form-action 'self'/,
    )
    expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual(['no-store', 'same-origin'])
    expect(body).toMatch(/<html lang="en" dir="ltr">.*<title>.+<\/title>.*<h1>.*<form method="post">.*<button>/s)
    expect(body).not.toContain('<script')
  })

  test.each(['/verify-email', '/reset-password', '/invitations'])(
    '%s: a link that was made up says so, and a foreign form is refused',
    async (path) => {
      for (const token of ['nonsense', 'a'.repeat(64), '%3Cscript%3E', 'x'.repeat(5_000)]) {
        const { status, body } = await show(`${path}/${token}`)
        expect([status, body]).toEqual([404, expect.stringContaining('This link no longer works')])
        expect((await send(`${path}/${token}`, { newPassword: good, repeated: good })).status).toBe(404)
      }
      const crossSite = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' }
      expect((await callAt(url, `POST ${path}/x`, '', { headers: crossSite })).status).toBe(403)
      for (const origin of ['https://evil.example', 'null']) expect((await send(`${path}/x`, {}, { origin })).status).toBe(403)
    },
  )
})

describe('/verify-email/:token', () => {
  test('opening the link changes nothing (email scanners open links), the button verifies the address, once', async () => {
    const { email, verify, cookie } = await signedUp()
    for (const _ of [1, 2]) expect((await show(verify, { cookie })).body).not.toContain('type="password"')
    expect(await account(email)).toMatchObject({ emailVerified: false })
    expect(await send(verify, {}, { cookie })).toMatchObject({ status: 200, body: expect.stringContaining('Your address is confirmed.') })
    expect(await account(email)).toMatchObject({ emailVerified: true })
    expect([(await send(verify, {}, { cookie })).status, (await show(verify)).status]).toEqual([404, 404])
  })

  test('asks a visitor who is not signed in to the account for a new password, typed twice, and signs everybody else out', async () => {
    const { email, verify, cookie } = await signedUp()
    expect((await show(verify)).body).toMatch(/name="newPassword".*name="repeated"/s)
    const differing = await send(verify, { newPassword: 'a second password', repeated: 'another password' })
    expect([differing.status, alertOf(differing.body)]).toEqual([422, 'The two passwords are different: type them again.'])
    expect([(await send(verify)).status, (await account(email))?.emailVerified]).toEqual([422, false])
    const done = await send(verify, { newPassword: 'a second password', repeated: 'a second password' })
    expect([done.status, done.body]).toEqual([200, expect.stringContaining('your password is set')])
    expect((await call('GET /users/@me', undefined, { headers: { cookie } })).status).toBe(401)
    expect((await call('POST /auth/login', { email, password: 'a second password' })).status).toBe(200)
  })

  test('expires after 24 hours', async () => {
    const { email, verify } = await signedUp()
    world.clock.turn(24 * hour + 1)
    expect([(await show(verify)).status, (await send(verify)).status]).toEqual([404, 404])
    expect(await account(email)).toMatchObject({ emailVerified: false })
  })
})

describe('/reset-password/:token', () => {
  test('sets the password, ends every session, and works once', async () => {
    const { path, email, cookie } = await resetting()
    expect((await show(path)).body).toMatch(/autocomplete="new-password" required minlength="8"/)
    expect(await send(path, { newPassword: good, repeated: good })).toMatchObject({
      status: 200,
      body: expect.stringContaining('is changed'),
    })
    expect((await call('GET /users/@me', undefined, { headers: { cookie } })).status).toBe(401)
    expect((await call('POST /auth/login', { email, password: good })).status).toBe(200)
    expect((await send(path, { newPassword: 'another password', repeated: 'another password' })).status).toBe(404)
    expect((await call('POST /auth/login', { email, password: good })).status).toBe(200)
  })

  test.each([
    ['two that differ', { newPassword: good, repeated: `${good}!` }, 'The two passwords are different: type them again.'],
    ['one that is too short', { newPassword: 'short', repeated: 'short' }, 'The password must be at least 8 characters long.'],
    ['none', {}, 'The password is required.'],
  ])('shows above the form what is wrong with %s; the link stays valid', async (_what, fields, sentence) => {
    const { path, email, password } = await resetting()
    const { status, body } = await send(path, fields as Record<string, string>)
    expect([status, alertOf(body)]).toEqual([422, sentence])
    expect(body).toContain('aria-invalid="true" aria-describedby="error"')
    expect((await call('POST /auth/login', { email, password })).status).toBe(200)
    expect((await send(path, { newPassword: good, repeated: good })).status).toBe(200)
  })
})

describe('/invitations/:token', () => {
  test('creates an account for an address that has none, and signs it in', async () => {
    const { path, email, members } = await invitation()
    const { body } = await show(path)
    expect(body).toContain('<strong>Acme &lt;&amp;&gt;</strong> as admin')
    expect(await send(path, { password: good, repeated: 'different' })).toMatchObject({ status: 422 })
    expect(await account(email)).toBeNull()
    const done = await send(path, { password: good, repeated: good })
    expect([done.status, done.body]).toEqual([200, expect.stringContaining('You are now a member of Acme &lt;&amp;&gt;.')])
    const cookie = String(done.headers.get('set-cookie')).split(';')[0] ?? ''
    expect((await call('GET /users/@me', undefined, { headers: { cookie } })).body).toMatchObject({ email, emailVerified: true })
    expect(await members()).toEqual([{ user: { email } }])
    expect((await send(path, { password: good, repeated: good })).status).toBe(404)
  })

  test('asks for the password of the account if the address has one by now', async () => {
    const { path, email, members } = await invitation()
    const { password } = await freshUser(world, { email })
    expect((await show(path)).body).toContain('autocomplete="current-password"')
    const wrong = await send(path, { password: 'not that one' })
    expect([wrong.status, alertOf(wrong.body), wrong.headers.get('set-cookie')]).toEqual([401, 'The password is wrong.', null])
    expect(await members()).toEqual([])
    expect((await send(path, { password })).status).toBe(200)
    expect(await members()).toEqual([{ user: { email } }])
  })

  test('prevents guessing that password: after 5 attempts it refuses more, and says for how long', async () => {
    const { path, email, members } = await invitation()
    const { password } = await freshUser(world, { email })
    for (const guess of [1, 2, 3, 4, 5]) expect((await send(path, { password: `the guess ${guess}` })).status).toBe(401)
    const { status, body, headers } = await send(path, { password })
    expect([status, alertOf(body), headers.get('retry-after')]).toEqual([
      429,
      expect.stringMatching(/^Too many attempts to sign in\. Try again in 15 minutes\.$/),
      expect.stringMatching(/^\d+$/),
    ])
    expect(await members()).toEqual([])
  })

  test('needs one click from a user signed in with that address; opening the link changes nothing', async () => {
    const { path, email, members } = await invitation()
    const { cookie } = await freshUser(world, { email })
    const { body } = await show(path, { cookie })
    expect(body).not.toContain('type="password"')
    expect(await members()).toEqual([])
    expect((await send(path, {}, { cookie })).status).toBe(200)
    expect(await members()).toEqual([{ user: { email } }])
  })

  test('shows a user signed in with another address that it is not theirs, and signs them out', async () => {
    const { path, members } = await invitation()
    const other = await freshUser(world)
    const { cookie } = other
    expect((await show(path, { cookie })).body).toContain(`You are signed in as ${other.email}.`)
    expect((await send(path, {}, { cookie })).status).toBe(403)
    const out = await send(path, { do: 'sign-out' }, { cookie })
    expect([out.status, out.headers.get('location'), out.headers.get('set-cookie')]).toEqual([
      303,
      path,
      expect.stringContaining('Max-Age=0'),
    ])
    expect((await call('GET /users/@me', undefined, { headers: { cookie } })).status).toBe(401)
    expect(await members()).toEqual([])
  })
})
