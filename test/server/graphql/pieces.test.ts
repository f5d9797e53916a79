import { buildSchema, getIntrospectionQuery, graphql } from 'graphql'
import { expect, test } from 'vitest'
import { callIn } from '../../../src/kit/context.ts'
import { inPiecesFrom, makeInPieces } from '../../../src/server/graphql/pieces.ts'
import { maxCostAtOnce } from '../../../src/server/graphql/turns.ts'
import { asker } from '../../help/ask.ts'
import { appendLines } from '../../help/lines.ts'
import { testServer } from '../../help/server.ts'
import { turnsDuring } from '../../help/turns.ts'
import { freshProject } from '../../help/world.ts'

const { url, world } = await testServer()

test('the objects of a marked operation are made in many turns of the event loop, about a hundred in each', async () => {
  const schema = makeInPieces(
    buildSchema('type Query { items: [Item!]! } type Item { id: ID! items: [Item!] soon: [Item!]! names: [String!]! }'),
  )
  const item = (id: number, below: object[] = []) => ({ id, items: below, soon: () => Promise.resolve(below), names: ['a'] })
  const inner = Array.from({ length: 20 }, (_, id) => item(id))
  const rootValue = { items: Array.from({ length: 50 }, (_, id) => item(id, inner)) }
  const run = async (contextValue: object): Promise<number> => {
    let answer: unknown
    const turns = await turnsDuring(async () => {
      answer = await graphql({ schema, source: '{ items { id names items { id } soon { id } } }', rootValue, contextValue })
    })
    expect(answer).toEqual({ data: { items: Array.from({ length: 50 }, (_, id) => expect.objectContaining({ id: String(id) })) } })
    return turns
  }
  const [whole, marked] = [callIn(world), callIn(world)]
  inPiecesFrom(marked)
  expect(await run(whole)).toBeLessThan(5)
  // 50 objects, each with twice 20 below it.
  expect(await run(marked)).toBeGreaterThanOrEqual(20)
})

test('a large operation, which is marked, has the same answer', async () => {
  const { secret, projectId } = await freshProject(world)
  await appendLines(world, projectId, ...Array.from({ length: 100 }, (_, n) => `line-${n}`))
  const ask = asker(url, secret)
  const pages = (count: number) => Array.from({ length: count }, (_, n) => `p${n}: events(first: 100) { nodes { id name } }`).join(' ')
  const small = await ask<Record<string, unknown>>(`{ ${pages(1)} }`)
  const large = await ask<Record<string, unknown>>(`{ ${pages(10)} }`)
  expect((large.extensions.cost?.requested ?? 0) > maxCostAtOnce).toBe(true)
  expect(Object.values(large.data ?? {})).toEqual(Array.from({ length: 10 }, () => small.data?.p0))
})

test('the schema as tools read it is within the cost of an operation, counted, and made in many turns of the event loop', async () => {
  const ask = asker(url)
  const turns = await turnsDuring(async () => {
    const { data, extensions } = await ask<{ __schema: { types: object[] } }>(
      getIntrospectionQuery({ oneOf: true, inputValueDeprecation: true }),
    )
    expect(data?.__schema.types.length).toBeGreaterThan(300)
    expect((extensions.cost?.requested ?? 0) > maxCostAtOnce).toBe(true)
  })
  expect(turns).toBeGreaterThanOrEqual(20)
})
