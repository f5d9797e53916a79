import { GraphQLError, Kind } from 'graphql'
import { type ErrorCode, errorCatalogue, Failure } from '../../kit/errors.ts'
import type { Log } from '../../kit/log.ts'
import { failureOf } from '../replies.ts'
import { wordedFor } from './wording.ts'

/** The call an error belongs to. */
export interface Call {
  requestId: string
  log: Log
}

interface Result {
  errors?: readonly unknown[] | undefined
}

// The last result of a stream passes here twice: its errors are converted once.
const converted = new WeakSet<GraphQLError>()

const codeOfStatus: Record<number, ErrorCode> = { 405: 'METHOD_NOT_ALLOWED', 413: 'PAYLOAD_TOO_LARGE', 415: 'UNSUPPORTED_MEDIA_TYPE' }

/**
 * Converts any error to a GraphQL error with `extensions = { code, statusCode, requestId, errors, suggestion, retryAfter }` from the same
 * catalogue as REST. A bug is logged with its cause and reported as INTERNAL_SERVER_ERROR without details.
 */
export function toGraphqlError(error: unknown, call: Call): GraphQLError {
  if (error instanceof GraphQLError && converted.has(error)) return error
  const outer = error instanceof GraphQLError ? error : undefined
  const cause = originalError(error)
  const failure =
    cause instanceof GraphQLError
      ? requestFailure(cause)
      : wordedFor(failureOf(cause, call.requestId, call.log, outer?.path && { path: outer.path.join('.') }), fieldOf(outer))
  const extensions = {
    code: failure.code,
    statusCode: failure.status,
    requestId: call.requestId,
    ...(failure.errors && { errors: failure.errors }),
    ...(failure.suggestion && { suggestion: failure.suggestion }),
    ...('cursor' in failure && { cursor: failure.cursor }),
    ...(failure.headers['Retry-After'] && { retryAfter: Number(failure.headers['Retry-After']) }),
    // The error of a whole request sets the HTTP status; that of a single field comes with the data of the other fields.
    ...(!outer?.path && { http: httpOf(failure, cause) }),
  }
  const shown = new GraphQLError(failure.message, {
    nodes: outer?.nodes,
    source: outer?.source,
    positions: outer?.positions,
    path: outer?.path,
    extensions,
  })
  converted.add(shown)
  return shown
}

/** A result with all its errors converted by toGraphqlError. */
export function withGraphqlErrors<Whole extends Result>(result: Whole, call: Call): Whole {
  return result.errors ? { ...result, errors: result.errors.map((error) => toGraphqlError(error, call)) } : result
}

// The name of the query or mutation that failed, whatever it is called in the answer.
function fieldOf(error: GraphQLError | undefined): string | undefined {
  const node = error?.nodes?.[0]
  return node?.kind === Kind.FIELD ? node.name.value : undefined
}

// GraphQL wraps the errors of resolvers, and Yoga may wrap them again.
function originalError(error: unknown): unknown {
  let at = error
  while (at instanceof GraphQLError && at.originalError) at = at.originalError
  return at
}

function httpOf(failure: Failure, cause: unknown): { status?: number; headers?: Record<string, string>; spec?: boolean } {
  const given = cause instanceof GraphQLError ? cause.extensions.http : undefined
  if (!given) return { status: failure.status, headers: failure.headers }
  // With `spec` Yoga answers older clients (Accept: application/json) with 200, which is right only for an invalid document.
  const { spec: _spec, ...strict } = given
  return cause instanceof GraphQLError && cause.locations ? given : strict
}

// The failure for an error of GraphQL itself: syntax, validation, variables.
function requestFailure({ message, extensions }: GraphQLError): Failure {
  const { status } = (extensions.http ?? {}) as { status?: number }
  const code = codeOfStatus[status ?? 0] ?? 'BAD_REQUEST'
  const { suggestion } = errorCatalogue[code]
  return new Failure(code, message, {
    suggestion: code === 'BAD_REQUEST' ? 'Check the document and its variables against the schema.' : suggestion,
  })
}
