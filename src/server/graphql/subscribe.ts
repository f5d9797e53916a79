import {
  type ASTNode,
  createSourceEventStream,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  executeSubscriptionEvent,
  Kind,
  mapSourceToResponseEvent,
  validateSubscriptionArgs,
  visit,
} from 'graphql'
import { isAsyncIterable } from 'graphql-yoga'
import type { Ctx } from '../../kit/context.ts'

type Executed = ReturnType<typeof executeSubscriptionEvent>

/**
 * Runs a subscription. What it selects of an item is executed once for all who are passed the same item and ask for the same with the
 * same rights: each of them is sent the same result.
 */
export async function subscribe(args: ExecutionArgs): Promise<AsyncIterable<ExecutionResult> | ExecutionResult> {
  const validated = validateSubscriptionArgs(args)
  if (!('schema' in validated)) return { errors: validated }
  const source = await createSourceEventStream(validated)
  if (!isAsyncIterable(source)) return source
  const same = whatDecides(args)
  return mapSourceToResponseEvent(validated, source, (event) => {
    const item = event.rootValue
    if (typeof item !== 'object' || item === null) return executeSubscriptionEvent(event)
    const known = resultsOf(item)
    const result = known.get(same) ?? executeSubscriptionEvent(event)
    known.set(same, result)
    return result
  })
}

const results = new WeakMap<object, Map<string, Executed>>()

function resultsOf(item: object): Map<string, Executed> {
  const known = results.get(item) ?? new Map<string, Executed>()
  results.set(item, known)
  return known
}

// All that the result depends on besides the item: the document, the variables in what it selects, and the rights of the caller. The
// arguments of the field itself choose the items, such as the cursor to continue after.
function whatDecides({ document, operationName, variableValues, contextValue }: ExecutionArgs): string {
  const { projectId, actor } = contextValue as Ctx
  const rights = actor.kind === 'user' ? ['user', actor.role] : [actor.kind, actor.kind === 'key' && actor.key]
  const values = [...selectedVariables(document)].map((name) => [name, variableValues?.[name]])
  return JSON.stringify([numberOf(document), operationName ?? null, projectId, rights, values])
}

// Documents are parsed once and cached.
const numbers = new WeakMap<DocumentNode, number>()
let lastNumber = 0

function numberOf(document: DocumentNode): number {
  const number = numbers.get(document) ?? ++lastNumber
  numbers.set(document, number)
  return number
}

function selectedVariables(document: DocumentNode): Set<string> {
  const names = new Set<string>()
  const collect = (node: ASTNode): void => void visit(node, { Variable: ({ name }) => void names.add(name.value) })
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) collect(definition)
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue
    for (const root of definition.selectionSet.selections) collect(root.kind === Kind.FIELD ? { ...root, arguments: [] } : root)
  }
  return names
}
