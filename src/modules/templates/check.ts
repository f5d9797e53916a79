import { Failure, type FieldError } from '../../kit/errors.ts'
import { checkTemplate } from '../../kit/liquid.ts'

/**
 * Requires that the Liquid of an email can be parsed. Fails with VALIDATION_ERROR, which has line and column of the problem in
 * each field.
 */
export function requireLiquid(sources: { subject?: string | undefined; body?: string | undefined; text?: string | undefined }): void {
  const errors = (['subject', 'body', 'text'] as const).flatMap((field) => problemIn(field, sources[field]))
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
