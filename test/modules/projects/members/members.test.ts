import { beforeEach, describe, expect, test } from 'vitest'
import type { Role } from '../../../../src/kit/context.ts'
import { noticesTo, tokenTo } from '../../../help/notices.ts'
import { freshUser, type Person } from '../../../help/people.ts'
import { testServer } from '../../../help/server.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const { call, world } = await testServer()
const there = await testServer({ world: await testWorld({ databaseUrl: world.databaseUrl }) })
const day = 86_400_000
const password = 'correct horse battery'

let projectId: string
let owner: Person
let admin: Person
let member: Person
const people = (id: string) => call(`GET /projects/${id}/members`, undefined, owner).then(({ body }) => body)
const add = (as: { cookie: string }, email: string, role: Role) => call(`POST /projects/${projectId}/members`, { email, role }, as)
const change = (as: { cookie: string }, { userId }: Person, role: string) =>
  call(`PATCH /projects/${projectId}/members/${userId}`, { role }, as)
const remove = (as: { cookie: string }, { userId }: Person) => call(`DELETE /projects/${projectId}/members/${userId}`, undefined, as)
const joined = (role: Role) => freshUser(world, { member: { projectId, role } })

beforeEach(async () => {
  ;({ projectId } = await freshProject(world))
  owner = await joined('OWNER')
  admin = await joined('ADMIN')
  member = await joined('MEMBER')
})

describe('POST /projects/:id/members', () => {
  test('201 ACTIVE for an address with an account: at once, in every process, with an email', async () => {
    const user = await freshUser(world)
    const listed = () => there.call('GET /users/@me/projects', undefined, user)
    expect((await listed()).body).toEqual([])
    const { status, body } = await add(admin, user.email.toUpperCase(), 'MEMBER')
    expect([status, body]).toEqual([201, { userId: user.userId, email: user.email, role: 'MEMBER', status: 'ACTIVE' }])
    expect((await listed()).body).toMatchObject([{ id: projectId, role: 'MEMBER' }])
    expect((await listed()).body[0]).not.toHaveProperty('secret')
    expect(await noticesTo(world, user.email)).toEqual([
      { kind: 'member-added', data: { projectName: 'Acme', role: 'MEMBER', addedBy: admin.email } },
    ])
  })

  test('201 INVITED for an address without one: the link of the email creates the account, verified, and the membership, once', async () => {
    const email = `new-${projectId.slice(4)}@example.com`
    const { status, body } = await add(owner, email, 'ADMIN')
    expect([status, body]).toEqual([201, { email, role: 'ADMIN', status: 'INVITED' }])
    expect((await people(projectId)).invitations).toMatchObject([{ email, role: 'ADMIN' }])
    const token = await tokenTo(world, email, 'invitation')
    const shown = await call(`GET /auth/invitations/${token}`)
    expect(shown.body.data).toEqual({ projectName: 'Acme', email, role: 'ADMIN', hasAccount: false })
    const accept = (given?: string) => call('POST /auth/accept-invitation', { token, ...(given && { password: given }) })
    expect((await accept()).body.error.errors).toMatchObject([{ field: 'password', code: 'required' }])
    expect((await accept('short')).status).toBe(422)
    const taken = await accept(password)
    expect([taken.status, taken.body.data.email]).toEqual([200, email])
    const cookie = taken.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    expect((await call('GET /users/@me', undefined, { cookie })).body).toMatchObject({ email, emailVerified: true })
    expect((await call(`GET /projects/${projectId}/members`, undefined, { cookie })).body).toMatchObject({ invitations: [] })
    expect((await accept(password)).body.error.code).toBe('BAD_REQUEST')
  })

  test('an invitation is also accepted by signing up with the address and verifying it', async () => {
    const email = `later-${projectId.slice(4)}@example.com`
    await add(owner, email, 'MEMBER')
    const signedUp = await call('POST /auth/signup', { email, password })
    const cookie = signedUp.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const listed = async () => (await call('GET /users/@me/projects', undefined, { cookie })).body
    expect(await listed()).toEqual([])
    await call('POST /auth/verify-email', { token: await tokenTo(world, email, 'verify-email') })
    expect(await listed()).toMatchObject([{ id: projectId, role: 'MEMBER' }])
  })

  test('an invitation is not accepted by another user, with a wrong password, after a week, or once it is revoked', async () => {
    const email = `not-${projectId.slice(4)}@example.com`
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
    expect((await call(`DELETE /projects/${projectId}/invitations/${invitations[0].id}`, undefined, admin)).status).toBe(204)
    expect((await call('POST /auth/accept-invitation', { token, password })).status).toBe(400)
    expect((await people(projectId)).members).toHaveLength(3)
  })

  test('409 for a member and for an address that is already invited; another email after the invitation was revoked', async () => {
    expect((await add(owner, member.email, 'ADMIN')).status).toBe(409)
    const email = `dup-${projectId.slice(4)}@example.com`
    expect((await add(owner, email, 'MEMBER')).status).toBe(201)
    const again = await add(owner, email, 'ADMIN')
    expect([again.status, again.body.error.suggestion]).toEqual([409, expect.stringContaining('revoke the invitation')])
    expect(await noticesTo(world, email)).toHaveLength(1)
    const [{ id }] = (await people(projectId)).invitations
    await call(`DELETE /projects/${projectId}/invitations/${id}`, undefined, owner)
    expect((await add(owner, email, 'MEMBER')).status).toBe(201)
    expect(await noticesTo(world, email)).toHaveLength(2)
  })

  test('422 for an unknown role, 403 for an admin who adds an owner', async () => {
    const { email } = await freshUser(world)
    expect((await add(owner, email, 'ROOT' as Role)).body.error.errors).toMatchObject([{ field: 'role' }])
    expect((await add(admin, email, 'OWNER')).body.error.code).toBe('FORBIDDEN')
    expect((await add(admin, `x${email}`, 'OWNER')).body.error.code).toBe('FORBIDDEN')
    expect((await people(projectId)).members).toHaveLength(3)
    expect((await add(owner, email, 'OWNER')).status).toBe(201)
  })
})

describe('PATCH /projects/:id/members/:userId', () => {
  test('200 returns the member with the new role, which applies at once in every process', async () => {
    const rename = () => there.call(`PATCH /users/@me/projects/${projectId}`, { name: 'New' }, member)
    expect((await rename()).status).toBe(403)
    const { status, body } = await change(admin, member, 'ADMIN')
    expect([status, body]).toEqual([
      200,
      { userId: member.userId, email: member.email, role: 'ADMIN', createdAt: expect.stringMatching(/Z$/) },
    ])
    expect((await rename()).status).toBe(200)
  })

  test('403 for escalation: members change nothing, admins neither make nor change owners, themselves included', async () => {
    for (const [as, whom, role] of [
      [member, member, 'OWNER'],
      [member, admin, 'MEMBER'],
      [admin, admin, 'OWNER'],
      [admin, owner, 'MEMBER'],
    ] as const)
      expect((await change(as, whom, role)).body.error.code).toBe('FORBIDDEN')
    expect((await people(projectId)).members.map(({ role }: { role: Role }) => role)).toEqual(['OWNER', 'ADMIN', 'MEMBER'])
  })

  test('the last owner stays, even when two owners are removed at once', async () => {
    expect((await change(owner, owner, 'ADMIN')).body.error.message).toMatch(/last owner/)
    const second = await joined('OWNER')
    const both = await Promise.all([change(owner, owner, 'MEMBER'), change(second, second, 'MEMBER')])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 403])
    const { members } = (await call(`GET /projects/${projectId}/members`, undefined, admin)).body
    expect(members.filter(({ role }: { role: Role }) => role === 'OWNER')).toHaveLength(1)
  })

  test('404 for a user of another project', async () => {
    const stranger = await freshUser(world)
    expect((await change(owner, stranger, 'ADMIN')).status).toBe(404)
  })
})

describe('DELETE /projects/:id/members/:userId', () => {
  test('204, and their access ends at once in every process', async () => {
    const read = () => there.call(`GET /projects/${projectId}/members`, undefined, member)
    expect((await read()).status).toBe(200)
    expect((await remove(admin, member)).status).toBe(204)
    expect((await read()).status).toBe(404)
    expect((await remove(admin, member)).status).toBe(404)
  })

  test('everyone but the last owner may leave; members cannot remove others, admins cannot remove owners', async () => {
    expect((await remove(member, admin)).status).toBe(403)
    expect((await remove(admin, owner)).status).toBe(403)
    expect((await remove(owner, owner)).body.error.message).toMatch(/last owner/)
    expect((await remove(member, member)).status).toBe(204)
    expect((await remove(admin, admin)).status).toBe(204)
    expect((await people(projectId)).members).toMatchObject([{ userId: owner.userId }])
  })
})

describe('DELETE /users/@me', () => {
  test('204: account, sessions and memberships are gone, the project stays', async () => {
    expect((await call('DELETE /users/@me', undefined, member)).status).toBe(204)
    expect((await there.call('GET /users/@me', undefined, member)).status).toBe(401)
    expect((await call('POST /auth/login', { email: member.email, password })).status).toBe(401)
    expect((await people(projectId)).members).toHaveLength(2)
  })

  test('409 for the last owner of a project, naming it', async () => {
    const { status, body } = await call('DELETE /users/@me', undefined, owner)
    expect([status, body.error.message]).toEqual([409, 'You are the last owner of Acme.'])
    expect((await call('GET /users/@me', undefined, owner)).status).toBe(200)
  })
})

test('if the installation sends no emails of its own, an invitation returns its link, to be passed on by hand', async () => {
  const env = { NODE_ENV: 'production', APP_SECRET: 'x'.repeat(40), ALLOW_CAPTURE: 'true', HOST: '127.0.0.1' }
  const silent = await testServer({ world: await testWorld({ env }) })
  const own = await freshProject(silent.world)
  const boss = await freshUser(silent.world, { member: { projectId: own.projectId, role: 'OWNER' } })
  const { body } = await silent.call(`POST /projects/${own.projectId}/members`, { email: 'by@hand.test', role: 'MEMBER' }, boss)
  expect(body.invitationUrl).toMatch(/^http:\/\/localhost:\d+\/invitations\/[0-9a-f]{64}$/)
  const token = body.invitationUrl.split('/').at(-1)
  const taken = await silent.call('POST /auth/accept-invitation', { token, password })
  const cookie = taken.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  expect((await silent.call('GET /users/@me', undefined, { cookie })).body).toMatchObject({ emailVerified: false })
  expect((await silent.call('GET /users/@me/projects', undefined, { cookie })).body).toMatchObject([{ id: own.projectId }])
})
