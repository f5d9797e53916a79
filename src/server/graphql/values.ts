import { type DocumentNode, type OperationDefinitionNode, type TypeNode, visit } from 'graphql'
import { Failure, type FieldError } from '../../kit/errors.ts'
import { findUnstorable } from '../../kit/unstorable.ts'

/**
 * Refuses values in variables or in the document that are never valid: text and numbers that Postgres cannot store (VALIDATION_ERROR with
 * the field as in REST), and more than 100 levels of nesting (BAD_REQUEST).
 */
export function checkValues(document: DocumentNode, operation: OperationDefinitionNode, variables: Record<string, unknown>): void {
  for (const { variable, type } of operation.variableDefinitions ?? []) {
    const name = variable.name.value
    const found = findUnstorable(variables[name])
    if (found) throw refused({ ...found, field: isInput(type) ? found.field : [name, found.field].filter(Boolean).join('.') })
  }
  const check = (value: string | number): void => {
    const found = findUnstorable(value)
    if (found) throw refused(found)
  }
  visit(document, {
    StringValue: ({ value }) => check(value),
    FloatValue: ({ value }) => check(Number(value)),
    IntValue: ({ value }) => check(Number(value)),
  })
}

function refused(error: FieldError): Failure {
  return new Failure('VALIDATION_ERROR', `${error.field ? `"${error.field}"` : 'A value'} ${error.message}.`, { errors: [error] })
}

function isInput(type: TypeNode): boolean {
  if (type.kind === 'NamedType') return type.name.value.endsWith('Input')
  return isInput(type.type)
}
