import { describe, expect, test } from 'vitest'
import { callIn } from '../../../../src/kit/context.ts'
import { sendPasswordReset } from '../../../../src/modules/auth/accounts/passwords.ts'
import { noticesTo, tokenTo } from '../../../help/notices.ts'
import { freshUser } from '../../../help/people.ts'
import { type Answer, type CallOptions, testServer } from '../../../help/server.ts'
import { testWorld } from '../../../help/world.ts'

const { call, world } = await testServer()
const there = await testServer({ world: await testWorld({ databaseUrl: world.databaseUrl }) })
const theirs = 'the password of a stranger'
const mine = 'the password of the owner'
const changed = 'Your password is changed. Sign in with the new one.'
const cookieOf = ({ headers }: Answer) => ({ cookie: headers.getSetCookie()[0]?.split(';')[0] ?? '' })
const reset = (token: string) => call('POST /auth/reset-password', { token, newPassword: mine })
const mailed = async (email: string) => (await noticesTo(world, email)).map(({ kind }) => kind)

async function resetTokenOf(email: string): Promise<string> {
  await sendPasswordReset(callIn(world), { email })
  return tokenTo(world, email, 'reset-password')
}

let accounts = 0
/** An account that somebody created with an address. */
async function signedUp() {
  const email = `victim${accounts++}@example.com`
  return { email, session: cookieOf(await call('POST /auth/signup', { email, password: theirs })) }
}

async function projectOf(session: CallOptions): Promise<{ id: string; secret: string; public: string; webhookSecret: string }> {
  return (await call('POST /users/@me/projects', { name: 'Theirs' }, session)).body
}

/** What both processes answer to a key. */
const answersTo = async (key: string) =>
  Promise.all([{ call }, there].map(async (server) => (await server.call('GET /contacts', undefined, { key })).status))

describe('a password reset', () => {
  test('of an unverified account replaces the keys of the projects that it owns in every process, and says so', async () => {
    const { email, session } = await signedUp()
    const made = [await projectOf(session), await projectOf(session)]
    for (const { secret } of made) expect(await answersTo(secret)).toEqual([200, 200])
    expect((await reset(await resetTokenOf(email))).body.data.message).toBe(
      `${changed} The API keys and webhook secrets of the projects of this account were replaced, and invitations to them revoked.`,
    )
    for (const { secret } of made) expect(await answersTo(secret)).toEqual([401, 401])
    const me = cookieOf(await call('POST /auth/login', { email, password: mine }))
    expect((await call('GET /users/@me', undefined, me)).body).toMatchObject({ email, emailVerified: true })
    const { body: projects } = await call('GET /users/@me/projects', undefined, me)
    expect(new Set(projects.map(({ id }: { id: string }) => id))).toEqual(new Set(made.map(({ id }) => id)))
    for (const { secret } of projects) expect(await answersTo(secret)).toEqual([200, 200])
    expect(await mailed(email)).toEqual(['verify-email', 'reset-password', 'password-changed', 'keys-replaced'])
    expect((await noticesTo(world, email)).at(-1)?.data).toEqual({ projects: 2, members: 0 })
  })

  test('of an unverified account leaves whoever created it no way in: its invitations are revoked, its webhooks signed with another secret', async () => {
    const { email, session } = await signedUp()
    const { id, webhookSecret } = await projectOf(session)
    const accomplice = await freshUser(world)
    expect((await call(`POST /projects/${id}/members`, { email: accomplice.email, role: 'OWNER' }, session)).status).toBe(201)
    const [invitation] = (await call('GET /users/@me/invitations', undefined, accomplice)).body.data
    await reset(await resetTokenOf(email))
    expect((await call(`POST /users/@me/invitations/${invitation.id}/accept`, undefined, accomplice)).status).toBe(404)
    const me = cookieOf(await call('POST /auth/login', { email, password: mine }))
    const { body: project } = await call(`GET /users/@me/projects/${id}`, undefined, me)
    expect(project.webhookSecret).toMatch(/^whsec_/)
    expect(project.webhookSecret).not.toBe(webhookSecret)
    expect((await noticesTo(world, email)).at(-1)?.data).toEqual({ projects: 1, members: 0 })
  })

  test('of an unverified account without a project says nothing of keys', async () => {
    const { email } = await signedUp()
    expect((await reset(await resetTokenOf(email))).body.data.message).toBe(changed)
    expect(await mailed(email)).toEqual(['verify-email', 'reset-password', 'password-changed'])
  })

  test('of an account that was verified before keeps its keys', async () => {
    const { email, ...person } = await freshUser(world)
    const { secret } = await projectOf(person)
    expect((await reset(await resetTokenOf(email))).body.data.message).toBe(changed)
    expect(await answersTo(secret)).toEqual([200, 200])
    expect(await mailed(email)).toEqual(['reset-password', 'password-changed'])
  })

  test('keeps the keys of the projects of others', async () => {
    const { secret, id } = await projectOf(await freshUser(world))
    const { email } = await signedUp()
    const { id: userId } = await world.db.prisma.user.findUniqueOrThrow({ where: { email } })
    await world.db.prisma.membership.create({ data: { projectId: id, userId, role: 'ADMIN', createdAt: world.clock.now() } })
    expect((await reset(await resetTokenOf(email))).body.data.message).toBe(changed)
    expect(await answersTo(secret)).toEqual([200, 200])
  })

  test('with a link that was used already replaces nothing', async () => {
    const { email, session } = await signedUp()
    await projectOf(session)
    const token = await resetTokenOf(email)
    expect((await reset(token)).status).toBe(200)
    const me = cookieOf(await call('POST /auth/login', { email, password: mine }))
    const [{ secret }] = (await call('GET /users/@me/projects', undefined, me)).body
    expect((await reset(token)).status).toBe(400)
    expect(await answersTo(secret)).toEqual([200, 200])
  })
})

test('the mutation resetPassword replaces them as well', async () => {
  const { email, session } = await signedUp()
  const { secret } = await projectOf(session)
  const query = 'mutation ($input: ResetPasswordInput!) { resetPassword(input: $input) { message } }'
  const { body } = await call('POST /graphql', { query, variables: { input: { token: await resetTokenOf(email), newPassword: mine } } })
  expect(body.data.resetPassword.message).toMatch(/keys .* were replaced/)
  expect(await answersTo(secret)).toEqual([401, 401])
})
