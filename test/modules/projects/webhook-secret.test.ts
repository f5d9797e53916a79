import { describe, expect, test } from 'vitest'
import { createProject, getProject, rotateWebhookSecret } from '../../../src/modules/projects/projects.ts'
import { getSigningSecrets } from '../../../src/modules/projects/webhook-secrets.ts'
import { freshUser } from '../../help/people.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { call, world } = await testServer()
const form = /^whsec_[A-Za-z0-9+/]{43}=$/
const rotation = 'mutation { rotateWebhookSecret { project { id webhookSecret } } }'

async function project() {
  const { projectId, ctx, secret, public: publicKey } = await freshProject(world)
  const as = async (role: 'ADMIN' | 'MEMBER') => freshUser(world, { member: { projectId, role } })
  return { ctx, projectId, key: { key: secret }, publicKey, admin: await as('ADMIN'), member: await as('MEMBER') }
}

describe('webhookSecret of a project', () => {
  test('is shown to keys and admins in REST and GraphQL, and to no member', async () => {
    const { projectId, key, admin, member } = await project()
    const { body } = await call(`GET /users/@me/projects/${projectId}`, undefined, key)
    expect(body.webhookSecret).toMatch(form)
    const query = { query: `{ project(id: "${projectId}") { webhookSecret } }` }
    for (const [who, expected] of [
      [key, body.webhookSecret],
      [admin, body.webhookSecret],
      [member, null],
    ] as const) {
      expect((await call('POST /graphql', query, who)).body.data.project.webhookSecret).toBe(expected)
      expect((await call(`GET /users/@me/projects/${projectId}`, undefined, who)).body.webhookSecret).toBe(expected ?? undefined)
    }
    for (const [who, expected] of [
      [admin, body.webhookSecret],
      [member, undefined],
    ] as const)
      expect((await call('GET /users/@me/projects', undefined, who)).body[0].webhookSecret).toBe(expected)
  })

  test('is made with the project, stored encrypted only, and given to a project that has none', async () => {
    const owner = await freshUser(world)
    const { id, webhookSecret } = await createProject(owner.ctx, { name: 'Acme' })
    const stored = JSON.stringify(await world.db.prisma.projectWebhookSecret.findMany({ where: { projectId: id } }))
    expect([webhookSecret, stored.length > 2]).toEqual([expect.stringMatching(form), true])
    expect(stored).not.toContain(webhookSecret.slice(6))
    const { ctx, projectId } = await freshProject(world)
    await world.db.prisma.projectWebhookSecret.deleteMany({ where: { projectId } })
    const both = await Promise.all([getProject(ctx, {}), getSigningSecrets(ctx), getProject(ctx, {})])
    const { webhookSecret: found } = await getProject(ctx, {})
    expect(found).toMatch(form)
    expect(both).toMatchObject([{ webhookSecret: found }, [found], { webhookSecret: found }])
  })
})

describe('rotateWebhookSecret', () => {
  test('200 with the new one over REST and GraphQL, logged without values', async () => {
    const { projectId, ctx, key, admin } = await project()
    const { webhookSecret: first } = await getProject(ctx, {})
    const { status, body } = await call(`POST /users/@me/projects/${projectId}/rotate-webhook-secret`, undefined, admin)
    expect([status, body.id, body.webhookSecret]).toEqual([200, projectId, expect.stringMatching(form)])
    const answer = (await call('POST /graphql', { query: rotation }, key)).body.data.rotateWebhookSecret.project
    expect(new Set([first, body.webhookSecret, answer.webhookSecret]).size).toBe(3)
    expect(await getSigningSecrets(ctx)).toEqual([answer.webhookSecret, body.webhookSecret, first])
    const lines = await world.db.prisma.event.findMany({ where: { projectId, name: 'project.changed' }, orderBy: { id: 'asc' } })
    expect(lines.map(({ data }) => data)).toEqual([
      { actor: { type: 'user', id: admin.userId }, fields: ['webhookSecret'] },
      { actor: { type: 'key' }, fields: ['webhookSecret'] },
    ])
  })

  test('is refused to members, the public key, and for another project; nothing changes', async () => {
    const { projectId, ctx, key, member, publicKey } = await project()
    const other = await project()
    const before = await getSigningSecrets(ctx)
    const rotate = (who: object) => call(`POST /users/@me/projects/${projectId}/rotate-webhook-secret`, undefined, who)
    expect((await rotate(member)).status).toBe(403)
    expect((await rotate({ key: publicKey })).body.error.code).toBe('INVALID_API_KEY')
    expect((await rotate(other.key)).status).toBe(404)
    expect((await rotate(other.admin)).status).toBe(404)
    expect((await call('POST /graphql', { query: rotation }, member)).body.errors[0].extensions.code).toBe('FORBIDDEN')
    expect(await getSigningSecrets(ctx)).toEqual(before)
    await world.db.prisma.project.update({ where: { id: projectId }, data: { disabled: true } })
    expect((await rotate(key)).body.error.code).toBe('PROJECT_DISABLED')
  })

  test('ten at once leave one secret, and no more than the four before it', async () => {
    const { ctx, projectId } = await freshProject(world)
    await Promise.all(Array.from({ length: 10 }, () => rotateWebhookSecret(ctx, { id: projectId })))
    const secrets = await getSigningSecrets(ctx)
    expect([secrets.length, new Set(secrets).size]).toEqual([5, 5])
    expect((await getProject(ctx, {})).webhookSecret).toBe(secrets[0])
  })
})
