import { describe, expect, test } from 'vitest'
import { bearer, connect } from '../../help/live.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { url, world } = await testServer()
const { secret } = await freshProject(world)

async function get(parameters: [name: string, value: string][], key?: string) {
  const headers = { accept: 'application/json', ...(key && { authorization: `Bearer ${key}` }) }
  const response = await fetch(`${url}/graphql?${new URLSearchParams(parameters)}`, { headers })
  return (await response.json()) as { data?: object; errors?: { message: string; extensions: { code: string } }[]; extensions?: object }
}

const parameters = (given: Record<string, string>) => Object.entries(given)

async function post(body: object, key?: string) {
  const headers = { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) }
  const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await response.json()) as Awaited<ReturnType<typeof get>>
}

const contacts = '{ contacts(first: 1) { nodes { id } } }'
const dear = '{ contacts(first: 100) { nodes { events(first: 100) { nodes { id } } } } }'
const two = `query Small { __typename } query Large ${dear} query Secret ${contacts}`
const codesOf = ({ errors }: Awaited<ReturnType<typeof get>>) => errors?.map(({ extensions }) => extensions.code)

describe('an operation by GET is checked as it is run', () => {
  test('with an empty name: nobody reads contacts', async () => {
    const answer = await get(parameters({ query: contacts, operationName: '' }))
    expect(codesOf(answer)).toEqual(['MISSING_AUTH'])
    expect(answer.data?.['contacts' as never] ?? null).toBeNull()
  })

  test('with an empty name: the cost is bounded', async () => {
    expect((await get(parameters({ query: dear, operationName: '' }), secret)).errors?.[0]?.message).toMatch(/costs at least|cost/)
  })

  test.each([
    ['a second name', two, 'operationName', 'Secret', 'Small'],
    ['a second document', contacts, 'query', '{ __typename }'],
    ['an empty document after it', contacts, 'query', ''],
    ['a document without operations after it', contacts, 'query', 'fragment a on Query { __typename }'],
  ])('with %s: it is refused', async (_what, query, name, ...values) => {
    const answer = await get([['query', query], ...values.map((value): [string, string] => [name, value])])
    expect(answer).toEqual({ errors: [expect.objectContaining({ message: `The parameter "${name}" is there more than once.` })] })
    expect(codesOf(answer)).toEqual(['BAD_REQUEST'])
  })

  test('with an empty name: the only operation is run, and its cost said', async () => {
    const answer = await get(parameters({ query: contacts, operationName: '' }), secret)
    expect(answer).toMatchObject({ data: { contacts: { nodes: [] } }, extensions: { cost: { requested: expect.any(Number) } } })
  })

  test('with an empty name and a mutation: it is refused', async () => {
    const mutation = 'mutation { upsertContact(input: { email: "a@example.com" }) { contact { id } } }'
    expect(codesOf(await get(parameters({ query: mutation, operationName: '' }), secret))).toEqual(['METHOD_NOT_ALLOWED'])
  })
})

describe('an operation that a document does not have', () => {
  const asked = [
    ['of another name', { query: two, operationName: 'Other' }],
    ['of the empty name', { query: contacts, operationName: '' }],
    ['of no name among several', { query: two }],
  ] as const
  test.each(asked)('%s is refused over HTTP', async (_what, body) => {
    const { data, errors } = await post(body, secret)
    expect(data ?? null).toBeNull()
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['BAD_REQUEST'])
  })

  test.each(asked)('%s is refused over a socket', async (_what, body) => {
    const { client } = connect(url, bearer(secret))
    const refused = await client
      .iterate(body)
      .next()
      .catch((errors: unknown) => errors)
    await client.dispose()
    expect(refused).toMatchObject([{ extensions: { code: 'BAD_REQUEST' } }])
  })
})
