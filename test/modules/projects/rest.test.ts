import { describe, expect, test } from 'vitest'
import type { ProjectChange } from '../../../src/modules/projects/shapes.ts'
import { freshUser } from '../../help/people.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { call, world } = await testServer()

// A value of every setting, other than that of a new project, and how GraphQL selects it.
const settings: Record<Exclude<keyof ProjectChange, 'id'>, readonly [unknown, string?]> = {
  name: ['Another name'],
  tracking: ['MARKETING_ONLY'],
  language: ['de'],
  utm: [{ source: 'news', medium: 'email', campaign: 'spring' }, '{ source medium campaign }'],
}

describe('every setting', () => {
  test.each(Object.entries(settings))(
    '%s is stored by REST and by GraphQL, shown by both, and its change recorded',
    async (name, [value, selected = '']) => {
      const { projectId, secret } = await freshProject(world)
      const path = `/users/@me/projects/${projectId}`
      const ask = (query: string, variables = {}) => call('POST /graphql', { query, variables }, { key: secret })
      expect((await call(`PATCH ${path}`, { [name]: value }, { key: secret })).body[name]).toEqual(value)
      expect((await call(`GET ${path}`, undefined, { key: secret })).body[name]).toEqual(value)
      expect((await ask(`{ project { ${name} ${selected} } }`)).body.data.project[name]).toEqual(value)
      const { body } = await call('GET /events', undefined, { key: secret })
      expect(body.data.map(({ data }: { data: object }) => data)).toEqual([{ actor: { type: 'key' }, fields: [name] }])
      const other = await freshProject(world)
      const change = `mutation($input: UpdateProjectInput!) { updateProject(input: $input) { project { ${name} ${selected} } } }`
      const changed = await call('POST /graphql', { query: change, variables: { input: { [name]: value } } }, { key: other.secret })
      expect(changed.body.data.updateProject.project[name]).toEqual(value)
    },
  )
})

test('UTM parameters are the same in REST and GraphQL', async () => {
  const { projectId, secret } = await freshProject(world)
  const utm = { source: 'news', medium: 'email', campaign: null }
  const { body } = await call(`PATCH /users/@me/projects/${projectId}`, { utm: { source: 'news', medium: 'email' } }, { key: secret })
  expect(body.utm).toEqual(utm)
  const query = '{ project { utm { source medium campaign } } }'
  const ask = (text: string) => call('POST /graphql', { query: text }, { key: secret })
  expect((await ask(query)).body.data.project.utm).toEqual(utm)
  const change = (value: string) => ask(`mutation { updateProject(input: { utm: ${value} }) { project { utm { campaign } } } }`)
  expect((await change('{ source: "a", medium: "b", campaign: "c" }')).body.data.updateProject.project.utm).toEqual({ campaign: 'c' })
  expect((await change('null')).body.data.updateProject.project.utm).toBeNull()
  expect((await call(`GET /users/@me/projects/${projectId}`, undefined, { key: secret })).body.utm).toBeNull()
  expect((await call(`PATCH /users/@me/projects/${projectId}`, { utm: {} }, { key: secret })).status).toBe(422)
})

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

describe('POST /users/@me/projects', () => {
  const create = (person: { cookie: string }, at = call) => at('POST /users/@me/projects', { name: 'Acme' }, person)

  test('201 returns the project with both keys and the role of its owner', async () => {
    const { status, body } = await create(await freshUser(world))
    expect([status, body]).toMatchObject([201, { name: 'Acme', role: 'OWNER', tracking: 'ENABLED', language: 'en', disabled: false }])
    expect((await call('GET /contacts', undefined, { key: body.secret })).status).toBe(200)
    expect((await call('POST /v1/track', { email: 'ada@example.com', event: 'a' }, { key: body.public })).status).toBe(200)
  })

  test('409 LIMIT_REACHED beyond 20 owned projects, also for parallel calls; those of others do not count', async () => {
    const elsewhere = await freshProject(world)
    const person = await freshUser(world, { member: { projectId: elsewhere.projectId, role: 'ADMIN' } })
    const answers = await Promise.all(Array.from({ length: 24 }, () => create(person)))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(20).fill(201), ...Array(4).fill(409)])
    expect(answers.find(({ status }) => status === 409)?.body.error.code).toBe('LIMIT_REACHED')
    expect((await call('GET /users/@me/projects', undefined, person)).body).toHaveLength(21)
    const { id } = answers.find(({ status }) => status === 201)?.body ?? {}
    expect((await call(`DELETE /users/@me/projects/${id}`, undefined, person)).status).toBe(204)
    expect((await create(person)).status).toBe(201)
  })

  test('MAX_PROJECTS_PER_USER sets another limit', async () => {
    const few = await testServer({ env: { MAX_PROJECTS_PER_USER: '1' } })
    const person = await freshUser(few.world)
    expect((await create(person, few.call)).status).toBe(201)
    expect((await create(person, few.call)).body.error.message).toBe('You own as many projects as one person may: 1.')
  })
})
