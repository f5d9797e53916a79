import { z } from 'zod'
import type { JsonSchema } from './example.ts'

/** Schemas by the name under which the document refers to them. */
export type Components = Record<string, JsonSchema>

/** The JSON Schema of a shape; one that has a name becomes a component, and one whose `sameAs` is another shape is described as that. */
export function schemaOf(shape: z.ZodType, io: 'input' | 'output', schemas: Components): JsonSchema {
  const {
    $schema: _,
    $defs,
    ...schema
  } = z.toJSONSchema(shape, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema instanceof z.ZodObject && io === 'input') Object.assign(jsonSchema, requiredOf(zodSchema, jsonSchema.required))
      if (zodSchema._zod.def.type === 'date') Object.assign(jsonSchema, { type: 'string', format: 'date-time' })
      const { sameAs } = z.globalRegistry.get(zodSchema) ?? {}
      if (sameAs) Object.assign(jsonSchema, { sameAs: undefined }, schemaOf(sameAs as z.ZodType, io, schemas))
      // The alternatives say which formats they have.
      if (jsonSchema.anyOf) delete jsonSchema.format
      if (zodSchema._zod.def.type === 'default' && io === 'input') Object.assign(jsonSchema, defaultOf(zodSchema._zod.def, jsonSchema))
      // zod omits the examples of input that is transformed; the examples here are written as callers send them.
      const examples = z.globalRegistry.get(zodSchema)?.examples
      if (examples) jsonSchema.examples = examples as never
    },
  }) as JsonSchema & { $schema?: string; $defs?: Components }
  // What is both taken and answered is described as it is taken, which may have more.
  const keep = (name: string, found: JsonSchema) => {
    if (io === 'input' || !schemas[name]) schemas[name] = relocated(found)
  }
  for (const [name, defined] of Object.entries($defs ?? {})) keep(name, defined)
  const id = z.globalRegistry.get(shape)?.id
  if (!id || schema.$ref) return relocated(schema)
  keep(id, schema)
  return { $ref: `#/components/schemas/${id}` }
}

// zod takes a field that is looked at before it is parsed, such as a list that is counted first, for one that may be left out.
function requiredOf({ shape }: z.ZodObject, said: string[] = []): { required?: string[] } {
  const required = Object.keys(shape).filter((name) => said.includes(name) || !z.safeParse(shape[name] as z.ZodType, undefined).success)
  return required.length > 0 ? { required } : {}
}

// zod omits that of input that is transformed, such as a number or a yes in a query, where they are text.
function defaultOf({ defaultValue }: z.core.$ZodDefaultDef, { type }: { type?: unknown }): { default?: unknown } {
  if (typeof defaultValue === 'object') return {}
  return { default: type === 'string' ? String(defaultValue) : defaultValue }
}

function relocated<T>(schema: T): T {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as T
}

/** A schema that is not a reference. */
export function resolve(schema: JsonSchema, schemas: Components): JsonSchema {
  const name = nameOf(schema)
  return name ? resolve(schemas[name] ?? {}, schemas) : schema
}

/** The properties of an object, or of all of its alternatives. */
export function propertiesOf(schema: JsonSchema, schemas: Components): Components {
  const resolved = resolve(schema, schemas)
  return resolved.properties ?? Object.assign({}, ...(resolved.anyOf ?? []).map((branch) => propertiesOf(branch, schemas)))
}

/** A body without the properties that stand in the path; a component keeps its name. */
export function bodyOf(input: JsonSchema, inPath: string[], schemas: Components): JsonSchema {
  if (inPath.length === 0) return input
  const body = without(resolve(input, schemas), inPath)
  const name = nameOf(input)
  if (!name) return body
  schemas[name] = body
  return input
}

function without(schema: JsonSchema, names: string[]): JsonSchema {
  const properties = Object.fromEntries(Object.entries(schema.properties ?? {}).filter(([name]) => !names.includes(name)))
  const required = schema.required?.filter((name) => !names.includes(name))
  return { ...schema, properties, ...(required && { required }) }
}

function nameOf({ $ref }: JsonSchema): string | undefined {
  return $ref?.split('/').at(-1)
}
