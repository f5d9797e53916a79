import { z } from 'zod'
import type { Access } from './access.ts'
import { type ErrorCode, errorCatalogue } from './errors.ts'
import { exampleOf, type JsonSchema } from './openapi-example.ts'
import type { Route } from './route.ts'

const everyRoute: ErrorCode[] = ['BAD_REQUEST', 'INTERNAL_SERVER_ERROR', 'SERVICE_UNAVAILABLE']
const session: ErrorCode[] = ['MISSING_AUTH', 'UNAUTHORIZED', 'RATE_LIMIT_EXCEEDED']
const eitherWay: ErrorCode[] = [...session, 'INVALID_API_KEY', 'PROJECT_ACCESS_DENIED']
const refusals: Record<Access, ErrorCode[]> = {
  none: [],
  public: ['MISSING_AUTH', 'INVALID_API_KEY', 'RATE_LIMIT_EXCEEDED'],
  secret: eitherWay,
  admin: [...eitherWay, 'FORBIDDEN'],
  'admin session': [...eitherWay, 'FORBIDDEN'],
  user: session,
}
const byKey = { key: [] }
const bySession = { session: [] }
const securityOf: Record<Access, object[]> = {
  none: [],
  public: [byKey],
  secret: [byKey, bySession],
  admin: [byKey, bySession],
  'admin session': [bySession],
  user: [bySession],
}
const withBody: ErrorCode[] = ['VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']

const callers: Record<Access, string> = {
  none: 'Needs no key.',
  public: 'Takes the public or the secret key.',
  secret: 'Takes the secret key, or the session cookie of a member of the project.',
  admin: 'Takes the secret key, or the session cookie of an admin or owner of the project.',
  'admin session': 'Takes the session cookie of an admin or owner of the project; never a key.',
  user: 'Takes the session cookie of anyone who is signed in.',
}

type Components = Record<string, JsonSchema>

/** The OpenAPI 3.1 document of the routes: every operation with request, response and error schemas and examples. */
export function describeRoutes(routes: Route[], { url }: { url: string }): Record<string, unknown> {
  const schemas: Components = { Error: errorSchema }
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, schemas) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Postwire',
      version: '1',
      license: { name: 'MIT', identifier: 'MIT' },
      description:
        'The REST API of Postwire: the documented `/v1` calls and the dashboard interface. Everything here, and live streams too, is also in the GraphQL schema at `/graphql`.',
    },
    servers: [{ url }],
    tags: [...new Set(routes.map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      schemas,
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key of the project: `sk_…`, or `pk_…` where an operation says so.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'session',
          description:
            'The cookie POST /auth/login sets (`__Host-session` over https). A member of several projects names one with the header X-Project-Id. An API key takes precedence over the cookie.',
        },
      },
    },
  }
}

function operation(route: Route, schemas: Components): Record<string, unknown> {
  const input = schemaOf(route.input, 'input', schemas)
  const properties = propertiesOf(input, schemas)
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => String(name))
  const bodiless = route.method === 'GET' || route.method === 'DELETE'
  const parameters = Object.entries(properties).flatMap(([name, schema]) => {
    if (inPath.includes(name)) return [{ name, in: 'path', required: true, schema }]
    return bodiless ? [{ name, in: 'query', required: false, ...(schema.description && { description: schema.description }), schema }] : []
  })
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    schema: { type: 'string', maxLength: 255 },
    description: 'Repeating a call with the same key returns the first answer again, for 24 hours.',
  }
  return {
    operationId: route.notes.operationId ?? route.name,
    tags: [tagOf(route)],
    summary: route.notes.summary,
    description: [route.notes.description, callers[route.access]].filter(Boolean).join('\n\n'),
    security: securityOf[route.access],
    parameters: [...parameters, ...(route.notes.idempotent ? [key] : []), ...(choosesProject(route) ? [projectHeader] : [])],
    ...(route.notes.maxFileBytes && { requestBody: formBody }),
    ...(!bodiless && !route.notes.maxFileBytes && hasBody(properties, inPath) && { requestBody: requestBody(input, inPath, schemas) }),
    responses: { ...answers(route, schemas), ...failures(route, bodiless) },
  }
}

const projectHeader = {
  name: 'X-Project-Id',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description: 'The project of the call; required with a session cookie of a member of several projects.',
}

function choosesProject({ access, projectIn }: Route): boolean {
  return securityOf[access].includes(bySession) && access !== 'user' && projectIn === undefined
}

function tagOf({ path }: Route): string {
  const [, first = ''] = path.split('/')
  return ['healthz', 'readyz', 'config'].includes(first) ? 'system' : first === 'users' ? 'projects' : first
}

// The first file of the form is used, whatever the name of its field.
const formBody = {
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: ['file'],
        properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
      },
    },
  },
}

function hasBody(properties: Components, inPath: string[]): boolean {
  return Object.keys(properties).some((name) => !inPath.includes(name))
}

function requestBody(input: JsonSchema, inPath: string[], schemas: Components): Record<string, unknown> {
  const own = inPath.length > 0 ? without(resolve(input, schemas), inPath) : input
  return {
    required: (resolve(own, schemas).required ?? []).length > 0,
    content: { 'application/json': { schema: own, example: exampleOf(own, schemas) } },
  }
}

function without(schema: JsonSchema, names: string[]): JsonSchema {
  const properties = Object.fromEntries(Object.entries(schema.properties ?? {}).filter(([name]) => !names.includes(name)))
  const required = schema.required?.filter((name) => !names.includes(name))
  return { ...schema, properties, ...(required && { required }) }
}

function answers(route: Route, schemas: Components): Record<string, unknown> {
  const { status = 200, wrap } = route.notes
  const all = typeof status === 'object' ? status.all : [status]
  const data = schemaOf(route.output, 'output', schemas)
  const schema: JsonSchema = wrap ? { type: 'object', required: ['success', 'data'], properties: { success: { const: true }, data } } : data
  return Object.fromEntries(
    all.map((code) => [
      String(code),
      code === 204
        ? { description: 'Done; no body.' }
        : { description: route.notes.summary, content: { 'application/json': { schema, example: exampleOf(schema, schemas) } } },
    ]),
  )
}

function failures(route: Route, bodiless: boolean): Record<string, unknown> {
  const codes = new Set([...everyRoute, ...refusals[route.access], ...(bodiless ? [] : withBody), ...(route.notes.errors ?? [])])
  const byStatus = Map.groupBy(codes, (code) => String(errorCatalogue[code].status))
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: group.map((code) => `\`${code}\`: ${errorCatalogue[code].message}`).join('\n\n'),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: Object.fromEntries(group.map((code) => [code, { value: errorExample(code) }])),
          },
        },
      },
    ]),
  )
}

function schemaOf(shape: z.ZodType, io: 'input' | 'output', schemas: Components): JsonSchema {
  const {
    $schema: _,
    $defs,
    ...schema
  } = z.toJSONSchema(shape, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'date') Object.assign(jsonSchema, { type: 'string', format: 'date-time' })
      // zod omits the examples of input that is transformed; the examples here are written as callers send them.
      const examples = z.globalRegistry.get(zodSchema)?.examples
      if (examples) jsonSchema.examples = examples as never
    },
  }) as JsonSchema & { $schema?: string; $defs?: Components }
  for (const [id, defined] of Object.entries($defs ?? {})) schemas[id] = relocated(defined)
  const id = z.globalRegistry.get(shape)?.id
  if (!id || schema.$ref) return relocated(schema)
  schemas[id] = relocated(schema)
  return { $ref: `#/components/schemas/${id}` }
}

function relocated<T>(schema: T): T {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as T
}

function resolve(schema: JsonSchema, schemas: Components): JsonSchema {
  const name = schema.$ref?.split('/').at(-1)
  return name ? resolve(schemas[name] ?? {}, schemas) : schema
}

function propertiesOf(schema: JsonSchema, schemas: Components): Components {
  const resolved = resolve(schema, schemas)
  return resolved.properties ?? Object.assign({}, ...(resolved.anyOf ?? []).map((branch) => propertiesOf(branch, schemas)))
}

const errorSchema: JsonSchema = {
  type: 'object',
  required: ['success', 'error', 'timestamp', 'code', 'message', 'time'],
  properties: {
    success: { const: false },
    error: {
      type: 'object',
      required: ['code', 'message', 'statusCode', 'requestId'],
      properties: {
        code: { type: 'string', enum: Object.keys(errorCatalogue) },
        message: { type: 'string' },
        statusCode: { type: 'integer' },
        requestId: { type: 'string', description: 'Also in the header X-Request-Id.' },
        errors: {
          type: 'array',
          items: {
            type: 'object',
            required: ['field', 'message', 'code'],
            properties: { field: { type: 'string' }, message: { type: 'string' }, code: { type: 'string' } },
          },
        },
        suggestion: { type: 'string' },
      },
    },
    timestamp: { type: 'string', format: 'date-time' },
    code: { type: 'integer', description: 'The HTTP status; the same as `error.statusCode`.' },
    message: { type: 'string' },
    time: { type: 'integer', description: 'Unix time in milliseconds.' },
  },
}

function errorExample(code: ErrorCode): unknown {
  const { status, message, suggestion } = errorCatalogue[code]
  const error = { code, message, statusCode: status, requestId: 'req_01m7y3mwcpfqhrhzca2e1aqg79', ...(suggestion && { suggestion }) }
  return { success: false, error, timestamp: '2026-01-31T09:30:00.000Z', code: status, message, time: 1769851800000 }
}
