import { performance } from 'node:perf_hooks'
import { beforeAll, describe, expect, test } from 'vitest'
import { callIn } from '../../../../src/kit/context.ts'
import type { Executor } from '../../../../src/kit/postgres/db.ts'
import { logIn as logInDirectly } from '../../../../src/modules/auth/accounts/login.ts'
import { sendPasswordReset } from '../../../../src/modules/auth/accounts/passwords.ts'
import { type PasswordResetJob, passwordResetQueue } from '../../../../src/modules/auth/shapes.ts'
import { noticesTo, tokenTo } from '../../../help/notices.ts'
import { freshUser } from '../../../help/people.ts'
import { type Answer, testServer } from '../../../help/server.ts'
import { until } from '../../../help/until.ts'
import { testWorld } from '../../../help/world.ts'

const { call, world } = await testServer({ env: { TRUST_PROXY: '1' } })
const other = await testServer({ world: await testWorld({ databaseUrl: world.databaseUrl }) })
const minute = 60_000
const password = 'correct horse battery'
let networks = 0
// Each call comes from a network of its own, so that only tests of the limit per network reach it.
const from = () => ({ headers: { 'x-forwarded-for': `10.0.${networks >> 8}.${networks++ & 255}` } })
const logIn = (email: string, given: string, options = from()) => call('POST /auth/login', { email, password: given }, options)
const cookieOf = ({ headers }: Answer) => ({ cookie: headers.getSetCookie()[0]?.split(';')[0] ?? '' })

describe('POST /auth/signup', () => {
  test('creates an account, signs it in, and sends a verification link', async () => {
    const made = await call('POST /auth/signup', { email: ' Ada@Example.COM ', password }, from())
    expect([made.status, made.body]).toEqual([
      200,
      { success: true, data: { id: expect.stringMatching(/^usr_/), email: 'ada@example.com' } },
    ])
    const me = await call('GET /users/@me', undefined, cookieOf(made))
    expect(me.body).toEqual({ id: made.body.data.id, email: 'ada@example.com', emailVerified: false })
    const token = await tokenTo(world, 'ada@example.com', 'verify-email')
    const proved = await call('POST /auth/verify-email', { token }, cookieOf(made))
    expect([proved.status, proved.body]).toEqual([200, { success: true, data: { message: 'Your address is confirmed.' } }])
    expect((await call('GET /users/@me', undefined, cookieOf(made))).body.emailVerified).toBe(true)
    expect((await call('POST /auth/verify-email', { token })).status).toBe(400)
  })

  test('429 after as many from a client address as an hour allows; other addresses are not affected', async () => {
    const strict = await testServer({ env: { TRUST_PROXY: '1', SIGNUPS_PER_HOUR: '3' } })
    const signUp = (n: number, address = '192.0.2.1') =>
      strict.call('POST /auth/signup', { email: `many${n}@example.com`, password }, { headers: { 'x-forwarded-for': address } })
    for (let n = 0; n < 3; n++) expect((await signUp(n)).status).toBe(200)
    const refused = await signUp(3)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3600'])
    expect((await signUp(4, '192.0.2.2')).status).toBe(200)
    strict.world.clock.turn(60 * minute)
    expect((await signUp(3)).status).toBe(200)
  })

  test('409 for an address that has an account, whose password is unchanged', async () => {
    const { email } = await freshUser(world)
    const again = await call('POST /auth/signup', { email, password: 'another password' }, from())
    expect([again.status, again.body.error.code, again.headers.getSetCookie()]).toEqual([409, 'CONFLICT', []])
    expect((await logIn(email, password)).status).toBe(200)
  })

  test('422 for an invalid address or password, and no account is created', async () => {
    const answer = await call('POST /auth/signup', { email: 'nobody', password: 'short' }, from())
    expect([answer.status, answer.body.error.errors.map(({ field }: { field: string }) => field)]).toEqual([422, ['email', 'password']])
  })

  test('two at once create one account', async () => {
    const answers = await Promise.all([0, 1].map(() => call('POST /auth/signup', { email: 'twice@example.com', password }, from())))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await noticesTo(world, 'twice@example.com')).toHaveLength(1)
  })

  test('403 SIGNUPS_DISABLED where the installation accepts no new accounts', async () => {
    const closed = await testServer({ world: await testWorld({ databaseUrl: world.databaseUrl, env: { DISABLE_SIGNUPS: 'true' } }) })
    const answer = await closed.call('POST /auth/signup', { email: 'closed@example.com', password })
    expect([answer.status, answer.body.error.code]).toEqual([403, 'SIGNUPS_DISABLED'])
    const { email } = await freshUser(world)
    expect((await closed.call('POST /auth/login', { email, password })).status).toBe(200)
  })
})

describe('POST /auth/login', () => {
  test('the same answer, after the same work, for an unknown address and a wrong password', async () => {
    const { email } = await freshUser(world)
    const [wrong, unknown] = [await logIn(email, 'wrong password'), await logIn('nobody@example.com', 'wrong password')]
    const shown = ({ status, body }: Answer) => ({
      status,
      code: body.error.code,
      message: body.error.message,
      suggestion: body.error.suggestion,
    })
    expect(shown(wrong)).toEqual({ ...shown(unknown), status: 401, code: 'INVALID_CREDENTIALS' })

    // Medians of alternating calls: if the hash were not compared, an unknown address would be answered ten times sooner.
    const times = { existing: [] as number[], unknown: [] as number[] }
    for (let turn = 0; turn < 12; turn++) {
      for (const [who, address] of [
        ['existing', (await freshUser(world)).email],
        ['unknown', `nobody${turn}@example.com`],
      ] as const) {
        const options = from()
        const started = performance.now()
        await logIn(address, 'wrong password', options)
        times[who].push(performance.now() - started)
      }
    }
    const median = (list: number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0
    const ratio = median(times.unknown) / median(times.existing)
    expect(ratio).toBeGreaterThan(1 / 3)
    expect(ratio).toBeLessThan(3)
  })

  test('429 with Retry-After for 15 minutes after 5 failures on an account, also for parallel calls and for the right password', async () => {
    const { email } = await freshUser(world)
    const tries = await Promise.all(Array.from({ length: 12 }, () => logIn(email, 'wrong password')))
    expect(tries.map(({ status }) => status).sort()).toEqual([...Array(5).fill(401), ...Array(7).fill(429)])
    const refused = await logIn(email.toUpperCase(), password)
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
    const unknown = await Promise.all(Array.from({ length: 7 }, () => logIn('unknown@example.com', 'wrong password')))
    expect(unknown.map(({ status }) => status).sort()).toEqual([...Array(5).fill(401), 429, 429])
    world.clock.turn(15 * minute)
    expect((await logIn(email, password)).status).toBe(200)
  })

  test('guesses over GraphQL count like those over REST, and a request with several stops at the first wrong one', async () => {
    const { email } = await freshUser(world)
    const guess = (n: number) => `g${n}: logIn(input: { email: "${email}", password: "guess${n}" }) { user { id } }`
    const guesses = Array.from({ length: 10 }, (_, n) => guess(n)).join(' ')
    for (let round = 0; round < 5; round++) {
      const { body } = await call('POST /graphql', { query: `mutation { ${guesses} }` }, from())
      expect(body.errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code)).toEqual(['INVALID_CREDENTIALS'])
    }
    expect((await logIn(email, password)).status).toBe(429)
  })

  test('a success resets the count of failures', async () => {
    const { email } = await freshUser(world)
    for (let round = 0; round < 3; round++) {
      for (let wrong = 0; wrong < 4; wrong++) expect((await logIn(email, 'wrong password')).status).toBe(401)
      expect((await logIn(email, password)).status).toBe(200)
    }
  })

  test('right passwords never count: eight at once are all accepted, also from a network with many users', async () => {
    const { email } = await freshUser(world)
    const network = from()
    const answers = await Promise.all(Array.from({ length: 8 }, () => logIn(email, password, network)))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    for (let wrong = 0; wrong < 4; wrong++) expect((await logIn(email, 'wrong password', network)).status).toBe(401)
    const again = await Promise.all(Array.from({ length: 8 }, () => logIn(email, password, network)))
    expect(again.map(({ status }) => status)).toEqual(Array(8).fill(200))
  })

  test('a right guess is not confirmed once the failures of others at the same moment have reached the limit', async () => {
    const { email } = await freshUser(world)
    const [looksUp, mayLookUp] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const late: Executor['run'] = async (statement, values) => {
      if (statement.name === 'users_find_by_email') {
        looksUp.resolve()
        await mayLookUp.promise
      }
      return world.db.run(statement, values)
    }
    const ctx = { ...callIn(world, { client: { address: '192.0.2.8' } }), db: { ...world.db, run: late } }
    const right = logInDirectly(ctx, { email, password })
    await looksUp.promise
    for (let wrong = 0; wrong < 5; wrong++) expect((await logIn(email, 'wrong password')).status).toBe(401)
    mayLookUp.resolve()
    await expect(right).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' })
    expect(ctx.answer.cookies).toBeUndefined()
  })

  test('429 after 100 failures from one network, whatever the accounts; other networks are not affected', async () => {
    const spraying = { headers: { 'x-forwarded-for': '6.6.6.6, 192.0.2.7' } }
    // On a busy machine the last of them wait too long for their turn to be hashed.
    const spray = async (n: number): Promise<Answer> => {
      const answer = await logIn(`spray${n}@example.com`, 'summer2026', spraying)
      return answer.status === 503 ? spray(n) : answer
    }
    const tries = await Promise.all(Array.from({ length: 110 }, (_, n) => spray(n)))
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(10)
    const { email } = await freshUser(world)
    const forged = { headers: { 'x-forwarded-for': '1.2.3.4, 192.0.2.7' } }
    expect((await logIn(email, password, forged)).status).toBe(429)
    expect((await logIn(email, password)).status).toBe(200)
  })
})

describe('POST /auth/request-verification', () => {
  test('sends another link, at most 3 per hour, and none once the address is verified', async () => {
    const me = cookieOf(await call('POST /auth/signup', { email: 'again@example.com', password }, from()))
    const answers = await Promise.all(Array.from({ length: 5 }, () => call('POST /auth/request-verification', {}, me)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429])
    expect(await noticesTo(world, 'again@example.com')).toHaveLength(4)
    await call('POST /auth/verify-email', { token: await tokenTo(world, 'again@example.com', 'verify-email') }, me)
    expect((await call('POST /auth/request-verification', {}, me)).body.data.message).toMatch(/already/)
    expect(await noticesTo(world, 'again@example.com')).toHaveLength(4)
  })
})

describe('a password reset', () => {
  const request = (email: string) => call('POST /auth/request-password-reset', { email }, from())
  const reset = (token: string, newPassword: string) => call('POST /auth/reset-password', { token, newPassword })
  const waiting = async () => {
    const sql = `select count(*)::int as count from pgboss.job where name = 'auth-reset' and state < 'completed'`
    return (await world.db.prisma.$queryRawUnsafe<{ count: number }[]>(sql))[0]?.count
  }
  let email: string
  let session: { cookie: string }
  beforeAll(async () => {
    await world.jobs.work<PasswordResetJob>(passwordResetQueue, (job) => sendPasswordReset(callIn(world), job))
  })

  test('is sent only to an address with an account, and the answer is the same for others', async () => {
    const user = await freshUser(world)
    ;({ email } = user)
    session = user
    const [existing, unknown] = [await request(email), await request('stranger@example.com')]
    expect([existing.status, existing.body]).toEqual([200, unknown.body])
    await until(async () => (await noticesTo(world, email)).length === 1)
    await until(async () => (await waiting()) === 0)
    expect(await noticesTo(world, 'stranger@example.com')).toEqual([])
  })

  test('works once, also for two calls at the same moment, and ends every session in every process', async () => {
    const token = await tokenTo(world, email, 'reset-password')
    expect((await reset(token, 'short')).status).toBe(422)
    expect((await other.call('GET /users/@me', undefined, session)).status).toBe(200)
    const answers = await Promise.all(['first new password', 'second new password'].map((next) => reset(token, next)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    const winner = answers[0]?.status === 200 ? 'first new password' : 'second new password'
    expect((await logIn(email, password)).status).toBe(401)
    expect((await logIn(email, winner)).status).toBe(200)
    expect((await reset(token, 'third new password')).body.error.code).toBe('BAD_REQUEST')
    for (const server of [{ call }, other]) expect((await server.call('GET /users/@me', undefined, session)).status).toBe(401)
    expect((await noticesTo(world, email)).map(({ kind }) => kind)).toEqual(['reset-password', 'password-changed'])
  })

  test('invalidates older links too, and a link expires after an hour', async () => {
    const user = await freshUser(world)
    await request(user.email)
    await until(async () => (await noticesTo(world, user.email)).length === 1)
    const first = await tokenTo(world, user.email, 'reset-password')
    await request(user.email)
    await until(async () => (await noticesTo(world, user.email)).length === 2)
    const second = await tokenTo(world, user.email, 'reset-password')
    expect((await reset(second, 'a new password')).status).toBe(200)
    expect((await reset(first, 'a newer password')).status).toBe(400)
    await request(user.email)
    await until(async () => (await noticesTo(world, user.email)).length === 4)
    const third = await tokenTo(world, user.email, 'reset-password')
    world.clock.turn(61 * minute)
    expect((await reset(third, 'a newer password')).status).toBe(400)
    expect((await logIn(user.email, 'a new password')).status).toBe(200)
  })

  test('a link works for its own purpose only', async () => {
    const me = cookieOf(await call('POST /auth/signup', { email: 'purpose@example.com', password }, from()))
    const token = await tokenTo(world, 'purpose@example.com', 'verify-email')
    expect((await reset(token, 'a new password')).status).toBe(400)
    expect((await call('POST /auth/verify-email', { token }, me)).status).toBe(200)
  })

  test('429 after 3 requests for an address in an hour, whether it has an account or not', async () => {
    for (const address of [(await freshUser(world)).email, 'none@example.com']) {
      const answers = await Promise.all(Array.from({ length: 5 }, () => request(address)))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429])
    }
  })
})

describe('PATCH /users/@me/password', () => {
  test('changes the password and ends every session; a wrong current password changes nothing', async () => {
    const user = await freshUser(world)
    const change = (currentPassword: string) => call('PATCH /users/@me/password', { currentPassword, newPassword: 'a new password' }, user)
    expect((await change('wrong')).body.error.errors).toMatchObject([{ field: 'currentPassword', code: 'wrong_password' }])
    expect((await change(password)).status).toBe(200)
    for (const server of [{ call }, other]) expect((await server.call('GET /users/@me', undefined, user)).status).toBe(401)
    expect((await logIn(user.email, password)).status).toBe(401)
    expect((await logIn(user.email, 'a new password')).status).toBe(200)
  })
})

test('GET /auth/oauth-config lists the providers', async () => {
  expect((await call('GET /auth/oauth-config')).body).toEqual({ success: true, data: { github: false, google: false } })
})
