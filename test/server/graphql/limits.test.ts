import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { callIn } from '../../../src/kit/context.ts'
import { createUser } from '../../../src/modules/users/users.ts'
import { asker } from '../../help/ask.ts'
import { atPace } from '../../help/pace.ts'
import { freshUser } from '../../help/people.ts'
import { testServer } from '../../help/server.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const { url, world } = await testServer()
const { secret } = await freshProject(world)
const ask = asker(url, secret)

const repeat = (times: number, part: (at: number) => string) => Array.from({ length: times }, (_, at) => part(at)).join(' ')
const deep = (levels: number): string => `{ contacts(first: 1) { nodes { ${nest(levels - 2)} } } }`
const nest = (levels: number): string => (levels <= 1 ? 'id' : `events(first: 1) { nodes { contact { ${nest(levels - 3)} } } }`)

async function refusal(document: string, variables?: Record<string, unknown>): Promise<[number, string | undefined, string | undefined]> {
  const started = Date.now()
  const { status, errors } = await ask(document, variables, { accept: 'application/graphql-response+json' })
  expect(Date.now() - started, 'refusing is quick').toBeLessThan(atPace(2_000))
  return [status, errors[0]?.extensions.code, errors[0]?.message]
}

// Whatever is measured must not measure the first compilation.
beforeAll(() => ask('{ __typename }'))

describe('an operation is refused with 400 before anything runs', () => {
  test.each([
    ['deeper than 12 levels', deep(14), /levels deep; at most 12/],
    ['with more than 10 root fields', `{ ${repeat(11, (at) => `a${at}: activityTypes`)} }`, /11 root fields; at most 10/],
    ['with more than 30 aliases', `{ contacts { nodes { ${repeat(31, (at) => `a${at}: id`)} } } }`, /31 aliases; at most 30/],
    ['with more than 50 directives', `{ __typename ${repeat(51, () => '@include(if: true)')} }`, /51 directives; at most 50/],
    [
      'with more than 50 fragments',
      `{ ...F0 } ${repeat(51, (at) => `fragment F${at} on Query { ...F${at + 1} }`)} fragment F51 on Query { __typename }`,
      /52 fragments; at most 50/,
    ],
    ['with more than 4,000 tokens', `{ ${repeat(4_001, () => '__typename')} }`, /more than 4000 tokens/i],
    ['longer than 100,000 characters', `# ${'x'.repeat(100_000)}\n{ __typename }`, /characters; at most 100000/],
    [
      'that costs more than 5,000',
      '{ contacts(first: 100) { nodes { events(first: 100) { nodes { id } } } } }',
      /10,?302 points of cost; at most 5000|points of cost; at most 5000/,
    ],
    [
      'that costs more than 500 for each item of a subscription',
      'subscription { activity { contact { events(first: 24) { nodes { contact { events(first: 20) { nodes { id } } } } } } } }',
      /has 5\d\d points of cost; at most 500 are allowed for each item of this subscription: ask/,
    ],
    [
      'that costs more than 500 for each item of a subscription, in a fragment',
      'subscription { ...All } fragment All on Subscription { workflowExecution(id: "x") { stepExecutions { input output } } }',
      /points of cost; at most 500 are allowed for each item/,
    ],
    [
      'that costs more than 2,500 for each state of an execution',
      'subscription { workflowExecution(id: "x") { stepExecutions { input output a: output } } }',
      /points of cost; at most 2500 are allowed for each item/,
    ],
    [
      'that counts the audience of very many campaigns',
      '{ campaigns(first: 60) { nodes { audiencePreview { recipients } } } }',
      /points of cost; at most 5000/,
    ],
    [
      'that costs fractions of points, with a figure that is readable, and what to do',
      '{ workflows { nodes { steps { exits { transition { to { name } } } } } } }',
      /has \d+(\.\d)? points of cost; at most 5000 are allowed: ask for smaller pages/,
    ],
    [
      'that costs too much by its variables',
      'query($n: Int) { contacts(first: $n) { nodes { events(first: $n) { nodes { id } } } } }',
      /points of cost/,
    ],
    [
      'that costs too much by a default',
      'query($m: Int = 100) { contacts(first: $m) { nodes { events(first: $m) { nodes { id } } } } }',
      /points of cost/,
    ],
    [
      'with many mutations',
      `mutation { ${repeat(11, (at) => `a${at}: deleteContact(input: { id: "x" }) { deletedContactId }`)} }`,
      /11 root fields/,
    ],
    [
      'whose fragments go round',
      '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }',
      /Cannot spread fragment "A" within itself/,
    ],
    [
      'whose fragments multiply',
      `{ ...F0 } ${repeat(12, (at) => `fragment F${at} on Query { contacts { nodes { ...C } } ...F${at + 1} ...F${at + 1} }`)} fragment F12 on Query { __typename } fragment C on Contact { id }`,
      /root fields|spread|same/,
    ],
    [
      'with nested lists in introspection',
      `{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }`,
      /introspection depth/i,
    ],
    [
      'that reads one large type of the schema again and again',
      `{ __type(name: "Mutation") { ${repeat(15, (at) => `a${at}: fields { args { type { name } } type { fields { args { isDeprecated } } } }`)} } }`,
      /points of cost; at most 5000/,
    ],
    [
      'that reads the types of the schema again and again',
      `{ ${repeat(10, (at) => `a${at}: __schema { types { fields { args { type { name } } type { fields { name args { name } type { name } } } } } }`)} }`,
      /points of cost; at most 5000/,
    ],
  ])('%s', async (_what, document, message) => {
    const [status, code, said] = await refusal(document, { n: 100 })
    expect([status, code]).toEqual([400, 'BAD_REQUEST'])
    expect(said).toMatch(message)
  })

  test('with overlapping fields, in good time', async () => {
    const same = repeat(900, (at) => `...on Query { contacts(first: ${at % 2}) { totalCount } }`)
    const [status] = await refusal(`{ ${same.slice(0, 30_000)} }`)
    expect(status).toBe(400)
  })

  test('with first: 1e9 or a forged cursor, for that field alone', async () => {
    const { errors } = await ask('{ contacts(first: 1000000000) { nodes { id } } }')
    expect(errors[0]?.message).toMatch(/points of cost/)
    expect(errors[0]?.extensions.suggestion).toBe('Ask for less in one operation.')
    expect((await ask('{ contacts(first: 101) { totalCount } }')).errors[0]?.extensions.code).toBe('VALIDATION_ERROR')
    for (const after of ['x', 'WyJldnRfMDEiXQ', ''])
      expect((await ask(`{ contacts(after: "${after}") { totalCount } }`)).errors[0]?.extensions.code).toBe('BAD_REQUEST')
  })
})

describe('NUL characters, as in REST', () => {
  test.each([
    ['a query', 'query($name: String) { events(filter: { name: $name }) { totalCount } }', { name: 'a\0' }, 'name'],
    ['an id', 'mutation($id: ID!) { deleteContact(input: { id: $id }) { deletedContactId } }', { id: '\0' }, 'id'],
    [
      'an input',
      'mutation($input: UpsertContactInput!) { upsertContact(input: $input) { created } }',
      { input: { email: 'a@b.co', data: { deep: ['\0'] } } },
      'data.deep.0',
    ],
    [
      'a key',
      'mutation($input: UpsertContactInput!) { upsertContact(input: $input) { created } }',
      { input: { email: 'a@b.co', data: { 'a\0': 1 } } },
      'data.a␀',
    ],
    ['the document', '{ contact(id: "\\u0000") { id } }', {}, ''],
  ])('in %s are refused with 422', async (_where, document, variables, field) => {
    const { status, errors } = await ask(document, variables as Record<string, unknown>)
    expect([status, errors[0]?.extensions.code]).toEqual([422, 'VALIDATION_ERROR'])
    expect(errors[0]?.extensions.errors).toEqual([{ field, message: 'must not contain NUL characters', code: 'invalid_string' }])
  })
})

test('text that is not well-formed is refused with 422 and its field, as in REST', async () => {
  const input = { email: 'a@b.co', data: { half: '\ud83d' } }
  const { status, errors } = await ask('mutation($input: UpsertContactInput!) { upsertContact(input: $input) { created } }', { input })
  expect(status).toBe(422)
  expect(errors[0]?.extensions.errors).toEqual([{ field: 'data.half', message: 'must be well-formed Unicode', code: 'invalid_string' }])
})

test('values nested without end are refused with 400', async () => {
  const data = JSON.parse(`${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`)
  const { status, errors } = await ask('mutation($data: JSON) { upsertContact(input: { email: "a@b.co", data: $data }) { created } }', {
    data,
  })
  expect([status, errors[0]?.extensions.code]).toEqual([400, 'BAD_REQUEST'])
})

describe('every answer', () => {
  test('says what the operation cost', async () => {
    const { extensions } = await ask('{ contacts(first: 20) { edges { node { id events(first: 5) { nodes { id } } } } } }')
    expect(extensions.cost).toEqual({ requested: 2 + 20 * (1 + 2 + 5), limit: 5_000 })
    const values = await ask('{ contacts(first: 20) { nodes { data again: data } } }')
    expect(values.extensions.cost?.requested).toBe(2 + 20 * (1 + 2 * 10))
    // A value is repeated by its aliases, however long it is.
    const repeated = await ask(
      '{ contacts(first: 20) { nodes { email again: email once: email ...More } } } fragment More on Contact { more: email }',
    )
    expect(repeated.extensions.cost?.requested).toBe(2 + 20 * (1 + 3))
    // At most 1,000 names, and as many counts.
    expect((await ask('{ eventNames }')).extensions.cost?.requested).toBe(100)
    expect((await ask('{ eventCounts { name count } }')).extensions.cost?.requested).toBe(1_000)
    expect((await ask('mutation { deleteContact(input: { id: "x" }) { deletedContactId } }')).extensions.cost?.requested).toBe(10)
  })

  test('counts against the minute, together with REST', async () => {
    const limited = await testServer({ env: { RATE_LIMIT_PER_MINUTE: '3' } })
    const project = await freshProject(limited.world)
    const few = asker(limited.url, project.secret)
    expect((await few('{ __typename }')).headers.get('ratelimit-remaining')).toBe('2')
    await limited.call('GET /contacts', undefined, { key: project.secret })
    await few('{ __typename }')
    const { status, errors, headers } = await few('{ __typename }')
    expect([status, errors[0]?.extensions.code, headers.get('ratelimit-remaining')]).toEqual([429, 'RATE_LIMIT_EXCEEDED', '0'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('the request itself', () => {
  const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) =>
    fetch(`${url}/graphql`, { method: 'POST', body, headers: { authorization: `Bearer ${secret}`, ...headers } })
  const codeOf = async (response: Response) => [
    response.status,
    ((await response.json()) as { errors: { extensions: { code: string } }[] }).errors[0]?.extensions.code,
  ]
  const document = JSON.stringify({ query: '{ __typename }' })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ''])(
    'is refused as %j, which a foreign page can send',
    async (type) => {
      expect(await codeOf(await post(document, { 'content-type': type }))).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    },
  )

  test('is refused as a batch', async () => {
    expect(await codeOf(await post(`[${document},${document}]`, { 'content-type': 'application/json' }))).toEqual([400, 'BAD_REQUEST'])
  })

  test('is refused when it is no JSON, or compressed', async () => {
    expect(await codeOf(await post('{', { 'content-type': 'application/json' }))).toEqual([400, 'BAD_REQUEST'])
    const packed = new Uint8Array(gzipSync(document))
    expect(await codeOf(await post(packed, { 'content-type': 'application/json', 'content-encoding': 'gzip' }))).toEqual([
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ])
  })

  test('may not mutate by GET', async () => {
    const query = encodeURIComponent('mutation { regenerateKeys { secret } }')
    const response = await fetch(`${url}/graphql?query=${query}`, { headers: { authorization: `Bearer ${secret}` } })
    expect(await codeOf(response)).toEqual([405, 'METHOD_NOT_ALLOWED'])
    expect((await ask('{ __typename }')).status).toBe(200)
  })

  test('may be as large as 1 MB without a key and 40 MB with one', async () => {
    const padded = (bytes: number) => JSON.stringify({ query: '{ __typename }', variables: { pad: 'x'.repeat(bytes) } })
    const headers = { 'content-type': 'application/json' }
    const refused = await fetch(`${url}/graphql`, { method: 'POST', body: padded(1_100_000), headers })
    expect([refused.status, await refused.text()]).toEqual([413, expect.stringContaining('larger than 1 MB')])
    expect((await post(padded(1_100_000), headers)).status).toBe(200)
    expect((await post(padded(42_000_000), headers)).status).toBe(413)
  })

  test('shows GraphiQL to a browser, which loads nothing from elsewhere', async () => {
    const response = await fetch(`${url}/graphql`, { headers: { accept: 'text/html' } })
    expect(response.headers.get('content-type')).toMatch('text/html')
    expect(response.headers.get('content-security-policy')).toMatch("default-src 'none'")
    expect(await response.text()).not.toMatch(/<(script|link|img)[^>]+(src|href)="https?:/)
  })
})

describe('in production', () => {
  test('GraphiQL and introspection are for who is signed in, and nothing is there for nobody', async () => {
    const env = { NODE_ENV: 'production', APP_SECRET: 'x'.repeat(40), ALLOW_CAPTURE: 'true', HOST: '127.0.0.1' }
    const hidden = await testServer({ world: await testWorld({ env }) })
    const project = await freshProject(hidden.world)
    expect((await fetch(`${hidden.url}/graphql`, { headers: { accept: 'text/html' } })).status).toBe(401)
    expect((await asker(hidden.url)('{ project { id } }')).status).toBe(401)
    expect((await asker(hidden.url)('{ ...q } fragment q on Query { __schema { types { name } } }')).errors[0]?.message).toMatch(
      /introspection/i,
    )
    const { cookie } = await freshUser(hidden.world)
    const page = await fetch(`${hidden.url}/graphql`, { headers: { accept: 'text/html', cookie } })
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const looked = await asker(hidden.url)<{ __schema: { queryType: object } }>('{ __schema { queryType { name } } }', {}, { cookie })
    expect(looked.data?.__schema.queryType).toEqual({ name: 'Query' })
    const { errors } = await asker(hidden.url, project.secret)('{ __schema { types { name } } }')
    expect(errors[0]?.message).toMatch(/introspection/i)
    expect((await asker(hidden.url, project.secret)('{ project { id } }')).data).toEqual({ project: { id: project.projectId } })
  })

  test('neither is for an account with an unverified address, where addresses must be verified', async () => {
    const env = {
      NODE_ENV: 'production',
      APP_SECRET: 'x'.repeat(40),
      ALLOW_CAPTURE: 'true',
      HOST: '127.0.0.1',
      REQUIRE_VERIFIED_EMAIL: 'true',
      PLATFORM_FROM: 'hello@acme.test',
      PLATFORM_PROJECT_ID: `prj_${'1'.repeat(26)}`,
    }
    const strict = await testServer({ world: await testWorld({ env }) })
    const account = { email: 'ada@example.com', password: 'correct horse battery' }
    await createUser(callIn(strict.world), account)
    const signedIn = await strict.call('POST /auth/login', account)
    let cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const page = () => fetch(`${strict.url}/graphql`, { headers: { accept: 'text/html', cookie } })
    const look = () => asker(strict.url)('{ __schema { queryType { name } } }', {}, { cookie })
    expect(await (await page()).json()).toMatchObject({
      errors: [{ extensions: { code: 'EMAIL_VERIFICATION_REQUIRED', statusCode: 403 } }],
    })
    expect((await look()).errors).toMatchObject([{ extensions: { code: 'EMAIL_VERIFICATION_REQUIRED' } }])
    cookie = (await freshUser(strict.world)).cookie
    expect([(await page()).status, (await look()).status]).toEqual([200, 200])
  })
})
