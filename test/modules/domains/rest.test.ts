import { describe, expect, test } from 'vitest'
import { testDns, txt } from '../../help/dns.ts'
import { freshUser } from '../../help/people.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const dns = await testDns()
const { call, world } = await testServer({ env: { DNS_SERVERS: dns.address } })

describe('POST /domains', () => {
  test('201 returns the domain with its records; projectId in the body is ignored', async () => {
    const { secret } = await freshProject(world)
    const { status, body } = await call('POST /domains', { domain: ' Mail.Example.com ', projectId: 'prj_other' }, { key: secret })
    expect(status).toBe(201)
    expect(body).toMatchObject({ domain: 'mail.example.com', status: 'PENDING', verified: false, checkedAt: null })
    expect(body.records.map(({ purpose }: { purpose: string }) => purpose)).toEqual(['DKIM', 'DMARC'])
    expect(JSON.stringify(body)).not.toMatch(/sealed|PRIVATE/i)
  })

  test('409 when the project already has it, in any spelling', async () => {
    const { secret } = await freshProject(world)
    await call('POST /domains', { domain: 'demo.test' }, { key: secret })
    const { status, body } = await call('POST /domains', { domain: 'DEMO.test' }, { key: secret })
    expect([status, body.error.code]).toEqual([409, 'CONFLICT'])
  })

  test.each([{}, { domain: '' }, { domain: 5 }, { domain: null }, { domain: 'localhost' }, { domain: '10.0.0.1' }, { domain: 'a.test\0' }])(
    '422 for %j, and nothing is added',
    async (draft) => {
      const { projectId, secret } = await freshProject(world)
      const { status, body } = await call('POST /domains', draft, { key: secret })
      expect(status).toBe(422)
      expect(body.error.errors[0].field).toBe('domain')
      expect((await call(`GET /domains/project/${projectId}`, undefined, { key: secret })).body).toEqual([])
    },
  )
})

describe('GET /domains/project/:projectId', () => {
  test('200 returns an array without an envelope; 404 for another project', async () => {
    const { projectId, secret } = await freshProject(world)
    const other = await freshProject(world)
    const { body: domain } = await call('POST /domains', { domain: 'demo.test' }, { key: secret })
    expect(await call(`GET /domains/project/${projectId}`, undefined, { key: secret })).toMatchObject({ status: 200, body: [domain] })
    expect((await call(`GET /domains/project/${other.projectId}`, undefined, { key: secret })).status).toBe(404)
  })
})

describe('DELETE /domains/:id', () => {
  test('204 deletes it, and sending from it is 403 from then on', async () => {
    const { secret } = await freshProject(world)
    const { body: domain } = await call('POST /domains', { domain: 'demo.test' }, { key: secret })
    const mail = { to: 'ada@example.com', from: 'hello@demo.test', subject: 'Hi', body: 'Hi' }
    expect((await call('POST /v1/send', mail, { key: secret })).status).toBe(200)
    expect(await call(`DELETE /domains/${domain.id}`, undefined, { key: secret })).toMatchObject({ status: 204, body: '' })
    const refused = await call('POST /v1/send', mail, { key: secret })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'DOMAIN_NOT_VERIFIED'])
  })

  test('409 while a template sends from it; 404 for another project’s', async () => {
    const { secret } = await freshProject(world)
    const other = await freshProject(world)
    const { body: domain } = await call('POST /domains', { domain: 'demo.test' }, { key: secret })
    await call('POST /templates', { subject: 'Hi', body: 'Hi', from: 'hello@demo.test' }, { key: secret })
    expect((await call(`DELETE /domains/${domain.id}`, undefined, { key: secret })).status).toBe(409)
    expect((await call(`DELETE /domains/${domain.id}`, undefined, { key: other.secret })).status).toBe(404)
    expect((await call('DELETE /domains/nonsense', undefined, { key: secret })).status).toBe(404)
  })
})

describe('GET /domains/:id/verify', () => {
  test('200 returns the domain as DNS has it now', async () => {
    const { projectId, secret } = await freshProject(world)
    const { body: domain } = await call('POST /domains', { domain: 'mail.v.example' }, { key: secret })
    const verify = `GET /domains/${domain.id}/verify`
    const missing = await call(verify, undefined, { key: secret })
    expect([missing.status, missing.body.status, missing.body.checkedAt]).toEqual([200, 'PENDING', expect.any(String)])
    expect(missing.body.records[0]).toMatchObject({ found: false, current: [], problem: expect.stringContaining('There is no TXT record') })
    const { name, value } = domain.records[0]
    dns.set(name, txt(value))
    const { status, body } = await call(verify, undefined, { key: secret })
    expect([status, body.status, body.verified]).toEqual([200, 'VERIFIED', true])
    expect(body.records[0]).toEqual({ ...domain.records[0], status: 'VERIFIED', found: true, current: [value], problem: null })
    expect((await call(`GET /domains/project/${projectId}`, undefined, { key: secret })).body).toEqual([body])
  })

  test('404 for another project’s domain and for an invalid id; 401 with the public key', async () => {
    const { secret, public: open } = await freshProject(world)
    const other = await freshProject(world)
    const { body: domain } = await call('POST /domains', { domain: 'mail.w.example' }, { key: other.secret })
    expect((await call(`GET /domains/${domain.id}/verify`, undefined, { key: secret })).status).toBe(404)
    expect((await call('GET /domains/nonsense/verify', undefined, { key: secret })).status).toBe(404)
    expect((await call(`GET /domains/${domain.id}/verify`, undefined, { key: open })).status).toBe(401)
  })
})

test('a member may read domains, and only an admin may add or delete them', async () => {
  const { projectId } = await freshProject(world)
  const [member, admin] = [
    await freshUser(world, { member: { projectId, role: 'MEMBER' } }),
    await freshUser(world, { member: { projectId, role: 'ADMIN' } }),
  ]
  const { body: domain } = await call('POST /domains', { domain: 'demo.test' }, admin)
  const refused = [
    await call('POST /domains', { domain: 'other.test' }, member),
    await call(`DELETE /domains/${domain.id}`, undefined, member),
  ]
  expect(refused.map(({ body }) => body.error.code)).toEqual(['FORBIDDEN', 'FORBIDDEN'])
  expect((await call(`GET /domains/project/${projectId}`, undefined, member)).body).toEqual([domain])
  expect((await call(`DELETE /domains/${domain.id}`, undefined, admin)).status).toBe(204)
})
