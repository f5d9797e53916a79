import {
  defaultFieldResolver,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isIntrospectionType,
  isObjectType,
} from 'graphql'
import type { Ctx } from '../../kit/context.ts'
import { Failure } from '../../kit/errors.ts'

type Resolver = GraphQLFieldResolver<unknown, Ctx>

/**
 * Lets an operation end when its caller has left: fields that have not begun then do not begin, so that it costs no more than the
 * statements that are running. A mutation that has begun is completed.
 */
export function endWhenLeft(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type) || type === schema.getSubscriptionType()) continue
    // What is no object takes no statement of its own, but for the counts of connections.
    for (const field of Object.values(type.getFields()))
      if (isCompositeType(getNamedType(field.type)) || field.name === 'totalCount') field.resolve = ending(field.resolve)
  }
  return schema
}

function ending(resolve: Resolver = defaultFieldResolver): Resolver {
  return (parent, args, ctx, info) => {
    if (ctx.left?.().aborted) throw new Failure('SERVICE_UNAVAILABLE', 'The caller has left.')
    return resolve(parent, args, ctx, info)
  }
}
