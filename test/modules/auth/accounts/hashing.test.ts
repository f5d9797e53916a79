import argon2 from '@node-rs/argon2'
import { SignJWT } from 'jose'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { makeToken, type TokenPurpose } from '../../../../src/modules/auth/accounts/tokens.ts'
import { tokenTo } from '../../../help/notices.ts'
import { freshUser } from '../../../help/people.ts'
import { type Answer, testServer } from '../../../help/server.ts'
import { until } from '../../../help/until.ts'
import { freshProject } from '../../../help/world.ts'

// How often the library was asked, and how often at the same time: it does its work. The program asks its object each time.
const counted = { hashed: 0, compared: 0, running: 0, most: 0 }
const { hash, verify } = argon2
const counting = async <Result>(what: 'hashed' | 'compared', work: Promise<Result>): Promise<Result> => {
  counted[what]++
  counted.most = Math.max(counted.most, ++counted.running)
  return work.finally(() => counted.running--)
}
beforeAll(() => {
  vi.spyOn(argon2, 'hash').mockImplementation((...given) => counting('hashed', hash(...given)))
  vi.spyOn(argon2, 'verify').mockImplementation((...given) => counting('compared', verify(...given)))
})
afterAll(() => void vi.restoreAllMocks())

const { call, world } = await testServer({ env: { TRUST_PROXY: '1' } })
const password = 'correct horse battery'
const newPassword = 'another good password'
let networks = 0
const from = () => ({ headers: { 'x-forwarded-for': `10.1.${networks >> 8}.${networks++ & 255}` } })
const times = <Result>(count: number, work: (at: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)))
const statuses = (answers: Answer[]) => answers.map(({ status }) => status)
const linkOf = (userId: string, purpose: TokenPurpose) => makeToken(world, world.db, userId, purpose)

async function invited(): Promise<{ token: string; projectId: string }> {
  const { projectId } = await freshProject(world)
  const owner = await freshUser(world, { member: { projectId, role: 'OWNER' } })
  const email = `invited${networks++}@example.com`
  await call(`POST /projects/${projectId}/members`, { email, role: 'MEMBER' }, owner)
  return { token: await tokenTo(world, email, 'invitation'), projectId }
}

beforeEach(async () => {
  // The password of all people is hashed with the first of them.
  await freshUser(world)
  Object.assign(counted, { hashed: 0, compared: 0, running: 0, most: 0 })
})

test('a sign-up with a taken address is 409 before its password is hashed, over REST and GraphQL', async () => {
  const { email } = await freshUser(world)
  const query = 'mutation ($input: SignUpInput!) { signUp(input: $input) { user { id } } }'
  const overRest = await call('POST /auth/signup', { email: email.toUpperCase(), password }, from())
  const overGraphql = await call('POST /graphql', { query, variables: { input: { email, password } } }, from())
  expect([overRest.status, overRest.body.error.code]).toEqual([409, 'CONFLICT'])
  expect(overGraphql.body.errors[0]).toMatchObject({ message: overRest.body.error.message, extensions: { code: 'CONFLICT' } })
  expect(counted.hashed).toBe(0)
})

describe('a link called many times at the same moment hashes one password', () => {
  test.each([
    ['POST /auth/reset-password', 'RESET_PASSWORD'],
    ['POST /auth/verify-email', 'VERIFY_EMAIL'],
  ] as const)('%s', async (route, purpose) => {
    const { userId } = await freshUser(world)
    const token = await linkOf(userId, purpose)
    const answers = await times(30, () => call(route, { token, newPassword }, from()))
    expect(statuses(answers).filter((status) => status === 200)).toHaveLength(1)
    expect(statuses(answers).filter((status) => status !== 200 && status !== 400 && status !== 429)).toEqual([])
    expect(counted.hashed).toBe(1)
  })

  test('POST /auth/accept-invitation', async () => {
    const { token } = await invited()
    const answers = await times(30, () => call('POST /auth/accept-invitation', { token, password }, from()))
    expect(statuses(answers).filter((status) => status === 200)).toHaveLength(1)
    expect(counted.hashed).toBe(1)
  })
})

test('an invitation to a project with the maximum of members hashes nothing', async () => {
  const { token, projectId } = await invited()
  await world.db.prisma.$executeRawUnsafe(
    `insert into users (id, email, email_verified, created_at, updated_at)
     select 'usr_full' || n, 'full' || n || '@example.com', true, now(), now() from generate_series(1, 1000) n`,
  )
  await world.db.prisma.$executeRawUnsafe(
    `insert into memberships (project_id, user_id, role, created_at) select $1, 'usr_full' || n, 'MEMBER', now() from generate_series(1, 999) n`,
    projectId,
  )
  const refused = await call('POST /auth/accept-invitation', { token, password }, from())
  expect([refused.status, refused.body.error.message]).toEqual([409, 'A project can have at most 1000 members.'])
  expect(refused.headers.getSetCookie()).toEqual([])
  expect(counted.hashed).toBe(0)
})

describe('PATCH /users/@me/password, many times at the same moment,', () => {
  const change = (cookie: string, currentPassword: string) =>
    call('PATCH /users/@me/password', { currentPassword, newPassword }, { cookie, ...from() })

  test('compares wrong passwords 10 times', async () => {
    const { cookie } = await freshUser(world)
    const answers = await times(40, () => change(cookie, 'wrong password'))
    expect(statuses(answers).sort()).toEqual([...Array(10).fill(422), ...Array(30).fill(429)])
    expect(counted).toMatchObject({ compared: 10, hashed: 0 })
  })

  test('hashes one new password', async () => {
    const { cookie } = await freshUser(world)
    const answers = await times(20, () => change(cookie, password))
    expect(statuses(answers).sort()).toEqual([200, ...Array(19).fill(401)])
    expect(counted).toMatchObject({ compared: 1, hashed: 1 })
  })
})

describe('of all that is hashed and compared', () => {
  test('two are computed at the same time, so that threads stay free for sessions, files and Postgres', async () => {
    const people = await times(6, () => freshUser(world))
    const resets = await times(6, async (at) => linkOf(people[at]?.userId ?? '', 'RESET_PASSWORD'))
    const calls = [
      ...people.map(({ email }) => call('POST /auth/login', { email, password }, from())),
      ...resets.map((token) => call('POST /auth/reset-password', { token, newPassword }, from())),
      ...people.map((_, at) => call('POST /auth/signup', { email: `new${at}@example.com`, password }, from())),
      ...people.map(({ cookie }) => call('PATCH /users/@me/password', { currentPassword: password, newPassword }, { cookie, ...from() })),
    ]
    await Promise.all(calls)
    expect(counted.hashed).toBeGreaterThanOrEqual(12)
    expect(counted.most).toBe(2)
  })

  test('one is computed for a client address', async () => {
    const network = from()
    await times(8, (at) => call('POST /auth/signup', { email: `near${at}@example.com`, password }, network))
    expect(counted).toMatchObject({ hashed: 8, most: 1 })
  })

  test('that of an account with many calls leaves turns to others of the same network', async () => {
    const [busy, other] = [await freshUser(world), await freshUser(world)]
    const network = from()
    let done = 0
    const flood = times(60, async () => {
      await call('POST /auth/login', { email: busy.email, password }, network)
      done++
    })
    // The flood has arrived, and waits.
    await until(async () => done > 0)
    const before = done
    expect((await call('POST /auth/login', { email: other.email, password }, network)).status).toBe(200)
    expect(done - before).toBeLessThan(30)
    await flood
  })
})

/** A sign-in whose comparison does not end before it is let go. */
async function logInHeld(email: string, options: ReturnType<typeof from>) {
  const held = Promise.withResolvers<void>()
  onTestFinished(() => held.resolve())
  vi.mocked(argon2.verify).mockImplementationOnce(async (...given) => {
    await held.promise
    return counting('compared', verify(...given))
  })
  const compared = vi.mocked(argon2.verify).mock.calls.length
  const answer = call('POST /auth/login', { email, password }, options)
  await until(async () => vi.mocked(argon2.verify).mock.calls.length > compared)
  return { answer, held }
}

test('a right guess is not confirmed after others have failed meanwhile in another process', async () => {
  const { email } = await freshUser(world)
  const elsewhere = await testServer({ databaseUrl: world.databaseUrl })
  const { answer, held } = await logInHeld(email, from())
  for (let at = 0; at < 5; at++) {
    const guess = await elsewhere.call('POST /auth/login', { email, password: 'a wrong guess' })
    expect(guess.status).toBe(401)
  }
  held.resolve()
  expect((await answer).status).toBe(429)
})

test('a call that waits for the turn of its address takes no turn of the account: its owner signs in meanwhile', async () => {
  const { email } = await freshUser(world)
  const busy = from()
  // A comparison that does not end occupies the turn of an address.
  const { answer: first, held } = await logInHeld('somebody@example.com', busy)
  let looked = 0
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: unknown, ...given: unknown[]) {
    if ((given[0] as { name?: string }).name === 'users_read_attempts') looked++
    return (query as (...args: unknown[]) => unknown).apply(this, given)
  } as typeof query
  onTestFinished(() => {
    pg.Client.prototype.query = query
  })
  const attempts = times(3, () => call('POST /auth/login', { email, password: 'a guess of somebody' }, busy))
  await until(async () => looked >= 6)
  const owner = call('POST /auth/login', { email, password }, from())
  // What waits longer than 15 s is refused.
  expect((await owner).status).toBe(200)
  held.resolve()
  expect(statuses([await first, ...(await attempts)])).toEqual([401, 401, 401, 401])
})

describe('calls with links are limited', () => {
  const reset = (token: string, options: ReturnType<typeof from>) => call('POST /auth/reset-password', { token, newPassword }, options)
  const follow = {
    reset,
    verify: (token: string, options: ReturnType<typeof from>) => call('POST /auth/verify-email', { token, newPassword }, options),
    accept: (token: string, options: ReturnType<typeof from>) => call('POST /auth/accept-invitation', { token, password }, options),
  }

  test.each(['reset', 'verify', 'accept'] as const)('%s: 429 after 10 of one link in 15 minutes, from whatever address', async (name) => {
    const token = `no such link ${name}`
    const answers = await times(12, () => follow[name](token, from()))
    expect(statuses(answers).sort()).toEqual([...Array(10).fill(400), 429, 429])
    const refused = await follow[name](token, from())
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '900'])
    world.clock.turn(15 * 60_000)
    expect((await follow[name](token, from())).status).toBe(400)
  })

  test('429 after 100 from one address in 15 minutes; other addresses are not affected', async () => {
    const network = from()
    const answers = await times(104, (at) => reset(`no such link ${at}`, network))
    expect(statuses(answers).sort()).toEqual([...Array(100).fill(400), ...Array(4).fill(429)])
    const { userId } = await freshUser(world)
    const token = await linkOf(userId, 'RESET_PASSWORD')
    expect((await reset(token, network)).status).toBe(429)
    expect((await reset(token, from())).status).toBe(200)
  })
})

test('a session is signed before the transaction that opens it, which would hold its connection meanwhile', async () => {
  const { email } = await freshUser(world)
  const { token } = await invited()
  const steps: string[] = []
  const [sign, query] = [SignJWT.prototype.sign, pg.Client.prototype.query]
  SignJWT.prototype.sign = function (...given) {
    steps.push('sign')
    return sign.apply(this, given)
  }
  pg.Client.prototype.query = function (this: unknown, ...given: unknown[]) {
    const { name } = given[0] as { name?: string }
    if (name !== undefined && /^(users_(insert|lock)_user|auth_insert_session)$/.test(name)) steps.push(name)
    return (query as (...args: unknown[]) => unknown).apply(this, given)
  } as typeof query
  onTestFinished(() => {
    SignJWT.prototype.sign = sign
    pg.Client.prototype.query = query
  })
  await call('POST /auth/login', { email, password }, from())
  await call('POST /auth/signup', { email: 'signed@example.com', password }, from())
  await call('POST /auth/accept-invitation', { token, password }, from())
  const opened = (account: string) => ['sign', account, 'auth_insert_session']
  expect(steps).toEqual(['users_lock_user', 'users_insert_user', 'users_insert_user'].flatMap(opened))
})
