import { errorLimits, Failure, type FieldError } from './errors.ts'
import { jsonLimits } from './json-limits.ts'

/** What to change in a number that is none of a double. */
export const notFinite = 'must have no number beyond ±1.8e308'

/**
 * Finds what Postgres does not store, anywhere in a value that was parsed from JSON: text with NUL characters or unpaired surrogates, and
 * numbers beyond those of a double, which JSON.parse makes infinite and JSON.stringify null. Throws BAD_REQUEST beyond the levels of
 * nesting in `jsonLimits`, which values in a document of GraphQL may have and would exhaust the stack of later readers.
 */
export function findUnstorable(value: unknown, depth = 0): FieldError | undefined {
  if (typeof value === 'string') return unstorable(value)
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : { field: '', message: notFinite, code: 'invalid_number' }
  if (typeof value !== 'object' || value === null) return undefined
  if (depth >= jsonLimits.depth) throw new Failure('BAD_REQUEST', `The request is nested deeper than ${jsonLimits.depth} levels.`)
  if (Array.isArray(value)) return findInList(value, depth)
  for (const key in value) {
    const found = findUnstorable((value as Record<string, unknown>)[key], depth + 1) ?? unstorable(key)
    if (found) return at(key, found)
  }
  return undefined
}

// By their numbers, which are no text: lists may have many thousands of entries.
function findInList(list: readonly unknown[], depth: number): FieldError | undefined {
  for (let position = 0; position < list.length; position++) {
    const found = findUnstorable(list[position], depth + 1)
    if (found) return at(String(position), found)
  }
  return undefined
}

// Keys may have megabytes, and each level writes those below it again: of the whole only the beginning is shown.
function at(key: string, found: FieldError): FieldError {
  const shown = key.slice(0, errorLimits.field).replaceAll('\0', '␀')
  return { ...found, field: [shown, ...(found.field ? [found.field] : [])].join('.') }
}

function unstorable(text: string): FieldError | undefined {
  const message = whyUnstorable(text)
  return message === undefined ? undefined : { field: '', message, code: 'invalid_string' }
}

/** What to change in a text so that Postgres stores it, or undefined when it does. */
export function whyUnstorable(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain NUL characters'
  return text.isWellFormed() ? undefined : 'must be well-formed Unicode'
}
