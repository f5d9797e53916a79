import type { Access } from '../access.ts'
import { jsonLimits } from '../json-limits.ts'
import type { Route } from '../route.ts'
import { exampleOf, type JsonSchema } from './example.ts'
import { errorSchema, failures } from './failures.ts'
import { answerHeaders, headersOf } from './headers.ts'
import { requestOf } from './requests.ts'
import { type Components, schemaOf } from './schemas.ts'

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
  /** The name of the session cookie there. */
  sessionCookie: string
  /** What each group of routes is about, by its first path segment. */
  tags: Record<string, string>
}

/** The OpenAPI 3.1 document of the routes: every operation with request, response and error schemas and examples. */
export function describeRoutes(routes: Route[], { url, sessionCookie, tags }: DocumentPlan): Record<string, unknown> {
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
      description: `The REST API of Postwire: the documented \`/v1\` calls and the dashboard interface. Everything here, and live streams too, is also in the GraphQL schema at \`/graphql\`.\n\nA JSON body is at most ${jsonLimits.depth} levels deep, and has at most ${jsonLimits.tokens.toLocaleString('en')} strings, numbers, literals and punctuation marks. The character U+0000 is refused in bodies and parameters. What cannot be read as HTTP, takes too long to arrive, or has more than 16 KB or 100 lines of headers (RFC 6585) is answered with 400, 408, 413 or 431 and a closed connection, without a body.`,
    },
    servers: [{ url }],
    tags: [...new Set(routes.map(tagOf))].map((name) => ({ name, description: tags[name] })),
    paths,
    components: {
      schemas,
      headers: usedHeaders(paths),
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key of the project: `sk_…`, or `pk_…` where an operation says so.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: sessionCookie,
          description:
            'The cookie that POST /auth/login sets: `__Host-session` of an installation with an https address, `session` of others. A member of several projects names one with the header X-Project-Id. An API key takes precedence over the cookie.',
        },
      },
    },
  }
}

function operation(route: Route, schemas: Components): Record<string, unknown> {
  return {
    operationId: route.notes.operationId ?? route.name,
    tags: [tagOf(route)],
    summary: route.notes.summary,
    description: [route.notes.description, callers[route.access]].filter(Boolean).join('\n\n'),
    security: securityOf[route.access],
    ...requestOf(route, schemas, choosesProject(route)),
    responses: { ...answers(route, schemas), ...failures(route) },
  }
}

function usedHeaders(paths: object): object {
  const text = JSON.stringify(paths)
  return Object.fromEntries(Object.entries(answerHeaders).filter(([name]) => text.includes(`"#/components/headers/${name}"`)))
}

function choosesProject({ access, projectIn }: Route): boolean {
  return securityOf[access].includes(bySession) && access !== 'user' && projectIn === undefined
}

function tagOf({ path }: Route): string {
  const [, first = ''] = path.split('/')
  return ['healthz', 'readyz', 'config'].includes(first) ? 'system' : first === 'users' ? 'projects' : first
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
        ? { description: 'Done; no body.', headers: headersOf(route, code) }
        : {
            description: route.notes.summary,
            headers: headersOf(route, code),
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
