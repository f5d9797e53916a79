import {
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql'

type Field = GraphQLField<unknown, unknown>

/** A selection of a field with its required arguments, for a project; what they refer to need not exist. */
export function sample(name: string, { type, args }: Field, projectId: string): string {
  const given = args.filter(({ type: of }) => isNonNullType(of) || name === 'project')
  const list = given.map((arg) => `${arg.name}: ${arg.name === 'id' ? `"${projectId}"` : literal(arg.type, projectId)}`).join(', ')
  return `${name}${list && `(${list})`}${isLeafType(getNamedType(type)) ? '' : ' { __typename }'}`
}

function literal(type: GraphQLInputType, projectId: string): string {
  const of = getNullableType(type)
  if (isListType(of)) return `[${literal(of.ofType, projectId)}]`
  if (isEnumType(of)) return of.getValues()[0]?.name ?? ''
  if (isInputObjectType(of)) {
    const required = Object.values(of.getFields()).filter((field) => isNonNullType(field.type))
    return `{ ${required.map((field) => `${field.name}: ${field.name === 'id' ? `"${projectId}"` : literal(field.type, projectId)}`).join(', ')} }`
  }
  return { Int: '1', Float: '1', Boolean: 'true', JSON: '{}' }[String(of)] ?? '"x"'
}
