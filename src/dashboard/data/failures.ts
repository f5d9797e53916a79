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
  const { code, suggestion, errors = [] } = first.extensions as { code?: string; suggestion?: string; errors?: Problem['fields'] }
  return {
    code: code ?? 'INTERNAL_SERVER_ERROR',
    message: sentenceOf(errors) ?? first.message,
    ...(suggestion && !isForPrograms.test(suggestion) && { suggestion }),
    fields: errors,
  }
}

// What names queries, arguments, ids or the list of errors helps those who write programs, and nobody in front of a form.
const isForPrograms = /`|"errors"|schema|\bids?\b|(GET|PUT|PATCH) \//

// The API names fields by their place in its input, which nobody sees here.
function sentenceOf([first, ...others]: Problem['fields']): string | undefined {
  if (!first) return undefined
  return others.length > 0 ? 'Some of what was entered is not accepted:' : `${fieldSentence(first)}.`
}

/** What is wrong with a field, in the words of forms. */
export function fieldSentence({ field, message }: Problem['fields'][number]): string {
  return `${fieldName(field)} ${message}`
}

const fieldNames: Record<string, string> = {
  amount: 'The time',
  body: 'The content',
  customEmail: 'The address',
  data: 'The data',
  email: 'The address',
  eventName: 'The name of the event',
  exitEvents: 'An exit event',
  from: 'The sender’s address',
  fromName: 'The sender’s name',
  fromStepId: 'The step',
  headers: 'A header',
  name: 'The name',
  replyTo: 'The address for replies',
  templateId: 'The template',
  timeout: 'The time',
  toStepId: 'The step that it leads to',
  url: 'The URL',
}

// The last of its names that means something: not a position in a list, nor a key that somebody has chosen.
function fieldName(field: string): string {
  const path = field.replace(/^input\./, '').split('.')
  const known = path.findLast((name) => name in fieldNames)
  if (known !== undefined) return fieldNames[known] ?? known
  const last = path.findLast((name) => !/^\d+$/.test(name)) ?? field
  const text = last.replace(/Ids?$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `“${text.charAt(0).toUpperCase()}${text.slice(1)}”`
}

/** Whether the session has ended, so that only signing in again helps. */
export function isSignedOut({ code }: Problem): boolean {
  return code === 'UNAUTHORIZED' || code === 'MISSING_AUTH'
}

/** What is wrong with one field of a form; `field` is its name in the input, also inside `input`. */
export function problemWith(problem: Problem | undefined, field: string): string | undefined {
  return problem?.fields.find((one) => one.field.replace(/^input\./, '') === field)?.message
}
