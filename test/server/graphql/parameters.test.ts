import { describe, expect, test } from 'vitest'
import { jsonLimits } from '../../../src/kit/json-limits.ts'
import { asker } from '../../help/ask.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { url, world } = await testServer()
const { secret } = await freshProject(world)
const post = asker(url, secret)

const nested = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`

/** Asks by GET, with the query of the address as it is written. */
async function get(query: string, key?: string) {
  const headers = { accept: 'application/json', ...(key && { authorization: `Bearer ${key}` }) }
  const response = await fetch(`${url}/graphql?${query}`, { headers })
  return { status: response.status, ...((await response.json()) as { data?: unknown; errors?: { message: string; extensions: object }[] }) }
}

describe('a parameter in the address that cannot be read is refused with 400, also without a key', () => {
  test.each([
    ['variables that are not JSON', 'query={__typename}&variables={x', /^The parameter "variables" is not valid JSON: /],
    ['extensions that are not JSON', 'query={__typename}&extensions={x', /^The parameter "extensions" is not valid JSON: /],
    ['variables in a wrong encoding', 'query={__typename}&variables=%zz', /^The parameter "variables" is not valid JSON: /],
    [
      'variables nested too deeply',
      `query={__typename}&variables=${nested(jsonLimits.depth)}`,
      /"variables" is nested deeper than 100 levels/,
    ],
    ['variables that are no object', 'query={__typename}&variables=5', /variables/],
    ['extensions that are a list', 'query={__typename}&extensions=[]', /extensions/],
    ['two of the same name', 'query={__typename}&variables={}&variables={}', /^The parameter "variables" is there more than once\.$/],
    ['two of the same name, one empty', 'query={__typename}&extensions=&extensions={}', /^The parameter "extensions" is there more/],
    ['none', '', /query/],
  ])('%s', async (_what, query, message) => {
    for (const key of [undefined, secret]) {
      const { status, errors } = await get(query, key)
      expect([status, errors]).toMatchObject([400, [{ extensions: { code: 'BAD_REQUEST', statusCode: 400 } }]])
      expect(errors?.[0]?.message).toMatch(message)
    }
  })
})

test('an operation by GET has its variables and is run as by POST', async () => {
  const document = 'query One { a: __typename } query Two($first: Int!) { contacts(first: $first) { nodes { id } } }'
  const variables = { first: 1 }
  const asked = new URLSearchParams({ query: document, operationName: 'Two', variables: JSON.stringify(variables), extensions: '' })
  const answer = await get(String(asked), secret)
  expect(answer).toMatchObject({ status: 200, data: { contacts: { nodes: [] } } })
  const single = 'query ($first: Int!) { contacts(first: $first) { nodes { id } } }'
  expect((await post(single, variables)).data).toEqual(answer.data)
  const unnamed = new URLSearchParams({ query: single, variables: '{"first":101}' })
  expect(await get(String(unnamed), secret)).toMatchObject({
    errors: (await post(single, { first: 101 })).errors.map(({ message }) => ({ message })),
  })
})

test('an empty parameter is none, and others are ignored', async () => {
  const answer = await get('query={__typename}&operationName=&variables=&extensions=&other={x&other={x', secret)
  expect(answer).toMatchObject({ status: 200, data: { __typename: 'Query' } })
})

test('an ID of more than 1,000 characters is refused, in lists and objects as well, and shown by its beginning', async () => {
  const long = 'x'.repeat(100_000)
  for (const [query, variables] of [
    ['query ($id: ID!) { contact(id: $id) { id } }', { id: long }],
    ['mutation ($input: DeleteContactInput!) { deleteContact(input: $input) { deletedContactId } }', { input: { id: long } }],
  ] as const) {
    const { errors } = await post(query, variables)
    expect(errors).toMatchObject([
      { message: expect.stringContaining('An ID has at most 1000 characters'), extensions: { code: 'BAD_REQUEST' } },
    ])
    expect(errors[0]?.message.length).toBeLessThan(1_000)
  }
})
