import {
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isListType,
  isObjectType,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
} from 'graphql'

// An object that describes the schema is made without the database, in a fraction of the time of another one.
const objectCost = 0.03
// Of lists whose length says little.
const shortList = 3

/** The field of a type, with those that describe the schema (`__schema`, `__type`). */
export function fieldOf(parent: GraphQLCompositeType, name: string): GraphQLField<unknown, unknown> | undefined {
  if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef
  if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef
  return 'getFields' in parent ? parent.getFields()[name] : undefined
}

/** Whether a field of a type describes the schema. */
export function isIntrospection(parent: GraphQLCompositeType, field: GraphQLField<unknown, unknown>): boolean {
  return field === SchemaMetaFieldDef || field === TypeMetaFieldDef || isIntrospectionType(parent)
}

/** Whether a field leads to one type of the caller's choice, whose lists may be the longest of all. */
export function leadsToOneType({ name }: GraphQLField<unknown, unknown>): boolean {
  return name === TypeMetaFieldDef.name || /^(query|mutation|subscription)Type$/.test(name)
}

/**
 * What a field that describes the schema costs, when what is selected of each of its objects costs `below`: lists count as they are long
 * on average, or where one type was chosen as the longest are.
 */
export function introspectionCost(
  schema: GraphQLSchema,
  field: GraphQLField<unknown, unknown>,
  { below, ofOneType }: { below: number; ofOneType: boolean },
): number {
  const { mean, longest } = lengthsOf(schema)
  const length = isListType(getNullableType(field.type)) ? ((ofOneType ? longest : mean)[field.name] ?? shortList) : 1
  return length * (objectCost + below)
}

interface Lengths {
  mean: Record<string, number>
  longest: Record<string, number>
}

const known = new WeakMap<GraphQLSchema, Lengths>()

function lengthsOf(schema: GraphQLSchema): Lengths {
  const lengths = known.get(schema) ?? { mean: meanLengths(schema), longest: longestLengths(schema) }
  known.set(schema, lengths)
  return lengths
}

function longestLengths(schema: GraphQLSchema): Record<string, number> {
  const types = Object.values(schema.getTypeMap())
  const longest = (lengthOf: (type: GraphQLNamedType) => number): number => Math.max(...types.map(lengthOf))
  return {
    types: types.length,
    directives: schema.getDirectives().length,
    fields: longest((type) => (isObjectType(type) || isInterfaceType(type) ? Object.keys(type.getFields()).length : 0)),
    args: longest((type) => ('getFields' in type ? Math.max(0, ...Object.values(type.getFields()).map(argumentsOf)) : 0)),
    inputFields: longest((type) => (isInputObjectType(type) ? Object.keys(type.getFields()).length : 0)),
    enumValues: longest((type) => (isEnumType(type) ? type.getValues().length : 0)),
    possibleTypes: longest((type) => (isAbstractType(type) ? schema.getPossibleTypes(type).length : 0)),
  }
}

function argumentsOf(field: object): number {
  return 'args' in field && Array.isArray(field.args) ? field.args.length : 0
}

function meanLengths(schema: GraphQLSchema): Record<string, number> {
  const types = Object.values(schema.getTypeMap())
  const outputs = types.flatMap((type) => (isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : []))
  const inputs = types.filter(isInputObjectType).map((type) => Object.keys(type.getFields()).length)
  // Of the types that fields lead to, which have more than others.
  const fields = outputs.map(({ type }) => {
    const named = getNamedType(type)
    return 'getFields' in named ? Object.keys(named.getFields()).length : 0
  })
  return {
    types: types.length,
    directives: schema.getDirectives().length,
    fields: Math.max(mean(fields), outputs.length / types.length),
    inputFields: mean(inputs),
  }
}

const mean = (numbers: number[]): number => numbers.reduce((sum, one) => sum + one, 0) / Math.max(numbers.length, 1)
