import { GraphQLError } from 'graphql'
import { type ErrorCode, errorCatalogue, Failure } from '../../kit/errors.ts'
import type { Log } from '../../kit/log.ts'
import { failureOf } from '../replies.ts'

/** The call an error belongs to. */
export interface Call {
  requestId: string
  log: Log
}

interface Result {
  errors?: readonly unknown[] | undefined
}

// A stream's last result is explained where it ends, and looked at again where it leaves.
const done = new WeakSet<GraphQLError>()

const codeOfStatus: Record<number, ErrorCode> = { 405: 'METHOD_NOT_ALLOWED', 413: 'PAYLOAD_TOO_LARGE', 415: 'UNSUPPORTED_MEDIA_TYPE' }

/**
 * The one translator of errors for GraphQL: `extensions = { code, statusCode, requestId, errors, suggestion }` from the
 * same catalogue as REST. A bug is logged with its cause and shown as INTERNAL_SERVER_ERROR, saying nothing of itself.
 */
export function explain(error: unknown, call: Call): GraphQLError {
  if (error instanceof GraphQLError && done.has(error)) return error
  const outer = error instanceof GraphQLError ? error : undefined
  const cause = deepest(error)
  const failure =
    cause instanceof GraphQLError
      ? misread(cause)
      : failureOf(cause, call.requestId, call.log, outer?.path && { path: outer.path.join('.') })
  const extensions = {
    code: failure.code,
    statusCode: failure.status,
    requestId: call.requestId,
    ...(failure.errors && { errors: failure.errors }),
    ...(failure.suggestion && { suggestion: failure.suggestion }),
    ...('cursor' in failure && { cursor: failure.cursor }),
    // A refusal of the whole request is also the HTTP status; one of a single field stands beside the others' data.
    ...(!outer?.path && { http: httpOf(failure, cause) }),
  }
  const shown = new GraphQLError(failure.message, {
    nodes: outer?.nodes,
    source: outer?.source,
    positions: outer?.positions,
    path: outer?.path,
    extensions,
  })
  done.add(shown)
  return shown
}

/** A result whose errors are all explained. */
export function explained<Whole extends Result>(result: Whole, call: Call): Whole {
  return result.errors ? { ...result, errors: result.errors.map((error) => explain(error, call)) } : result
}

// GraphQL wraps what a resolver throws, Yoga may wrap once more: what counts is what was thrown first.
function deepest(error: unknown): unknown {
  let at = error
  while (at instanceof GraphQLError && at.originalError) at = at.originalError
  return at
}

function httpOf(failure: Failure, cause: unknown): { status?: number; headers?: Record<string, string>; spec?: boolean } {
  const given = cause instanceof GraphQLError ? cause.extensions.http : undefined
  if (!given) return { status: failure.status, headers: failure.headers }
  // `spec` lets older clients (Accept: application/json) see 200: right for a bad document, not for a bad request.
  const { spec: _spec, ...strict } = given
  return cause instanceof GraphQLError && cause.locations ? given : strict
}

// What GraphQL itself says is wrong with a request: syntax, validation, variables.
function misread({ message, extensions }: GraphQLError): Failure {
  const { status } = (extensions.http ?? {}) as { status?: number }
  const code = codeOfStatus[status ?? 0] ?? 'BAD_REQUEST'
  const { suggestion } = errorCatalogue[code]
  return new Failure(code, message, {
    suggestion: code === 'BAD_REQUEST' ? 'Check the document and its variables against the schema.' : suggestion,
  })
}
