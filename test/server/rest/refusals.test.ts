import { expect, test } from 'vitest'
import { Failure, fieldCodes } from '../../../src/kit/errors.ts'
import { createDomain } from '../../../src/modules/domains/domains.ts'
import { asker } from '../../help/ask.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

// REST and GraphQL refuse the same, and say the same of it.
const { url, call, world } = await testServer()
const project = await freshProject(world)
await createDomain(project.ctx, { domain: 'acme.test' })

test('an error names the broken rule by a published code, the same as over GraphQL', async () => {
  const ask = asker(url, project.secret)
  const template = { name: 'two\nlines', subject: 'two\nlines', body: 'b', from: 'news@acme.test' }
  const [domain, text, type, byGraphql] = await Promise.all([
    call('POST /domains', { domain: 'a..test' }, { key: project.secret }),
    call('POST /templates', template, { key: project.secret }),
    call('POST /v1/send', { to: 7, subject: 's', body: 'b', from: 'news@acme.test' }, { key: project.secret }),
    ask(
      `mutation { createTemplate(input: {name: "two\\nlines", subject: "two\\nlines", body: "b", from: "news@acme.test"}) { template { id } } }`,
    ),
  ])
  const errors = [domain, text, type].flatMap(({ body }) => body.error.errors as { field: string; code: string }[])
  expect(errors.map(({ field, code }) => [field, code])).toEqual([
    ['domain', 'invalid'],
    ['name', 'invalid'],
    ['subject', 'invalid'],
    ['to', 'invalid_type'],
  ])
  for (const { code } of errors) expect(fieldCodes).toContain(code)
  expect(byGraphql.errors[0]?.extensions.errors).toEqual(text.body.error.errors)
})

test('JSON of more than 100 levels is refused; what has 100 is stored, shown and sent', async () => {
  const nested = (levels: number): unknown => (levels === 0 ? 'x' : [nested(levels - 1)])
  const draft = (levels: number) => ({ email: 'deep@example.com', data: { deep: nested(levels - 2) } })
  const as = { key: project.secret }
  const sent = { to: 'deep@example.com', from: 'news@acme.test', subject: 's', body: '{{ deep }}' }
  const [tooDeep, created] = [await call('POST /contacts', draft(101), as), await call('POST /contacts', draft(100), as)]
  expect([tooDeep.status, tooDeep.body.error.code, created.status]).toEqual([400, 'BAD_REQUEST', 201])
  expect((await call(`GET /contacts/${created.body.id}`, undefined, as)).body.data).toEqual(draft(100).data)
  const mails = await Promise.all([100, 101].map((levels) => call('POST /v1/send', { ...sent, ...draft(levels) }, as)))
  expect(mails.map(({ status }) => status)).toEqual([200, 400])
  const ask = asker(url, project.secret)
  const change = 'mutation ($input: UpsertContactInput!) { upsertContact(input: $input) { contact { data } } }'
  const [taken, refused] = [await ask(change, { input: draft(98) }), await ask(change, { input: draft(99) })]
  expect([taken.data?.upsertContact, refused.errors[0]?.extensions.code]).toEqual([{ contact: { data: draft(98).data } }, 'BAD_REQUEST'])
})

test('who is told that something is unavailable is told when to try again', () => {
  expect(new Failure('SERVICE_UNAVAILABLE').headers).toEqual({ 'Retry-After': '5' })
  expect(new Failure('SERVICE_UNAVAILABLE', undefined, { headers: { 'Retry-After': '1' } }).headers).toEqual({ 'Retry-After': '1' })
})
