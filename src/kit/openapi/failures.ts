import type { Access } from '../access.ts'
import { type ErrorCode, errorCatalogue, fieldCodes } from '../errors.ts'
import { isWriteRoute, type Route, readsBody } from '../route.ts'
import type { JsonSchema } from './example.ts'
import { headersOf } from './headers.ts'

// What the policy refuses (see access.ts), and what every call may fail with.
const everyRoute: ErrorCode[] = ['BAD_REQUEST', 'INTERNAL_SERVER_ERROR', 'SERVICE_UNAVAILABLE']
const session: ErrorCode[] = ['MISSING_AUTH', 'UNAUTHORIZED', 'INVALID_API_KEY', 'RATE_LIMIT_EXCEEDED']
const eitherWay: ErrorCode[] = [...session, 'PROJECT_ACCESS_DENIED']
const refusals: Record<Access, ErrorCode[]> = {
  none: [],
  public: ['MISSING_AUTH', 'INVALID_API_KEY', 'RATE_LIMIT_EXCEEDED'],
  secret: eitherWay,
  admin: [...eitherWay, 'FORBIDDEN'],
  'admin session': [...eitherWay, 'FORBIDDEN'],
  user: session,
}
const withBody: ErrorCode[] = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']

/** The error answers of a route, by status, with an example for each of their codes. */
export function failures(route: Route): Record<string, unknown> {
  const codes = new Set([
    ...everyRoute,
    ...refusals[route.access],
    ...conditional(route),
    ...(route.notes.errors ?? []),
    ...(route.variant?.notes.errors ?? []),
  ])
  const byStatus = Map.groupBy(codes, (code) => String(errorCatalogue[code].status))
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: group.map((code) => `\`${code}\`: ${errorCatalogue[code].message}`).join('\n\n'),
        headers: headersOf(route, Number(status)),
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

/** The body of every error. */
export const errorSchema: JsonSchema = {
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
            properties: {
              field: { type: 'string' },
              message: { type: 'string' },
              code: {
                type: 'string',
                description: `${fieldCodes.map((code) => `\`${code}\``).join(', ')} or one of a single field; more may come.`,
              },
            },
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

function conditional(route: Route): ErrorCode[] {
  const { access, projectIn, notes, signature } = route
  const isWrite = isWriteRoute(route)
  const isInProject = access !== 'none' && access !== 'user'
  return [
    // A page of another site that calls.
    ...(isWrite && access !== 'public' && !signature ? (['FORBIDDEN'] as const) : []),
    ...(readsBody(route) ? withBody : []),
    ...(readsBody(route) && !signature ? (['VALIDATION_ERROR'] as const) : []),
    ...(projectIn === undefined ? [] : (['RESOURCE_NOT_FOUND'] as const)),
    ...(isWrite && isInProject && !notes.whileSuspended ? (['PROJECT_DISABLED'] as const) : []),
    ...(access === 'none' || access === 'public' || notes.whileUnverified ? [] : (['EMAIL_VERIFICATION_REQUIRED'] as const)),
    ...(notes.idempotent ? (['IDEMPOTENCY_KEY_IN_PROGRESS', 'IDEMPOTENCY_KEY_MISMATCH'] as const) : []),
  ]
}

function errorExample(code: ErrorCode): unknown {
  const { status, message, suggestion } = errorCatalogue[code]
  const error = { code, message, statusCode: status, requestId: 'req_01m7y3mwcpfqhrhzca2e1aqg79', ...(suggestion && { suggestion }) }
  return { success: false, error, timestamp: '2026-01-31T09:30:00.000Z', code: status, message, time: 1769851800000 }
}
