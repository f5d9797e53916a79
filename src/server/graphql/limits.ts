import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  GraphQLError,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
  visit,
} from 'graphql'
import { fieldOf, introspectionCost, isIntrospection, leadsToOneType } from './introspection.ts'
import { countOverlaps } from './overlaps.ts'

/** The limits of one operation. */
export const limits = {
  depth: 12,
  rootFields: 10,
  aliases: 30,
  tokens: 4_000,
  characters: 100_000,
  cost: 5_000,
  /** Of what a subscription selects of each item, unless its field says more (`extensions.maxCost`). */
  itemCost: 500,
  directives: 50,
  fragments: 50,
  fieldsOfOneName: 100,
}

// Of fields with the same name of the same object, which validation compares two by two. A document that selects each once has none.
const maxOverlaps = { pairs: 5_000, steps: 50_000 }

/** The cost of an operation, reported as `extensions.cost`. */
export interface Cost {
  requested: number
  limit: number
}

/** What of an operation takes a turn among those of a high cost, and which of its fields wait in turns of their own or outside. */
export interface TurnCost {
  cost: number
  waiting: string[]
}

interface Weight {
  cost: number
  depth: number
  fields: number
}

interface Walk {
  schema: GraphQLSchema
  fragments: Map<string, FragmentDefinitionNode>
  weighed: Map<string, Weight>
  /** What a field costs by itself. */
  priceOf(field: GraphQLField<unknown, unknown>, otherwise: number): number
  /** The value of a variable, or its default. */
  variable(name: string): unknown
  /** Below a type of the schema that was chosen. */
  ofOneType?: boolean
}

const nothing: Weight = { cost: 0, depth: 0, fields: 0 }
// Of a list that does not declare how many entries it can have (`extensions.maxItems`).
const listSize = 10
// JSON may have 128 KB each, which aliases repeat, as they do other values: those have at most some KB per object without them.
const costs = { object: 1, connection: 2, mutation: 10, json: 10, alias: 1, value: 0.1 }

/** Refuses a document that is too long to be parsed. Large values belong in variables, which only the request's size limits. */
export function checkLength(document: string): void {
  refuse('characters', document.length)
}

/**
 * Refuses a document with too many aliases, directives, fragments or repetitions of a field. It runs before validation,
 * whose work grows with the square of the repetitions of a field.
 */
export function checkDocument(document: DocumentNode): void {
  const counts = { aliases: 0, directives: 0, fragments: 0 }
  const names = new Map<string, number>()
  let maxUses = 0
  visit(document, {
    Field({ alias, name }) {
      if (alias) counts.aliases++
      const times = (names.get(name.value) ?? 0) + 1
      names.set(name.value, times)
      maxUses = Math.max(maxUses, times)
    },
    Directive: () => void counts.directives++,
    FragmentDefinition: () => void counts.fragments++,
    FragmentSpread({ name }) {
      names.set(`...${name.value}`, (names.get(`...${name.value}`) ?? 0) + 1)
      maxUses = Math.max(maxUses, names.get(`...${name.value}`) ?? 0)
    },
  })
  refuse('aliases', counts.aliases)
  refuse('directives', counts.directives)
  refuse('fragments', counts.fragments)
  if (maxUses > limits.fieldsOfOneName)
    throw tooMuch(`uses the same field or fragment ${maxUses} times; at most ${limits.fieldsOfOneName} are allowed`)
  const { pairs, steps } = countOverlaps(document, maxOverlaps)
  if (pairs > maxOverlaps.pairs || steps > maxOverlaps.steps)
    throw tooMuch('selects the same fields of the same object too often: write each of them once, and nest and repeat fragments less')
}

/**
 * Refuses an operation that is too deep, has too many root fields or costs too much. An object costs 1, or what its field says
 * (`extensions.cost`: one that needs a query or a call of its own), a connection 2 (or what its field says) plus its size times the cost of an item,
 * another list the cost of an item times its `limit` or the entries it can have (`extensions.maxItems`, otherwise ten), a JSON value 10, a
 * value of a list of values that says how many it can have a tenth, another value under an alias 1, a mutation 10 and what its field says more,
 * and an object that describes the schema a thirtieth. A fragment counts wherever it is used but is weighed only once, so the document
 * must be valid (no cycles). A subscription may cost less than other operations, because it is executed for every item.
 */
export function checkOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): Cost {
  const weight = weightOf(schema, document, operation, variables, priceOf)
  refuse('depth', weight.depth)
  refuse('rootFields', weight.fields)
  const limit = operation.operation === 'subscription' ? maxCostOfItem(schema, operation) : limits.cost
  if (weight.cost > limit) {
    const most = limit === limits.cost ? `${limit} are allowed` : `${limit} are allowed for each item of this subscription`
    throw tooMuch(`has ${weight.cost} points of cost; at most ${most}${cheaper}`)
  }
  return { requested: weight.cost, limit }
}

// Where the field stands in a fragment, that of any subscription.
function maxCostOfItem(schema: GraphQLSchema, { selectionSet: { selections } }: OperationDefinitionNode): number {
  const names = selections.map((one) => (one.kind === Kind.FIELD ? one.name.value : ''))
  const [max = limits.itemCost] = names.map((name) => schema.getSubscriptionType()?.getFields()[name]?.extensions.maxCost)
  return typeof max === 'number' ? max : limits.itemCost
}

/**
 * What of an operation takes a turn: its cost without that of the fields that wait (`extensions.waits`) for something outside, or for
 * a turn of their own.
 */
export function turnCostOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): TurnCost {
  const waiting = new Set<string>()
  const { cost } = weightOf(schema, document, operation, variables, (field, otherwise) => {
    if (!field.extensions.waits) return priceOf(field, otherwise)
    waiting.add(field.name)
    return 0
  })
  return { cost, waiting: [...waiting] }
}

function priceOf({ extensions: { cost } }: GraphQLField<unknown, unknown>, otherwise: number): number {
  return typeof cost === 'number' ? cost : otherwise
}

function weightOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
  price: Walk['priceOf'],
): Weight {
  const fragments = new Map(document.definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION).map((one) => [one.name.value, one]))
  const root = schema.getRootType(operation.operation)
  if (!root) throw tooMuch(`is a ${operation.operation}, which this API does not have`)
  const defaults = defaultsOf(operation)
  const variable = (name: string): unknown => (Object.hasOwn(variables, name) ? variables[name] : defaults[name])
  const weight = weigh(operation.selectionSet, root, { schema, fragments, weighed: new Map(), variable, priceOf: price }, 1)
  const cost = weight.cost + (operation.operation === 'mutation' ? weight.fields * costs.mutation : 0)
  // Sums of fractions are not exact; a tenth of a point is enough.
  return { ...weight, cost: Math.round(cost * 10) / 10 }
}

const words: Partial<Record<keyof typeof limits, string>> = { depth: 'levels deep', rootFields: 'root fields' }

const cheaper = ': ask for smaller pages (`first`), fewer lists inside lists, or in several operations'

function refuse(limit: keyof typeof limits, given: number): void {
  if (given > limits[limit]) throw tooMuch(`has ${given} ${words[limit] ?? limit}; at most ${limits[limit]} are allowed`)
}

/** The error of an operation that asks for too much, which its sentence says. */
export function tooMuch(what: string): GraphQLError {
  return new GraphQLError(`The operation ${what}.`, { extensions: { http: { status: 400 }, suggestion: 'Ask for less in one operation.' } })
}

function weigh(set: SelectionSetNode, type: GraphQLCompositeType, walk: Walk, size: number): Weight {
  return set.selections.reduce((sum, selection) => {
    if (selection.kind === Kind.FIELD) return add(sum, weighField(selection, type, walk, size))
    if (selection.kind === Kind.FRAGMENT_SPREAD) return add(sum, weighFragment(selection.name.value, walk, size))
    const on = selection.typeCondition ? walk.schema.getType(selection.typeCondition.name.value) : type
    return add(sum, isCompositeType(on) ? weigh(selection.selectionSet, on, walk, size) : nothing)
  }, nothing)
}

function weighFragment(name: string, walk: Walk, size: number): Weight {
  const key = `${name}*${size}`
  const weighed = walk.weighed.get(key)
  if (weighed) return weighed
  const fragment = walk.fragments.get(name)
  const on = fragment && walk.schema.getType(fragment.typeCondition.name.value)
  const weight = fragment && isCompositeType(on) ? weigh(fragment.selectionSet, on, walk, size) : nothing
  walk.weighed.set(key, weight)
  return weight
}

// `size` is the page size of the enclosing connection, which multiplies the cost below its edges and nodes.
function weighField(node: FieldNode, parent: GraphQLCompositeType, walk: Walk, size: number): Weight {
  const field = fieldOf(parent, node.name.value)
  if (!field) return { ...nothing, fields: 1 }
  if (isIntrospection(parent, field)) return weighIntrospection(field, node, walk)
  if (!node.selectionSet) return { cost: costOfLeaf(field, node), depth: 1, fields: 1 }
  const type = getNamedType(field.type) as GraphQLCompositeType
  const isConnection = isObjectType(type) && type.name.endsWith('Connection')
  const below = weigh(node.selectionSet, type, walk, isConnection ? sizeOf(field, node, walk) : 1)
  return { cost: costOf(field, node, parent, below.cost, isConnection, walk, size), depth: below.depth + 1, fields: 1 }
}

// How deep it may be is limited by a validation rule.
function weighIntrospection(field: GraphQLField<unknown, unknown>, { selectionSet }: FieldNode, walk: Walk): Weight {
  if (!selectionSet) return { ...nothing, fields: 1 }
  const ofOneType = walk.ofOneType ?? false
  const within = leadsToOneType(field) ? { ...walk, weighed: new Map(), ofOneType: true } : walk
  const below = weigh(selectionSet, getNamedType(field.type) as GraphQLCompositeType, within, 1)
  return { cost: introspectionCost(walk.schema, field, { below: below.cost, ofOneType }), depth: 0, fields: 1 }
}

function costOfLeaf({ type, extensions }: GraphQLField<unknown, unknown>, { name, alias }: FieldNode): number {
  if (getNamedType(type).name === 'JSON') return costs.json
  const list = typeof extensions.maxItems === 'number' ? extensions.maxItems * costs.value : 0
  return list + (alias && alias.value !== name.value ? costs.alias : 0)
}

function costOf(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
  parent: GraphQLCompositeType,
  below: number,
  isConnection: boolean,
  walk: Walk,
  size: number,
): number {
  const isMutation = parent === walk.schema.getMutationType()
  const cost = walk.priceOf(field, isConnection ? costs.connection : isMutation ? 0 : costs.object)
  if (isConnection) return cost + below
  if (field.name === 'pageInfo') return 0
  // An edge does not count as an object, nor does a payload: the mutation is counted already.
  if (parent.name.endsWith('Connection')) return size * (field.name === 'edges' ? below : costs.object + below)
  const type = isNonNullType(field.type) ? field.type.ofType : field.type
  if (isMutation) return cost + below
  return (isListType(type) ? listLength(field, node, walk) : 1) * (cost + below)
}

function listLength({ args, extensions }: GraphQLField<unknown, unknown>, node: FieldNode, walk: Walk): number {
  const ids = argumentOf(node, 'ids', walk)
  if (Array.isArray(ids)) return ids.length
  const limit = args.find(({ name }) => name === 'limit')
  const asked = limit && (argumentOf(node, limit.name, walk) ?? limit.defaultValue)
  if (typeof asked === 'number' && asked >= 0) return asked
  return typeof extensions.maxItems === 'number' ? extensions.maxItems : listSize
}

function sizeOf(field: GraphQLField<unknown, unknown>, node: FieldNode, walk: Walk): number {
  const asked = argumentOf(node, 'first', walk) ?? argumentOf(node, 'last', walk)
  const fallback = field.args.find(({ name }) => name === 'first')?.defaultValue
  return typeof asked === 'number' && asked >= 0 ? asked : typeof fallback === 'number' ? fallback : 20
}

function defaultsOf({ variableDefinitions }: OperationDefinitionNode): Record<string, unknown> {
  const given = (variableDefinitions ?? []).filter(({ defaultValue }) => defaultValue !== undefined)
  return Object.fromEntries(given.map(({ variable, defaultValue }) => [variable.name.value, defaultValue && constant(defaultValue)]))
}

function argumentOf(node: FieldNode, name: string, { variable }: Walk): unknown {
  const value = node.arguments?.find((argument) => argument.name.value === name)?.value
  return value?.kind === Kind.VARIABLE ? variable(value.name.value) : value && constant(value)
}

function constant(value: ValueNode): unknown {
  if (value.kind === Kind.INT) return Number(value.value)
  return value.kind === Kind.LIST ? value.values : undefined
}

function add(a: Weight, b: Weight): Weight {
  return { cost: a.cost + b.cost, depth: Math.max(a.depth, b.depth), fields: a.fields + b.fields }
}
