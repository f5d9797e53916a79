import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { schema } from '../../src/server/graphql/schema.ts'

/** A field of an object. */
export type Field = GraphQLField<unknown, unknown>

/** A kind of objects, with the text of a query that lists them, around what it selects of each. */
export interface Listed {
  type: GraphQLObjectType
  query: (selection: string) => string
  /** What has not been read with the objects that lead to it. */
  fields: Field[]
}

/** The type of what a field holds, without what it is in. */
export const typeOf = ({ type }: Field): GraphQLNamedType => getNamedType(type)
const isConnection = (type: GraphQLNamedType) => type.name.endsWith('Connection')
/** The objects that a connection lists; any other type itself. */
export const nodeOf = (type: GraphQLNamedType) => {
  const { nodes } = isObjectType(type) ? type.getFields() : {}
  return nodes ? typeOf(nodes) : type
}
// What says what it costs is not read of many at once, and what has to be told more is read in tests of its own.
const isPlain = ({ args, extensions }: Field) => !(Number(extensions.cost) > 1) && args.every(({ type }) => !isNonNullType(type))
const fieldsOf = (type: GraphQLNamedType): Field[] => (isObjectType(type) ? Object.values(type.getFields()).filter(isPlain) : [])
const objectsOf = (type: GraphQLNamedType) => fieldsOf(type).filter((field) => isObjectType(typeOf(field)))
/** The fields of an object that hold a value, as they are selected. */
export const leavesOf = (type: GraphQLNamedType) =>
  ['__typename', ...fieldsOf(type).flatMap((field) => (isLeafType(typeOf(field)) ? field.name : []))].join(' ')

/** The text that selects a field, the first of them where it is a connection, and what is inside. */
export function selectionOf(field: Field, first: number, inside: string): string {
  if (isLeafType(typeOf(field))) return field.name
  return isConnection(typeOf(field)) ? `${field.name}(first: ${first}) { nodes { ${inside} } }` : `${field.name} { ${inside} }`
}

const listIn = (field: Field, first: number, around: Listed['query'], read: typeof fieldsOf): Listed => {
  const type = nodeOf(typeOf(field)) as GraphQLObjectType
  return { type, query: (inside) => around(selectionOf(field, first, inside)), fields: read(type) }
}

/** Every kind of objects that queries lead to, each with the shortest way to so many of them. */
export function listed(many: number): Listed[] {
  const roots = objectsOf(schema.getQueryType() as GraphQLObjectType)
  const lists = roots.toSorted((one, other) => Number(isConnection(typeOf(other))) - Number(isConnection(typeOf(one))))
  const found = lists.map((field) => listIn(field, many, (inside) => `{ ${inside} }`, fieldsOf))
  const kinds = new Map<string, Listed>()
  for (const kind of found) {
    if (kinds.has(kind.type.name)) continue
    kinds.set(kind.type.name, kind)
    const first = kind.query('').includes('first') ? 1 : many
    for (const field of objectsOf(kind.type)) found.push(listIn(field, first, kind.query, objectsOf))
  }
  return [...kinds.values()].filter(({ fields }) => fields.length > 0)
}
