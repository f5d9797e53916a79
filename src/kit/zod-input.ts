import type { InputFieldMap, InputRef } from '@pothos/core'
import { z } from 'zod'
import { recordOfEntries, shapesOfInputs } from './bounded.ts'
import { builder } from './builder.ts'
import { rememberFields, rememberValue, screaming } from './graphql-names.ts'
import { holdsIds } from './ids.ts'
import { read } from './problems.ts'

type Core = z.core.$ZodType
type Def = z.core.$ZodTypes['_zod']['def']
type InputType = InputRef<unknown> | 'String' | 'Int' | 'Float' | 'Boolean' | 'ID' | 'DateTime' | 'JSON'
interface Field {
  type: InputType | [InputType]
  required: boolean
  description: string | undefined
}
type ArgBuilder = (options: object) => InputFieldMap[string]

const made = new WeakMap<Core, InputRef<unknown>>()

/** The arguments of a mutation, from the shape that also validates the REST body. */
export interface Input<Shape extends z.ZodObject> {
  /** The one argument, `input`. */
  args(t: { arg: unknown }): InputFieldMap
  /** Validates the arguments against the shape; throws VALIDATION_ERROR with the same `errors[]` as REST. */
  read(args: object): z.output<Shape>
}

interface InputOptions {
  /** The description of the input type. Default: which mutation takes it. */
  description?: string
  /** Fields with another name in GraphQL than in REST: from the name in the shape to that in GraphQL. */
  names?: Record<string, string>
  /** What only the failures of the operation call otherwise. */
  alsoNamed?: Record<string, string>
}

/**
 * The GraphQL input for a zod shape, so that REST and GraphQL validate by the same rules: an object becomes an input object,
 * a record of text a list of `{ name, value }`, another record JSON, `string | object` its object, `T | T[]` a list, and a union
 * of objects one input object with the fields of all, of which the shape accepts the right ones. Fields that are deprecated in REST are omitted. Null counts as omitted unless the shape accepts null.
 */
export function graphqlInput<Shape extends z.ZodObject>(name: string, shape: Shape, options: InputOptions = {}): Input<Shape> {
  const { names = {}, alsoNamed = {}, description = `What \`${operationOf(name)}\` takes.` } = options
  rememberFields(name, { ...names, ...alsoNamed })
  shapesOfInputs.set(shape, name)
  const ref = objectInput(name, shape.shape, description, { names })
  const back = Object.fromEntries(Object.entries(names).map(([inShape, inGraphql]) => [inGraphql, inShape]))
  return {
    args: (t) => ({ input: (t.arg as ArgBuilder)({ type: ref, required: true, description }) }),
    read(args) {
      const given = Object.fromEntries(
        Object.entries((args as { input?: object }).input ?? {}).map(([key, value]) => [back[key] ?? key, value]),
      )
      return read(shape, asRest(shape, given, ''), 'body', (field) => field.replace(/^\w+/, (key) => names[key] ?? key))
    },
  }
}

/** The filter or the order of a list, from its shape. */
export interface Filter<Shape extends z.ZodObject> {
  /** The one argument, `filter` or `orderBy`. */
  args(t: { arg: unknown }): InputFieldMap
  /** Validates the argument against the shape; an omitted one is empty. Throws BAD_REQUEST with every field that is wrong, which GraphQL answers as VALIDATION_ERROR. */
  read(args: object): z.output<Shape>
}

/** The `filter` argument of a list, from a zod shape: every condition is optional, and null counts as omitted. */
export function filterOf<Shape extends z.ZodObject>(name: string, shape: Shape, description: string): Filter<Shape> {
  return argumentOf('filter', name, shape, description)
}

/** The `orderBy` argument of a list, from a zod shape in which everything is optional; null counts as omitted. */
export function orderOf<Shape extends z.ZodObject>(name: string, shape: Shape, description: string): Filter<Shape> {
  return argumentOf('orderBy', name, shape, description)
}

function argumentOf<Shape extends z.ZodObject>(argument: string, name: string, shape: Shape, description: string): Filter<Shape> {
  shapesOfInputs.set(shape, name)
  // Lists of several modules may have the same filter.
  const ref = made.get(shape) ?? objectInput(name, shape.shape, description, { original: shape })
  return {
    args: (t) => ({ [argument]: (t.arg as ArgBuilder)({ type: ref, description }) }),
    read: (args) => read(shape, asRest(shape, (args as Record<string, object | null>)[argument] ?? {}, ''), 'query'),
  }
}

/** The arguments of a field, from a zod shape: one per field, for those that `input` or `filter` would only wrap. */
export function argumentsOf(t: { arg: unknown }, input: z.ZodObject): InputFieldMap {
  shapesOfInputs.set(input, null)
  return Object.fromEntries(Object.entries(input.shape).map(([key, field]) => [key, (t.arg as ArgBuilder)(fieldOf('', key, field))]))
}

/**
 * Validates the arguments of a field against the shape of the same query in REST; null counts as omitted. Throws BAD_REQUEST with every
 * argument that is wrong.
 */
export function readArguments<Shape extends z.ZodObject>(shape: Shape, args: object): z.output<Shape> {
  return read(shape, asRest(shape, args, ''), 'query')
}

/** Makes a zod enum a GraphQL enum in SCREAMING_SNAKE_CASE, for inputs and outputs; operations use the spelling of the shape. */
export function enumOf<const Values extends Record<string, string>>(
  name: string,
  shape: z.ZodEnum<Values>,
  description: string,
  meanings: { [Value in Values[keyof Values]]: string },
) {
  type Value = Values[keyof Values]
  const values = shape.options.map((value) => [screaming(value), { value, description: meanings[value] }] as const)
  const ref = builder.enumType(name, {
    description,
    values: Object.fromEntries(values) as Record<string, { value: Value; description: string }>,
  })
  for (const value of shape.options) rememberValue(value)
  made.set(shape, ref as unknown as InputRef<unknown>)
  return ref
}

/** The GraphQL enum that enumOf has made of a shape, for the fields of another module. Throws before it is made. */
export function enumMadeOf<const Values extends Record<string, string>>(shape: z.ZodEnum<Values>): ReturnType<typeof enumOf<Values>> {
  const ref = made.get(shape)
  if (!ref) throw new Error('Make this enum with enumOf first')
  // It was stored as the input that it also is.
  return ref as unknown as ReturnType<typeof enumOf<Values>>
}

/**
 * What a shape has read as JSON of GraphQL: values of its enums are spelled as enumOf does, so that the answer can be sent again
 * as an input of that shape.
 */
export function asGraphql(shape: Core, value: unknown): unknown {
  const { def } = (unwrap(shape).inner as z.core.$ZodTypes)._zod
  if (def.type === 'enum') return typeof value === 'string' ? screaming(value) : value
  if (def.type === 'array' && Array.isArray(value)) return value.map((item) => asGraphql(def.element, item))
  const fields = def.type === 'union' ? fieldsOfObject(branchFor(def.options, value) ?? shape) : fieldsOfObject(shape)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, fields[key] ? asGraphql(fields[key], field) : field]))
}

// An input that contains itself finds what was made of `original` while its own fields are being made.
function objectInput(
  name: string,
  fields: Record<string, Core>,
  description: string | undefined,
  { names = {}, original }: { names?: Record<string, string>; original?: Core } = {},
): InputRef<unknown> {
  const shown = Object.entries(fields).filter(([, field]) => !isDeprecated(field))
  const ref = builder.inputRef<object>(name)
  if (original) made.set(original, ref)
  ref.implement({
    ...(description && { description }),
    fields: (t) =>
      Object.fromEntries(
        shown.map(([key, field]) => [names[key] ?? key, (t.field as unknown as ArgBuilder)(fieldOf(name, names[key] ?? key, field))]),
      ),
  })
  return ref
}

function fieldOf(parent: string, key: string, shape: Core): Field {
  const { inner, required, nullable } = unwrap(shape)
  const type = inputTypeOf(parent + key[0]?.toUpperCase() + key.slice(1), inner)
  const text = textOf(shape) ?? (key === 'id' ? `Id of the ${objectOf(parent)}.` : undefined)
  // JSON may be null itself, and in REST it is refused.
  const description = type === 'JSON' && !required && !nullable ? [text, 'Null counts as left out.'].filter(Boolean).join(' ') : text
  return { type: isText(type) && holdsIds(key) ? (Array.isArray(type) ? ['ID'] : 'ID') : type, required, description }
}

function inputTypeOf(name: string, shape: Core): InputType | [InputType] {
  const existing = madeOf(shape)
  if (existing) return existing
  const def = (shape as z.core.$ZodTypes)._zod.def
  if (def.type === 'array') return [single(inputTypeOf(name.replace(/s$/, ''), unwrap(def.element).inner))]
  if (def.type === 'union') return unionOf(name, shape, def.options)
  if (def.type === 'enum') throw new Error(`${name}: make this closed set an enum with enumOf, so that its values are described`)
  const named = name.replace(/Input/, '')
  if (isTextRecord(def)) return [entryInput(`${named.replace(/s$/, '')}Input`, def)]
  if (def.type !== 'object') return scalarOf(shape, def)
  return objectInput(`${z.globalRegistry.get(shape)?.id ?? named}Input`, def.shape, textOf(shape), { original: shape })
}

const isTextRecord = (def: Def): def is z.core.$ZodRecordDef =>
  def.type === 'record' && (unwrap(def.valueType).inner as z.core.$ZodTypes)._zod.def.type === 'string'

function entryInput(name: string, { keyType, valueType }: z.core.$ZodRecordDef): InputRef<unknown> {
  return objectInput(name, { name: keyType, value: valueType }, 'A name and its value.')
}

function scalarOf(shape: Core, def: Def): InputType {
  if (def.type === 'string' || def.type === 'template_literal') return 'String'
  if (def.type === 'boolean') return 'Boolean'
  if (def.type === 'date') return 'DateTime'
  if (def.type === 'number') return (shape as z.ZodNumber).isInt ? 'Int' : 'Float'
  return 'JSON'
}

// The most general branch is enough: a list also accepts a single item, an object has a field for what a string would be.
function unionOf(name: string, shape: Core, options: readonly Core[]): InputType | [InputType] {
  const branches = options.map((option) => unwrap(option).inner as z.core.$ZodTypes)
  if (branches.length > 1 && branches.every((branch) => branch._zod.def.type === 'object')) return mergedOf(name, shape, options)
  const rank = { array: 0, object: 1, union: 2 } as Record<string, number>
  const [best] = branches.toSorted((a, b) => (rank[a._zod.def.type] ?? 3) - (rank[b._zod.def.type] ?? 3))
  if (!best || branches.some((branch) => ['record', 'unknown', 'any', 'lazy'].includes(branch._zod.def.type))) return 'JSON'
  return inputTypeOf(name, best)
}

function mergedOf(name: string, shape: Core, options: readonly Core[]): InputRef<unknown> {
  const branches = options.map(fieldsOfObject)
  const fields = Object.fromEntries(
    branches
      .flatMap((branch) => Object.entries(branch))
      .map(([key, field]) => [key, branches.every((branch) => key in branch) ? field : z.optional(field)]),
  )
  return objectInput(`${idOf(shape) ?? name.replace(/Input/, '')}Input`, fields, textOf(shape), { original: originalOf(shape) })
}

function fieldsOfObject(shape: Core): Readonly<Record<string, Core>> {
  const { def } = (unwrap(shape).inner as z.core.$ZodTypes)._zod
  return def.type === 'object' ? def.shape : {}
}

// A copy, such as one with a description of its own, is the same input as what it was made from.
function madeOf(shape: Core): InputRef<unknown> | undefined {
  return made.get(shape) ?? (shape._zod.parent && madeOf(shape._zod.parent))
}

function idOf(shape: Core): string | undefined {
  return z.globalRegistry.get(shape)?.id ?? (shape._zod.parent && idOf(shape._zod.parent))
}

function originalOf(shape: Core): Core {
  return shape._zod.parent ? originalOf(shape._zod.parent) : shape
}

const isText = (type: InputType | [InputType]): boolean => (Array.isArray(type) ? type[0] : type) === 'String'

const single = (type: InputType | [InputType]): InputType => (Array.isArray(type) ? 'JSON' : type)

// The shape inside optional, nullable, default and pipe: what a caller sends.
function unwrap(shape: Core): { inner: Core; required: boolean; nullable: boolean } {
  let inner = shape as z.core.$ZodTypes
  // The outermost word decides: `.partial().required({ id: true })` is required around optional.
  let required: boolean | undefined
  let nullable = false
  for (;;) {
    const { def } = inner._zod
    if (def.type === 'nonoptional') required ??= true
    if (def.type === 'optional' || def.type === 'default' || def.type === 'prefault' || def.type === 'nullable') required ??= false
    if (def.type === 'nullable') nullable = true
    if ('innerType' in def) inner = def.innerType as z.core.$ZodTypes
    else if (def.type === 'pipe')
      inner = ((def.in as z.core.$ZodTypes)._zod.def.type === 'transform' ? def.out : def.in) as z.core.$ZodTypes
    else return { inner, required: required ?? true, nullable }
  }
}

function textOf(shape: Core): string | undefined {
  const text = z.globalRegistry.get(shape)?.description
  const { def } = (shape as z.core.$ZodTypes)._zod
  if (text || !('innerType' in def)) return text
  return textOf(def.innerType as Core)
}

const isDeprecated = (shape: Core): boolean => z.globalRegistry.get(shape)?.deprecated === true

/** `updateContact` of `UpdateContactInput`. */
const operationOf = (name: string): string => (name[0]?.toLowerCase() ?? '') + name.slice(1).replace(/Input$/, '')

/** `contact` of `UpdateContactInput`. */
const objectOf = (name: string): string => name.replace(/^[A-Z][a-z]+|Input$/g, '').toLowerCase()

// Converts values to those of a REST body.
function asRest(shape: Core, value: unknown, path: string): unknown {
  const { def, bag } = (unwrap(shape).inner as z.core.$ZodTypes)._zod
  if (def.type === 'array' && Array.isArray(value) && value.length <= Number(bag.maximum ?? value.length))
    return value.map((item, at) => asRest(def.element, item, `${path}${at}.`))
  if (def.type === 'union') return asRestInUnion(def.options, value, path)
  if (isTextRecord(def) && Array.isArray(value)) return recordOfEntries(unwrap(shape).inner, value, path)
  if (def.type !== 'object' || typeof value !== 'object' || value === null) return value
  const given = Object.entries(value).filter(([key, field]) => field !== null || (def.shape[key] && unwrap(def.shape[key]).nullable))
  return Object.fromEntries(given.map(([key, field]) => [key, def.shape[key] ? asRest(def.shape[key], field, `${path}${key}.`) : field]))
}

function asRestInUnion(options: readonly Core[], value: unknown, path: string): unknown {
  const best = branchFor(options, value)
  return best ? asRest(best, value, path) : value
}

// That of the right kind that has most of the keys.
function branchFor(options: readonly Core[], value: unknown): Core | undefined {
  const kind = Array.isArray(value) ? 'array' : typeof value
  const fitting = options.filter((option) => (unwrap(option).inner as z.core.$ZodTypes)._zod.def.type === kind)
  const known = (option: Core) => Object.keys(fieldsOfObject(option)).filter((key) => Object.hasOwn(Object(value), key)).length
  return fitting.toSorted((a, b) => known(b) - known(a))[0]
}
