import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { fakeOauthProviders } from '../../help/oauth.ts'
import { addSessions, freshUser } from '../../help/people.ts'
import { type Answer, callAt, testServer } from '../../help/server.ts'

const twin = await fakeOauthProviders()
const { url, world, call } = await testServer({ env: twin.env })
let ids = 1
const cookieOf = ({ headers }: Answer) => (headers.getSetCookie().find((line) => !/=;/.test(line)) ?? '').split(';')[0] ?? ''

/** Starts a sign-in; returns what brings its browser back from the provider. */
async function start(provider: string): Promise<() => Promise<Answer>> {
  const out = await callAt(url, `GET /oauth/${provider}/outbound`)
  const redirect = await fetch(String(out.headers.get('location')), { redirect: 'manual' })
  const { pathname, search } = new URL(String(redirect.headers.get('location')))
  return () => callAt(url, `GET ${pathname}${search}`, undefined, { headers: { cookie: cookieOf(out) } })
}

describe.each(['github', 'google'])('of first sign-ins in several tabs at the same moment all are signed in, %s,', (provider) => {
  test.each([
    ['with a new account', async () => `${randomBytes(6).toString('hex')}@people.test`],
    ['with the account that has the address', async () => (await freshUser(world)).email],
  ])('%s', async (_what, addressOf) => {
    for (let round = 0; round < 2; round++) {
      const email = await addressOf()
      twin.visitor = { id: ids++, emails: [{ email, primary: true, verified: true }], claims: { email, email_verified: true } }
      const tabs = await Promise.all(Array.from({ length: 8 }, () => start(provider)))
      const answers = await Promise.all(tabs.map((comeBack) => comeBack()))
      expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(302))
      const seen = await Promise.all(answers.map((answer) => call('GET /users/@me', undefined, { cookie: cookieOf(answer) })))
      expect(seen.map(({ body }) => body.email)).toEqual(Array(8).fill(email))
      expect(await world.db.prisma.identity.count({ where: { email } })).toBe(1)
    }
  })
})

test('sign-ins with a linked account at the same moment leave 100 sessions', async () => {
  const { userId, email } = await freshUser(world)
  twin.visitor = { id: ids++, emails: [{ email, primary: true, verified: true }], claims: { email, email_verified: true } }
  await (await start('github'))()
  const older = await addSessions(world, userId, 98)
  const tabs = await Promise.all(Array.from({ length: 8 }, () => start('github')))
  const answers = await Promise.all(tabs.map((comeBack) => comeBack()))
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(302))
  const left = new Set((await world.db.prisma.session.findMany({ where: { userId } })).map(({ id }) => id))
  expect([left.size, older.filter((id) => !left.has(id))]).toEqual([100, older.slice(0, 8)])
})
