import { GraphQLError, Kind } from 'graphql'
import { type ErrorCode, errorCatalogue, errorLimits, Failure, withoutStacks } from '../../kit/errors.ts'
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

/** A result with its errors converted by toGraphqlErrors. */
export function withGraphqlErrors<Whole extends Result>(result: Whole, call: Call): Whole {
  return result.errors ? { ...result, errors: toGraphqlErrors(result.errors, call) } : result
}

// Fields of a list that fail one by one are each null beside their error.
const maxErrorsOfFields = 100
const maxErrorBytes = 64 * 1024

/**
 * The errors of an answer, each converted by toGraphqlError: at most 20 of a whole request or 100 of single fields, and 64 KB. Where
 * there are more, the last one says so.
 */
export function toGraphqlErrors(errors: readonly unknown[], call: Call): GraphQLError[] {
  return withoutStacks(() => boundedErrors(errors, call))
}

function boundedErrors(errors: readonly unknown[], call: Call): GraphQLError[] {
  const shown: GraphQLError[] = []
  let bytes = 0
  for (const error of errors) {
    const next = boundedError(toGraphqlError(error, call))
    bytes += JSON.stringify(next).length
    if (shown.length === (next.path ? maxErrorsOfFields : errorLimits.problems) || bytes > maxErrorBytes) {
      shown[shown.length - 1] = withMore(shown.at(-1) ?? next, errors.length - shown.length)
      break
    }
    shown.push(next)
  }
  return shown
}

// A path has aliases, which may be as long as a document.
function boundedError(error: GraphQLError): GraphQLError {
  const { message, extensions, path = [] } = error
  const isLong = path.reduce<number>((sum, key) => sum + String(key).length, 0) > maxPathLength
  return isLong ? new GraphQLError(message, { extensions }) : error
}

const maxPathLength = 2_000

function withMore(error: GraphQLError, more: number): GraphQLError {
  const { message, nodes, source, positions, path, extensions } = error
  const sentence = `${message} (${more} more ${more === 1 ? 'error is' : 'errors are'} not shown.)`
  return new GraphQLError(sentence, { nodes, source, positions, path, extensions })
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
  const usual = code === 'BAD_REQUEST' ? 'Check the document and its variables against the schema.' : errorCatalogue[code].suggestion
  return new Failure(code, message, { suggestion: typeof extensions.suggestion === 'string' ? extensions.suggestion : usual })
}
