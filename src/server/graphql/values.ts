import { type DocumentNode, type OperationDefinitionNode, type TypeNode, visit } from 'graphql'
import { Failure } from '../../kit/errors.ts'

const maxLevels = 64

/**
 * Refuses values in variables or in the document that are never valid: text with NUL characters, which Postgres cannot store
 * (VALIDATION_ERROR with the field as in REST), and more than 64 levels of nesting (BAD_REQUEST).
 */
export function checkValues(document: DocumentNode, operation: OperationDefinitionNode, variables: Record<string, unknown>): void {
  for (const { variable, type } of operation.variableDefinitions ?? []) {
    const name = variable.name.value
    const at = pathOfNul(variables[name], 0)
    if (at) throw nulAt(isInput(type) ? at : [name, ...at])
  }
  visit(document, {
    StringValue({ value }) {
      if (value.includes('\0')) throw nulAt([])
    },
  })
}

function nulAt(path: string[]): Failure {
  const errors = [{ field: path.join('.'), message: 'must not contain NUL characters', code: 'custom' }]
  return new Failure('VALIDATION_ERROR', 'Text must not contain NUL characters.', { errors })
}

function isInput(type: TypeNode): boolean {
  if (type.kind === 'NamedType') return type.name.value.endsWith('Input')
  return isInput(type.type)
}

function pathOfNul(value: unknown, level: number): string[] | undefined {
  if (typeof value === 'string') return value.includes('\0') ? [] : undefined
  if (typeof value !== 'object' || value === null) return undefined
  if (level > maxLevels) throw new Failure('BAD_REQUEST', `The request is nested deeper than ${maxLevels} levels.`)
  for (const [key, item] of Object.entries(value)) {
    const below = key.includes('\0') ? [] : pathOfNul(item, level + 1)
    if (below) return [key.replaceAll('\0', ''), ...below]
  }
  return undefined
}
