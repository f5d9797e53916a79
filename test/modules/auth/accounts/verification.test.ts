import { describe, expect, test } from 'vitest'
import { noticesTo, tokenTo } from '../../../help/notices.ts'
import { freshUser } from '../../../help/people.ts'
import { type Answer, testServer } from '../../../help/server.ts'
import { testWorld } from '../../../help/world.ts'

const { call, world } = await testServer()
const there = await testServer({ world: await testWorld({ databaseUrl: world.databaseUrl }) })
const theirs = 'the password of a stranger'
const mine = 'the password of the owner'
const cookieOf = ({ headers }: Answer) => ({ cookie: headers.getSetCookie()[0]?.split(';')[0] ?? '' })
const logIn = (email: string, password: string) => call('POST /auth/login', { email, password })
const verify = (given: object, options = {}) => call('POST /auth/verify-email', given, options)
const emailVerified = async (email: string) => (await world.db.prisma.user.findUniqueOrThrow({ where: { email } })).emailVerified

let accounts = 0
/** An account that somebody created with an address, with the token that was mailed there. */
async function signedUp() {
  const email = `owner${accounts++}@example.com`
  const session = cookieOf(await call('POST /auth/signup', { email, password: theirs }))
  return { email, session, token: await tokenTo(world, email, 'verify-email') }
}

describe('POST /auth/verify-email', () => {
  test('in a session of that account confirms the address and changes nothing else', async () => {
    const { email, session, token } = await signedUp()
    expect(await verify({ token }, session)).toMatchObject({ status: 200, body: { data: { message: 'Your address is confirmed.' } } })
    expect(await emailVerified(email)).toBe(true)
    expect((await call('GET /users/@me', undefined, session)).status).toBe(200)
    expect((await logIn(email, theirs)).status).toBe(200)
  })

  test('without one, or in the session of another account, is 422 without a new password, and the link stays valid', async () => {
    const { email, token, session } = await signedUp()
    for (const options of [{}, await freshUser(world)]) {
      const { status, body } = await verify({ token }, options)
      expect([status, body.error.errors]).toEqual([422, [expect.objectContaining({ field: 'newPassword', code: 'required' })]])
    }
    expect((await verify({ token, newPassword: 'short' })).body.error.errors).toMatchObject([{ field: 'newPassword' }])
    expect(await emailVerified(email)).toBe(false)
    expect((await verify({ token }, session)).status).toBe(200)
  })

  test('with a new password takes the account from whoever created it: their password and sessions end in every process', async () => {
    const { email, session, token } = await signedUp()
    expect((await there.call('GET /users/@me', undefined, session)).status).toBe(200)
    expect((await verify({ token, newPassword: mine })).status).toBe(200)
    for (const server of [{ call }, there]) expect((await server.call('GET /users/@me', undefined, session)).status).toBe(401)
    expect((await logIn(email, theirs)).status).toBe(401)
    const me = cookieOf(await logIn(email, mine))
    expect((await call('GET /users/@me', undefined, me)).body).toMatchObject({ email, emailVerified: true })
    expect((await noticesTo(world, email)).map(({ kind }) => kind)).toEqual(['verify-email', 'password-changed'])
    expect((await verify({ token, newPassword: theirs })).status).toBe(400)
  })

  test('with a new password replaces the keys of the projects that the account owns, and says so', async () => {
    const { email, session, token } = await signedUp()
    const { body: made } = await call('POST /users/@me/projects', { name: 'Theirs' }, session)
    expect((await there.call('GET /contacts', undefined, { key: made.secret })).status).toBe(200)
    const { body } = await verify({ token, newPassword: mine })
    expect(body.data.message).toMatch(/password is set.* keys .* were replaced/)
    for (const server of [{ call }, there]) expect((await server.call('GET /contacts', undefined, { key: made.secret })).status).toBe(401)
    const me = cookieOf(await logIn(email, mine))
    const [project] = (await call('GET /users/@me/projects', undefined, me)).body
    expect([project.id, project.secret === made.secret]).toEqual([made.id, false])
    expect((await noticesTo(world, email)).find(({ kind }) => kind === 'keys-replaced')?.data).toEqual({ projects: 1, members: 0 })
  })

  test('of two calls at once one sets its password', async () => {
    const { email, token } = await signedUp()
    const answers = await Promise.all(['first new password', 'second new password'].map((newPassword) => verify({ token, newPassword })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    expect((await logIn(email, answers[0]?.status === 200 ? 'first new password' : 'second new password')).status).toBe(200)
  })

  test('another link of the account does nothing once its address is verified: it cannot set a password later', async () => {
    const { email, session, token } = await signedUp()
    await call('POST /auth/request-verification', {}, session)
    const second = await tokenTo(world, email, 'verify-email')
    expect(second).not.toBe(token)
    expect((await verify({ token }, session)).status).toBe(200)
    expect((await verify({ token: second, newPassword: mine })).status).toBe(400)
    expect((await logIn(email, theirs)).status).toBe(200)
  })
})

test('the mutation verifyEmail asks for a new password in the same cases', async () => {
  const { email, session, token } = await signedUp()
  const query = 'mutation ($input: VerifyEmailInput!) { verifyEmail(input: $input) { message } }'
  const send = (input: object) => call('POST /graphql', { query, variables: { input } })
  expect((await send({ token })).body.errors[0].extensions).toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ field: 'newPassword' }] })
  expect((await send({ token, newPassword: mine })).body.data.verifyEmail.message).toMatch(/your password is set/)
  expect((await call('GET /users/@me', undefined, session)).status).toBe(401)
  expect((await logIn(email, mine)).status).toBe(200)
})
