import { beforeAll, describe, expect, test } from 'vitest'
import { insertMember } from '../../../../src/modules/projects/members/sql.ts'
import { tokenTo } from '../../../help/notices.ts'
import { testServer } from '../../../help/server.ts'
import { freshProject } from '../../../help/world.ts'

// An installation where users must verify their address.
const { call, world } = await testServer({ env: { REQUIRE_VERIFIED_EMAIL: 'true' } })
const account = { email: 'strict@example.com', password: 'correct horse battery' }
const ask = async (query: string) => (await call('POST /graphql', { query }, me)).body
let me: { cookie: string }
let projectId: string

beforeAll(async () => {
  const { headers, body } = await call('POST /auth/signup', account)
  me = { cookie: headers.getSetCookie()[0]?.split(';')[0] ?? '' }
  projectId = (await freshProject(world)).projectId
  await world.db.run(insertMember, [projectId, body.data.id, 'OWNER', world.clock.now()])
})

test('common passwords are refused', async () => {
  const { body } = await call('POST /auth/signup', { email: 'common@example.com', password: 'Password1' })
  expect(body.error.errors).toMatchObject([{ field: 'password', code: 'common_password' }])
})

describe('before the address is verified', () => {
  test.each([
    ['GET /contacts'],
    ['GET /projects/:id/members'],
    ['DELETE /users/@me/projects/:id'],
    ['GET /users/@me/projects'],
    ['POST /users/@me/projects', { name: 'Acme' }],
    ['GET /users/@me/sessions'],
    ['PATCH /users/@me/password', { currentPassword: account.password, newPassword: 'another horse battery' }],
    ['DELETE /users/@me'],
  ])('%s is 403 EMAIL_VERIFICATION_REQUIRED', async (row, body?: object) => {
    const answer = await call(row.replace(':id', projectId), body, me)
    expect([answer.status, answer.body.error.code]).toEqual([403, 'EMAIL_VERIFICATION_REQUIRED'])
  })

  test.each([
    ['{ contacts { totalCount } }'],
    ['{ project(id: ":id") { name } }'],
    ['{ viewer { projects { nodes { id } } } }'],
    ['{ viewer { sessions { id } } }'],
    ['mutation { createProject(input: { name: "Acme" }) { project { id } } }'],
    ['mutation { resetProject(input: { id: ":id" }) { done } }'],
    ['mutation { deleteAccount { deletedUserId } }'],
  ])('%s fails with EMAIL_VERIFICATION_REQUIRED', async (document) => {
    const { errors } = await ask(document.replace(':id', projectId))
    expect(errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code)).toEqual(['EMAIL_VERIFICATION_REQUIRED'])
  })

  test('users may see their account and request another verification link', async () => {
    expect((await call('GET /users/@me', undefined, me)).body).toMatchObject({ email: account.email, emailVerified: false })
    expect((await ask('{ viewer { email emailVerified } }')).data.viewer).toEqual({ email: account.email, emailVerified: false })
    expect((await call('POST /auth/request-verification', {}, me)).status).toBe(200)
    expect((await ask('mutation { requestVerification { message } }')).errors).toBeUndefined()
  })
})

test('afterwards everything is allowed', async () => {
  await call('POST /auth/verify-email', { token: await tokenTo(world, account.email, 'verify-email') }, me)
  expect((await call(`GET /projects/${projectId}/members`, undefined, me)).status).toBe(200)
  expect((await call('GET /users/@me/projects', undefined, me)).body).toHaveLength(1)
  expect((await ask('{ viewer { projects { nodes { id } } sessions { current } } }')).data.viewer).toEqual({
    projects: { nodes: [{ id: projectId }] },
    sessions: [{ current: true }],
  })
})
