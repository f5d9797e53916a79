import { describe, expect, test } from 'vitest'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { call, world } = await testServer()
const draft = { subject: 'Welcome', body: '<p>Hello {{ name }}</p>', from: 'hello@demo.test' }

async function keyWithDomain(): Promise<string> {
  const { secret } = await freshProject(world)
  await call('POST /domains', { domain: 'demo.test' }, { key: secret })
  return secret
}

describe('POST /templates', () => {
  test('201 returns the template, without an envelope', async () => {
    const key = await keyWithDomain()
    const { status, body } = await call('POST /templates', { ...draft, fromName: 'Acme', unknown: 'ignored' }, { key })
    expect(status).toBe(201)
    expect(Object.keys(body).sort()).toEqual(
      [
        'body',
        'createdAt',
        'description',
        'from',
        'fromName',
        'id',
        'name',
        'previewText',
        'replyTo',
        'subject',
        'type',
        'updatedAt',
      ].sort(),
    )
    expect(body).toMatchObject({ ...draft, fromName: 'Acme', name: 'Welcome', type: 'MARKETING' })
    expect((await call(`GET /templates/${body.id}`, undefined, { key })).body).toEqual(body)
  })

  test('422 has line and column of invalid Liquid', async () => {
    const key = await keyWithDomain()
    const { status, body } = await call('POST /templates', { ...draft, body: 'one\n{% if %}' }, { key })
    expect(status).toBe(422)
    expect(body.error.errors).toEqual([{ field: 'body', code: 'invalid_template', message: expect.stringMatching(/line 2, column \d+/) }])
  })

  test.each([
    ['nothing', {}, 'subject'],
    ['a subject of 999 characters', { ...draft, subject: 'x'.repeat(999) }, 'subject'],
    ['CR LF in the subject', { ...draft, subject: 'Hi\r\nBcc: x@example.com' }, 'subject'],
    ['CR LF in the sender’s name', { ...draft, fromName: 'A\r\nBcc: x@example.com' }, 'fromName'],
    ['NUL in the body', { ...draft, body: 'a\0b' }, 'body'],
    ['a number for a body', { ...draft, body: 1 }, 'body'],
  ])('422 for %s, and nothing is created', async (_what, body, field) => {
    const key = await keyWithDomain()
    const answer = await call('POST /templates', body, { key })
    expect(answer.status).toBe(422)
    expect(answer.body.error.errors.map((one: { field: string }) => one.field)).toContain(field)
    expect((await call('GET /templates', undefined, { key })).body.total).toBe(0)
  })

  test('403 for a sender on an unverified domain, 400 for malformed JSON, 401 for a public key', async () => {
    const { secret, public: publicKey } = await freshProject(world)
    const unverified = await call('POST /templates', draft, { key: secret })
    expect([unverified.status, unverified.body.error.code]).toEqual([403, 'DOMAIN_NOT_VERIFIED'])
    expect((await call('POST /templates', '{"subject":', { key: secret })).status).toBe(400)
    expect((await call('POST /templates', draft, { key: publicKey })).status).toBe(401)
  })

  test('413 for a body over 5 MB', async () => {
    const key = await keyWithDomain()
    expect((await call('POST /templates', { ...draft, body: 'x'.repeat(5 * 1024 * 1024) }, { key })).status).toBe(413)
  })
})

describe('GET /templates', () => {
  test('200 returns data and templates, with the counts of the page', async () => {
    const key = await keyWithDomain()
    const { body: template } = await call('POST /templates', draft, { key })
    const { status, body } = await call('GET /templates?pageSize=1&search=WELC&type=MARKETING', undefined, { key })
    expect(status).toBe(200)
    expect(body).toEqual({ data: [template], templates: [template], total: 1, page: 1, pageSize: 1, totalPages: 1 })
  })

  test('413 says to ask for fewer when several bodies of a page have more than 4 MB together; a single one is always answered', async () => {
    const key = await keyWithDomain()
    for (const size of [1_900_000, 1_900_000, 4_900_000])
      expect((await call('POST /templates', { ...draft, body: 'x'.repeat(size) }, { key })).status).toBe(201)
    const { status, body } = await call('GET /templates?pageSize=2', undefined, { key })
    expect([status, body.error.code, body.error.suggestion]).toEqual([413, 'PAYLOAD_TOO_LARGE', expect.stringContaining('fewer items')])
    const sizesOf = ({ body: page }: Awaited<ReturnType<typeof call>>) =>
      [...page.data, ...page.templates].map((one: { body: string }) => one.body.length)
    expect(sizesOf(await call('GET /templates?pageSize=1', undefined, { key }))).toEqual([4_900_000, 4_900_000])
    expect(sizesOf(await call('GET /templates?pageSize=1&page=2', undefined, { key }))).toEqual([1_900_000, 1_900_000])
  })

  test.each(['page=0', 'pageSize=101', 'page=x', 'type=SPAM'])('400 for %s', async (query) => {
    const key = await keyWithDomain()
    const { status, body } = await call(`GET /templates?${query}`, undefined, { key })
    expect([status, body.error.code]).toEqual([400, 'BAD_REQUEST'])
  })
})

describe('one template', () => {
  test('PATCH 200, duplicate 201, usage 200, DELETE 204, then 404', async () => {
    const key = await keyWithDomain()
    const { body: template } = await call('POST /templates', { ...draft, description: 'First' }, { key })
    const path = `/templates/${template.id}`
    expect((await call(`PATCH ${path}`, { description: null, name: 'New' }, { key })).body).toMatchObject({
      name: 'New',
      description: null,
      subject: 'Welcome',
    })
    const copy = await call(`POST ${path}/duplicate`, undefined, { key })
    expect([copy.status, copy.body.name]).toEqual([201, 'New (Copy)'])
    expect((await call(`GET ${path}/usage`, undefined, { key })).body).toEqual({ campaigns: [], workflowSteps: [], emailsSent: 0 })
    expect(await call(`DELETE ${path}`, undefined, { key })).toMatchObject({ status: 204, body: '' })
    const gone = await call(`GET ${path}`, undefined, { key })
    expect([gone.status, gone.body.error.code]).toEqual([404, 'TEMPLATE_NOT_FOUND'])
  })

  test('404 for another project, whatever the method', async () => {
    const key = await keyWithDomain()
    const theirs = await keyWithDomain()
    const { body: template } = await call('POST /templates', draft, { key: theirs })
    for (const row of [
      'GET /templates/:id',
      'PATCH /templates/:id',
      'DELETE /templates/:id',
      'POST /templates/:id/duplicate',
      'GET /templates/:id/usage',
    ]) {
      const { status, body } = await call(row.replace(':id', template.id), row.startsWith('PATCH') ? { name: 'Mine' } : undefined, { key })
      expect([row, status, body.error.code]).toEqual([row, 404, 'TEMPLATE_NOT_FOUND'])
    }
    expect((await call(`GET /templates/${template.id}`, undefined, { key: theirs })).body).toEqual(template)
  })
})
