import assert from 'node:assert/strict'
import { assertObjectType } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Access } from '../../src/kit/access.ts'
import { accessOf } from '../../src/kit/field-access.ts'
import { isWriteRoute, type Route, readsBody } from '../../src/kit/route.ts'
import { suspendProject } from '../../src/modules/security/suspensions.ts'
import { schema } from '../../src/server/graphql/schema.ts'
import { routes } from '../../src/server/routes.ts'
import { asker } from '../help/ask.ts'
import { freshUser, type Person } from '../help/people.ts'
import { sample } from '../help/sample.ts'
import { type CallOptions, testServer } from '../help/server.ts'
import { freshProject } from '../help/world.ts'

// Every row and every mutation that changes something in a project, as every kind of caller who may use it.
const { call, url, world } = await testServer()
const inProject = (access: Access) => access !== 'none' && access !== 'user'
const writes = routes.filter(isWriteRoute)
const named = (some: Route[]) => some.map((route) => [`${route.method} ${route.path}`, route] as const)
const mutations = Object.entries(assertObjectType(schema.getMutationType()).getFields()).map(([name, field]) => {
  const access = accessOf(field)
  assert(access)
  return [name, { field, access }] as const
})

let project: Awaited<ReturnType<typeof freshProject>>
let owner: Person

beforeAll(async () => {
  project = await freshProject(world)
  owner = await freshUser(world, { member: { projectId: project.projectId, role: 'OWNER' } })
})

const toSuspended = (route: Route, options: CallOptions) => {
  const path = route.path.replaceAll(/:(\w+)/g, (_, name) => (name === route.projectIn ? project.projectId : 'x'))
  return call(`${route.method} ${path}`, readsBody(route) ? {} : undefined, options)
}

/** What may be written in a suspended project, by the names of rows and mutations, with the reason. */
const whileSuspended: Record<string, string> = {
  cancelBulkJob: 'ends work',
  cancelImport: 'ends work',
  cancelJob: 'ends work',
  createCheckout: 'a project may be suspended because nobody pays for it',
  deleteProject: 'whoever owns it may take their data away',
  openBillingPortal: 'a project may be suspended because nobody pays for it',
  previewTemplate: 'stores nothing',
  resetProject: 'whoever owns it may take their data away',
}

/** The credentials that an access takes: a key, a session, or either. */
function credentialsFor(access: Access): CallOptions[] {
  return [...(access === 'admin session' ? [] : [{ key: project.secret }]), ...(access === 'public' ? [] : [{ cookie: owner.cookie }])]
}

describe('in a suspended project', () => {
  beforeAll(() => suspendProject(project.ctx, { reason: 'MANUAL', detail: 'Reported by three recipients.' }))

  const refused = writes.filter(({ access, notes }) => inProject(access) && !notes.whileSuspended)
  test.each(named(refused))('%s is 403 PROJECT_DISABLED with a key and with the session of an owner', async (_, route) => {
    for (const options of credentialsFor(route.access)) {
      const { status, body } = await toSuspended(route, options)
      expect([options, status, body.error.code]).toEqual([options, 403, 'PROJECT_DISABLED'])
    }
  })

  const refusedFields = mutations.filter(([, { access }]) => inProject(access.who) && !access.whileSuspended)
  test.each(refusedFields)('the mutation %s fails with PROJECT_DISABLED as well', async (name, { field, access }) => {
    for (const { key, cookie } of credentialsFor(access.who)) {
      const headers: Record<string, string> = key ? { authorization: `Bearer ${key}` } : { cookie: cookie ?? '' }
      const { errors } = await asker(url)(`mutation { ${sample(name, field, project.projectId)} }`, {}, headers)
      expect([headers, errors.map(({ extensions }) => extensions.code)]).toEqual([headers, ['PROJECT_DISABLED']])
    }
  })

  test('nothing else is done than what has a reason for it', () => {
    const rows = writes.filter(({ notes }) => notes.whileSuspended).map(({ name }) => name)
    const fields = mutations.filter(([, { access }]) => access.whileSuspended).map(([name]) => name)
    expect([...new Set([...rows, ...fields])].sort()).toEqual(Object.keys(whileSuspended))
  })

  const answered = routes.filter((route) => inProject(route.access) && (!isWriteRoute(route) || route.notes.whileSuspended))
  test.each(named(answered.filter(({ method }) => method === 'GET')))('%s is answered as in any other', async (_, route) => {
    for (const options of credentialsFor(route.access)) {
      const { body } = await toSuspended(route, options)
      expect(body?.error?.code).not.toBe('PROJECT_DISABLED')
    }
  })
})

describe('from a page of another site', () => {
  const withSession = writes.filter(({ access, signature }) => access !== 'public' && !signature)
  test.each(named(withSession))('%s is 403 FORBIDDEN', async (_, route) => {
    for (const headers of [{ origin: 'https://other.example' }, { 'sec-fetch-site': 'cross-site' }] as Record<string, string>[]) {
      const { status, body } = await toSuspended(route, { cookie: owner.cookie, headers })
      expect([headers, status, body.error.code, body.error.message]).toEqual([
        headers,
        403,
        'FORBIDDEN',
        'This request was sent by a page of another site.',
      ])
    }
  })
})
