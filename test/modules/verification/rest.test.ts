import { describe, expect, test } from 'vitest'
import { asker } from '../../help/ask.ts'
import { testDns } from '../../help/dns.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const dns = await testDns()
const { call, url, world } = await testServer({ env: { DNS_SERVERS: dns.address } })
const { secret, public: open } = await freshProject(world)
dns.set('acme.example', { type: 'MX', exchange: 'mx.acme.example', priority: 10 })

const good = {
  email: 'ada@acme.example',
  valid: true,
  isDisposable: false,
  isAlias: false,
  isTypo: false,
  isPlusAddressed: false,
  isPersonalEmail: false,
  domainExists: true,
  hasWebsite: false,
  hasMxRecords: true,
  reasons: ['Email appears to be valid'],
}

describe('POST /v1/verify', () => {
  test('200 returns the documented fields in the envelope', async () => {
    expect(await call('POST /v1/verify', { email: ' ADA@acme.example' }, { key: secret })).toMatchObject({
      status: 200,
      body: { success: true, data: good },
    })
  })

  test.each([
    {},
    { email: '' },
    { email: 'ada' },
    { email: 'ada@' },
    { email: 'ada@localhost' },
    { email: 5 },
    { email: 'a\0b@acme.example' },
  ])('422 for %j', async (body) => {
    const answer = await call('POST /v1/verify', body, { key: secret })
    expect([answer.status, answer.body.error.errors[0].field]).toEqual([422, 'email'])
  })

  test('401 with the public key, and without a key', async () => {
    expect((await call('POST /v1/verify', { email: 'ada@acme.example' }, { key: open })).status).toBe(401)
    expect((await call('POST /v1/verify', { email: 'ada@acme.example' })).status).toBe(401)
  })
})

describe('checkEmail in GraphQL', () => {
  const query = `query ($email: String!) { checkEmail(email: $email) {
    email valid isDisposable isAlias isTypo isPlusAddressed isPersonalEmail domainExists hasWebsite hasMxRecords reasons suggestedEmail } }`

  test('returns the same', async () => {
    const ask = asker(url, secret)
    expect((await ask(query, { email: 'ada@acme.example' })).data).toEqual({ checkEmail: { ...good, suggestedEmail: null } })
    expect((await ask(query, { email: 'ada' })).errors[0]?.extensions).toMatchObject({ code: 'VALIDATION_ERROR', statusCode: 422 })
  })
})
