import { type GraphQLNamedType, type GraphQLObjectType, type GraphQLSchema, getNamedType, isAbstractType, isObjectType } from 'graphql'
import { accessOf } from '../../kit/field-access.ts'

/**
 * Requires that no field which a subscription reaches has an access that depends on who calls: what is selected of an item is executed
 * once for all with the same role. Throws for one whose access names a project or a person.
 */
export function requireSharedAccess(schema: GraphQLSchema): GraphQLSchema {
  for (const type of reachedFrom(schema, schema.getSubscriptionType()))
    for (const field of Object.values(type.getFields())) {
      const access = accessOf(field)
      if (access?.project || access?.oneself)
        throw new Error(
          `A subscription reaches ${type.name}.${field.name}, whose access names a ${access.project ? 'project' : 'person'}: what it sends is for all who subscribe, so it may depend on their role only`,
        )
    }
  return schema
}

function reachedFrom(schema: GraphQLSchema, root: GraphQLNamedType | null | undefined): Set<GraphQLObjectType> {
  const reached = new Set<GraphQLObjectType>()
  const waiting = root ? [root] : []
  for (let type = waiting.pop(); type; type = waiting.pop()) {
    if (isAbstractType(type)) waiting.push(...schema.getPossibleTypes(type))
    if (!isObjectType(type) || reached.has(type)) continue
    reached.add(type)
    waiting.push(...Object.values(type.getFields()).map((field) => getNamedType(field.type)))
  }
  return reached
}
