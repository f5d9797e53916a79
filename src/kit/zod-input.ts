import type { InputFieldMap, InputRef } from '@pothos/core'
import { z } from 'zod'
import { builder } from './builder.ts'
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

const idField = /^(id|(contact|template|email|domain|event)Ids?)$/
const made = new WeakMap<Core, InputRef<unknown>>()

/** The arguments of a mutation, from the shape that also validates the REST body. */
export interface Input<Shape extends z.ZodObject> {
  /** The arguments: `id` stands alone, everything else is one `input`. */
  args(t: { arg: unknown }): InputFieldMap
  /** Reads the arguments by the shape; throws VALIDATION_ERROR with the same `errors[]` as REST. */
  read(args: object): z.output<Shape>
}

/**
 * GraphQL input of a zod shape, so that both entrances check by one rule: an object becomes an input object, a record
 * JSON, `string | object` its object, `T | T[]` a list. A null counts as left out unless the shape takes null itself.
 */
export function inputOf<Shape extends z.ZodObject>(name: string, shape: Shape, description?: string): Input<Shape> {
  const { id, ...rest } = shape.shape
  const hasInput = Object.keys(rest).length > 0
  const ref = hasInput ? objectInput(name, rest, description) : undefined
  const required = Object.entries(rest).some(([key, field]) => fieldOf(name, key, field).required)
  return {
    args(t) {
      const arg = t.arg as ArgBuilder
      return {
        ...(id && { id: arg({ type: 'ID', required: true, description: textOf(id) }) }),
        ...(ref && { input: arg({ type: ref, required }) }),
      }
    },
    read(args) {
      const { input, ...given } = args as { input?: object }
      return read(shape, dropNulls(shape, { ...input, ...given }))
    },
  }
}

/** The filter of a list, from its shape. */
export interface Filter<Shape extends z.ZodObject> {
  /** The one argument, `filter`. */
  args(t: { arg: unknown }): InputFieldMap
  /** Validates the filter against the shape; an omitted one is empty. Throws BAD_REQUEST with every field that is wrong. */
  read(args: object): z.output<Shape>
}

/** The `filter` argument of a list, from a zod shape: every condition is optional, and null counts as omitted. */
export function filterOf<Shape extends z.ZodObject>(name: string, shape: Shape, description: string): Filter<Shape> {
  const ref = objectInput(name, shape.shape, description)
  return {
    args: (t) => ({ filter: (t.arg as ArgBuilder)({ type: ref, description }) }),
    read(args) {
      const { filter } = args as { filter?: object | null }
      return read(shape, dropNulls(shape, filter ?? {}), 'query')
    },
  }
}

/** Makes a closed set of a shape an enum, for inputs and outputs alike. */
export function enumOf<const Values extends Record<string, string>>(
  name: string,
  shape: z.ZodEnum<Values>,
  description: string,
  meanings: { [Value in keyof Values]?: string } = {},
) {
  const values = Object.fromEntries(shape.options.map((value) => [value, { description: meanings[value as keyof Values] }]))
  const ref = builder.enumType(name, {
    description,
    values: values as Record<Values[keyof Values] & string, { description: string | undefined }>,
  })
  made.set(shape, ref as unknown as InputRef<unknown>)
  return ref
}

function objectInput(name: string, fields: Record<string, Core>, description?: string): InputRef<unknown> {
  return builder.inputType(name, {
    ...(description && { description }),
    fields: (t) =>
      Object.fromEntries(
        Object.entries(fields).map(([key, field]) => [key, (t.field as unknown as ArgBuilder)(fieldOf(name, key, field))]),
      ),
  }) as unknown as InputRef<unknown>
}

function fieldOf(parent: string, key: string, shape: Core): Field {
  const { inner, required } = unwrap(shape)
  const type = typeOf(parent + key[0]?.toUpperCase() + key.slice(1), inner)
  return { type: type === 'String' && idField.test(key) ? 'ID' : type, required, description: textOf(shape) }
}

function typeOf(name: string, shape: Core): InputType | [InputType] {
  const existing = made.get(shape)
  if (existing) return existing
  const def = (shape as z.core.$ZodTypes)._zod.def
  if (def.type === 'array') return [single(typeOf(name.replace(/s$/, ''), unwrap(def.element).inner))]
  if (def.type === 'union') return unionOf(name, def.options)
  const named = name.replace(/Input/, '')
  const fresh =
    def.type === 'object'
      ? objectInput(`${z.globalRegistry.get(shape)?.id ?? named}Input`, def.shape, textOf(shape))
      : def.type === 'enum'
        ? enumInput(named, def, textOf(shape))
        : undefined
  if (fresh) made.set(shape, fresh)
  return fresh ?? scalarOf(shape, def)
}

function scalarOf(shape: Core, def: Def): InputType {
  if (def.type === 'string' || def.type === 'template_literal') return 'String'
  if (def.type === 'boolean') return 'Boolean'
  if (def.type === 'date') return 'DateTime'
  if (def.type === 'number') return (shape as z.ZodNumber).isInt ? 'Int' : 'Float'
  return 'JSON'
}

function enumInput(name: string, def: z.core.$ZodEnumDef, description: string | undefined): InputRef<unknown> {
  return builder.enumType(name, {
    ...(description && { description }),
    values: Object.values(def.entries).map(String),
  }) as unknown as InputRef<unknown>
}

// The most general branch is enough: a list also accepts a single item, an object has a field for what a string would be.
function unionOf(name: string, options: readonly Core[]): InputType | [InputType] {
  const branches = options.map((option) => unwrap(option).inner as z.core.$ZodTypes)
  const rank = { array: 0, object: 1, union: 2 } as Record<string, number>
  const [best] = branches.toSorted((a, b) => (rank[a._zod.def.type] ?? 3) - (rank[b._zod.def.type] ?? 3))
  if (!best || branches.some((branch) => ['record', 'unknown', 'any', 'lazy'].includes(branch._zod.def.type))) return 'JSON'
  return typeOf(name, best)
}

const single = (type: InputType | [InputType]): InputType => (Array.isArray(type) ? 'JSON' : type)

// The shape inside optional, nullable, default and pipe: what a caller sends.
function unwrap(shape: Core): { inner: Core; required: boolean; nullable: boolean } {
  let inner = shape as z.core.$ZodTypes
  let required = true
  let nullable = false
  for (;;) {
    const { def } = inner._zod
    if (def.type === 'optional' || def.type === 'default' || def.type === 'prefault' || def.type === 'nullable') required = false
    if (def.type === 'nullable') nullable = true
    if ('innerType' in def) inner = def.innerType as z.core.$ZodTypes
    else if (def.type === 'pipe')
      inner = ((def.in as z.core.$ZodTypes)._zod.def.type === 'transform' ? def.out : def.in) as z.core.$ZodTypes
    else return { inner, required, nullable }
  }
}

function textOf(shape: Core): string | undefined {
  const text = z.globalRegistry.get(shape)?.description
  const { def } = (shape as z.core.$ZodTypes)._zod
  if (text || !('innerType' in def)) return text
  return textOf(def.innerType as Core)
}

function dropNulls(shape: Core, value: unknown): unknown {
  const { def } = (unwrap(shape).inner as z.core.$ZodTypes)._zod
  if (def.type === 'array' && Array.isArray(value)) return value.map((item) => dropNulls(def.element, item))
  if (def.type === 'union') return dropInUnion(def.options, value)
  if (def.type !== 'object' || typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key, field]) => field !== null || (def.shape[key] && unwrap(def.shape[key]).nullable))
  return Object.fromEntries(kept.map(([key, field]) => [key, def.shape[key] ? dropNulls(def.shape[key], field) : field]))
}

function dropInUnion(options: readonly Core[], value: unknown): unknown {
  const kind = Array.isArray(value) ? 'array' : typeof value
  const fitting = options.find((option) => (unwrap(option).inner as z.core.$ZodTypes)._zod.def.type === kind)
  return fitting ? dropNulls(fitting, value) : value
}
