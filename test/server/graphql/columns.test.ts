import { GraphQLObjectType, GraphQLSchema, GraphQLString, graphql } from 'graphql'
import { expect, test } from 'vitest'
import { readColumns } from '../../../src/server/graphql/columns.ts'

const asked: string[] = []

/** A field that shows the column `name`, as Pothos makes it. */
const shown = {
  type: GraphQLString,
  extensions: { pothosExposedField: 'name' },
  resolve: (row: object): string => {
    asked.push(JSON.stringify(row))
    return 'read again'
  },
}
const Row = new GraphQLObjectType({
  name: 'Row',
  fields: { name: { ...shown }, title: { ...shown }, other: { ...shown, extensions: {} } },
})
const Query = new GraphQLObjectType({ name: 'Query', fields: { row: { type: Row } } })
const schema = readColumns(new GraphQLSchema({ query: Query }))
const read = (row: object, fields: string) => graphql({ schema, source: `{ row { ${fields} } }`, rootValue: { row } })

test('a field that shows a column answers with what the row has, null included, under whatever name', async () => {
  expect(await read({ name: 'Ada' }, 'name title')).toEqual({ data: { row: { name: 'Ada', title: 'Ada' } } })
  expect(await read({ name: null }, 'name')).toEqual({ data: { row: { name: null } } })
  expect(asked).toEqual([])
})

test('a column that was not read is resolved as before, and so is every other field', async () => {
  expect(await read({ id: 'row' }, 'name')).toEqual({ data: { row: { name: 'read again' } } })
  expect(await read({ name: 'Ada' }, 'other')).toEqual({ data: { row: { other: 'read again' } } })
  expect(asked).toHaveLength(2)
})
