import {
  type GraphQLObjectType,
  type GraphQLType,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import { schema } from '../../../src/server/graphql/schema.ts'
import { asker } from '../../help/ask.ts'
import { filledProject } from '../../help/filled.ts'
import { testServer } from '../../help/server.ts'

const { url, world } = await testServer({ running: true })

// The rules of the Relay specifications for connections and nodes that a schema alone can show.
const objects = Object.values(schema.getTypeMap()).filter(isObjectType)
const fields = [...objects, ...Object.values(schema.getTypeMap()).filter(isInterfaceType)]
  .filter(({ name }) => !name.startsWith('__'))
  .flatMap((type) => Object.values(type.getFields()).map((field) => ({ at: `${type.name}.${field.name}`, field })))
const connections = fields.filter(({ field }) => getNamedType(field.type).name.endsWith('Connection'))
const fieldsOf = (type: GraphQLObjectType) =>
  Object.fromEntries(Object.values(type.getFields()).map(({ name, type: of }) => [name, String(of)]))

describe('connections', () => {
  test('take first and after, last and before, all optional', () => {
    expect(connections.length).toBeGreaterThan(20)
    for (const { at, field } of connections) {
      const args = Object.fromEntries(field.args.map(({ name, type }) => [name, String(type)]))
      expect(args, at).toMatchObject({ first: 'Int', after: 'String', last: 'Int', before: 'String' })
    }
  })

  test('are null only as queries and where their members may take too long, their edges never, whose nodes are those of `nodes`', () => {
    for (const { at, field } of connections) {
      expect(isNonNullType(field.type), at).toBe(!at.startsWith('Query.') && at !== 'Segment.contacts')
      const { edges = '', nodes = '', pageInfo, totalCount } = fieldsOf(getNamedType(field.type) as GraphQLObjectType)
      const [, edge = ''] = /^\[(\w+Edge)!\]!$/.exec(edges) ?? []
      const of = fieldsOf(schema.getType(edge) as GraphQLObjectType)
      expect([nodes, pageInfo, totalCount, of], at).toEqual([
        `[${of.node}]!`,
        'PageInfo!',
        expect.stringMatching(/^Int!?$/),
        { cursor: 'String!', node: expect.stringMatching(/!$/) },
      ])
    }
  })

  test('share one PageInfo', () => {
    const page = { hasNextPage: 'Boolean!', hasPreviousPage: 'Boolean!', startCursor: 'String', endCursor: 'String' }
    expect(fieldsOf(schema.getType('PageInfo') as GraphQLObjectType)).toEqual(page)
  })
})

describe('nodes', () => {
  test('have an id, and are found by it: node is null for another, nodes has a null in its place', () => {
    expect(Object.keys((schema.getType('Node') as GraphQLObjectType).getFields())).toEqual(['id'])
    const { node, nodes } = schema.getQueryType()?.getFields() ?? {}
    const args = [node, nodes].map((field) => field?.args.map(({ name, type }) => `${name}: ${type}`).join())
    expect([String(node?.type), String(nodes?.type), ...args]).toEqual(['Node', '[Node]', 'id: ID!', 'ids: [ID!]!'])
  })

  test('are what a connection holds, but for entries without an id of their own', () => {
    const isNode = (name: string) => (schema.getType(name) as GraphQLObjectType).getInterfaces().some((one) => one.name === 'Node')
    const held = objects
      .filter(({ name }) => name.endsWith('Edge'))
      .map((type) => getNamedType(type.getFields().node?.type as GraphQLType).name)
    // Read with what they belong to, or by a key that is no id.
    const others = ['CampaignRecipient', 'ContactField', 'Member', 'PastActivity', 'Suppression', 'WorkflowField', 'WorkflowStep']
    expect([...new Set(held)].filter((name) => !isNode(name)).sort()).toEqual(others)
  })

  test('that a payload deletes leave their id, for @deleteRecord', () => {
    const deletes = Object.values(schema.getMutationType()?.getFields() ?? {}).filter(({ name }) => {
      const type = /^delete(\w+)$/.exec(name)?.[1]
      return (
        type !== undefined &&
        schema.getType(type) &&
        isObjectType(schema.getType(type)) &&
        (schema.getType(type) as GraphQLObjectType).getFields().id
      )
    })
    expect(deletes.length).toBeGreaterThan(4)
    for (const { name, type } of deletes) {
      const left = Object.values((getNamedType(type) as GraphQLObjectType).getFields()).filter((field) => /^deleted\w*Id$/.test(field.name))
      expect(
        left.map((field) => String(getNullableType(field.type))),
        name,
      ).toEqual(['ID'])
      expect(left.some((field) => isListType(field.type))).toBe(false)
    }
  })

  test('of every type are found by the id that lists show, in the order in which they are asked for', async () => {
    const { secret } = await filledProject(world)
    const ask = asker(url, secret)
    const types = objects.filter((type) => type.getInterfaces().some(({ name }) => name === 'Node')).map(({ name }) => name)
    const lists = ['campaigns', 'contacts', 'domains', 'emails', 'events', 'jobs', 'segments', 'templates', 'uploads']
    const one = '(first: 1) { nodes { __typename id } }'
    // At most 10 fields at the root.
    const project = await ask('{ project { __typename id } }')
    const found = await ask(`{ ${lists.map((list) => list + one).join(' ')}
      workflows(first: 1) { nodes { __typename id executions${one} } } }`)
    expect(found.errors).toEqual([])
    const listed = [...JSON.stringify([project.data, found.data]).matchAll(/"__typename":"(\w+)","id":"(\w+)"/g)].map(
      ([, __typename, id]) => ({
        __typename,
        id,
      }),
    )
    expect(listed.map(({ __typename }) => __typename).sort()).toEqual(types.sort())
    const ids = [...listed.map(({ id }) => id), 'cnt_nobody']
    const { data } = await ask<{ nodes: unknown[] }>('query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }', { ids })
    expect(data?.nodes).toEqual([...listed, null])
    for (const { __typename, id } of listed)
      expect((await ask(`{ node(id: "${id}") { __typename id } }`)).data, __typename).toEqual({ node: { __typename, id } })
  })
})
