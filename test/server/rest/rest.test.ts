import { beforeAll, describe, expect, test } from 'vitest'
import { createDomain } from '../../../src/modules/domains/domains.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { url, call, world } = await testServer({ env: { DASHBOARD_ORIGINS: 'https://app.example.com' } })
let project: Awaited<ReturnType<typeof freshProject>>
let other: Awaited<ReturnType<typeof freshProject>>

beforeAll(async () => {
  project = await freshProject(world)
  other = await freshProject(world)
  await createDomain(project.ctx, { domain: 'acme.test' })
})

const contacts = () => world.db.prisma.contact.count({ where: { projectId: project.projectId } })
const json = { 'content-type': 'application/json' }
const raw = (path: string, body: Uint8Array<ArrayBuffer> | string, headers: Record<string, string>) =>
  fetch(url + path, { method: 'POST', body, headers: { authorization: `Bearer ${project.secret}`, ...headers } })

describe('every error', () => {
  test('has the documented envelope and the same fields at the top level', async () => {
    const { status, body, headers } = await call('GET /contacts/nope', undefined, { key: project.secret })
    expect(status).toBe(404)
    expect(body).toEqual({
      success: false,
      error: {
        code: 'CONTACT_NOT_FOUND',
        message: expect.any(String),
        statusCode: 404,
        requestId: headers.get('x-request-id'),
        suggestion: expect.any(String),
      },
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      code: 404,
      message: expect.any(String),
      time: expect.any(Number),
    })
  })

  test('names each field that is wrong, what to change, and a code', async () => {
    const { status, body } = await call('POST /contacts', { email: 'nope', subscribed: 'yes', data: [] }, { key: project.secret })
    expect(status).toBe(422)
    expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', statusCode: 422 })
    expect(body.error.errors.map(({ field, message }: { field: string; message: string }) => [field, message])).toEqual([
      ['email', 'must be an email address such as ada@example.com'],
      ['subscribed', 'must be true or false'],
      ['data', 'must be an object'],
    ])
  })
})

describe('400', () => {
  test.each([
    ['unparsable JSON', '{"email":'],
    ['a body that is not an object', '["a@example.com"]'],
    ['a body nested 100 deep', `{"email":"a@example.com","data":${'{"a":'.repeat(100)}1${'}'.repeat(100)}}`],
  ])('%s', async (_, body) => {
    const before = await contacts()
    const answer = await call('POST /contacts', body, { key: project.secret })
    expect([answer.status, answer.body.error.code]).toEqual([400, 'BAD_REQUEST'])
    expect(await contacts()).toBe(before)
  })

  test.each([
    '/contacts?limit=0',
    '/contacts?limit=101',
    '/contacts?limit=x',
    '/contacts?cursor=forged',
    '/events?from=yesterday',
    '/contacts/%ff',
    '/contacts/%00',
    '/contacts?search=%00',
  ])('GET %s', async (path) => {
    const { status, body } = await call(`GET ${path}`, undefined, { key: project.secret })
    expect([status, body.error.code]).toEqual([400, 'BAD_REQUEST'])
  })

  test.each([
    ['a query parameter', 'GET /contacts?limit=0', undefined, 'See "errors": each entry names a parameter and what to change.'],
    ['a cursor', 'GET /contacts?cursor=forged', undefined, 'Pass a cursor exactly as you received it, or none for the first page.'],
    ['unparsable JSON', 'POST /contacts', '{"email":', 'Send one JSON object, encoded as UTF-8.'],
    ['a body that is a list', 'POST /contacts', '[]', 'Send one JSON object, encoded as UTF-8.'],
    ['a path', 'GET /contacts/%ff', undefined, 'Percent-encode every part of the path as UTF-8.'],
  ])('suggests what fits the cause: %s', async (_, route, body, suggestion) => {
    const answer = await call(route, body, { key: project.secret })
    expect([answer.status, answer.body.error.suggestion]).toEqual([400, suggestion])
  })

  test('a body that is not UTF-8', async () => {
    const answer = await raw('/contacts', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), json)
    expect(answer.status).toBe(400)
  })
})

describe('401', () => {
  test.each(['GET /contacts', 'POST /v1/send', 'POST /v1/track', 'GET /templates', 'DELETE /events/x'])('%s without a key', async (row) => {
    const { status, body } = await call(row, row.startsWith('GET') ? undefined : {})
    expect([status, body.error.code]).toEqual([401, 'MISSING_AUTH'])
  })

  test('a public key may call /v1/track and nothing else', async () => {
    const tracked = await call('POST /v1/track', { email: 'pk@example.com', event: 'seen' }, { key: project.public })
    expect(tracked.status).toBe(200)
    for (const row of ['POST /v1/send', 'GET /contacts', 'POST /contacts', 'POST /events/track', 'GET /activity']) {
      const { status, body } = await call(row, row.startsWith('GET') ? undefined : {}, { key: project.public })
      expect([row, status, body.error.code]).toEqual([row, 401, 'INVALID_API_KEY'])
    }
  })
})

describe('404 and 405', () => {
  test('an unknown path', async () => {
    expect((await call('GET /nothing/here')).body.error.code).toBe('UNKNOWN_ROUTE')
  })

  test('a known path with another method lists its methods', async () => {
    const { status, body, headers } = await call('PUT /contacts', {}, { key: project.secret })
    expect([status, body.error.code, headers.get('allow')]).toEqual([405, 'METHOD_NOT_ALLOWED', 'GET, POST, HEAD, OPTIONS'])
  })

  test('ids of another project are the same 404 as ids that do not exist', async () => {
    const made = await call('POST /contacts', { email: 'mine@example.com' }, { key: project.secret })
    const paths = [`/contacts/${made.body.id}`, '/contacts/cnt_00000000000000000000000000', '/contacts/x']
    const answers = await Promise.all(paths.map((path) => call(`GET ${path}`, undefined, { key: other.secret })))
    for (const { status, body } of answers)
      expect([status, body.error.code, body.message]).toEqual([404, 'CONTACT_NOT_FOUND', answers[0]?.body.message])
    expect((await call(`DELETE /contacts/${made.body.id}`, undefined, { key: other.secret })).status).toBe(404)
    expect((await call(`PATCH /contacts/${made.body.id}`, { subscribed: false }, { key: other.secret })).status).toBe(404)
    expect((await call(`GET /contacts/${made.body.id}`, undefined, { key: project.secret })).body.subscribed).toBe(true)
  })
})

describe('422', () => {
  test('NUL anywhere in a body', async () => {
    for (const body of [
      '{"email":"a\\u0000@example.com"}',
      '{"email":"a@example.com","data":{"x":"\\u0000"}}',
      '{"email":"a@example.com","data":{"\\u0000":1}}',
    ]) {
      const answer = await call('POST /contacts', body, { key: project.secret })
      expect([answer.status, answer.body.error.code]).toEqual([422, 'VALIDATION_ERROR'])
    }
  })

  test('unknown fields are ignored', async () => {
    const { status, body } = await call('POST /contacts', { email: 'extra@example.com', surprise: 1 }, { key: project.secret })
    expect(status).toBe(201)
    expect(Object.keys(body).sort()).toEqual(['_meta', 'createdAt', 'data', 'email', 'id', 'subscribed', 'updatedAt'])
  })
})

describe('headers', () => {
  test('an X-Request-Id of the caller is kept when it is well-formed', async () => {
    const given = await call('GET /healthz', undefined, { headers: { 'x-request-id': 'trace-12345678' } })
    expect(given.headers.get('x-request-id')).toBe('trace-12345678')
    const bad = await call('GET /healthz', undefined, { headers: { 'x-request-id': 'a b' } })
    expect(bad.headers.get('x-request-id')).toMatch(/^req_/)
  })

  test('answers to calls with a key have the rate limit; health checks do not', async () => {
    const keyed = await call('GET /contacts', undefined, { key: project.secret })
    expect(Number(keyed.headers.get('ratelimit-remaining'))).toBeLessThan(Number(keyed.headers.get('ratelimit-limit')))
    expect(Number(keyed.headers.get('ratelimit-reset'))).toBeGreaterThan(0)
    expect((await call('GET /healthz')).headers.get('ratelimit-limit')).toBeNull()
  })

  test('/v1 may be called from any origin, the rest from known ones with credentials', async () => {
    const from = async (path: string, origin: string) => (await call(`GET ${path}`, undefined, { headers: { origin } })).headers
    expect((await from('/v1/send', 'https://shop.example')).get('access-control-allow-origin')).toBe('*')
    expect((await from('/contacts', 'https://shop.example')).get('access-control-allow-origin')).toBeNull()
    const known = await from('/contacts', 'https://app.example.com')
    expect([known.get('access-control-allow-origin'), known.get('access-control-allow-credentials')]).toEqual([
      'https://app.example.com',
      'true',
    ])
  })

  test('a preflight is answered without a key', async () => {
    const answer = await fetch(`${url}/v1/track`, {
      method: 'OPTIONS',
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
    })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-headers')).toMatch(/Idempotency-Key/)
  })

  test('content sniffing is disabled', async () => {
    for (const path of ['/healthz', '/nothing', '/docs', '/openapi.json', '/mailbox'])
      expect((await call(`GET ${path}`)).headers.get('x-content-type-options')).toBe('nosniff')
  })
})

describe('Idempotency-Key', () => {
  test('replays the first answer and reports that; another body is refused', async () => {
    const send = (subject: string) =>
      call(
        'POST /v1/send',
        { to: 'idem@example.com', from: 'hi@acme.test', subject, body: 'B' },
        { key: project.secret, headers: { 'idempotency-key': 'order-1' } },
      )
    const first = await send('One')
    const second = await send('One')
    expect(second.body).toEqual(first.body)
    expect([first.headers.get('idempotency-replayed'), second.headers.get('idempotency-replayed')]).toEqual([null, 'true'])
    const third = await send('Two')
    expect([third.status, third.body.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_MISMATCH'])
    expect(await world.db.prisma.email.count({ where: { projectId: project.projectId, toAddress: 'idem@example.com' } })).toBe(1)
  })
})

describe('a suspended project', () => {
  test('is read but not changed', async () => {
    const { secret, projectId } = await freshProject(world)
    await world.db.prisma.project.update({ where: { id: projectId }, data: { disabled: true } })
    expect((await call('GET /contacts', undefined, { key: secret })).status).toBe(200)
    const { status, body } = await call('POST /contacts', { email: 'a@example.com' }, { key: secret })
    expect([status, body.error.code]).toEqual([403, 'PROJECT_DISABLED'])
    expect(await world.db.prisma.contact.count({ where: { projectId } })).toBe(0)
  })
})
