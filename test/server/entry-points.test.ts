import { describe, expect, test } from 'vitest'
import { freshUser } from '../help/people.ts'
import { testServer } from '../help/server.ts'
import { freshProject } from '../help/world.ts'

// REST, GraphQL and pages read bodies and write answers by the same code.
const { call, url, world } = await testServer({ env: { DASHBOARD_ORIGINS: 'https://app.example' } })
const { projectId, secret } = await freshProject(world)
const json = 'application/json'
const form = 'application/x-www-form-urlencoded'
const each = [
  ['REST', '/contacts', json, 1024 * 1024],
  ['GraphQL', '/graphql', json, 40 * 1024 * 1024],
  ['a page', '/verify-email/x', form, 64 * 1024],
] as const

async function post(path: string, type: string, body: BodyInit, headers: Record<string, string> = {}) {
  const response = await fetch(url + path, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${secret}`, 'content-type': type, ...headers },
  })
  const text = await response.text()
  const parsed = /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : {}
  const { code, requestId } = parsed.error ?? parsed.errors?.[0]?.extensions ?? {}
  return { status: response.status, headers: response.headers, code, requestId }
}

describe.each(each)('%s', (name, path, type, maxBytes) => {
  test('refuses a body that is too large, with the id of the request', async () => {
    const { status, code, requestId, headers } = await post(path, type, 'x'.repeat(maxBytes + 1), { 'x-request-id': 'trace-12345678' })
    expect([status, code, requestId, headers.get('x-request-id')]).toEqual([413, 'PAYLOAD_TOO_LARGE', 'trace-12345678', 'trace-12345678'])
  })

  test('sends the headers of every answer, including CORS for the dashboard', async () => {
    const { headers } = await post(path, type, '', { origin: 'https://app.example' })
    expect(
      Object.fromEntries([...headers].filter(([header]) => /^(access-control-allow|x-(content|frame)|referrer|x-request)/.test(header))),
    ).toEqual({
      'access-control-allow-credentials': 'true',
      'access-control-allow-origin': 'https://app.example',
      'referrer-policy': name === 'a page' ? 'same-origin' : 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'x-request-id': expect.stringMatching(/^req_/),
    })
  })
})

test.each(each.slice(0, 2))('%s refuses a body that is not UTF-8', async (_name, path, type) => {
  const broken = new Uint8Array([...Buffer.from('{"query":"{ __typename }","email":"'), 0xff, ...Buffer.from('@example.com"}')])
  const { status, code } = await post(path, type, broken)
  expect([status, code]).toEqual([400, 'BAD_REQUEST'])
})

test('a call that is refused for a missing role counts too, and reports the remaining requests', async () => {
  const { cookie } = await freshUser(world, { member: { projectId, role: 'MEMBER' } })
  const left = async () => {
    const { status, headers } = await call('POST /domains', { domain: 'new.test' }, { cookie })
    return [status, Number(headers.get('ratelimit-remaining'))]
  }
  const [status, first = 0] = await left()
  expect(status).toBe(403)
  expect(await left()).toEqual([403, first - 1])
})

test('what is thrown before a request is routed is an answer, and not the end of the process', async () => {
  const broken = await testServer({ env: { DASHBOARD_ORIGINS: 'https://app.example' } })
  broken.world.config.DASHBOARD_ORIGINS.push('no origin')
  const answer = await fetch(`${broken.url}/healthz`, { headers: { origin: 'https://app.example' } })
  expect([answer.status, ((await answer.json()) as { error: { code: string } }).error.code]).toEqual([500, 'INTERNAL_SERVER_ERROR'])
  broken.world.config.DASHBOARD_ORIGINS.pop()
  expect((await fetch(`${broken.url}/healthz`)).status).toBe(200)
})
