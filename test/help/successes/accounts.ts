import { noticesTo, tokenTo } from '../notices.ts'
import { freshUser } from '../people.ts'
import { until } from '../until.ts'
import { type Given, plain, type Success, type Successes } from './given.ts'

const password = 'a new and long password'

const invited = async ({ make, owner, projectId, world }: Given, email = 'grace@people.test') => {
  const { id } = await make(`POST /projects/${projectId}/members`, { email, role: 'MEMBER' }, owner)
  return { params: { invitationId: id as string }, token: await tokenTo(world, email, 'invitation') }
}
const member = async ({ world, projectId }: Given): Promise<{ params: { userId: string } }> => {
  const { userId } = await freshUser(world, { member: { projectId, role: 'MEMBER' } })
  return { params: { userId } }
}
const paying = async ({ make, projectId }: Given): Promise<Success> => {
  await make(`POST /users/@me/projects/${projectId}/checkout`, {})
  return {}
}

/** The calls of people: accounts, projects, members, billing; and what anyone may ask. */
export const accounts: Successes = {
  'GET /healthz 200': plain,
  'GET /readyz 200': plain,
  'GET /config 200': plain,
  'GET /auth/oauth-config 200': plain,
  'POST /auth/signup 200': () => ({ body: { email: 'grace@people.test', password } }),
  'POST /auth/login 200': ({ owner }) => ({ body: { email: owner.email, password: owner.password } }),
  'GET /auth/logout 200': ({ owner }) => ({ as: owner }),
  'POST /auth/request-verification 200': plain,
  'POST /auth/verify-email 200': async ({ make, world }) => {
    const email = 'linus@people.test'
    await make('POST /auth/signup', { email, password }, {})
    return { body: { token: await tokenTo(world, email, 'verify-email'), newPassword: password } }
  },
  'POST /auth/request-password-reset 200': ({ owner }) => ({ body: { email: owner.email } }),
  'POST /auth/reset-password 200': async ({ make, owner, world }) => {
    await make('POST /auth/request-password-reset', { email: owner.email }, {})
    await until(async () => (await noticesTo(world, owner.email)).length === 1)
    return { body: { token: await tokenTo(world, owner.email, 'reset-password'), newPassword: password } }
  },
  'GET /auth/invitations/:token 200': async (given) => ({ params: { token: (await invited(given)).token } }),
  'POST /auth/accept-invitation 200': async (given) => ({ body: { token: (await invited(given, 'new@people.test')).token, password } }),
  'GET /users/@me 200': plain,
  'DELETE /users/@me 204': async ({ world }) => ({ as: await freshUser(world) }),
  'PATCH /users/@me/password 200': ({ owner }) => ({ body: { currentPassword: owner.password, newPassword: password } }),
  'GET /users/@me/invitations 200': plain,
  'POST /users/@me/invitations/:id/accept 200': async (given) => {
    const as = await freshUser(given.world)
    const { params } = await invited(given, as.email)
    return { params: { id: params.invitationId }, as }
  },
  'GET /users/@me/sessions 200': plain,
  'DELETE /users/@me/sessions/:id 204': async ({ make, owner }) => {
    const { data } = await make('GET /users/@me/sessions', undefined, owner)
    return { params: { id: data[0].id } }
  },
  'GET /users/@me/projects 200': plain,
  'POST /users/@me/projects 201': () => ({ body: { name: 'Acme' } }),
  'GET /users/@me/projects/:id 200': plain,
  'PATCH /users/@me/projects/:id 200': () => ({ body: { name: 'Other' } }),
  'DELETE /users/@me/projects/:id 204': plain,
  'POST /users/@me/projects/:id/reset 200': plain,
  'POST /users/@me/projects/:id/reset 202': plain,
  'POST /users/@me/projects/:id/regenerate-keys 200': plain,
  'POST /users/@me/projects/:id/rotate-webhook-secret 200': plain,
  'POST /users/@me/projects/:id/checkout 200': plain,
  'POST /users/@me/projects/:id/billing-portal 200': paying,
  'GET /users/@me/projects/:id/billing-invoices 200': paying,
  'GET /users/@me/projects/:id/billing-limits 200': plain,
  'PUT /users/@me/projects/:id/billing-limits 200': () => ({ body: { campaigns: 100 } }),
  'GET /users/@me/projects/:id/billing-consumption 200': paying,
  'GET /users/@me/projects/:id/security 200': plain,
  'GET /projects/:id/security 200': plain,
  'GET /projects/:id/setup-state 200': plain,
  'GET /projects/:id/members 200': plain,
  'POST /projects/:id/members 201': () => ({ body: { email: 'grace@people.test', role: 'MEMBER' } }),
  'PATCH /projects/:id/members/:userId 200': async (given) => ({ ...(await member(given)), body: { role: 'ADMIN' } }),
  'DELETE /projects/:id/members/:userId 204': member,
  'DELETE /projects/:id/invitations/:invitationId 204': async (given) => ({ params: (await invited(given)).params }),
}
