import { describe, expect, test } from 'vitest'
import { addSessions, freshUser, hoursFrom } from '../../../help/people.ts'
import { testServer } from '../../../help/server.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const server = await testServer()
const other = await testServer({ world: await testWorld({ databaseUrl: server.world.databaseUrl }) })
const secure = await testServer({ env: { PUBLIC_URL: 'https://post.example.com', DASHBOARD_ORIGINS: 'https://app.example.com' } })
const { call, world } = server
const day = 86_400_000

async function signUp(at: typeof server, email: string) {
  const { headers } = await at.call('POST /auth/signup', { email, password: 'correct horse battery' })
  return headers.getSetCookie()
}

describe('the cookie', () => {
  test('is a signed, HttpOnly session cookie for the whole site that lasts a week', async () => {
    const [line, more] = await signUp(server, 'cookie@example.com')
    expect(line).toMatch(/^session=[\w-]+\.[\w-]+\.[\w-]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(more).toBeUndefined()
  })

  test('is Secure and bound to the host over https', async () => {
    const [line] = await signUp(secure, 'cookie@example.com')
    expect(line).toMatch(/^__Host-session=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  })

  test('is renewed a day after it was signed, and is then valid for a week', async () => {
    const user = await freshUser(world)
    const fresh = await call('GET /users/@me', undefined, user)
    expect(fresh.headers.getSetCookie()).toEqual([])
    world.clock.turn(6 * day)
    const [renewed = ''] = (await call('GET /users/@me', undefined, user)).headers.getSetCookie()
    expect(renewed).toMatch(/^session=/)
    world.clock.turn(6 * day)
    expect((await call('GET /users/@me', undefined, user)).status).toBe(401)
    const cookie = renewed.split(';')[0] ?? ''
    expect((await call('GET /users/@me', undefined, { cookie })).status).toBe(200)
    world.clock.turn(8 * day)
    expect((await call('GET /users/@me', undefined, { cookie })).body.error.code).toBe('UNAUTHORIZED')
    world.clock.turn(-20 * day)
  })

  test.each([
    ['garbage', 'session=garbage'],
    ['a token of another secret', 'session=eyJhbGciOiJIUzI1NiJ9.eyJqdGkiOiJzZXNfMCIsImlhdCI6MSwiZXhwIjo5OTk5OTk5OTk5fQ.AAAA'],
    ['an unsigned token', 'session=eyJhbGciOiJub25lIn0.eyJqdGkiOiJzZXNfMCIsImlhdCI6MSwiZXhwIjo5OTk5OTk5OTk5fQ.'],
  ])('that is %s is 401 UNAUTHORIZED', async (_what, cookie) => {
    const { status, body } = await call('GET /users/@me', undefined, { cookie })
    expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED'])
  })
})

describe('sessions', () => {
  test('are listed newest first, and ended one by one in every process', async () => {
    const user = await freshUser(world)
    const login = await call('POST /auth/login', { email: user.email, password: user.password }, { headers: { 'user-agent': 'Phone/1.0' } })
    const phone = { cookie: login.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
    expect((await other.call('GET /users/@me', undefined, phone)).status).toBe(200)
    const { body } = await call('GET /users/@me/sessions', undefined, user)
    expect(body.data).toMatchObject([
      { current: false, userAgent: 'Phone/1.0', address: expect.stringMatching(/127\.0\.0\.1/) },
      { current: true },
    ])
    expect((await call(`DELETE /users/@me/sessions/${body.data[0].id}`, undefined, user)).status).toBe(204)
    for (const each of [server, other]) expect((await each.call('GET /users/@me', undefined, phone)).status).toBe(401)
    expect((await call('GET /users/@me', undefined, user)).status).toBe(200)
  })

  test('end when they have expired, although their token is valid for longer', async () => {
    const user = await freshUser(world)
    await world.db.prisma.session.updateMany({ where: { userId: user.userId }, data: { expiresAt: hoursFrom(world, 0) } })
    // A process that has not seen the session before.
    expect((await other.call('GET /users/@me', undefined, user)).body.error.code).toBe('UNAUTHORIZED')
  })

  test('of other users are 404', async () => {
    const [one, two] = [await freshUser(world), await freshUser(world)]
    const { body } = await call('GET /users/@me/sessions', undefined, two)
    expect((await call(`DELETE /users/@me/sessions/${body.data[0].id}`, undefined, one)).status).toBe(404)
    expect((await call('GET /users/@me', undefined, two)).status).toBe(200)
  })

  const mutation = 'mutation ($input: LogInInput!) { logIn(input: $input) { user { id } } }'
  test.each([
    ['REST', (input: object) => call('POST /auth/login', input)],
    ['GraphQL', (input: object) => call('POST /graphql', { query: mutation, variables: { input } })],
  ])('of one user are 100 at most, also when several begin at once: those not used for longest end, over %s', async (_name, logIn) => {
    const { userId, email, password, cookie } = await freshUser(world)
    const ids = await addSessions(world, userId, 99)
    // The one that was opened first is used again, after all others.
    await world.db.prisma.session.update({ where: { id: ids[0] ?? '' }, data: { seenAt: world.clock.now() } })
    const answers = await Promise.all(Array.from({ length: 4 }, () => logIn({ email, password })))
    const opened = answers.map(({ headers }) => ({ cookie: headers.getSetCookie()[0]?.split(';')[0] ?? '' }))
    for (const session of [...opened, { cookie }]) expect((await call('GET /users/@me', undefined, session)).status).toBe(200)
    const left = new Set((await world.db.prisma.session.findMany({ where: { userId } })).map(({ id }) => id))
    expect([left.size, ids.filter((id) => !left.has(id))]).toEqual([100, ids.slice(1, 5)])
  })

  test('end with logout, which clears the cookie and also succeeds when nobody is signed in', async () => {
    const user = await freshUser(world)
    const out = await call('GET /auth/logout', undefined, user)
    expect(out.body).toEqual({ success: true })
    expect(out.headers.getSetCookie()[0]).toMatch(/^session=; Max-Age=0; Path=\//)
    for (const each of [server, other]) expect((await each.call('GET /users/@me', undefined, user)).status).toBe(401)
    expect((await call('GET /auth/logout')).body).toEqual({ success: true })
  })

  test.each([
    ['a page of another site', { origin: 'https://evil.example' }, 403],
    ['a link of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, 403],
    ['a picture of a sub-domain', { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'image' }, 403],
    ['our own page', { 'sec-fetch-site': 'same-origin' }, 200],
  ])('end with logout only by the user: %s', async (_what, headers, status) => {
    const user = await freshUser(world)
    const out = await call('GET /auth/logout', undefined, { ...user, headers })
    expect([out.status, out.headers.getSetCookie().length]).toEqual([status, status === 200 ? 1 : 0])
    expect((await call('GET /users/@me', undefined, user)).status).toBe(status === 200 ? 401 : 200)
  })
})

describe('a write with a cookie', () => {
  const own = 'https://post.example.com'
  test.each([
    ['no origin headers', {}, 201],
    ['our own origin', { origin: own, 'sec-fetch-site': 'same-origin' }, 201],
    ['an origin of DASHBOARD_ORIGINS', { origin: 'https://app.example.com', 'sec-fetch-site': 'same-site' }, 201],
    ['a user’s own navigation', { 'sec-fetch-site': 'none' }, 201],
    ['a foreign origin', { origin: 'https://evil.example' }, 403],
    ['a foreign origin that claims to be the same site', { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }, 403],
    ['an opaque origin', { origin: 'null' }, 403],
    ['our own origin without https', { origin: 'http://post.example.com' }, 403],
    ['another site, without an origin', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a sub-domain, without an origin', { 'sec-fetch-site': 'same-site' }, 403],
  ])('and %s', async (_what, headers, status) => {
    const user = await freshUser(secure.world)
    const answer = await secure.call('POST /users/@me/projects', { name: 'Acme' }, { cookie: user.cookie, headers })
    expect(answer.status).toBe(status)
    if (status === 403) expect(answer.body.error.code).toBe('FORBIDDEN')
    expect((await secure.call('GET /users/@me/projects', undefined, user)).body).toHaveLength(status === 201 ? 1 : 0)
    const graph = await secure.call(
      'POST /graphql',
      { query: 'mutation { createProject(input: { name: "B" }) { project { id } } }' },
      { ...user, headers },
    )
    expect(graph.status).toBe(status === 201 ? 200 : 403)
  })

  test.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain'])(
    'is refused as a form (%s), which browsers send across sites without a preflight',
    async (type) => {
      const user = await freshUser(world)
      const headers = { 'content-type': type }
      for (const row of ['POST /users/@me/projects', 'POST /graphql', 'PATCH /users/@me/password'])
        expect((await call(row, 'name=Acme&query=mutation{logOut}', { cookie: user.cookie, headers })).status).toBe(415)
      expect((await call('GET /users/@me/projects', undefined, user)).body).toEqual([])
    },
  )

  test('is refused over GraphQL as a GET', async () => {
    const user = await freshUser(world)
    const query = encodeURIComponent('mutation { createProject(input: { name: "Acme" }) { project { id } } }')
    expect((await call(`GET /graphql?query=${query}`, undefined, user)).status).toBe(405)
    expect((await call('GET /users/@me/projects', undefined, user)).body).toEqual([])
  })

  test('cannot sign anybody in from a foreign page', async () => {
    const user = await freshUser(secure.world)
    const headers = { origin: 'https://evil.example' }
    const answer = await secure.call('POST /auth/login', { email: user.email, password: user.password }, { headers })
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []])
  })
})

describe('the project of a user who is signed in', () => {
  test('is their only project, or the one that X-Project-Id names, and never one they are not a member of', async () => {
    const [first, second, foreign] = [await freshProject(world), await freshProject(world), await freshProject(world)]
    const user = await freshUser(world, { member: { projectId: first.projectId, role: 'MEMBER' } })
    const asked = (projectId?: string) =>
      call('GET /contacts', undefined, { cookie: user.cookie, ...(projectId && { headers: { 'x-project-id': projectId } }) })
    expect((await asked()).status).toBe(200)
    await world.db.prisma.membership.create({
      data: { projectId: second.projectId, userId: user.userId, role: 'MEMBER', createdAt: world.clock.now() },
    })
    const again = await freshUser(world)
    expect((await call('GET /contacts', undefined, again)).body.error).toMatchObject({ code: 'PROJECT_ACCESS_DENIED', statusCode: 403 })
    const login = await call('POST /auth/login', { email: user.email, password: user.password })
    const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const several = await call('GET /contacts', undefined, { cookie })
    expect([several.status, several.body.error.suggestion]).toEqual([400, expect.stringContaining('GET /users/@me/projects')])
    for (const { projectId } of [first, second])
      expect((await call('GET /contacts', undefined, { cookie, headers: { 'x-project-id': projectId } })).status).toBe(200)
    for (const projectId of [foreign.projectId, 'prj_nonsense', "'; drop table users"])
      expect((await call('GET /contacts', undefined, { cookie, headers: { 'x-project-id': projectId } })).body.error.code).toBe(
        'PROJECT_ACCESS_DENIED',
      )
  })

  test('is that of the API key when one is sent: the cookie is ignored', async () => {
    const { projectId, secret } = await freshProject(world)
    const user = await freshUser(world)
    expect((await call('GET /contacts', undefined, { key: secret, cookie: user.cookie })).status).toBe(200)
    const wrong = await call('GET /users/@me', undefined, { key: `sk_${'0'.repeat(64)}`, cookie: user.cookie })
    expect(wrong.body.error.code).toBe('INVALID_API_KEY')
    const path = await call(`GET /projects/${projectId}/members`, undefined, { key: secret, cookie: user.cookie })
    expect(path.status).toBe(200)
  })
})
