import { isObjectType } from 'graphql'
import { expect, test } from 'vitest'
import { accessOf } from '../src/kit/field-access.ts'
import { schema } from '../src/server/graphql/schema.ts'
import { pages, routes } from '../src/server/routes.ts'
import { documentedRoutes } from './help/documented.ts'

/** Routes beyond the documented interface, with the reason for each. */
const beyond: Record<string, string> = {
  'GET /contacts/export': 'contacts as CSV, to be imported again',
  'GET /contacts/:id/export': 'everything about a person who asks for it',
  'DELETE /contacts/import/:jobId': 'an import can be cancelled',
  'DELETE /contacts/bulk/:jobId': 'a bulk operation can be cancelled',
  'POST /templates/:id/preview': 'shows what a template makes before it is sent',
  'GET /healthz': 'for load balancers',
  'GET /readyz': 'for load balancers',
  'GET /users/@me/projects/:id': 'one project, as in the list',
  'POST /users/@me/projects/:id/rotate-webhook-secret': 'the secret that signs webhooks can be replaced',
  'GET /auth/invitations/:token': 'the page of an invitation shows it',
  'POST /auth/accept-invitation': 'an invitation must be accepted somewhere',
  'DELETE /projects/:id/invitations/:invitationId': 'an invitation can be revoked',
  'DELETE /users/@me': 'people can delete their account',
  'PATCH /users/@me/password': 'changes the password without an email',
  'GET /suppressions': 'people can see which addresses emails are withheld from',
  'POST /suppressions': 'a list can be brought along from another provider',
  'DELETE /suppressions/:email': 'an address can be taken off the list',
  'GET /segments/:id/contacts/:contactId/explanation': 'says why a contact is in a segment or not',
  'POST /campaigns/:id/pause': 'sending can be stopped without being cancelled',
  'POST /campaigns/:id/resume': 'and go on',
  'GET /campaigns/:id/audience': 'says who would be sent a campaign before it is',
  'GET /campaigns/:id/recipients': 'says what became of everybody',
  'POST /workflows/:id/duplicate': 'a workflow can be tried out as a copy',
  'GET /emails': 'what was sent can be looked up',
  'GET /emails/:id': 'one email with what happened to it',
  'PATCH /domains/:id': 'begins and ends the warm-up of a domain',
  'GET /emails/:id/source': 'shows what was sent, or would be',
  'POST /emails/:id/cancel': 'an email that waits can be stopped',
  'GET /users/@me/sessions': 'lists where a person is signed in',
  'DELETE /users/@me/sessions/:id': 'ends one session, such as that of a lost device',
}

const documented = [...documentedRoutes.keys()]
const served = routes.map(({ method, path }) => `${method} ${path}`)

function statusOf({ notes: { status = 200 } }: (typeof routes)[number]): string {
  return typeof status === 'number' ? String(status) : status.all.join('|')
}

function surface(): string {
  const endpoints = routes.map(
    (route) => `${route.method.padEnd(7)}${route.path.padEnd(48)}${route.access.padEnd(15)}${statusOf(route).padEnd(9)}${route.name}`,
  )
  const shown = pages.map(({ method, path }) => `${method.padEnd(7)}${path.padEnd(48)}page`)
  return `${[...endpoints.sort(byPath), ...shown.sort(byPath), ...fields()].join('\n')}\n`
}

// The root fields of GraphQL, and the fields of objects that declare their own access.
function fields(): string[] {
  const roots = ['Query', 'Mutation', 'Subscription']
  const rest = Object.keys(schema.getTypeMap()).filter((name) => !roots.includes(name))
  return [...roots, ...rest.sort()].flatMap((name) => {
    const type = schema.getType(name)
    const declared = isObjectType(type) ? Object.values(type.getFields()).filter((field) => accessOf(field)) : []
    return declared.map((field) => `GraphQL ${`${name}.${field.name}`.padEnd(47)}${accessOf(field)?.who}`).sort()
  })
}

function byPath(one: string, other: string): number {
  const key = (route: string) => `${route.slice(7)} ${route}`
  return key(one) < key(other) ? -1 : 1
}

test('surface.txt lists every endpoint: method, path, who may call, status, operation; and every field of GraphQL with who may use it (vitest -u updates it)', async () => {
  await expect(surface()).toMatchFileSnapshot('surface.txt')
})

test('every documented route is served', () => {
  expect(documented.filter((route) => !served.includes(route))).toEqual([])
})

function documentedAs(route: string): string {
  const { access, status } = documentedRoutes.get(route) ?? { access: '', status: '' }
  return `${access} ${status}`
}

test('every documented route has the documented access and status', () => {
  const differing = routes
    .map((route) => ({ route: `${route.method} ${route.path}`, is: `${route.access} ${statusOf(route).split('|').sort().join('|')}` }))
    .filter(({ route, is }) => documentedRoutes.has(route) && documentedAs(route) !== is)
    .map(({ route, is }) => `${route} is ${is}, documented ${documentedAs(route)}`)
  expect(differing).toEqual([])
})

test('every served route is documented or listed above with a reason', () => {
  expect(served.filter((route) => !documented.includes(route) && !(route in beyond))).toEqual([])
  expect(Object.keys(beyond).filter((route) => !served.includes(route) || documented.includes(route))).toEqual([])
})

test('no route is served twice, and every operation has one name', () => {
  expect(new Set(served).size).toBe(served.length)
  for (const { name, method, path } of routes) expect(name, `${method} ${path}`).toMatch(/^[a-z]+[A-Z]\w+$/)
})
