import {
  GraphQLError,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLSchema,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql'
import { shorten } from '../../kit/cut.ts'
import { errorLimits, withoutStacks } from '../../kit/errors.ts'

/**
 * What is wrong with the variables of an operation, at most 20 errors. The library would write the whole value into each of 50, and
 * so make a hundred times as much of what was sent; here a value is shown by its beginning, and nothing after the last error is read. Nor
 * is what has more items than any operation takes: each costs a hundred times as much as in a REST body, which is refused by its length.
 */
export function problemsOfVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Record<string, unknown>,
): GraphQLError[] {
  return withoutStacks(() => {
    const found: GraphQLError[] = []
    const room = { items: maxItems }
    for (const definition of variableDefinitions) {
      for (const problem of problemsOf(schema, definition, variables, room)) {
        found.push(new GraphQLError(shorten(problem, errorLimits.message), { nodes: definition }))
        if (found.length === errorLimits.problems || room.items < 0) return found
      }
    }
    return found
  })
}

// In all lists together, of which the longest that an operation takes has 1,000.
const maxItems = 10_000

/** How many items of lists may still come. */
interface Room {
  items: number
}

interface Problem {
  at: string
  message: string
}

function* problemsOf(
  schema: GraphQLSchema,
  { variable, type, defaultValue }: VariableDefinitionNode,
  variables: Record<string, unknown>,
  room: Room,
): Generator<string, void> {
  const name = variable.name.value
  const expected = typeFromAST(schema, type)
  const value = Object.hasOwn(variables, name) ? variables[name] : undefined
  if (!isInputType(expected) || (value === undefined && (defaultValue || !isNonNullType(expected)))) return
  for (const { at, message } of problemsOfValue(value, expected, '', room))
    yield `Variable "$${shorten(name, shownLength)}" has invalid value${at && ` at "${shorten(at, errorLimits.field)}"`}: ${message}`
}

function* problemsOfValue(value: unknown, type: GraphQLInputType, at: string, room: Room): Generator<Problem, void> {
  if (isNonNullType(type)) {
    if (value === undefined) yield { at, message: `Expected a value of non-null type "${type}" to be provided.` }
    else if (value === null) yield { at, message: `Expected value of non-null type "${type}" not to be null.` }
    else yield* problemsOfValue(value, type.ofType, at, room)
  } else if (value === undefined || value === null) return
  else if (isListType(type)) yield* problemsOfList(value, type.ofType, at, room)
  else if (isInputObjectType(type)) yield* problemsOfObject(value, type, at, room)
  else yield* problemsOfLeaf(value, type, at)
}

function* problemsOfList(value: unknown, type: GraphQLInputType, at: string, room: Room): Generator<Problem, void> {
  // A single value is a list of it.
  if (!Array.isArray(value)) return yield* problemsOfValue(value, type, at, room)
  room.items -= value.length
  if (room.items < 0) return yield { at, message: `Expected at most ${maxItems} items in all lists, found ${value.length} in this one.` }
  for (const [index, item] of value.entries()) {
    yield* problemsOfValue(item, type, `${at}[${index}]`, room)
    if (room.items < 0) return
  }
}

function* problemsOfObject(value: unknown, type: GraphQLInputObjectType, at: string, room: Room): Generator<Problem, void> {
  const fields = type.getFields()
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return yield { at, message: `Expected value of type "${type}" to be an object, found: ${printed(value)}.` }
  const given = value as Record<string, unknown>
  for (const field of Object.values(fields)) {
    const { name, type: expected } = field
    const isMissing = given[name] === undefined
    if (!isMissing) yield* problemsOfValue(given[name], expected, at ? `${at}.${name}` : name, room)
    else if (isRequiredInputField(field))
      yield { at, message: `Expected value of type "${type}" to include required field "${name}", found: ${printed(value)}.` }
  }
  for (const name in given) {
    if (Object.hasOwn(fields, name) || given[name] === undefined) continue
    const known = shorten(Object.keys(fields).join(', '), shownLength)
    yield { at, message: `Expected value of type "${type}" not to include unknown field "${shorten(name, shownLength)}": it has ${known}.` }
  }
}

function* problemsOfLeaf(value: unknown, type: GraphQLLeafType, at: string): Generator<Problem, void> {
  if (type.name === 'ID' && typeof value === 'string' && value.length > maxIdLength)
    return yield { at, message: `An ID has at most ${maxIdLength} characters, found: ${printed(value)}.` }
  try {
    if (type.coerceInputValue(standInFor(value)) === undefined)
      yield { at, message: `Expected value of type "${type}", found: ${printed(value)}.` }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    yield { at, message: error.message }
  }
}

const shownLength = 100
const maxIdLength = 1_000
const shownItems = 5

// A leaf type that is not JSON accepts neither objects and lists nor a text that is so long, and repeats what it refuses.
function standInFor(value: unknown): unknown {
  if (typeof value === 'string') return shorten(value, errorLimits.field)
  if (typeof value !== 'object' || value === null) return value
  return Array.isArray(value) ? [] : {}
}

// The beginning of a value.
function printed(value: unknown, depth = 0): string {
  if (typeof value === 'string') return JSON.stringify(shorten(value, shownLength))
  if (typeof value !== 'object' || value === null) return String(value)
  const isList = Array.isArray(value)
  const [begin, end] = isList ? '[]' : '{}'
  if (depth > 0) return `${begin}…${end}`
  const parts: string[] = []
  for (const key in value) {
    if (parts.length === shownItems) {
      parts.push('…')
      break
    }
    const item = printed((value as Record<string, unknown>)[key], depth + 1)
    parts.push(isList ? item : `${shorten(key, shownLength)}: ${item}`)
  }
  return `${begin}${parts.join(', ')}${end}`
}
