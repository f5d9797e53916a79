import { isNonNullType, parse, validate } from 'graphql'
import { expect, test } from 'vitest'
import { errorCatalogue } from '../../../src/kit/errors.ts'
import { schema } from '../../../src/server/graphql/schema.ts'
import { asker } from '../../help/ask.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const introduction = schema.description ?? ''

test('the schema begins with an introduction whose examples are valid', () => {
  const examples = [...introduction.matchAll(/`((?:query|mutation|subscription) \{[^`]*)`/g)].map(([, example = '']) => example)
  expect(examples.map((example) => example.split(' ')[0])).toEqual(['query', 'mutation', 'subscription'])
  expect(examples.flatMap((example) => validate(schema, parse(example)))).toEqual([])
})

test('every error code is a value of ErrorCode', async () => {
  const { url } = await testServer()
  const { data } = await asker(url)<{ __type: { enumValues: { name: string }[] } }>('{ __type(name: "ErrorCode") { enumValues { name } } }')
  expect(data?.__type.enumValues.map(({ name }) => name)).toEqual(Object.keys(errorCatalogue).toSorted())
})

test('a field that finds one object by its id is nullable', () => {
  const byId = Object.values(schema.getQueryType()?.getFields() ?? {}).filter(({ args: [first, ...more] }) => {
    return first?.name === 'id' && isNonNullType(first.type) && more.length === 0
  })
  expect(byId.length).toBeGreaterThan(7)
  expect(byId.filter(({ type }) => isNonNullType(type)).map(({ name }) => name)).toEqual([])
})

test('what fails by itself leaves the rest of the answer', async () => {
  const { url, world } = await testServer()
  const { secret } = await freshProject(world)
  const { data, errors } = await asker(
    url,
    secret,
  )('{ campaign(id: "cmp_x") { id } project { name invoices { unpaidInvoices { id } } } contacts { totalCount } }')
  expect(data).toEqual({ campaign: null, project: { name: expect.any(String), invoices: null }, contacts: { totalCount: 0 } })
  const failed = errors.map(({ path, extensions }) => `${path?.join('.')} ${extensions.code}`)
  expect(failed.toSorted()).toEqual(['campaign RESOURCE_NOT_FOUND', 'project.invoices BILLING_DISABLED'])
})
