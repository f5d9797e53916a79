import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assertObjectType } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { checkDomains } from '../../../src/modules/domains/dns/check.ts'
import { changedFields } from '../../../src/modules/projects/changes.ts'
import { liftSuspension, suspendProject } from '../../../src/modules/security/suspensions.ts'
import { schema } from '../../../src/server/graphql/schema.ts'
import { tokenTo } from '../../help/notices.ts'
import { freshUser, type Person } from '../../help/people.ts'
import { testServer } from '../../help/server.ts'
import { root } from '../../help/sources.ts'
import { freshProject } from '../../help/world.ts'

const { call, world } = await testServer()
let project: Awaited<ReturnType<typeof freshProject>>
let owner: Person
let member: Person

beforeAll(async () => {
  project = await freshProject(world)
  owner = await freshUser(world, { member: { projectId: project.projectId, role: 'OWNER' } })
  member = await freshUser(world, { member: { projectId: project.projectId, role: 'MEMBER' } })
})

interface Line {
  name: string
  contactId: string | null
  data: { actor: object; fields: string[] }
}

/** The lines of the log that `work` has added, oldest first. */
async function linesOf(work: () => Promise<unknown>): Promise<Line[]> {
  const read = async (): Promise<Line[]> => (await call('GET /events?limit=100', undefined, { key: project.secret })).body.data
  const before = (await read()).length
  await work()
  return (await read()).toReversed().slice(before)
}

const changed = (actor: object, fields: string[]) => ({ name: 'project.changed', contactId: null, data: { actor, fields } })
const at = (path: string) => path.replace(':id', project.projectId)

describe('project.changed says who changed which fields, never to what', () => {
  const domain = { domain: 'secret-plans.test' }
  const owned = (path: string, body?: object) => () => call(at(path), body, owner)
  const keyed = (path: string, body?: object) => () => call(at(path), body, { key: project.secret })

  test.each([
    ['settings by a person', owned('PATCH /users/@me/projects/:id', { name: 'New', language: 'de' }), 'user', ['name', 'language']],
    ['UTM parameters by a key', keyed('PATCH /users/@me/projects/:id', { utm: { source: 'a', medium: 'b' } }), 'key', ['utm']],
    ['settings by a key', keyed('PATCH /users/@me/projects/:id', { tracking: 'DISABLED' }), 'key', ['tracking']],
    ['caps', owned('PUT /users/@me/projects/:id/billing-limits', { campaigns: 9_876 }), 'user', ['billingLimits.campaigns']],
    ['a new domain', keyed('POST /domains', domain), 'key', ['domains']],
    ['an invitation', owned('POST /projects/:id/members', { email: 'guest@example.com', role: 'ADMIN' }), 'user', ['invitations']],
  ] as const)('%s', async (_what, work, type, fields) => {
    const lines = await linesOf(async () => expect((await work()).status).toBeLessThan(300))
    expect(lines).toMatchObject([changed(type === 'user' ? { type, id: owner.userId } : { type }, [...fields])])
    expect(JSON.stringify(lines)).not.toMatch(/New|9876|secret-plans|guest@/)
  })

  test('of settings and caps only those that have another value; nothing where none has', async () => {
    const settings = owned('PATCH /users/@me/projects/:id', { name: 'Same', language: 'fr', utm: { source: 'same', medium: 'email' } })
    const caps = owned('PUT /users/@me/projects/:id/billing-limits', { inbound: 5, workflows: null, transactional: 7 })
    const twice = (work: () => Promise<{ status: number }>) => async () => {
      for (const time of [1, 2]) expect([time, (await work()).status]).toEqual([time, 200])
    }
    const by = { type: 'user', id: owner.userId }
    expect(await linesOf(twice(settings))).toMatchObject([changed(by, ['name', 'language', 'utm'])])
    const capped = await linesOf(twice(caps))
    expect(capped).toHaveLength(1)
    expect(capped[0]?.data).toEqual({
      actor: by,
      fields: expect.toSatisfy((fields) => fields.toSorted().join() === 'billingLimits.inbound,billingLimits.transactional'),
    })
    const one = await linesOf(owned('PATCH /users/@me/projects/:id', { name: 'Same', language: 'en' }))
    expect(one).toMatchObject([changed(by, ['language'])])
  })

  test('a domain that is deleted', async () => {
    const { body } = await call(at('GET /domains/project/:id'), undefined, owner)
    const lines = await linesOf(() => call(`DELETE /domains/${body[0].id}`, undefined, owner))
    expect(lines).toMatchObject([changed({ type: 'user', id: owner.userId }, ['domains'])])
  })

  test('a domain that is no longer verified', async () => {
    const { body } = await call('POST /domains', { domain: 'stale.example' }, { key: project.secret })
    await world.db.prisma.domain.updateMany({
      where: { projectId: project.projectId, id: body.id },
      data: { status: 'VERIFIED', misses: 0, checkAt: null },
    })
    // Outside production names under .test are verified at once: this one becomes VERIFIED by its check.
    const reserved = await call('POST /domains', { domain: 'stale.test' }, { key: project.secret })
    await world.db.prisma.domain.updateMany({
      where: { projectId: project.projectId, id: reserved.body.id },
      data: { status: 'PENDING', checkAt: world.clock.now() },
    })
    const lines = await linesOf(() => checkDomains(world))
    expect(lines).toMatchObject([changed({ type: 'system' }, ['domains.status'])])
  })

  test('members: who joins, gets another role, leaves, and deletes the account', async () => {
    const guest = 'guest@example.com'
    const accept = { token: await tokenTo(world, guest, 'invitation'), password: 'correct horse battery' }
    let userId = ''
    const joined = await linesOf(async () => {
      userId = (await call('POST /auth/accept-invitation', accept)).body.data.id
    })
    expect(joined).toMatchObject([changed({ type: 'user', id: userId }, ['members'])])
    const byOwner = { type: 'user', id: owner.userId }
    const path = at(`/projects/:id/members/${userId}`)
    expect(await linesOf(() => call(`PATCH ${path}`, { role: 'MEMBER' }, owner))).toMatchObject([changed(byOwner, ['members.role'])])
    expect(await linesOf(() => call(`DELETE ${path}`, undefined, owner))).toMatchObject([changed(byOwner, ['members'])])
    const lines = await linesOf(() => call('DELETE /users/@me', undefined, member))
    expect(lines).toMatchObject([changed({ type: 'user', id: member.userId }, ['members'])])
  })

  test('the open invitations of a member who gets fewer rights or is removed, when there are any', async () => {
    const admin = await freshUser(world, { member: { projectId: project.projectId, role: 'ADMIN' } })
    const path = at(`/projects/:id/members/${admin.userId}`)
    const byOwner = { type: 'user', id: owner.userId }
    const invite = (email: string, role: string) => call(at('POST /projects/:id/members'), { email, role }, admin)
    expect((await invite('first@example.com', 'ADMIN')).status).toBe(201)
    const lines = await linesOf(() => call(`PATCH ${path}`, { role: 'MEMBER' }, owner))
    expect(lines).toMatchObject([changed(byOwner, ['members.role', 'invitations'])])
    await call(`PATCH ${path}`, { role: 'ADMIN' }, owner)
    expect((await invite('second@example.com', 'MEMBER')).status).toBe(201)
    const removed = await linesOf(() => call(`DELETE ${path}`, undefined, owner))
    expect(removed).toMatchObject([changed(byOwner, ['members', 'invitations'])])
  })

  test('a domain that several calls delete at once: one of them deletes it', async () => {
    const { body } = await call('POST /domains', { domain: 'once.test' }, { key: project.secret })
    const statuses: number[] = []
    const lines = await linesOf(async () => {
      const calls = Array.from({ length: 5 }, () => call(`DELETE /domains/${body.id}`, undefined, owner))
      statuses.push(...(await Promise.all(calls)).map(({ status }) => status).toSorted())
    })
    expect(lines).toMatchObject([changed({ type: 'user', id: owner.userId }, ['domains'])])
    expect(statuses).toEqual([204, 404, 404, 404, 404])
  })

  test('an invitation that is revoked', async () => {
    const { body } = await owned('POST /projects/:id/members', { email: 'unwanted@example.com', role: 'MEMBER' })()
    const lines = await linesOf(owned(`DELETE /projects/:id/invitations/${body.id}`))
    expect(lines).toMatchObject([changed({ type: 'user', id: owner.userId }, ['invitations'])])
  })

  test('a suspension and its end', async () => {
    const lines = await linesOf(async () => {
      await suspendProject(project.ctx, { reason: 'MANUAL', detail: 'Spam was reported.' })
      await liftSuspension(project.ctx)
    })
    expect(lines).toMatchObject([changed({ type: 'system' }, ['disabled']), changed({ type: 'system' }, ['disabled'])])
  })

  test('the keys, and nothing of them', async () => {
    const lines = await linesOf(async () => {
      const { body } = await call(at('POST /users/@me/projects/:id/regenerate-keys'), {}, owner)
      project = { ...project, secret: body.secret, public: body.public }
    })
    expect(lines).toMatchObject([changed({ type: 'user', id: owner.userId }, ['keys'])])
    expect(JSON.stringify(lines)).not.toContain(project.secret)
  })
})

test('a change that is refused, or changes nothing, writes no line', async () => {
  const lines = await linesOf(async () => {
    expect((await call(at('PATCH /users/@me/projects/:id'), { name: '' }, owner)).status).toBe(422)
    expect((await call(at('PATCH /users/@me/projects/:id'), {}, owner)).status).toBe(200)
    expect((await call(at('PUT /users/@me/projects/:id/billing-limits'), {}, owner)).status).toBe(200)
    expect((await call(at(`PATCH /projects/:id/members/${owner.userId}`), { role: 'OWNER' }, owner)).status).toBe(200)
    expect((await call(at(`DELETE /projects/:id/members/${owner.userId}`), undefined, owner)).status).toBe(403)
  })
  expect(lines).toEqual([])
})

test('the feed of activity shows it like other events, and nobody can track or delete it', async () => {
  await call(at('PATCH /users/@me/projects/:id'), { name: 'Seen' }, owner)
  const { body } = await call('GET /activity?limit=1', undefined, { key: project.secret })
  const eventData = { actor: { type: 'user', id: owner.userId }, fields: ['name'] }
  expect(body.data).toMatchObject([{ type: 'event.triggered', metadata: { eventName: 'project.changed', eventData } }])
  const forged = { email: 'ada@example.com', event: 'project.changed', data: eventData }
  for (const key of [project.public, project.secret]) {
    const { status, body: refused } = await call('POST /v1/track', forged, { key })
    expect([status, refused.error.errors]).toEqual([422, [expect.objectContaining({ code: 'reserved_event' })]])
  }
  expect((await call('DELETE /events/project.changed', undefined, { key: project.secret })).status).toBe(422)
  expect((await call('POST /v1/track', { ...forged, event: 'project.created' }, { key: project.secret })).status).toBe(200)
})

test('the README and the GraphQL schema name every field whose change is recorded', () => {
  const names = changedFields.map((name) => `\`${name}\``).join(', ')
  const { description } = assertObjectType(schema.getType('Event')).getFields().data ?? {}
  expect([readFileSync(join(root, 'README.md'), 'utf8'), description]).toEqual(Array(2).fill(expect.stringContaining(names)))
})
