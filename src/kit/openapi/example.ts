import { prefixes } from '../ids.ts'

/** The parts of JSON Schema (2020-12) that describe the shapes of this API. */
export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  format?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  description?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  minimum?: number
}

type Schemas = Record<string, JsonSchema>

/**
 * A value that matches a schema, for the API reference: the schema's own example, otherwise one built from its parts.
 *
 * @param field the name of the field that has it: that of an id says of what it is
 */
export function exampleOf(schema: JsonSchema, schemas: Schemas, field = ''): unknown {
  const name = schema.$ref?.split('/').at(-1)
  if (name) return exampleOf(schemas[name] ?? {}, schemas, field)
  if (schema.examples?.length) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.default !== undefined) return schema.default
  const branch = (schema.anyOf ?? schema.oneOf ?? schema.allOf)?.find(({ type }) => type !== 'null')
  if (branch) return exampleOf(branch, schemas, field)
  return plain(schema, schemas, field)
}

function plain(schema: JsonSchema, schemas: Schemas, field: string): unknown {
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type
  if (type === 'object')
    return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, inner]) => [key, exampleOf(inner, schemas, key)]))
  if (type === 'array') return schema.items ? [exampleOf(schema.items, schemas, field.replace(/s$/, ''))] : []
  if (type === 'boolean') return true
  if (type === 'null') return null
  if (type === 'integer' || type === 'number') return Math.max(1, schema.minimum ?? 1)
  if (type === 'string') return textOf[schema.format ?? ''] ?? namedExample(field) ?? 'string'
  return {}
}

// By format.
const textOf: Record<string, string> = {
  'date-time': '2026-01-31T09:30:00.000Z',
  email: 'hello@demo.test',
  password: 'correct horse battery',
}

const someId = '01jk3v5n8qe6rbw0c7t2d9fxha'
const texts: Record<string, string> = {
  field: 'data.plan',
  eventName: 'order placed',
  email: 'ada@example.com',
  token: 'the-token-of-the-link',
}

/**
 * A value of a parameter of a path (`/contacts/:id`): an id of the kind that its name says, or for `:id` the part of the path before
 * it. Nothing for a parameter of another kind.
 */
export function pathExample(path: string, name: string): string | undefined {
  const before = path.split('/').at(path.split('/').indexOf(`:${name}`) - 1) ?? ''
  return name === 'id' ? idOf(before.replace(/s$/, '')) : (idOf(name.replace(/Id$/, '')) ?? texts[name])
}

// Of `templateId` as of `fromStepId`.
function namedExample(field: string): string | undefined {
  const [, whole = '', last = ''] = /^(\w*?([A-Z]?[a-z]+))Id$/.exec(field) ?? []
  return field === 'token' ? texts.token : (idOf(whole) ?? idOf(last.toLowerCase()))
}

function idOf(kind: string): string | undefined {
  return kind in prefixes ? `${prefixes[kind as keyof typeof prefixes]}_${someId}` : undefined
}
