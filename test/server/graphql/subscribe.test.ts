import { setImmediate as nextTurn } from 'node:timers/promises'
import { GraphQLObjectType, GraphQLSchema, GraphQLString, parse } from 'graphql'
import { isAsyncIterable } from 'graphql-yoga'
import { expect, test } from 'vitest'
import type { Ctx } from '../../../src/kit/context.ts'
import { executeInItemTurn } from '../../../src/server/graphql/item-turns.ts'
import { subscribe } from '../../../src/server/graphql/subscribe.ts'
import { freshUser } from '../../help/people.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const world = await testWorld()

// A schema with one subscription, whose items tell about the actor of the call.
function schemaOf(source: () => AsyncIterable<unknown>, executed = () => {}): GraphQLSchema {
  const text = (resolve: (ctx: Ctx) => unknown) => ({
    type: GraphQLString,
    resolve: (_item: unknown, _args: unknown, ctx: Ctx) => resolve(ctx),
  })
  const Item = new GraphQLObjectType({
    name: 'Item',
    fields: {
      role: text(({ actor }) => {
        executed()
        return actor.kind === 'user' ? actor.role : actor.kind
      }),
      email: text(({ actor }) => (actor.kind === 'user' ? actor.email : 'a key')),
      all: text(({ actor }) => JSON.stringify({ ...actor })),
    },
  })
  return new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Query', fields: { nothing: { type: GraphQLString } } }),
    subscription: new GraphQLObjectType({
      name: 'Subscription',
      fields: { items: { type: Item, subscribe: source, resolve: (item: unknown) => item } },
    }),
  })
}

function sourceOf(item: object): AsyncIterable<unknown> {
  const items = [item]
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => (items.length > 0 ? { done: false, value: items.pop() } : { done: true, value: undefined }),
      return: async () => ({ done: true, value: undefined }),
    }),
  }
}

async function firstOf(schema: GraphQLSchema, field: string, contextValue: Ctx) {
  const stream = await subscribe({ schema, document: parse(`subscription { items { ${field} } }`), contextValue }, 1)
  if (!isAsyncIterable(stream)) throw new Error('There is no stream')
  return (await stream[Symbol.asyncIterator]().next()).value
}

test('what is selected for all may depend on the role of those who ask, but fails when it depends on who they are', async () => {
  const { projectId } = await freshProject(world)
  const { ctx } = await freshUser(world, { member: { projectId, role: 'ADMIN' } })
  const inside: Ctx = { ...ctx, projectId }
  const schema = schemaOf(() => sourceOf({}))
  expect((await firstOf(schema, 'role', inside)).data.items).toEqual({ role: 'ADMIN' })
  expect((await firstOf(schema, 'email', inside)).errors).toMatchObject([{ message: expect.stringContaining('actor.email') }])
  expect((await firstOf(schema, 'all', inside)).errors).toHaveLength(1)
})

test('what is selected of an item is not executed when all who ask for it have left before the turn', async () => {
  const { ctx } = await freshProject(world)
  let executed = 0
  // Counts what is executed of an item that two are passed.
  const item = {}
  const schema = schemaOf(
    () => sourceOf(item),
    () => executed++,
  )
  const take = async (...left: AbortController[]) => {
    const held = Promise.withResolvers<void>()
    const holding = executeInItemTurn(ctx, { cost: 1, isWanted: () => true }, () => held.promise)
    const document = parse(`subscription S${executed}_${left.length} { items { role } }`)
    const streams = await Promise.all(
      left.map(({ signal }) => subscribe({ schema, document, contextValue: { ...ctx, left: () => signal } }, 1)),
    )
    const results = streams.map((stream) => (isAsyncIterable(stream) ? stream[Symbol.asyncIterator]().next() : stream))
    const settled = Promise.allSettled(results)
    await nextTurn()
    left[0]?.abort()
    held.resolve()
    await holding
    return (await settled).map(({ status }) => status)
  }
  expect(await take(new AbortController())).toEqual(['rejected'])
  expect(executed).toBe(0)
  expect(await take(new AbortController(), new AbortController())).toEqual(['fulfilled', 'fulfilled'])
  expect(executed).toBe(1)
})

test('a subscription whose source is a generator does not begin: one that waits could not be ended with its caller', async () => {
  const { ctx } = await freshProject(world)
  async function* generated() {
    yield {}
  }
  await expect(firstOf(schemaOf(generated), 'role', ctx)).rejects.toThrow('generator')
})
