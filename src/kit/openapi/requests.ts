import { type Route, readsBody } from '../route.ts'
import { exampleOf, type JsonSchema, pathExample } from './example.ts'
import { bodyOf, type Components, propertiesOf, resolve, schemaOf } from './schemas.ts'

/** What a route takes: its parameters, and its body if it has one. `choosesProject` says that a header may name the project. */
export function requestOf(route: Route, schemas: Components, choosesProject: boolean): { parameters: object[]; requestBody?: object } {
  const headers = headersOf(route, choosesProject)
  if (route.signature) return { parameters: headers, requestBody: signedBody }
  const input = schemaOf(route.input, 'input', schemas)
  const properties = propertiesOf(input, schemas)
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => String(name))
  const isInQuery = !readsBody(route) || route.notes.maxFileBytes !== undefined
  const parameters = Object.entries(properties).flatMap(([name, schema]): object[] => {
    if (inPath.includes(name))
      return [{ name, in: 'path', required: true, schema, example: pathExample(route.path, name) ?? exampleOf(schema, schemas) }]
    if ((route.notes.maxFileBytes && name === 'file') || !isInQuery) return []
    return [{ name, in: 'query', required: false, ...(schema.description && { description: schema.description }), schema }]
  })
  return {
    parameters: [...parameters, ...headers],
    ...(readsBody(route) && bodyFor(route, { input, properties, inPath }, schemas)),
  }
}

function headersOf({ notes, signature }: Route, choosesProject: boolean): object[] {
  return [
    ...(notes.idempotent ? [keyHeader] : []),
    ...(choosesProject ? [projectHeader] : []),
    ...(signature && signature.signedIn !== 'the body' ? [signatureHeader(signature.signedIn.header)] : []),
  ]
}

const keyHeader = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  // Printable ASCII: spaces around it are no part of the value of a header (RFC 9110, 5.5).
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]([ -~]*[!-~])?$' },
  description: 'Repeating a call with the same key returns the first answer again, for 24 hours.',
}

const projectHeader = {
  name: 'X-Project-Id',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description: 'The project of the call; required with a session cookie of a member of several projects.',
}

const signatureHeader = (name: string) => ({
  name,
  in: 'header',
  required: true,
  schema: { type: 'string' },
  description: 'The signature of the body.',
})

// Read as it is: what the service says of its type does not matter.
const signedBody = { required: true, description: 'What the service has signed, byte by byte.', content: { '*/*': { schema: {} } } }

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

// An absent body is read as an empty object.
function requiresSomething(given: JsonSchema, schemas: Components): boolean {
  const { required = [], anyOf, oneOf, allOf = [] } = resolve(given, schemas)
  const isRequired = (one: JsonSchema) => requiresSomething(one, schemas)
  return required.length > 0 || [anyOf, oneOf].some((forms) => forms?.every(isRequired)) || allOf.some(isRequired)
}

function requestBody(input: JsonSchema, inPath: string[], schemas: Components): { required: boolean; content: Record<string, unknown> } {
  const own = bodyOf(input, inPath, schemas)
  return {
    required: requiresSomething(own, schemas),
    content: { 'application/json': { schema: own, example: exampleOf(own, schemas) } },
  }
}
