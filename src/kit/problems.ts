import { z } from 'zod'
import { errorLimits, Failure, type FieldError } from './errors.ts'
import { findUnstorable } from './unstorable.ts'

const kinds: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  date: 'a date',
}

// Sentences that complete "<field> …", instead of zod's own messages.
z.config({
  customError: (issue) => {
    if (issue.code === 'invalid_type') {
      if (issue.input === undefined) return 'is required'
      return `must be ${kinds[issue.expected] ?? issue.expected}`
    }
    if (issue.code === 'invalid_value')
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map((value) => String(value)).join(', ')}`
    if (issue.code === 'too_small')
      return issue.minimum === 1 && ['string', 'array'].includes(issue.origin)
        ? 'must not be empty'
        : `must be at least ${issue.minimum}${unit(issue.origin)}`
    if (issue.code === 'too_big') return `must be at most ${issue.maximum}${unit(issue.origin)}`
    if (issue.code === 'invalid_union') return 'has a format that is not accepted here'
    if (issue.code === 'unrecognized_keys')
      return `is not known here: use ${listed(issue.inst instanceof z.ZodObject ? issue.inst.shape : {})}`
    return undefined
  },
})

function unit(origin: string): string {
  if (origin === 'string') return ' characters long'
  if (origin === 'array') return ' entries long'
  return ''
}

function listed(shape: z.core.$ZodShape): string {
  const keys = Object.keys(shape)
  return [keys.slice(0, -1).join(', '), keys.at(-1)].filter(Boolean).join(' or ')
}

/** The first 20 problems of a failed validation: dotted path, sentence, code. */
export function problemsOf(error: z.ZodError): FieldError[] {
  const problems: FieldError[] = []
  for (const issue of error.issues) {
    for (const { path, message, code } of innermost(issue)) {
      problems.push({ field: [...issue.path, ...path].map(String).join('.'), message, code })
      if (problems.length === errorLimits.problems) return problems
    }
  }
  return problems
}

interface Problem {
  path: PropertyKey[]
  message: string
  code: string
}

// A union reports only that no branch matches; the branch that got furthest tells what to change, or that which misses least.
function innermost(issue: z.core.$ZodIssue): Problem[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => ({ path: [key], message: issue.message, code: issue.code }))
  if (issue.code !== 'invalid_union') return [{ path: [], message: issue.message, code: codeOf(issue) }]
  const branches = issue.errors.filter((branch) => branch.length > 0 && !branch.every(isOfOtherKind))
  const missing = (branch: z.core.$ZodIssue[]) => branch.filter((one) => codeOf(one) === 'required').length
  const [best] = branches.sort((a, b) => depthOf(b) - depthOf(a) || missing(a) - missing(b))
  if (!best) return [{ path: [], ...problemOfUnion(issue) }]
  return best.flatMap((one) => innermost(one).map((inner) => ({ ...inner, path: [...one.path, ...inner.path] })))
}

// The value itself is none of what was expected, such as a list where a text or an object was.
function isOfOtherKind(issue: z.core.$ZodIssue): boolean {
  if (issue.path.length > 0) return false
  return issue.code === 'invalid_type' || (issue.code === 'invalid_union' && issue.errors.every((branch) => branch.every(isOfOtherKind)))
}

// Keys that are not known are one level below the object that has them.
function depthOf([first]: z.core.$ZodIssue[]): number {
  return first ? first.path.length + (first.code === 'unrecognized_keys' ? 1 : 0) : 0
}

function problemOfUnion(issue: Extract<z.core.$ZodIssue, { code: 'invalid_union' }>): Omit<Problem, 'path'> {
  const branches = issue.errors.flat()
  if (branches.length > 0 && branches.every((one) => codeOf(one) === 'required')) return { message: 'is required', code: 'required' }
  const expected = branches.flatMap(expectedBy)
  if (expected.length > 0) return { message: `must be ${[...new Set(expected)].join(' or ')}`, code: 'invalid_type' }
  return { message: issue.message, code: 'invalid' }
}

function expectedBy(issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'invalid_union') return issue.errors.flat().flatMap(expectedBy)
  return issue.code === 'invalid_type' ? [kinds[issue.expected] ?? issue.expected] : []
}

// Codes are published (see fieldCodes): a rule of a shape that names none is `invalid`, whatever zod calls it.
function codeOf(issue: z.core.$ZodIssue): string {
  const given = (issue as { params?: { code?: unknown } }).params?.code
  if (typeof given === 'string') return given
  if (issue.code === 'custom') return 'invalid'
  return issue.code === 'invalid_type' && issue.message === 'is required' ? 'required' : issue.code
}

/**
 * Validates input against a shape; throws VALIDATION_ERROR (422), or BAD_REQUEST (400) for a query, with the first 20 fields
 * that are wrong. Text that Postgres cannot store is refused anywhere in the input.
 *
 * @param nameOf the name that the caller uses for a field of the shape
 */
export function read<Shape extends z.ZodType>(
  shape: Shape,
  input: unknown,
  from: 'body' | 'query' = 'body',
  nameOf: (field: string) => string = (field) => field,
): z.output<Shape> {
  const refuse = (errors: FieldError[]) =>
    refusal(
      errors.map((error) => ({ ...error, field: nameOf(error.field) })),
      from,
    )
  const found = findUnstorable(input)
  if (found) throw refuse([found])
  const parsed = shape.safeParse(input)
  if (parsed.success) return parsed.data
  throw refuse(problemsOf(parsed.error))
}

/** Validates input that holds a file, whose bytes are not text; throws BAD_REQUEST (400) with the first 20 fields that are wrong. */
export function readFileInput<Shape extends z.ZodType>(shape: Shape, input: unknown): z.output<Shape> {
  const parsed = shape.safeParse(input)
  if (parsed.success) return parsed.data
  throw refusal(problemsOf(parsed.error), 'query')
}

/** What a refused query is told to do. */
export const querySuggestion = 'See "errors": each entry names a parameter and what to change.'

function refusal(errors: FieldError[], from: 'body' | 'query'): Failure {
  const [first] = errors
  const sentence = first ? `${first.field ? `"${first.field}"` : 'The request'} ${first.message}.` : undefined
  if (from === 'body') return new Failure('VALIDATION_ERROR', sentence, { errors })
  return new Failure('BAD_REQUEST', sentence, { errors, suggestion: querySuggestion })
}
