import { describe, expect, test } from 'vitest'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { call, world } = await testServer()

describe('PATCH /users/@me/projects/:id', () => {
  test('200 returns the project with both keys, without an envelope', async () => {
    const { projectId, secret, public: publicKey } = await freshProject(world)
    const { status, body } = await call(`PATCH /users/@me/projects/${projectId}`, { name: 'New', tracking: 'DISABLED' }, { key: secret })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: projectId,
      name: 'New',
      tracking: 'DISABLED',
      language: 'en',
      public: publicKey,
      secret,
      disabled: false,
    })
    expect(body.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  test('422 names the field, and nothing changes', async () => {
    const { projectId, secret } = await freshProject(world, 'Before')
    const { status, body } = await call(`PATCH /users/@me/projects/${projectId}`, { name: '', tracking: 'DISABLED' }, { key: secret })
    expect(status).toBe(422)
    expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ field: 'name' }] })
    expect((await call(`PATCH /users/@me/projects/${projectId}`, {}, { key: secret })).body).toMatchObject({
      name: 'Before',
      tracking: 'ENABLED',
    })
  })

  test('404 for another project, 401 for the public key and without a key', async () => {
    const { projectId, secret, public: publicKey } = await freshProject(world)
    const other = await freshProject(world)
    expect((await call(`PATCH /users/@me/projects/${other.projectId}`, { name: 'Mine' }, { key: secret })).status).toBe(404)
    expect((await call(`PATCH /users/@me/projects/${projectId}`, { name: 'Mine' }, { key: publicKey })).body.error.code).toBe(
      'INVALID_API_KEY',
    )
    expect((await call(`PATCH /users/@me/projects/${projectId}`, { name: 'Mine' })).body.error.code).toBe('MISSING_AUTH')
  })
})

describe('POST /users/@me/projects/:id/regenerate-keys', () => {
  test('200 returns new keys; the old ones are 401 from then on', async () => {
    const { projectId, secret, public: publicKey } = await freshProject(world)
    const { status, body } = await call(`POST /users/@me/projects/${projectId}/regenerate-keys`, undefined, { key: secret })
    expect(status).toBe(200)
    expect([body.public, body.secret]).toEqual([expect.stringMatching(/^pk_[0-9a-f]{64}$/), expect.stringMatching(/^sk_[0-9a-f]{64}$/)])
    const track = { email: 'ada@example.com', event: 'x' }
    expect((await call('GET /templates', undefined, { key: secret })).status).toBe(401)
    expect((await call('POST /v1/track', track, { key: publicKey })).status).toBe(401)
    expect((await call('GET /templates', undefined, { key: body.secret })).status).toBe(200)
    expect((await call('POST /v1/track', track, { key: body.public })).status).toBe(200)
  })

  test('404 for another project, whose keys still work', async () => {
    const { secret } = await freshProject(world)
    const other = await freshProject(world)
    expect((await call(`POST /users/@me/projects/${other.projectId}/regenerate-keys`, {}, { key: secret })).status).toBe(404)
    expect((await call('GET /templates', undefined, { key: other.secret })).status).toBe(200)
  })
})
