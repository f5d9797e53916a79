import { errorCatalogue, Failure } from '../kit/errors.ts'
import type { Log } from '../kit/log.ts'
import { isDatabaseAway } from '../kit/postgres/db.ts'

/** The error body of every REST answer: the documented envelope, and the flat fields beside it (decisions.md 2). */
export interface ErrorBody {
  success: false
  error: { code: string; message: string; statusCode: number; requestId: string; errors?: Failure['errors']; suggestion?: string }
  timestamp: string
  code: number
  message: string
  time: number
}

const retryAfterSeconds = 5

/** What a caller is told of an error: a Failure as it is, a database that is away as 503, a bug as the masked 500, logged. */
export function failureOf(error: unknown, requestId: string, log: Log): Failure {
  if (error instanceof Failure) return error
  if (isDatabaseAway(error)) {
    log.warn({ err: error, requestId }, 'the database cannot be reached')
    return new Failure('SERVICE_UNAVAILABLE', undefined, { headers: { 'Retry-After': String(retryAfterSeconds) } })
  }
  log.error({ err: error, requestId }, 'a request failed unexpectedly')
  return new Failure('INTERNAL_SERVER_ERROR')
}

/** The body that tells a failure. */
export function errorBody({ code, message, status, errors, suggestion }: Failure, requestId: string, now: Date): ErrorBody {
  return {
    success: false,
    error: {
      code,
      message: message || errorCatalogue[code].message,
      statusCode: status,
      requestId,
      ...(errors && { errors }),
      ...(suggestion && { suggestion }),
    },
    timestamp: now.toISOString(),
    code: status,
    message,
    time: now.getTime(),
  }
}
