import type { Route } from '../route.ts'
import type { JsonSchema } from './example.ts'

interface Header {
  description: string
  required?: true
  schema: JsonSchema
}

const number = (example: number): JsonSchema => ({ type: 'integer', minimum: 0, examples: [example] })
const text = (example: string): JsonSchema => ({ type: 'string', examples: [example] })

/** The headers that say something of an answer, by their names; beside them are those that every web server sends. */
export const answerHeaders = {
  'X-Request-Id': {
    description:
      'The id of the request, for questions about it: that of the call, if it has one of 8 to 128 letters, digits, `_`, `.` and `-`.',
    required: true,
    schema: text('req_01m7y3mwcpfqhrhzca2e1aqg79'),
  },
  'RateLimit-Limit': { description: 'How many calls the caller may make in a minute.', schema: number(1000) },
  'RateLimit-Remaining': { description: 'How many of them are left.', schema: number(999) },
  'RateLimit-Reset': { description: 'In how many seconds the next minute begins.', schema: number(42) },
  'Retry-After': { description: 'After how many seconds to try again.', required: true, schema: number(5) },
  'Idempotency-Replayed': {
    description: 'The answer is that of the first call with this Idempotency-Key; nothing was done again.',
    schema: { const: 'true' },
  },
  'Set-Cookie': {
    description: 'The session cookie: a new one after signing in, the same with more time once a day, or none any more after signing out.',
    schema: text('session=eyJhbGciOiJIUzI1NiJ9…; Max-Age=604800; Path=/; HttpOnly; SameSite=Lax'),
  },
  'Content-Disposition': { description: 'The name of the file.', schema: text('attachment; filename="contacts.csv"') },
} satisfies Record<string, Header>

type HeaderName = keyof typeof answerHeaders

const rateLimit: HeaderName[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']

/** The headers of an answer of a route, as references to the components. */
export function headersOf(route: Route, status: number): Record<string, { $ref: string }> {
  const names: HeaderName[] = [
    'X-Request-Id',
    // Without them: what is refused before the caller is known.
    ...(route.access === 'none' ? [] : rateLimit),
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
    ...(status < 300 ? ofSuccess(route) : []),
  ]
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function ofSuccess({ access, notes, signature, variant }: Route): HeaderName[] {
  const seesCookies = access !== 'public' && !signature
  return [
    ...(notes.idempotent ? (['Idempotency-Replayed'] as const) : []),
    ...(seesCookies && !notes.file ? (['Set-Cookie'] as const) : []),
    ...(notes.file || variant?.notes.file ? (['Content-Disposition'] as const) : []),
  ]
}
