import { beforeEach, describe, expect, test } from 'vitest'
import type { Role } from '../../../../src/kit/context.ts'
import { newId } from '../../../../src/kit/ids.ts'
import { joinProject } from '../../../../src/modules/projects/members/acceptance.ts'
import { removeAccount } from '../../../../src/modules/users/users.ts'
import { tokenTo } from '../../../help/notices.ts'
import { freshUser, type Person } from '../../../help/people.ts'
import { type Answer, testServer } from '../../../help/server.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const { call, world } = await testServer()
const day = 86_400_000
const password = 'correct horse battery'

let projectId: string
let owner: Person
let addresses = 0
const newAddress = () => `guest${addresses++}@example.com`
const people = (id: string) => call(`GET /projects/${id}/members`, undefined, owner).then(({ body }) => body)
const add = (as: { cookie: string }, email: string, role: Role) => call(`POST /projects/${projectId}/members`, { email, role }, as)
const cookieOf = ({ headers }: Answer) => headers.getSetCookie()[0]?.split(';')[0] ?? ''

beforeEach(async () => {
  ;({ projectId } = await freshProject(world))
  owner = await freshUser(world, { member: { projectId, role: 'OWNER' } })
})

describe('an invitation is accepted', () => {
  const received = (as: { cookie: string }) => call('GET /users/@me/invitations', undefined, as)
  const accept = (as: { cookie: string }, id: string) => call(`POST /users/@me/invitations/${id}/accept`, {}, as)

  test('by whoever is signed in with that verified address, once', async () => {
    const user = await freshUser(world)
    const { body: sent } = await add(owner, user.email, 'ADMIN')
    const listed = await received(user)
    const { id, createdAt: invitedAt, expiresAt } = sent
    expect([listed.status, listed.body]).toEqual([
      200,
      { data: [{ id, projectId, projectName: 'Acme', role: 'ADMIN', invitedAt, expiresAt }] },
    ])
    const { userId, email } = user
    const answers = await Promise.all([accept(user, id), accept(user, id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, expect.any(Number)])
    expect(answers.find(({ status }) => status === 200)?.body).toEqual({ projectId, userId, email, role: 'ADMIN', createdAt: invitedAt })
    expect((await accept(user, id)).status).toBe(404)
    expect((await received(user)).body).toEqual({ data: [] })
    expect((await call('GET /users/@me/projects', undefined, user)).body).toMatchObject([{ id: projectId, role: 'ADMIN' }])
    expect((await people(projectId)).members).toHaveLength(2)
  })

  test('by nobody else, not with an unverified address, and not after a week or once it is revoked', async () => {
    const user = await freshUser(world)
    const { body: sent } = await add(owner, user.email, 'MEMBER')
    expect((await accept(await freshUser(world), sent.id)).status).toBe(404)
    const stranger = newAddress()
    const session = { cookie: cookieOf(await call('POST /auth/signup', { email: stranger, password })) }
    const { body: theirs } = await add(owner, stranger, 'MEMBER')
    expect((await received(session)).body).toEqual({ data: [] })
    const refused = await accept(session, theirs.id)
    expect([refused.status, refused.body.error.code]).toEqual([403, 'EMAIL_VERIFICATION_REQUIRED'])
    for (const [later, count] of [
      [7 * day - 1, 1],
      [1, 0],
    ] as const) {
      world.clock.turn(later)
      const again = { cookie: cookieOf(await call('POST /auth/login', { email: user.email, password: user.password })) }
      expect((await received(again)).body.data).toHaveLength(count)
      if (count === 0) expect((await accept(again, sent.id)).status).toBe(404)
    }
    expect(await world.db.prisma.membership.count({ where: { projectId } })).toBe(1)
  })

  test('not in a project that has 1,000 members, by the link or signed in', async () => {
    const user = await freshUser(world)
    const { body: sent } = await add(owner, user.email, 'MEMBER')
    const token = await tokenTo(world, user.email, 'invitation')
    const createdAt = world.clock.now()
    const ids = Array.from({ length: 999 }, () => newId('user', createdAt))
    await world.db.prisma.user.createMany({ data: ids.map((id) => ({ id, email: `${id}@people.test`, createdAt, updatedAt: createdAt })) })
    await world.db.prisma.membership.createMany({ data: ids.map((userId) => ({ projectId, userId, role: 'MEMBER' as const, createdAt })) })
    for (const refused of [await accept(user, sent.id), await call('POST /auth/accept-invitation', { token }, user)])
      expect([refused.status, refused.body.error.message]).toEqual([409, 'A project can have at most 1000 members.'])
    expect(await world.db.prisma.membership.count({ where: { projectId } })).toBe(1_000)
    await call(`DELETE /projects/${projectId}/members/${ids[0]}`, undefined, owner)
    expect((await accept(user, sent.id)).status).toBe(200)
  })

  test('not by whoever has deleted the account meanwhile', async () => {
    const user = await freshUser(world)
    const { body: sent } = await add(owner, user.email, 'ADMIN')
    await removeAccount(world.db, user.userId)
    await expect(joinProject(user.ctx, { id: sent.id })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    expect((await people(projectId)).members).toHaveLength(1)
  })

  test('not by confirming an address: the person who does decides', async () => {
    const email = newAddress()
    await add(owner, email, 'MEMBER')
    const session = { cookie: cookieOf(await call('POST /auth/signup', { email, password })) }
    await call('POST /auth/verify-email', { token: await tokenTo(world, email, 'verify-email') }, session)
    expect((await call('GET /users/@me/projects', undefined, session)).body).toEqual([])
    const [{ id }] = (await received(session)).body.data
    expect((await accept(session, id)).status).toBe(200)
    expect((await call('GET /users/@me/projects', undefined, session)).body).toMatchObject([{ id: projectId, role: 'MEMBER' }])
  })

  test('over GraphQL: viewer lists invitations, joinProject accepts one', async () => {
    const user = await freshUser(world)
    const { body: sent } = await add(owner, user.email, 'ADMIN')
    const ask = async (query: string) => (await call('POST /graphql', { query }, user)).body
    expect((await ask('{ viewer { invitations { id projectId projectName role createdAt } } }')).data.viewer.invitations).toEqual([
      { id: sent.id, projectId, projectName: 'Acme', role: 'ADMIN', createdAt: sent.createdAt },
    ])
    const join = `mutation { joinProject(input: { invitationId: "${sent.id}" }) { project { id role } } }`
    expect((await ask(join)).data).toEqual({ joinProject: { project: { id: projectId, role: 'ADMIN' } } })
    expect((await ask(join)).errors[0].extensions.code).toBe('RESOURCE_NOT_FOUND')
  })

  test('by its link, which creates an account with a verified address, once', async () => {
    const email = newAddress()
    await add(owner, email, 'ADMIN')
    expect((await people(projectId)).invitations).toMatchObject([{ email, role: 'ADMIN' }])
    const token = await tokenTo(world, email, 'invitation')
    const shown = await call(`GET /auth/invitations/${token}`)
    expect(shown.body.data).toEqual({ projectName: 'Acme', email, role: 'ADMIN', hasAccount: false })
    const take = (given?: string) => call('POST /auth/accept-invitation', { token, ...(given && { password: given }) })
    expect((await take()).body.error.errors).toMatchObject([{ field: 'password', code: 'required' }])
    expect((await take('short')).status).toBe(422)
    const taken = await take(password)
    expect([taken.status, taken.body.data.email]).toEqual([200, email])
    const cookie = cookieOf(taken)
    expect((await call('GET /users/@me', undefined, { cookie })).body).toMatchObject({ email, emailVerified: true })
    expect((await call(`GET /projects/${projectId}/members`, undefined, { cookie })).body).toMatchObject({ invitations: [] })
    expect((await take(password)).body.error.code).toBe('BAD_REQUEST')
  })

  test('by its link not by another user, with a wrong password, after a week, or once it is revoked', async () => {
    const email = newAddress()
    await add(owner, email, 'MEMBER')
    const token = await tokenTo(world, email, 'invitation')
    const stranger = await freshUser(world)
    expect((await call('POST /auth/accept-invitation', { token }, stranger)).status).toBe(403)
    await call('POST /auth/signup', { email, password })
    expect((await call(`GET /auth/invitations/${token}`)).body.data.hasAccount).toBe(true)
    expect((await call('POST /auth/accept-invitation', { token, password: 'wrong password' })).status).toBe(401)
    world.clock.turn(8 * day)
    expect((await call('POST /auth/accept-invitation', { token, password })).status).toBe(400)
    world.clock.turn(-8 * day)
    const { invitations } = await people(projectId)
    expect((await call(`DELETE /projects/${projectId}/invitations/${invitations[0].id}`, undefined, owner)).status).toBe(204)
    expect((await call('POST /auth/accept-invitation', { token, password })).status).toBe(400)
    expect((await people(projectId)).members).toHaveLength(1)
  })
})

describe('if the installation sends no emails of its own', async () => {
  const env = { NODE_ENV: 'production', APP_SECRET: 'x'.repeat(40), ALLOW_CAPTURE: 'true', HOST: '127.0.0.1' }
  const silent = await testServer({ world: await testWorld({ env }) })
  const invited = async (email: string) => {
    const own = await freshProject(silent.world)
    const boss = await freshUser(silent.world, { member: { projectId: own.projectId, role: 'OWNER' } })
    const again = () => silent.call(`POST /projects/${own.projectId}/members`, { email, role: 'MEMBER' }, boss)
    return { own, again, url: (await again()).body.invitationUrl as string }
  }

  test('an invitation returns its link, to be passed on by hand, and another one when it is repeated', async () => {
    const { own, again, url } = await invited('by@hand.test')
    expect(url).toMatch(/^http:\/\/localhost:\d+\/invitations\/[0-9a-f]{64}$/)
    const renewed = await again()
    const token = renewed.body.invitationUrl.split('/').at(-1)
    expect((await silent.call(`GET /auth/invitations/${url.split('/').at(-1)}`)).status).toBe(400)
    const taken = await silent.call('POST /auth/accept-invitation', { token, password })
    const cookie = cookieOf(taken)
    expect((await silent.call('GET /users/@me', undefined, { cookie })).body).toMatchObject({ emailVerified: false })
    expect((await silent.call('GET /users/@me/projects', undefined, { cookie })).body).toMatchObject([{ id: own.projectId }])
  })

  test('only its link accepts it, because nobody there has proved an address', async () => {
    const email = 'unproven@hand.test'
    const { own, url } = await invited(email)
    const cookie = cookieOf(await silent.call('POST /auth/signup', { email, password }))
    expect((await silent.call('GET /users/@me', undefined, { cookie })).body.emailVerified).toBe(false)
    expect((await silent.call('GET /users/@me/invitations', undefined, { cookie })).body).toEqual({ data: [] })
    expect((await silent.call('POST /auth/accept-invitation', { token: url.split('/').at(-1) }, { cookie })).status).toBe(200)
    expect((await silent.call('GET /users/@me/projects', undefined, { cookie })).body).toMatchObject([{ id: own.projectId }])
  })
})
