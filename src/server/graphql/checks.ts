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

// Of each call, by what it alone has. A call runs one operation.
const checked = new WeakMap<object, Allowed | Refused>()

/**
 * Whether the caller may run an operation: its cost if so, otherwise the errors. This is found out once for each call, however often it
 * is asked: for a large document it takes some milliseconds.
 */
export function checkCall(operation: Operation): Allowed | Refused {
  const { answer } = operation.contextValue as Ctx
  const before = checked.get(answer)
  if (before) return before
  const allowed = check(operation)
  checked.set(answer, allowed)
  return allowed
}

function check({ document, operationName, variableValues, contextValue }: Operation): Allowed | Refused {
  const ctx = contextValue as Ctx
  const operation = getOperationAST(document, operationName)
  if (!operation) return {}
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
