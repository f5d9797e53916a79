import type { Access } from '../access.ts'
import { type Route, readsBody } from '../route.ts'
import { exampleOf, type JsonSchema, pathExample } from './example.ts'
import { errorSchema, failures } from './failures.ts'
import { bodyOf, type Components, propertiesOf, resolve, schemaOf } from './schemas.ts'

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
const callers: Record<Access, string> = {
  none: 'Needs no key.',
  public: 'Takes the public or the secret key.',
  secret: 'Takes the secret key, or the session cookie of a member of the project.',
  admin: 'Takes the secret key, or the session cookie of an admin or owner of the project.',
  'admin session': 'Takes the session cookie of an admin or owner of the project; never a key.',
  user: 'Takes the session cookie of anyone who is signed in.',
}

/** What the document says besides its routes. */
export interface DocumentPlan {
  /** The address of the installation. */
  url: string
  /** What each group of routes is about, by its first path segment. */
  tags: Record<string, string>
}

/** The OpenAPI 3.1 document of the routes: every operation with request, response and error schemas and examples. */
export function describeRoutes(routes: Route[], { url, tags }: DocumentPlan): Record<string, unknown> {
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
      contact: { name: 'This installation', url },
      description:
        'The REST API of Postwire: the documented `/v1` calls and the dashboard interface. Everything here, and live streams too, is also in the GraphQL schema at `/graphql`.',
    },
    servers: [{ url }],
    tags: [...new Set(routes.map(tagOf))].map((name) => ({ name, description: tags[name] })),
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
  const bodiless = !readsBody(route)
  const parameters = Object.entries(properties).flatMap(([name, schema]): object[] => {
    if (inPath.includes(name))
      return [{ name, in: 'path', required: true, schema, example: pathExample(route.path, name) ?? exampleOf(schema, schemas) }]
    if (route.notes.maxFileBytes && name === 'file') return []
    return bodiless || route.notes.maxFileBytes
      ? [{ name, in: 'query', required: false, ...(schema.description && { description: schema.description }), schema }]
      : []
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
    ...(!bodiless && bodyFor(route, { input, properties, inPath }, schemas)),
    responses: { ...answers(route, schemas), ...failures(route) },
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
        properties: { file: { type: 'string', contentMediaType: 'application/octet-stream', minLength: 1 } },
      },
    },
  },
}

interface Inputs {
  input: JsonSchema
  properties: Components
  inPath: string[]
}

function bodyFor({ notes, variant }: Route, { input, properties, inPath }: Inputs, schemas: Components): { requestBody?: object } {
  if (notes.maxFileBytes) return { requestBody: formBody }
  if (!hasBody(properties, inPath)) return {}
  const body = requestBody(input, inPath, schemas)
  return { requestBody: variant?.notes.maxFileBytes ? { ...body, content: { ...body.content, ...formBody.content } } : body }
}

function hasBody(properties: Components, inPath: string[]): boolean {
  return Object.keys(properties).some((name) => !inPath.includes(name))
}

function requestBody(input: JsonSchema, inPath: string[], schemas: Components): { required: boolean; content: Record<string, unknown> } {
  const own = bodyOf(input, inPath, schemas)
  return {
    required: (resolve(own, schemas).required ?? []).length > 0,
    content: { 'application/json': { schema: own, example: exampleOf(own, schemas) } },
  }
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
        : {
            description: route.notes.summary,
            content: { ...contentOf(route.notes.file, schema, schemas), ...variantContent(route, schemas) },
          },
    ]),
  )
}

function contentOf(type = 'application/json', schema: JsonSchema, schemas: Components): Record<string, unknown> {
  return { [type]: { schema, example: exampleOf(schema, schemas) } }
}

function variantContent({ variant }: Route, schemas: Components): Record<string, unknown> {
  return variant?.notes.file ? contentOf(variant.notes.file, schemaOf(variant.output, 'output', schemas), schemas) : {}
}
