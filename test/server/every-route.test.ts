import { connect } from 'node:net'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Route, readsBody } from '../../src/kit/route.ts'
import { bulkDeleteContacts } from '../../src/modules/contacts/bulk/bulk.ts'
import { upsertContact } from '../../src/modules/contacts/contacts.ts'
import { createDomain } from '../../src/modules/domains/domains.ts'
import { inviteMember } from '../../src/modules/projects/members/invitations.ts'
import { createSegment } from '../../src/modules/segments/segments.ts'
import { createTemplate } from '../../src/modules/templates/templates.ts'
import { createWorkflow } from '../../src/modules/workflows/changes.ts'
import { routes } from '../../src/server/routes.ts'
import { drafted } from '../help/campaigns.ts'
import { accept } from '../help/mails.ts'
import { freshUser, type Person } from '../help/people.ts'
import { type CallOptions, testServer } from '../help/server.ts'
import { freshProject } from '../help/world.ts'

const { call, url, world } = await testServer()
const named = (some: Route[]) => some.map((route) => [`${route.method} ${route.path}`, route] as const)
const keyed = routes.filter(({ access }) => access !== 'none')
const withBody = routes.filter((route) => readsBody(route) && !route.signature && !route.notes.maxFileBytes)
const withFields = withBody.filter(({ input, path }) => fieldsOf(input).some((field) => !path.includes(`:${field}`)))
const withId = keyed.filter(({ path }) => path.includes(':') && !path.includes(':eventName') && !path.includes(':field'))

function fieldsOf(input: Route['input']): string[] {
  if (input instanceof z.ZodObject) return Object.keys(input.shape)
  return input instanceof z.ZodPipe ? fieldsOf(input.in as Route['input']) : ['something']
}

let project: Awaited<ReturnType<typeof freshProject>>
let owner: Person
let ids: Record<string, string>
const at = (route: Route, id = 'x') =>
  `${route.method} ${route.path.replaceAll(/:(\w+)/g, (_, name) => (name === route.projectIn && id === 'x' ? project.projectId : id))}`
const body = (route: Route, sent: unknown) => (readsBody(route) ? sent : undefined)
// A caller that the route accepts: nobody, a person, or a key.
const as = ({ access }: Route): CallOptions => {
  if (access === 'none') return {}
  return access === 'user' || access === 'admin session' ? { cookie: owner.cookie } : { key: project.secret }
}

/** The number of rows in every table. */
async function rowCounts(): Promise<Record<string, number>> {
  counting ??= statementOfCounts()
  const counted = await world.db.prisma.$queryRawUnsafe<{ name: string; count: number }[]>(await counting)
  return Object.fromEntries(counted.map(({ name, count }) => [name, count]))
}

let counting: Promise<string> | undefined

// One for all tables: it runs before and after each test.
async function statementOfCounts(): Promise<string> {
  const tables = await world.db.prisma.$queryRaw<{ name: string }[]>`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'rate_windows' order by 1`
  return tables.map(({ name }) => `select '${name}' as name, count(*)::int as count from "${name}"`).join(' union all ')
}

beforeAll(async () => {
  project = await freshProject(world)
  owner = await freshUser(world, { member: { projectId: project.projectId, role: 'OWNER' } })
  const stranger = await freshUser(world)
  const { body: sessions } = await call('GET /users/@me/sessions', undefined, stranger)
  const other = await freshProject(world)
  const { id: domain } = await createDomain(other.ctx, { domain: 'acme.test' })
  const { id: template } = await createTemplate(other.ctx, { name: 'T', subject: 'S', body: 'B', from: 'a@acme.test', type: 'MARKETING' })
  const { id: segment } = await createSegment(other.ctx, { name: 'All', type: 'STATIC' })
  const { id: contact } = await upsertContact(other.ctx, { email: 'ada@example.com' })
  const { id: campaign } = await drafted(other.ctx, { from: 'a@acme.test' })
  const { id: workflow } = await createWorkflow(other.ctx, { name: 'Onboarding' })
  const { id: email } = await accept(other.ctx, { from: 'a@acme.test' })
  const { jobId: job } = await bulkDeleteContacts(other.ctx, { contactIds: [contact] })
  const boss = await freshUser(world, { member: { projectId: other.projectId, role: 'OWNER' } })
  const { id: invitation } = await inviteMember(boss.ctx, { id: other.projectId, email: stranger.email, role: 'MEMBER' })
  ids = {
    contacts: contact,
    'contacts/import': job,
    'contacts/bulk': job,
    events: contact,
    suppressions: 'ada@example.com',
    templates: template,
    segments: segment,
    campaigns: campaign,
    workflows: workflow,
    emails: email,
    domains: domain,
    users: other.projectId,
    projects: other.projectId,
    '@me/sessions': sessions.data[0].id,
    '@me/invitations': invitation,
  }
})

let before: Record<string, number>
beforeEach(async () => {
  before = await rowCounts()
})

describe('without a key', () => {
  test.each(named(keyed))('%s is 401 MISSING_AUTH', async (_, route) => {
    const answer = await call(at(route), body(route, {}))
    expect([answer.status, answer.body.error.code]).toEqual([401, 'MISSING_AUTH'])
    expect(await rowCounts()).toEqual(before)
  })
})

describe('with a key that does not exist', () => {
  test.each(named(keyed))('%s is 401 INVALID_API_KEY', async (_, route) => {
    const answer = await call(at(route), body(route, {}), { key: `sk_${'0'.repeat(64)}` })
    expect([answer.status, answer.body.error.code]).toEqual([401, 'INVALID_API_KEY'])
    expect(await rowCounts()).toEqual(before)
  })
})

describe('with the public key', () => {
  test.each(named(keyed.filter(({ access }) => access !== 'public')))('%s is 401 INVALID_API_KEY', async (_, route) => {
    const answer = await call(at(route), body(route, {}), { key: project.public })
    expect([answer.status, answer.body.error.code]).toEqual([401, 'INVALID_API_KEY'])
    expect(await rowCounts()).toEqual(before)
  })
})

describe('with a bad body', () => {
  test.each(named(withBody))('%s refuses JSON that does not parse (400), lists (400), NUL (422), other types (415)', async (_, route) => {
    const answers = await Promise.all([
      call(at(route), '{"email":', as(route)),
      call(at(route), '[]', as(route)),
      call(at(route), '{"email":"a\\u0000@example.com","name":"\\u0000"}', as(route)),
      call(at(route), '{"name":"\\ud800"}', as(route)),
      call(at(route), '{}', { ...as(route), headers: { 'content-type': 'text/plain' } }),
    ])
    expect(answers.map(({ status, body: answered }) => [status, answered.error.code])).toEqual([
      [400, 'BAD_REQUEST'],
      [400, 'BAD_REQUEST'],
      [422, 'VALIDATION_ERROR'],
      [422, 'VALIDATION_ERROR'],
      [415, 'UNSUPPORTED_MEDIA_TYPE'],
    ])
    expect(await rowCounts()).toEqual(before)
  })

  test.each(named(withBody))('%s refuses 50 MB before any of it has arrived', async (_, route) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    const answered = new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())))
    const [method, path] = at(route).split(' ')
    const { key, cookie } = as(route)
    const credentials = key ? `Authorization: Bearer ${key}\r\n` : cookie ? `Cookie: ${cookie}\r\n` : ''
    socket.write(
      `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${credentials}Content-Type: application/json\r\nContent-Length: 52428800\r\n\r\n`,
    )
    expect(await answered).toMatch(/^HTTP\/1\.1 413 /)
    socket.destroy()
    expect(await rowCounts()).toEqual(before)
  })

  const wrong = {
    email: 7,
    event: [],
    subscribed: 'maybe',
    data: 'x',
    to: 7,
    from: 7,
    subject: [],
    body: 7,
    name: 7,
    domain: 7,
    tracking: 7,
    language: 7,
    type: 'X',
    role: 'X',
    token: 7,
    password: 7,
    newPassword: 7,
    workflows: 'X',
    currency: 7,
    scheduledFor: 7,
    audience: 'X',
    warmUp: 7,
  }
  test.each(named(withFields))('%s refuses fields of wrong types, naming each', async (_, route) => {
    const answer = await call(at(route), wrong, as(route))
    expect([answer.status, answer.body.error.code]).toEqual([422, 'VALIDATION_ERROR'])
    for (const { field, message, code } of answer.body.error.errors)
      expect([field, message, code].every((text) => typeof text === 'string' && text !== '')).toBe(true)
    expect(await rowCounts()).toEqual(before)
  })
})

describe('with an id of another project', () => {
  test.each(named(withId))('%s answers the same 404 as for an id that does not exist', async (_, route) => {
    const foreign = Object.entries(ids).findLast(([segment]) => route.path.includes(`/${segment}/`))?.[1] ?? ''
    const ofGraph = route.path.includes('/workflows/') ? { type: 'EXIT', fromStepId: 'stp_a', toStepId: 'stp_b', contactId: 'cnt_a' } : {}
    const sent = { name: 'New', role: 'MEMBER', email: 'ada@example.com', emails: ['ada@example.com'], ...ofGraph }
    const [existing, missing] = await Promise.all(
      [foreign, `${foreign.slice(0, 4)}00000000000000000000000000`].map((id) => call(at(route, id), body(route, sent), as(route))),
    )
    expect(foreign).not.toBe('')
    const refused = existing?.body.error.errors?.map(({ field }: { field: string }) => field).join(', ')
    expect(existing?.status, refused && `the body is refused: add what it requires to \`sent\` above (${refused})`).toBe(404)
    expect([missing?.status, missing?.body.error.code, missing?.body.message]).toEqual([
      404,
      existing?.body.error.code,
      existing?.body.message,
    ])
    expect(await rowCounts()).toEqual(before)
  })
})
