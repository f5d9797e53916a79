import { Failure, type FieldError } from '../../kit/errors.ts'
import { checkTemplate } from '../../kit/liquid.ts'

/**
 * Passes when the Liquid of a subject and a body parses; fails with VALIDATION_ERROR, naming line and column in each
 * field that does not.
 */
export function requireLiquid(sources: { subject?: string | undefined; body?: string | undefined }): void {
  const errors = (['subject', 'body'] as const).flatMap((field) => problemIn(field, sources[field]))
  const [first] = errors
  if (first) throw new Failure('VALIDATION_ERROR', `"${first.field}" ${first.message}.`, { errors })
}

function problemIn(field: string, source: string | undefined): FieldError[] {
  const problem = source === undefined ? null : checkTemplate(source)
  if (!problem) return []
  return [
    {
      field,
      message: `is not a valid template: ${problem.message} (line ${problem.line}, column ${problem.column})`,
      code: 'invalid_template',
    },
  ]
}
