import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { errorCatalogue } from '../../../src/kit/errors.ts'
import { read } from '../../../src/kit/problems.ts'
import { Flag } from '../../../src/kit/shapes.ts'
import { BulkBody } from '../../../src/modules/contacts/bulk/shapes.ts'
import { ProjectName } from '../../../src/modules/projects/shapes.ts'
import { SegmentDraft } from '../../../src/modules/segments/shapes.ts'
import { TemplateDraft } from '../../../src/modules/templates/shapes.ts'
import { documentOf } from '../../../src/server/rest/reference.ts'
import { routes } from '../../../src/server/routes.ts'
import { document, isValid } from '../../help/contract.ts'
import { sources } from '../../help/sources.ts'

// biome-ignore lint/suspicious/noExplicitAny: the document is read like any JSON.
type Json = any

const operations = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
  Object.entries<Json>(item).map(([method, operation]) => ({ path, method, operation })),
)

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document))
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
  })

  test('has nothing that a linter would warn of, such as an example that breaks its schema', async () => {
    // `/domains/project/verify` matches two documented paths, but no project has that id.
    const config = await createConfig({ extends: ['recommended'], rules: { 'no-ambiguous-paths': 'off' } })
    const problems = await lintFromString({ source: JSON.stringify(document), config, absoluteRef: 'openapi.json' })
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
  })

  test('describes every route once, under the name of its operation', () => {
    expect(operations).toHaveLength(routes.length)
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('says that lists are required where a call without them is refused', () => {
    const { SendDraft, MembersDraft } = document.components.schemas as Json
    expect(SendDraft.required).toEqual(['to'])
    expect(MembersDraft.required).toEqual(['emails'])
    expect(document.paths['/v1/send'].post.requestBody.required).toBe(true)
  })

  test('says that a body is required where none of its forms is empty', () => {
    const required = (path: string) => document.paths[path].post.requestBody.required
    expect(['/events/track', '/contacts/bulk-subscribe', '/contacts/bulk-delete'].map(required)).toEqual([true, true, true])
    expect(['/campaigns/{id}/send', '/workflows/{id}/executions'].map(required)).toEqual([false, true])
  })

  test('describes what may not be given as a schema, as viewers draw nothing of an object with a property that is `false`', () => {
    const closed = (part: Json): Json[] =>
      typeof part === 'object' && part !== null
        ? [...Object.values(part.properties ?? {}).filter((one) => typeof one === 'boolean'), ...Object.values(part).flatMap(closed)]
        : []
    expect(closed(document)).toEqual([])
  })

  test('says which words a query takes for yes and no', () => {
    const { schema } = document.paths['/contacts'].get.parameters.find(({ name }: Json) => name === 'subscribed')
    const isTaken = (word: string) => new RegExp(schema.pattern).test(word)
    expect(['true', 'FALSE', 'Yes', '0', 'off', 'Disabled'].filter(isTaken)).toHaveLength(6)
    expect(['', 'maybe', 'truee', '2'].filter(isTaken)).toEqual([])
    expect(Flag.safeParse('DISABLED')).toMatchObject({ data: false })
    expect(Flag.safeParse('maybe').success).toBe(false)
  })

  test('refers to components that exist', () => {
    const named = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => String(name))
    expect(named.length).toBeGreaterThan(20)
    for (const name of named) expect(document.components.schemas).toHaveProperty(name)
  })

  test.each(operations)('$method $path has a response, errors and examples', ({ operation }) => {
    const [status, answer] = Object.entries<Json>(operation.responses).find(([code]) => code.startsWith('2')) ?? []
    if (status !== '204') expect(Object.values<Json>(answer.content)[0].example).toBeDefined()
    const asked = operation.requestBody?.content['application/json']
    if (asked) expect(Object.keys(asked.example).length).toBeGreaterThan(0)
    const inPath = operation.parameters.filter((one: Json) => one.in === 'path')
    for (const { name, example } of inPath) expect(example, name).toMatch(/^(?!string$)./)
    const errors = Object.entries<Json>(operation.responses).filter(([code]) => code >= '400')
    expect(errors.length).toBeGreaterThan(1)
    for (const [, error] of errors) expect(Object.keys(error.content['application/json'].examples).length).toBeGreaterThan(0)
  })

  test('declares the headers of every answer', () => {
    const namesOf = (path: string, method: string, status: number) => Object.keys(document.paths[path][method].responses[status].headers)
    const counted = ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']
    expect(namesOf('/healthz', 'get', 200)).toEqual(['X-Request-Id', 'Set-Cookie'])
    expect(namesOf('/auth/login', 'post', 200)).toEqual(['X-Request-Id', 'Set-Cookie'])
    expect(namesOf('/v1/track', 'post', 200)).toEqual([...counted, 'Idempotency-Replayed'])
    expect(namesOf('/v1/send', 'post', 200)).toEqual([...counted, 'Idempotency-Replayed', 'Set-Cookie'])
    expect(namesOf('/contacts/{id}', 'delete', 204)).toEqual([...counted, 'Set-Cookie'])
    expect(namesOf('/contacts', 'get', 429)).toEqual([...counted, 'Retry-After'])
    expect(namesOf('/webhooks/sns', 'post', 503)).toEqual(['X-Request-Id', 'Retry-After'])
    expect(namesOf('/contacts/export', 'get', 200)).toEqual([...counted, 'Content-Disposition'])
  })

  test('names the session cookie as the installation does, which depends on its address', () => {
    const nameAt = (publicUrl: string): string => (documentOf({ publicUrl }) as Json).components.securitySchemes.session.name
    expect(['https://mail.acme.test', 'http://localhost:3000'].map(nameAt)).toEqual(['__Host-session', 'session'])
  })

  test('says which Idempotency-Keys are taken', () => {
    const { schema } = document.paths['/v1/send'].post.parameters.find(({ name }: Json) => name === 'Idempotency-Key')
    const isTaken = (key: string) => new RegExp(schema.pattern).test(key)
    expect(['order-7', 'a b', '!', '~'].filter(isTaken)).toHaveLength(4)
    expect(['', ' ', 'é', 'a\n'].filter(isTaken)).toEqual([])
    expect([schema.minLength, schema.maxLength]).toEqual([1, 255])
  })

  test('says of a receiver what the service sends: any body, and the header with its signature', () => {
    const { sns, stripe } = { sns: document.paths['/webhooks/sns'].post, stripe: document.paths['/webhooks/incoming/stripe'].post }
    for (const { requestBody, security, responses } of [sns, stripe]) {
      expect(requestBody).toMatchObject({ required: true, content: { '*/*': { schema: {} } } })
      expect([security, responses[422], Object.keys(responses[503].headers)]).toEqual([[], undefined, ['X-Request-Id', 'Retry-After']])
    }
    expect(sns.parameters).toEqual([])
    expect(stripe.parameters).toMatchObject([{ name: 'Stripe-Signature', in: 'header', required: true }])
  })

  test('publishes the defaults of a query, and the years that analytics take', () => {
    const schemaOf = (path: string, name: string) => document.paths[path].get.parameters.find((one: Json) => one.name === name).schema
    const defaults = [
      ['/contacts', 'limit', 20],
      ['/templates', 'page', 1],
      ['/templates', 'pageSize', 20],
      ['/activity/recent-count', 'minutes', 5],
      ['/activity/upcoming', 'daysAhead', 30],
      ['/contacts/fields/{field}/values', 'limit', 100],
      ['/analytics/top-events', 'tracked', 'false'],
      ['/analytics/timeseries', 'timezone', 'UTC'],
    ] as const
    for (const [path, name, value] of defaults) expect([path, name, schemaOf(path, name).default]).toEqual([path, name, value])
    const years = new RegExp(schemaOf('/analytics/timeseries', 'startDate').pattern)
    expect(['0020-02-29', '1999-12-31', '2000-01-01', '2999-12-31', '3000-01-01'].filter((day) => years.test(day))).toEqual([
      '2000-01-01',
      '2999-12-31',
    ])
  })

  test('describes what is taken and answered as it is taken: other fields of an object are ignored', () => {
    const { StepPosition, Utm } = document.components.schemas as Json
    expect([StepPosition.additionalProperties, Utm.additionalProperties]).toEqual([undefined, undefined])
  })

  test('says which fields of a campaign go together', () => {
    const content = { subject: 's', body: 'b', from: 'news@demo.test' }
    const [segment, filter] = [{ segmentId: 'seg_a' }, { audienceFilter: { field: 'data.plan', operator: 'exists' } }]
    const parts = [{}, segment, filter, { ...segment, ...filter }, { segmentId: null, audienceFilter: null }]
    const audiences = ['ALL', 'SEGMENT', 'FILTERED'].flatMap((audienceType) => parts.map((part) => ({ name: 'n', audienceType, ...part })))
    const valid = audiences.filter((audience) => isValid('CampaignDraft', { ...audience, ...content }))
    expect(valid).toEqual([audiences[0], audiences[4], audiences[6], audiences[12]])
    expect(audiences.filter((audience) => isValid('CampaignChange', audience)).map((one) => audiences.indexOf(one))).toEqual([
      0, 4, 5, 6, 10, 12,
    ])
    const contents = [content, { templateId: 'tpl_a' }, { ...content, templateId: null }, { subject: 's' }, {}]
    expect(contents.map((each) => isValid('CampaignDraft', { ...audiences[0], ...each }))).toEqual([true, true, true, false, false])
  })

  test('says what goes together in a segment, an email and an attachment', () => {
    const condition = { field: 'data.plan', operator: 'exists' }
    const segments = [
      {},
      { condition },
      { type: 'STATIC' },
      { type: 'DYNAMIC', condition },
      { type: 'DYNAMIC' },
      { type: 'STATIC', condition },
    ]
    const content = { subject: 's', body: 'b', from: 'hi@demo.test' }
    const emails = [content, { template: 'tpl_a' }, { ...content, template: 'tpl_a' }, {}, { subject: 's', body: 'b' }]
    const file = { filename: 'a.pdf', content: 'aGk=', contentType: 'application/pdf' }
    const files = [
      file,
      { ...file, disposition: 'attachment' },
      { ...file, disposition: 'inline', contentId: 'a@b' },
      { ...file, disposition: 'inline' },
      ...['a"b', 'a/b', 'a\\b', 'a\nb'].map((filename) => ({ ...file, filename })),
    ]
    const taken = (name: string, all: object[]) => all.map((one) => isValid(name, one))
    expect(
      taken(
        'SegmentDraft',
        segments.map((one) => ({ name: 'n', ...one })),
      ),
    ).toEqual([false, true, true, true, false, false])
    expect(
      taken(
        'SendDraft',
        emails.map((one) => ({ to: 'ada@example.com', ...one })),
      ),
    ).toEqual([true, true, true, false, false])
    expect(taken('Attachment', files)).toEqual([true, true, true, false, false, false, false, false])
  })

  test('says how contacts are named for a bulk operation, in one way only', () => {
    const bodies = [
      { contactIds: ['a'] },
      { ids: ['a'] },
      { mode: 'ids', ids: ['a'] },
      { filter: {} },
      { mode: 'query', filter: {}, excludeIds: ['a'] },
    ]
    const wrong = [
      {},
      { mode: 'query' },
      { mode: 'ids', filter: {} },
      { ids: ['a'], contactIds: ['a'] },
      { ids: ['a'], filter: {} },
      { filter: {}, excludedIds: ['a'] },
    ]
    for (const [body, taken] of [...bodies.map((one) => [one, true] as const), ...wrong.map((one) => [one, false] as const)])
      expect([body, isValid('BulkBody', body), BulkBody.safeParse(body).success]).toEqual([body, taken, taken])
  })

  test('says that a name has a character that can be seen, and which steps take a template', () => {
    const { pattern } = (document.components.schemas as Json).ProjectDraft.properties.name
    const names = ['Acme', ' Acme  Inc', '👩‍💻', 'می‌خواهم', ' ', '', 'a\u0007', 'a\nb', '\u200b\u2060', '\u3164', 'Acme \u202etxt']
    const taken = ['Acme', ' Acme  Inc', '👩‍💻', 'می‌خواهم']
    expect(names.filter((name) => new RegExp(pattern).test(name))).toEqual(taken)
    expect(names.filter((name) => ProjectName.safeParse(name).success)).toEqual(taken)
    for (const [shape, published] of [
      [TemplateDraft.shape.name, 'TemplateDraft'],
      [SegmentDraft.shape.name, 'SegmentDraft'],
    ] as const) {
      const name = (document.components.schemas as Json)[published].properties.name
      expect(['\u200b', 'Welcome \u202e'].filter((text) => new RegExp(name.pattern).test(text))).toEqual(['Welcome \u202e'])
      expect(['\u200b', 'Welcome \u202e'].filter((text) => shape.safeParse(text).success)).toEqual(['Welcome \u202e'])
    }
    const steps = [
      { type: 'DELAY' },
      { type: 'DELAY', templateId: null },
      { type: 'DELAY', templateId: 'tpl_a' },
      { type: 'SEND_EMAIL', templateId: 'tpl_a' },
    ]
    expect(steps.map((step) => isValid('StepDraft', step))).toEqual([true, true, false, true])
  })

  test('lists only codes that something fails with', () => {
    const texts = sources('src', /\.ts$/).filter(({ path }) => path !== 'src/kit/errors.ts')
    const unused = Object.keys(errorCatalogue).filter((code) => !texts.some(({ text }) => text.includes(`'${code}'`)))
    expect(unused).toEqual([])
  })

  test('says that a file is sent as a form', () => {
    const { requestBody } = document.paths['/uploads/image'].post
    expect(Object.keys(requestBody.content)).toEqual(['multipart/form-data'])
  })

  test.each(
    routes
      .filter(({ method, notes, signature }) => method !== 'GET' && method !== 'DELETE' && !notes.maxFileBytes && !signature)
      .map((route) => ({ route, at: `${route.method} ${route.path}` })),
  )('$at: its example request is accepted', ({ route }) => {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    const example = document.paths[path][route.method.toLowerCase()].requestBody?.content['application/json'].example ?? {}
    expect(() => read(route.input, { ...example, id: 'x', userId: 'x', stepId: 'x' })).not.toThrow()
  })
})
