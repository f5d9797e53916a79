import { beforeEach, describe, expect, test } from 'vitest'
import type { Role } from '../../../../src/kit/context.ts'
import { freshUser, type Person } from '../../../help/people.ts'
import { testServer } from '../../../help/server.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const { call, world } = await testServer()
const there = await testServer({ world: await testWorld({ databaseUrl: world.databaseUrl }) })
const password = 'correct horse battery'

let projectId: string
let owner: Person
let admin: Person
let member: Person
const people = (id: string) => call(`GET /projects/${id}/members`, undefined, owner).then(({ body }) => body)
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

  test('403 for an admin who changes an owner, also where there is another owner', async () => {
    const second = await joined('OWNER')
    for (const role of ['MEMBER', 'ADMIN', 'OWNER']) expect((await change(admin, second, role)).body.error.code).toBe('FORBIDDEN')
    expect((await people(projectId)).members.map(({ role }: { role: Role }) => role)).toEqual(['OWNER', 'ADMIN', 'MEMBER', 'OWNER'])
    expect((await change(owner, second, 'MEMBER')).status).toBe(200)
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

  test('204: whom an admin has invited cannot join any more', async () => {
    const invitation = { email: `invited-${admin.userId}@example.com`, role: 'MEMBER' }
    expect((await call(`POST /projects/${projectId}/members`, invitation, admin)).status).toBe(201)
    expect((await call('DELETE /users/@me', undefined, admin)).status).toBe(204)
    expect(await world.db.prisma.invitation.count({ where: { projectId } })).toBe(0)
  })

  test('409 for the last owner of a project, naming it', async () => {
    const { status, body } = await call('DELETE /users/@me', undefined, owner)
    expect([status, body.error.message]).toEqual([409, 'You are the last owner of Acme.'])
    expect((await call('GET /users/@me', undefined, owner)).status).toBe(200)
  })
})
