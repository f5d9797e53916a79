import { describe, expect, test } from 'vitest'
import type { Access } from '../../src/kit/access.ts'
import type { Route } from '../../src/kit/route.ts'
import { routes } from '../../src/server/routes.ts'
import { documentedRoutes } from '../help/documented.ts'
import { freshUser } from '../help/people.ts'
import { type CallOptions, testServer } from '../help/server.ts'
import { freshProject } from '../help/world.ts'

// Every route as every kind of caller, against the documented access.
const { call, world } = await testServer({ worker: true })

const callers = ['nobody', 'public', 'secret', 'foreign secret', 'member', 'admin', 'owner', 'stranger'] as const
type Caller = (typeof callers)[number]
type Verdict =
  | 'accepted'
  | '401 MISSING_AUTH'
  | '401 INVALID_API_KEY'
  | '401 UNAUTHORIZED'
  | '403 FORBIDDEN'
  | '403 PROJECT_ACCESS_DENIED'
  | '404'

const withSession = (verdict: Verdict) => ({ member: verdict, admin: verdict, owner: verdict })
const noKey = { nobody: '401 MISSING_AUTH', public: '401 INVALID_API_KEY' } as const

/** The expected result of every caller, for a route about a project in its path (`inPath`) or in X-Project-Id. */
function verdicts(access: Access, inPath: boolean): Record<Caller, Verdict> {
  const stranger = inPath ? '404' : '403 PROJECT_ACCESS_DENIED'
  const foreign = inPath ? '404' : 'accepted'
  const allAccepted = withSession('accepted')
  const table: Record<Access, Record<Caller, Verdict>> = {
    none: {
      nobody: 'accepted',
      public: 'accepted',
      secret: 'accepted',
      'foreign secret': 'accepted',
      ...allAccepted,
      stranger: 'accepted',
    },
    public: {
      nobody: '401 MISSING_AUTH',
      public: 'accepted',
      secret: 'accepted',
      'foreign secret': 'accepted',
      ...withSession('401 MISSING_AUTH'),
      stranger: '401 MISSING_AUTH',
    },
    secret: { ...noKey, secret: 'accepted', 'foreign secret': foreign, ...allAccepted, stranger },
    admin: { ...noKey, secret: 'accepted', 'foreign secret': foreign, ...allAccepted, member: '403 FORBIDDEN', stranger },
    'admin session': {
      ...noKey,
      secret: '403 FORBIDDEN',
      'foreign secret': '403 FORBIDDEN',
      ...allAccepted,
      member: '403 FORBIDDEN',
      stranger,
    },
    user: { ...noKey, secret: '401 UNAUTHORIZED', 'foreign secret': '401 UNAUTHORIZED', ...allAccepted, stranger: 'accepted' },
  }
  return table[access]
}

async function credentials(caller: Caller): Promise<{ projectId: string; options: CallOptions }> {
  const project = await freshProject(world)
  const { projectId } = project
  const chosen = { 'x-project-id': projectId }
  if (caller === 'nobody') return { projectId, options: {} }
  if (caller === 'public' || caller === 'secret') return { projectId, options: { key: project[caller] } }
  if (caller === 'foreign secret') return { projectId, options: { key: (await freshProject(world)).secret } }
  if (caller === 'stranger') {
    const elsewhere = await freshProject(world)
    const { cookie } = await freshUser(world, { member: { projectId: elsewhere.projectId, role: 'OWNER' } })
    return { projectId, options: { cookie, headers: chosen } }
  }
  const role = caller.toUpperCase() as 'MEMBER' | 'ADMIN' | 'OWNER'
  const { cookie } = await freshUser(world, { member: { projectId, role } })
  return { projectId, options: { cookie, headers: chosen } }
}

function pathOf({ path, projectIn }: Route, projectId: string): string {
  const nothing = `usr_${'0'.repeat(26)}`
  return path.replaceAll(/:(\w+)/g, (_, name: string) => (name === projectIn ? projectId : nothing))
}

// Routes may still answer an accepted caller that the resource does not exist.
function verdictOf(status: number, code: string | undefined, expected: Verdict): string {
  if (expected === '404') return status === 404 && code === 'RESOURCE_NOT_FOUND' ? '404' : `${status} ${code}`
  const refused = status === 401 || (status === 403 && (code === 'FORBIDDEN' || code === 'PROJECT_ACCESS_DENIED'))
  return refused ? `${status} ${code}` : 'accepted'
}

function form(): FormData {
  const made = new FormData()
  made.set('file', new Blob(['nothing']), 'nothing.csv')
  return made
}

// A variant is asked for by the header Accept where it answers with a file, else by its form.
function requestOf({ method, notes: { file, maxFileBytes } }: Route, options: CallOptions) {
  const body = method === 'GET' || method === 'DELETE' ? undefined : maxFileBytes ? form() : {}
  return { body, options: { ...options, headers: { ...options.headers, ...(file && { accept: file }) } } }
}

const rows = routes.flatMap((route) => [
  [`${route.method} ${route.path}`, '', route] as const,
  ...(route.variant ? [[`${route.method} ${route.path}`, `, by ${route.variant.name}`, route.variant] as const] : []),
])

describe.each(rows)('%s%s', (name, _variant, route) => {
  const expected = verdicts(documentedRoutes.get(name)?.access ?? route.access, /\/projects?\/:|:projectId/.test(route.path))
  test.each(callers)(`as %s`, async (caller) => {
    const { projectId, options: credential } = await credentials(caller)
    const { body, options } = requestOf(route, credential)
    const { status, body: answer } = await call(`${route.method} ${pathOf(route, projectId)}`, body, options)
    expect(status).toBeLessThan(500)
    expect(verdictOf(status, answer?.error?.code, expected[caller])).toBe(expected[caller])
  })
})
