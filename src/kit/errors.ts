import { shorten } from './cut.ts'

const catalogue = {
  BAD_REQUEST: [400, 'The request could not be read.', 'Change what the message names, and send the request again.'],
  MISSING_AUTH: [
    401,
    'No API key was sent, and nobody is signed in.',
    'Send the header "Authorization: Bearer sk_…" with the secret key of your project.',
  ],
  INVALID_API_KEY: [
    401,
    'The API key is unknown or of the wrong kind for this endpoint.',
    'Use the secret key (sk_…); the public key (pk_…) may only call POST /v1/track. Rotated keys stop working at once.',
  ],
  INVALID_CREDENTIALS: [
    401,
    'The address or the password is wrong.',
    'Check both, or ask for a reset with POST /auth/request-password-reset.',
  ],
  UNAUTHORIZED: [401, 'You are not signed in.', 'Sign in and try again.'],
  BILLING_LIMIT_EXCEEDED: [
    402,
    'The project has reached its cap for this month.',
    'Raise the cap with PUT /users/@me/projects/:id/billing-limits, or wait for the next month (UTC).',
  ],
  FORBIDDEN: [403, 'You are not allowed to do this.', 'Ask an admin or the owner of the project.'],
  PROJECT_ACCESS_DENIED: [403, 'You have no access to this project.', 'Use a key of that project.'],
  PROJECT_DISABLED: [
    403,
    'This project is suspended, or a reset of it is running: it can be read but not changed.',
    'See the security page of the project, or contact the operator; a reset ends by itself.',
  ],
  EMAIL_VERIFICATION_REQUIRED: [
    403,
    'Confirm your email address first.',
    'Follow the link in the email we sent you; POST /auth/request-verification sends another one.',
  ],
  SIGNUPS_DISABLED: [403, 'This installation does not accept new accounts.', 'Ask a member of a project to invite you.'],
  DOMAIN_NOT_VERIFIED: [
    403,
    'The sender domain is not verified in this project.',
    'Add the domain with POST /domains, set its DNS records, and send from it once it is VERIFIED.',
  ],
  RESOURCE_NOT_FOUND: [404, 'There is no such resource in this project.', 'Check the id; ids of other projects are not visible here.'],
  CONTACT_NOT_FOUND: [404, 'There is no such contact in this project.', 'Check the contact id.'],
  TEMPLATE_NOT_FOUND: [404, 'There is no such template in this project.', 'Check the template id; GET /templates lists them.'],
  SEGMENT_NOT_FOUND: [404, 'There is no such segment in this project.', 'Check the segment id; GET /segments lists them.'],
  BILLING_DISABLED: [404, 'Billing is not enabled on this installation.', 'Caps and consumption work without it.'],
  UNKNOWN_ROUTE: [404, 'There is no such endpoint.', 'See /docs for every endpoint.'],
  METHOD_NOT_ALLOWED: [405, 'This path does not support this method.', 'The Allow header lists the methods it supports.'],
  CONFLICT: [409, 'This conflicts with existing data.', undefined],
  CAMPAIGN_ACTIVE: [409, 'This campaign is scheduled or being sent.', 'Cancel it first.'],
  SEGMENT_IN_USE: [
    409,
    'A campaign that is scheduled or being sent, an enabled workflow, or an execution under way needs this segment.',
    'Cancel the campaign first, or disable the workflow.',
  ],
  TEMPLATE_IN_USE: [409, 'A step of a workflow sends this template.', 'Give the step another template first, or delete the step.'],
  WORKFLOW_ACTIVE: [409, 'This workflow has active executions.', 'Cancel them first, or wait until they have ended.'],
  WORKFLOW_DISABLED: [409, 'This workflow is disabled: executions cannot start.', 'Enable it with PATCH /workflows/:id.'],
  EXECUTION_ACTIVE: [409, 'An execution of this workflow is under way for this contact.', 'Cancel it first, or wait until it has ended.'],
  DOMAIN_IN_USE: [409, 'Something sends from this domain.', 'Change the sender of what uses it first.'],
  LIMIT_REACHED: [409, 'A limit of this installation is reached.', 'Delete what you no longer need.'],
  IDEMPOTENCY_KEY_IN_PROGRESS: [
    409,
    'A call with this Idempotency-Key is still running.',
    'Wait a moment and repeat the same call: it will return the first answer.',
  ],
  CURSOR_EXPIRED: [
    410,
    'The cursor is ahead of the log: the database it came from was replaced, such as by a failover or by restoring a backup.',
    'Subscribe again without "after", and read what happened in the meantime from the list of activity.',
  ],
  PAYLOAD_TOO_LARGE: [
    413,
    'The request or its answer is too large.',
    'Send a smaller body, or ask for fewer items; the limits are in the documentation.',
  ],
  UNSUPPORTED_MEDIA_TYPE: [415, 'This content type is not accepted here.', 'Send the body as application/json with that Content-Type.'],
  VALIDATION_ERROR: [422, 'The request is not valid.', 'See "errors": each entry names a field and what to change.'],
  IDEMPOTENCY_KEY_MISMATCH: [
    422,
    'This Idempotency-Key was used for another call.',
    'Use a new key for every different call; keys are stored for 24 hours.',
  ],
  RATE_LIMIT_EXCEEDED: [429, 'Too many requests in this minute.', 'Wait, then try again.'],
  INTERNAL_SERVER_ERROR: [500, 'Something went wrong on our side.', 'Try again; if it happens again, report the requestId.'],
  STREAM_INTERRUPTED: [
    503,
    'The live stream was closed because it could not be read fast enough.',
    'Subscribe again with "after" set to extensions.cursor: nothing is lost.',
  ],
  SERVICE_UNAVAILABLE: [
    503,
    'The service cannot reach its database at the moment.',
    'Nothing was lost or partly written; try again in a moment.',
  ],
} as const satisfies Record<string, readonly [number, string, string | undefined]>

/** A machine-readable error code. */
export type ErrorCode = keyof typeof catalogue

/** A problem with one field of the input: dotted path, sentence, code. */
export interface FieldError {
  field: string
  message: string
  code: string
}

/** The usual codes of such problems, which are those of REST and GraphQL alike; single fields have others, and more may come. */
export const fieldCodes = [
  'required',
  'invalid',
  'invalid_type',
  'invalid_value',
  'invalid_format',
  'too_small',
  'too_big',
  'duplicate',
  'not_allowed',
  'unrecognized_keys',
  'reserved_event',
  'unsupported_operator',
] as const

/** Every error code with its status, default sentence and suggestion. */
export const errorCatalogue: Record<ErrorCode, { status: number; message: string; suggestion: string | undefined }> = Object.fromEntries(
  Object.entries(catalogue).map(([code, [status, message, suggestion]]) => [code, { status, message, suggestion }]),
) as Record<ErrorCode, { status: number; message: string; suggestion: string | undefined }>

/**
 * How much an error may say: what a caller has sent, such as a key or a value, may be in it, and an answer must not be larger than its
 * request, nor may those who read the message after this one take long.
 */
export const errorLimits = { message: 500, field: 200, problems: 20 }

// Of what is unavailable for a reason that says nothing else.
const retryAfterSeconds = 5

/** An error that is reported to the caller as it is, with the status of its code, within `errorLimits`. Bugs are never Failures. */
export class Failure extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly errors: FieldError[] | undefined
  readonly suggestion: string | undefined
  /** Headers that an HTTP entry point adds to the answer, such as Retry-After or Allow. */
  readonly headers: Record<string, string>

  constructor(
    code: ErrorCode,
    message?: string,
    more: { errors?: FieldError[]; suggestion?: string; headers?: Record<string, string> } = {},
  ) {
    super(shorten(message ?? errorCatalogue[code].message, errorLimits.message))
    this.name = 'Failure'
    this.code = code
    this.status = errorCatalogue[code].status
    this.errors = more.errors?.slice(0, errorLimits.problems).map(bounded)
    this.suggestion = more.suggestion ?? errorCatalogue[code].suggestion
    this.headers = { ...(code === 'SERVICE_UNAVAILABLE' && { 'Retry-After': String(retryAfterSeconds) }), ...more.headers }
  }
}

/** Makes errors that say what a caller has sent: where they were made tells nobody anything, and finding that out takes most of the time. */
export function withoutStacks<Made>(make: () => Made): Made {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return make()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

function bounded({ field, message, code }: FieldError): FieldError {
  return { field: shorten(field, errorLimits.field), message: shorten(message, errorLimits.message), code }
}

/** A 422 about one field. */
export function invalid(field: string, message: string, code = 'invalid'): Failure {
  return new Failure('VALIDATION_ERROR', message, { errors: [{ field, message, code }] })
}

/** A 404 for a resource of the given kind. */
export function notFound(code: Extract<ErrorCode, `${string}_NOT_FOUND`> = 'RESOURCE_NOT_FOUND'): Failure {
  return new Failure(code)
}

/** A 429 that says when to try again: in the sentence, for people, and in Retry-After (`retryAfter` in GraphQL), for programs. */
export function tooManyRequests(sentence: string, seconds: number, headers: Record<string, string> = {}): Failure {
  const message = `${sentence} Try again in ${inWords(seconds)}.`
  return new Failure('RATE_LIMIT_EXCEEDED', message, { headers: { 'Retry-After': String(seconds), ...headers } })
}

// Never less than it is: 61 minutes are 2 hours.
function inWords(seconds: number): string {
  const [size, unit] = seconds <= 60 ? [1, 'second'] : seconds <= 3_600 ? [60, 'minute'] : [3_600, 'hour']
  const count = Math.ceil(seconds / size)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** Maximum number of bytes of the large values in one answer. */
export const maxAnswerBytes = 32 * 1024 * 1024

/** A PAYLOAD_TOO_LARGE for an answer, or an event of a stream, and not for the request. */
export function answerTooLarge(maxBytes = maxAnswerBytes): Failure {
  return new Failure('PAYLOAD_TOO_LARGE', `The answer would be larger than ${maxBytes / 1024 / 1024} MB.`, {
    suggestion: 'Ask for fewer items at once, or leave out their large fields.',
  })
}
