import type { CombinedError } from '@urql/core'

/** What went wrong, in the words of the API. */
export interface Problem {
  code: string
  message: string
  suggestion?: string
  /** What is wrong with which field of the input. */
  fields: { field: string; message: string }[]
}

const unreachable: Problem = {
  code: 'UNREACHABLE',
  message: 'Postwire cannot be reached.',
  suggestion: 'Check your connection, then try again.',
  fields: [],
}

/** The problem of a refused query or mutation: the first error, with its code, sentence, suggestion and fields. */
export function problemOf(error: CombinedError): Problem {
  const [first] = error.graphQLErrors
  if (!first) return unreachable
  const { code, suggestion, errors } = first.extensions as { code?: string; suggestion?: string; errors?: Problem['fields'] }
  return { code: code ?? 'INTERNAL_SERVER_ERROR', message: first.message, ...(suggestion && { suggestion }), fields: errors ?? [] }
}

/** Whether the session has ended, so that only signing in again helps. */
export function isSignedOut({ code }: Problem): boolean {
  return code === 'UNAUTHORIZED' || code === 'MISSING_AUTH'
}

/** What is wrong with one field of a form; `field` is its name in the input, also inside `input`. */
export function problemWith(problem: Problem | undefined, field: string): string | undefined {
  return problem?.fields.find((one) => one.field.replace(/^input\./, '') === field)?.message
}
