import { buildSchema, type OperationDefinitionNode, parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { toGraphqlErrors } from '../../../src/server/graphql/errors.ts'
import { problemsOfVariables } from '../../../src/server/graphql/variables.ts'
import { asker } from '../../help/ask.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { url, world, call } = await testServer()
const { secret } = await freshProject(world)
const logIn = 'mutation ($input: LogInInput!) { logIn(input: $input) { user { id } } }'
const unknownKeys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`h${at}`, 1]))
const maxBytes = 64 * 1024

async function refused(query: string, variables?: object, key?: string) {
  const { status, errors } = await asker(url, key)(query, variables as Record<string, unknown>, {
    accept: 'application/graphql-response+json',
  })
  return { status, errors, bytes: JSON.stringify(errors).length, longest: Math.max(...errors.map(({ message }) => message.length)) }
}

describe('an answer is not larger for what is wrong with its request', () => {
  test.each<[string, string, object | undefined]>([
    ['a large value beside unknown fields', logIn, { input: { ...unknownKeys(52), email: 'x'.repeat(900_000) } }],
    ['very many unknown fields', logIn, { input: unknownKeys(16_000) }],
    ['a large name of a field', logIn, { input: { ['x'.repeat(900_000)]: 1 } }],
    ['a large text in place of an object', logIn, { input: 'x'.repeat(900_000) }],
    ['very many wrong values', 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids: Array(40_000).fill({}) }],
    [
      'unknown fields in the document',
      `mutation { logIn(input: { ${'x'.repeat(90)}: 1 ${Array.from({ length: 900 }, (_, at) => `h${at}: 1`).join(' ')} }) { user { id } } }`,
      undefined,
    ],
    ['a large text in the document', `mutation { logIn(input: { email: 1, h: "${'x'.repeat(90_000)}" }) { user { id } } }`, undefined],
    ['unknown arguments', `{ viewer(${Array.from({ length: 900 }, (_, at) => `h${at}: 1`).join(' ')}) { id } }`, undefined],
    ['a large name of an argument', `{ viewer(${'x'.repeat(90_000)}: 1) { id } }`, undefined],
  ])('%s', async (_what, query, variables) => {
    const { status, errors, bytes, longest } = await refused(query, variables, secret)
    expect([status, errors[0]?.extensions.code]).toEqual([400, 'BAD_REQUEST'])
    expect(errors.length).toBeLessThanOrEqual(20)
    expect(longest).toBeLessThanOrEqual(600)
    expect(bytes).toBeLessThan(maxBytes)
  })

  test('a key of data that is not accepted is named by its beginning', async () => {
    const key = 'x'.repeat(900_000)
    const track = 'mutation ($input: TrackEventInput!) { trackEvent(input: $input) { event { id } } }'
    const data = { [key]: '\0' }
    const { errors, bytes } = await refused(track, { input: { email: 'ada@example.com', event: 'e', data } }, secret)
    expect(errors[0]?.extensions).toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ field: `data.${'x'.repeat(194)}…` }] })
    expect(bytes).toBeLessThan(3_000)
    const { status, body } = await call('POST /v1/track', { email: 'ada@example.com', event: 'e', data }, { key: secret })
    expect([status, JSON.stringify(body).length < 3_000]).toEqual([422, true])
  })
})

test('after the last error that is shown, no value is read', () => {
  const schema = buildSchema('type Query { all(ids: [Int!]): Int }')
  const [operation] = parse('query ($ids: [Int!]) { all(ids: $ids) }').definitions
  let reads = 0
  const ids = new Proxy(Array(10_000).fill('x'), {
    get(list, key) {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads++
      return Reflect.get(list, key) as unknown
    },
  })
  const problems = problemsOfVariables(schema, operation as OperationDefinitionNode, { ids })
  expect([problems.length, reads]).toEqual([20, 20])
  expect(problems[3]?.message).toBe('Variable "$ids" has invalid value at "[3]": Int cannot represent non-integer value: "x"')
})

test('of lists with more items than any operation takes, together, nothing is read', () => {
  const schema = buildSchema('input One { of: [Int] } type Query { all(ids: [Int!], ones: [One!]): Int }')
  const [operation] = parse('query ($ids: [Int!], $ones: [One!]) { all(ids: $ids, ones: $ones) }').definitions
  const reads = { count: 0 }
  const list = (items: number) =>
    new Proxy(Array(items).fill(1), {
      get(list, key) {
        if (typeof key === 'string' && /^\d+$/.test(key)) reads.count++
        return Reflect.get(list, key) as unknown
      },
    })
  const check = (variables: object) =>
    problemsOfVariables(schema, operation as OperationDefinitionNode, { ...variables }).map(({ message }) => message)
  expect([check({ ids: list(98_000) }), reads.count]).toEqual([
    ['Variable "$ids" has invalid value: Expected at most 10000 items in all lists, found 98000 in this one.'],
    0,
  ])
  expect(check({ ids: list(9_000), ones: [{ of: 1 }, { of: list(998) }] })).toEqual([])
  reads.count = 0
  expect(check({ ids: list(5_000), ones: [{ of: list(4_000) }, { of: list(4_000) }, { of: list(4_000) }] })).toHaveLength(1)
  expect(reads.count).toBe(9_000)
})

test('the variables of an operation are told apart by where they are wrong', async () => {
  const { errors } = await refused(logIn, { input: { email: 1, pasword: 'x' } })
  expect(errors.map(({ message }) => message)).toEqual([
    'Variable "$input" has invalid value at "email": String cannot represent a non string value: 1',
    'Variable "$input" has invalid value: Expected value of type "LogInInput" to include required field "password", found: {email: 1, pasword: "x"}.',
    'Variable "$input" has invalid value: Expected value of type "LogInInput" not to include unknown field "pasword": it has email, password.',
  ])
})

test('of more errors than an answer shows the last one says how many there are', () => {
  const errors = toGraphqlErrors(
    Array.from({ length: 200 }, () => new Error('x')),
    { requestId: 'req_1', log: { ...world.log, error() {} } as never },
  )
  expect(errors.length).toBe(20)
  expect(errors.at(-1)?.message).toBe('Something went wrong on our side. (180 more errors are not shown.)')
})
