import { type DocumentNode, GraphQLError, getOperationAST } from 'graphql'
import type { Ctx } from '../../kit/context.ts'
import { Failure } from '../../kit/errors.ts'
import { checkAccess } from './access.ts'
import { type Cost, checkOperation, turnCostOf } from './limits.ts'
import { schema } from './schema.ts'
import { requireTurn } from './turns.ts'
import { checkValues } from './values.ts'
import { problemsOfVariables } from './variables.ts'

/** An operation of a valid document, and who calls it. */
export interface Operation {
  document: DocumentNode
  operationName?: string | null
  variableValues?: Record<string, unknown> | null
  contextValue?: unknown
}

/** What an operation that may run costs. */
export interface Allowed {
  cost?: Cost
  /** The part of it for which the operation takes a turn. */
  costInTurn?: number
}

/** Why an operation may not run. */
export type Refused = readonly Error[]

/** Whether an operation may not run. */
export const isRefused = (allowed: Allowed | Refused): allowed is Refused => Array.isArray(allowed)

/** Why an operation that is not in the document may not run. */
export const unnamedOperation = '`operationName` must be the name of an operation of the document; it may be left out where there is one.'

// What was checked last of each call, by what it alone has.
const checked = new WeakMap<object, { operation: Operation; allowed: Allowed | Refused }>()

/**
 * Whether the caller may run an operation: its cost if so, otherwise the errors. This is found out once for each call, however often it
 * is asked about the same operation: for a large document it takes some milliseconds. What names no operation may not run.
 */
export function checkCall(operation: Operation): Allowed | Refused {
  const { answer } = operation.contextValue as Ctx
  const before = checked.get(answer)
  if (before && isSame(before.operation, operation)) return before.allowed
  const allowed = check(operation)
  checked.set(answer, { operation, allowed })
  return allowed
}

// Whoever looks at a request before it runs may read it in another way than whoever runs it.
function isSame(one: Operation, other: Operation): boolean {
  if (one.document !== other.document || (one.operationName ?? null) !== (other.operationName ?? null)) return false
  const [values, others] = [one.variableValues ?? {}, other.variableValues ?? {}]
  return values === others || (Object.keys(values).length === 0 && Object.keys(others).length === 0)
}

function check({ document, operationName, variableValues, contextValue }: Operation): Allowed | Refused {
  const ctx = contextValue as Ctx
  const operation = getOperationAST(document, operationName)
  if (!operation) return [new GraphQLError(unnamedOperation)]
  try {
    checkAccess(schema, document, operation, ctx)
    const variables = variableValues ?? {}
    checkValues(document, operation, variables)
    const problems = problemsOfVariables(schema, operation, variables)
    if (problems.length > 0) return problems
    const cost = checkOperation(schema, document, operation, variables)
    return { cost, costInTurn: requireTurn(cost.requested, () => turnCostOf(schema, document, operation, variables)) }
  } catch (error) {
    if (error instanceof Failure || error instanceof GraphQLError) return [error]
    throw error
  }
}
