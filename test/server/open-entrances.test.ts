import { getNamedType, isInputObjectType, isObjectType } from 'graphql'
import { describe, expect, test } from 'vitest'
import { accessOf } from '../../src/kit/field-access.ts'
import { schema } from '../../src/server/graphql/schema.ts'
import { pages, routes } from '../../src/server/routes.ts'
import { document } from '../help/contract.ts'

// Whoever adds one of these adds a line here, with what keeps others out.
const openRows: Record<string, string> = {
  'POST /v1/track': 'the public key',
  'POST /auth/accept-invitation': 'the token of an invitation, or the account of its address',
  'GET /auth/invitations/:token': 'the token',
  'POST /auth/login': 'the password',
  'GET /auth/logout': 'ends the session of its cookie',
  'GET /auth/oauth-config': 'says the same to everybody',
  'POST /auth/request-password-reset': 'answers the same for every address, and writes to it',
  'POST /auth/reset-password': 'the token',
  'POST /auth/signup': 'DISABLE_SIGNUPS, SIGNUPS_PER_HOUR',
  'POST /auth/verify-email': 'the token, and the session of its account or a new password',
  'GET /config': 'says the same to everybody',
  'GET /healthz': 'says the same to everybody',
  'GET /readyz': 'says the same to everybody',
  'POST /webhooks/incoming/stripe': 'a signature',
  'POST /webhooks/sns': 'a signature',
}

const openFields: Record<string, string> = {
  'Query.config': 'says the same to everybody',
  'Query.invitation': 'the token',
  'Query.viewer': 'null without a session',
  'Mutation.acceptInvitation': 'the token of an invitation, or the account of its address',
  'Mutation.logIn': 'the password',
  'Mutation.logOut': 'ends the session of its cookie',
  'Mutation.requestPasswordReset': 'answers the same for every address, and writes to it',
  'Mutation.resetPassword': 'the token',
  'Mutation.signUp': 'DISABLE_SIGNUPS, SIGNUPS_PER_HOUR',
  'Mutation.verifyEmail': 'the token, and the session of its account or a new password',
}

// Nothing of a page is of a project unless a signed token says so.
const openPages: Record<string, string> = {
  '/': 'leads to the dashboard',
  '/app/*': 'the dashboard, the same for everybody',
  '/app/assets/:file': 'files of the dashboard',
  '/app/frame.html': 'a file of the dashboard',
  '/app/frame.js': 'a file of the dashboard',
  '/favicon.ico': 'a file',
  '/favicon.svg': 'a file',
  '/invitations/:token': 'the token of an invitation',
  '/mailbox': 'not in production unless it is set, and only on hosts of this installation',
  '/mailbox/:id': 'as /mailbox',
  '/mailbox/:id/body': 'as /mailbox',
  '/mailbox/:id/files/:position': 'as /mailbox',
  '/mailbox/empty': 'as /mailbox',
  '/manage/:token': 'the signed token of a recipient',
  '/oauth/:provider/callback': 'the state in a cookie, and the code of the provider',
  '/oauth/:provider/outbound': 'leads to the provider',
  '/reset-password/:token': 'the token',
  '/subscribe/:token': 'the signed token of a recipient',
  '/t/c/:token': 'the signed token of a link',
  '/t/o/:token': 'the signed token of an email',
  '/unsubscribe/:token': 'the signed token of a recipient',
  '/uploads/:project/:name': 'a random id, as emails show the picture to everybody',
  '/verify-email/:token': 'the token',
}

const isOpen = (access: string | undefined): boolean => access === 'none' || access === 'public'

describe('what is entered without a secret key or a session', () => {
  test('is a row that stands here', () => {
    expect(
      routes
        .filter(({ access }) => isOpen(access))
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    ).toEqual(Object.keys(openRows).sort())
  })

  test('is a field that stands here', () => {
    const fields = Object.values(schema.getTypeMap())
      .filter(isObjectType)
      .flatMap((type) =>
        Object.values(type.getFields()).map((field) => ({ name: `${type.name}.${field.name}`, who: accessOf(field)?.who })),
      )
    expect(
      fields
        .filter(({ who }) => isOpen(who))
        .map(({ name }) => name)
        .sort(),
    ).toEqual(Object.keys(openFields).sort())
  })

  test('is a page that stands here', () => {
    expect([...new Set(pages.map(({ path }) => path))].sort()).toEqual(Object.keys(openPages).sort())
  })
})

// An operation that took it from there would act in a project that nobody has compared with the caller's.
describe('no input names a project, which is that of the key, of X-Project-Id, or of a path or argument with access of its own', () => {
  const named = /^projects?(ids?)?$/i

  test('in REST', () => {
    const rows = routes.map(({ method, path }) => ({ method, path: path.replaceAll(/:(\w+)/g, '{$1}') }))
    const found = rows.flatMap(({ method, path }) => {
      const { parameters = [], requestBody } = document.paths[path]?.[method.toLowerCase()] ?? {}
      const inQuery = parameters.filter((one: { in: string; name: string }) => one.in === 'query' && named.test(one.name))
      const inBody = namesIn(requestBody).filter((name) => named.test(name))
      return inQuery.length + inBody.length > 0 ? [`${method} ${path}`] : []
    })
    expect(found).toEqual([])
  })

  test('in GraphQL', () => {
    const types = Object.values(schema.getTypeMap())
    const inInputs = types.filter(isInputObjectType).flatMap((type) => Object.keys(type.getFields()).map((name) => [type.name, name]))
    const inArguments = types
      .filter(isObjectType)
      .filter(({ name }) => !name.startsWith('__'))
      .flatMap((type) =>
        Object.values(type.getFields())
          .filter((field) => !(accessOf(field) as { project?: unknown } | undefined)?.project)
          .flatMap(({ name, args }) =>
            args.filter((arg) => !isInputObjectType(getNamedType(arg.type))).map((arg) => [`${type.name}.${name}`, arg.name]),
          ),
      )
    expect([...inInputs, ...inArguments].filter(([, name]) => named.test(name ?? ''))).toEqual([])
  })
})

/** The names of the properties in a schema, and in those that it refers to. */
function namesIn(part: unknown, seen = new Set<unknown>()): string[] {
  if (typeof part !== 'object' || part === null || seen.has(part)) return []
  seen.add(part)
  if ('$ref' in part && typeof part.$ref === 'string')
    return namesIn(
      part.$ref
        .split('/')
        .slice(1)
        // biome-ignore lint/suspicious/noExplicitAny: the document is read like any JSON.
        .reduce((at: any, key) => at?.[key], document),
      seen,
    )
  const own = 'properties' in part && typeof part.properties === 'object' && part.properties ? Object.keys(part.properties) : []
  return [...own, ...Object.values(part).flatMap((one) => namesIn(one, seen))]
}
