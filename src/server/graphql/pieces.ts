import {
  defaultFieldResolver,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isIntrospectionType,
  isListType,
  isObjectType,
} from 'graphql'
import type { Ctx } from '../../kit/context.ts'
import { createLoopShare, type LoopShare } from '../../kit/loop-share.ts'
import { perWorld } from '../../kit/world.ts'

type Resolver = GraphQLFieldResolver<unknown, Ctx>

// An object takes some tens of microseconds, and nobody else is answered while the objects of a list are made in one go.
const shareOf = perWorld(() => createLoopShare({ maxUnits: 100 }))
const shares = new WeakMap<Ctx, LoopShare>()

/** Marks an operation as one of many objects: of its lists, about a hundred objects are made in each turn of the event loop. */
export function inPiecesFrom(ctx: Ctx): void {
  shares.set(ctx, shareOf(ctx.world))
}

// The types that describe a schema are those of every schema.
const described = new WeakSet<object>()

/**
 * Lets operations that are marked (`inPiecesFrom`) leave turns of the event loop to others while their lists of objects are made, those
 * that describe the schema as well.
 */
export function makeInPieces(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || described.has(type) || type === schema.getSubscriptionType()) continue
    if (isIntrospectionType(type)) described.add(type)
    for (const field of Object.values(type.getFields()))
      if (isListType(getNullableType(field.type)) && isCompositeType(getNamedType(field.type))) field.resolve = inPieces(field.resolve)
  }
  return schema
}

function inPieces(resolve: Resolver = defaultFieldResolver): Resolver {
  return (parent, args, ctx, info) => {
    const value: unknown = resolve(parent, args, ctx, info)
    const share = shares.get(ctx)
    if (!share) return value
    return value instanceof Promise ? value.then((list: unknown) => waiting(share, list)) : waiting(share, value)
  }
}

function waiting(share: LoopShare, list: unknown): unknown {
  const turn = Array.isArray(list) && list.length > 0 ? share.take(list.length) : undefined
  return turn ? turn.then(() => list) : list
}
