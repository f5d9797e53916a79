import { assertObjectType } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { callIn } from '../../../../src/kit/context.ts'
import { accessOf } from '../../../../src/kit/field-access.ts'
import { inviteMember } from '../../../../src/modules/projects/members/invitations.ts'
import { insertMember } from '../../../../src/modules/projects/members/sql.ts'
import { createUser } from '../../../../src/modules/users/users.ts'
import { schema } from '../../../../src/server/graphql/schema.ts'
import { routes } from '../../../../src/server/routes.ts'
import { tokenTo } from '../../../help/notices.ts'
import { freshUser } from '../../../help/people.ts'
import { testServer } from '../../../help/server.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

// An installation where users must verify their address.
const { call, world } = await testServer({ env: { REQUIRE_VERIFIED_EMAIL: 'true' } })
const account = { email: 'strict@example.com', password: 'correct horse battery' }
const ask = async (query: string) => (await call('POST /graphql', { query }, me)).body
const fieldsOf = (type: string) => assertObjectType(schema.getType(type)).getFields()
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

test('common passwords are refused with an invitation as well, which can be accepted with another one', async () => {
  const owner = await freshUser(world, { member: { projectId, role: 'OWNER' } })
  await inviteMember(owner.ctx, { id: projectId, email: 'new@example.com', role: 'MEMBER' })
  const token = await tokenTo(world, 'new@example.com', 'invitation')
  const { status, body } = await call('POST /auth/accept-invitation', { token, password: 'Password1' })
  expect([status, body.error.errors]).toMatchObject([422, [{ field: 'password', code: 'common_password' }]])
  expect((await call('POST /auth/accept-invitation', { token, password: account.password })).status).toBe(200)
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

  const policed = routes.filter(({ access }) => access !== 'none' && access !== 'public')
  test.each(policed.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s is decided by the same policy',
    async (row, route) => {
      const path = row.replaceAll(/:(\w+)/g, (_, name) => (name === route.projectIn ? projectId : 'x'))
      const { status, body } = await call(path, route.method === 'GET' || route.method === 'DELETE' ? undefined : {}, me)
      const open = ['GET /users/@me', 'POST /auth/request-verification'].includes(row)
      expect([status, body?.error?.code]).toEqual(open ? [200, undefined] : [403, 'EMAIL_VERIFICATION_REQUIRED'])
    },
  )

  test('no other field of GraphQL than these is open', () => {
    const roots = ['Query', 'Mutation', 'Subscription'].flatMap((name) =>
      Object.values(fieldsOf(name)).map((field) => [name, field] as const),
    )
    const open = roots.filter(([, field]) => {
      const access = accessOf(field)
      return access?.who === 'none' || access?.whileUnverified
    })
    expect(open.map(([type, { name }]) => `${type}.${name}`).sort()).toEqual([
      ...[
        'acceptInvitation',
        'logIn',
        'logOut',
        'requestPasswordReset',
        'requestVerification',
        'resetPassword',
        'signUp',
        'verifyEmail',
      ].map((name) => `Mutation.${name}`),
      'Query.config',
      'Query.invitation',
      'Query.viewer',
    ])
    const ofViewer = Object.values(fieldsOf('User')).filter((field) => !accessOf(field))
    expect(ofViewer.map(({ name }) => name)).toEqual(['email', 'emailVerified', 'id'])
  })

  test('users accept no invitation, neither signed in nor with their password', async () => {
    const owner = await freshUser(world, { member: { projectId, role: 'OWNER' } })
    const invited = { email: 'invited@example.com', password: account.password }
    const { headers } = await call('POST /auth/signup', invited)
    const session = { cookie: headers.getSetCookie()[0]?.split(';')[0] ?? '' }
    await inviteMember(owner.ctx, { id: projectId, email: invited.email, role: 'ADMIN' })
    const token = await tokenTo(world, invited.email, 'invitation')
    for (const answer of [
      await call('POST /auth/accept-invitation', { token }, session),
      await call('POST /auth/accept-invitation', { token, password: invited.password }),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([403, 'EMAIL_VERIFICATION_REQUIRED'])
      expect(answer.headers.getSetCookie()).toEqual([])
    }
    expect(await world.db.prisma.membership.count({ where: { projectId, role: 'ADMIN' } })).toBe(0)
  })

  test('users do not see the schema in production', async () => {
    const env = {
      NODE_ENV: 'production',
      APP_SECRET: 'x'.repeat(40),
      ALLOW_CAPTURE: 'true',
      HOST: '127.0.0.1',
      REQUIRE_VERIFIED_EMAIL: 'true',
      PLATFORM_FROM: 'hello@acme.test',
      PLATFORM_PROJECT_ID: `prj_${'1'.repeat(26)}`,
    }
    const hidden = await testServer({ world: await testWorld({ env }) })
    await createUser(callIn(hidden.world), account)
    const { headers } = await hidden.call('POST /auth/login', account)
    const session = { cookie: headers.getSetCookie()[0]?.split(';')[0] ?? '' }
    const { body } = await hidden.call('POST /graphql', { query: '{ __schema { queryType { name } } }' }, session)
    expect([body.data, body.errors[0].extensions.code]).toEqual([undefined, 'EMAIL_VERIFICATION_REQUIRED'])
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
