import { errorCatalogue, type Failure, type FieldError } from '../../kit/errors.ts'
import { fieldNamesOf, valueNameOf } from '../../kit/graphql-names.ts'
import { querySuggestion } from '../../kit/problems.ts'

// Failures are worded for REST: what they name of it has a twin here.
const twins: [string, string][] = [
  ['POST /auth/request-password-reset', '`requestPasswordReset`'],
  ['POST /auth/request-verification', '`requestVerification`'],
  ['POST /auth/login', '`logIn`'],
  ['PUT /users/@me/projects/:id/billing-limits', '`updateBillingLimits`'],
  ['POST /users/@me/projects/:id/billing-portal', '`openBillingPortal`'],
  ['POST /users/@me/projects/:id/checkout', '`createCheckout`'],
  ['GET /users/@me/projects, or viewer.projects in GraphQL, lists yours.', '`viewer { projects }` lists yours.'],
  ['GET /users/@me/projects', '`viewer { projects }`'],
  ['POST /users/@me/projects', '`createProject`'],
  ['POST /domains', '`createDomain`'],
  ['GET /templates', '`templates`'],
  ['GET /segments', '`segments`'],
  ['PATCH /workflows/:id', '`updateWorkflow`'],
]

/**
 * A failure as GraphQL words it: the fields by their names in the input of `field`, the query or mutation, values of enums as they are
 * spelled there, mutations in place of endpoints. A wrong value has one code, wherever it stands: REST has two, for query and body.
 */
export function wordedFor(failure: Failure, field: string | undefined): Failure {
  const names = field === undefined ? {} : fieldNamesOf(field)
  const errors = failure.errors?.map((error) => fieldErrorFor(error, names))
  const code = failure.code === 'BAD_REQUEST' && errors ? 'VALIDATION_ERROR' : failure.code
  const given = failure.suggestion === querySuggestion ? errorCatalogue[code].suggestion : failure.suggestion
  const { status } = errorCatalogue[code]
  const words = { code, status, errors, message: messageFor(failure, names), suggestion: suggestionFor(given, names) }
  // All else is that of the failure, such as its headers and the cursor to continue from.
  return Object.assign(Object.create(failure) as Failure, words)
}

type Names = Record<string, string>

function fieldErrorFor({ field, message, code }: FieldError, names: Names): FieldError {
  const [first = ''] = field.split('.')
  const last = field.split('.').at(-1)
  return {
    field: field.replace(first, names[first] ?? first),
    message: spelled(last && message.startsWith(`${last} `) ? message.slice(last.length + 1) : message),
    code,
  }
}

// A sentence that only completes the name of its field gets it.
function messageFor({ message, errors = [] }: Failure, names: Names): string {
  const [first] = errors
  if (first && message === first.message && /^[a-z]/.test(message)) {
    const { field, message: rest } = fieldErrorFor(first, names)
    return `"${field}" ${rest}.`
  }
  return spelled(renamed(message, names).replace(/^"((?:\w+\.)*)(\w+)" \2 /, '"$1$2" '))
}

function renamed(text: string, names: Names): string {
  return text.replace(/"(\w+)(?=[".])/g, (whole, word: string) => (names[word] ? `"${names[word]}` : whole))
}

// Values of enums: the operator that cannot be used, and those to use instead.
function spelled(text: string): string {
  const list = (words: string) => words.replace(/\w+/g, valueNameOf)
  return text
    .replace(/"(\w+)"(?= cannot be used)/, (_, word: string) => `"${valueNameOf(word)}"`)
    .replace(/(?<=(?:cannot be used with .*: use|must be one of) )(?:\w+(?:, | or )?)+/, list)
}

function suggestionFor(suggestion: string | undefined, names: Names): string | undefined {
  if (suggestion === undefined) return undefined
  return twins.reduce((text, [rest, twin]) => text.replace(rest, twin), renamed(suggestion, names))
}
