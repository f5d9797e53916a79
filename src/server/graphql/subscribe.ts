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
import { type Actor, type Ctx, ownerOfConnections } from '../../kit/context.ts'
import { Failure } from '../../kit/errors.ts'
import { TurnMissed } from '../../kit/turns.ts'
import { executeInItemTurn } from './item-turns.ts'
import { inPiecesFrom } from './pieces.ts'

type Result = Awaited<ReturnType<typeof executeSubscriptionEvent>>

/** What is selected of an item, for all who ask for the same. */
interface Selected {
  /** Who waits for it. */
  askers: Ctx[]
  result: Promise<Result> | Result
}

/**
 * Runs a subscription. What it selects of an item, at a given cost, is executed once for all who are passed the same item and ask for
 * the same with the same rights: each of them is sent the same result. It is executed when it is the turn of the project and account. A
 * subscription whose turn does not come in time ends: one with a cursor with STREAM_INTERRUPTED, others with SERVICE_UNAVAILABLE. What
 * a subscription selects may depend on the role of its caller, but not on who they are: a resolver that asks fails.
 */
export async function subscribe(args: ExecutionArgs, cost: number): Promise<AsyncIterable<ExecutionResult> | ExecutionResult> {
  const validated = validateSubscriptionArgs(args)
  if (!('schema' in validated)) return { errors: validated }
  const source = await createSourceEventStream(validated)
  if (!isAsyncIterable(source)) return source
  requireNoGenerator(source)
  const same = whatDecides(args)
  const caller = args.contextValue as Ctx
  const forAll = staying(caller)
  inPiecesFrom(forAll)
  return mapSourceToResponseEvent(validated, source, (event) => {
    const selected = selectedOf(event.rootValue, same, (askers) =>
      executeInItemTurn(forAll, { cost, isWanted: () => askers.some(({ left }) => !left?.().aborted) }, () =>
        executeSubscriptionEvent({ ...event, contextValue: forAll }),
      ),
    )
    if (!(selected.result instanceof Promise)) return selected.result
    selected.askers.push(caller)
    return selected.result.catch(async (error: unknown) => {
      throw error instanceof TurnMissed ? await interrupted(source) : error
    })
  })
}

// A generator that waits for its next item ends only when that has come: with all it holds it would outlive its caller, who may never
// be sent another one. Sources end at once when `return()` is called, as those of `watcherOf` and `watchActivity` do.
function requireNoGenerator(source: AsyncIterable<unknown>): void {
  if (Object.prototype.toString.call(source) === '[object AsyncGenerator]')
    throw new Error('The source of a subscription is a generator, which cannot be ended while it waits: use an iterator with return()')
}

// Whoever is the first to ask may leave while others wait for the same, and what they have not read, or what became of their rights,
// is nothing to the others. What is sent is counted when it is.
function staying({ left: _left, takeRoom: _takeRoom, rightsNow: _rightsNow, ...ctx }: Ctx): Ctx {
  return { ...ctx, actor: withoutPerson(ctx.actor), db: ctx.world.db.of(ownerOfConnections(ctx)) }
}

// What is equal for all who are sent the same; see whatDecides.
const equalForAll = new Set<PropertyKey>(['kind', 'key', 'role', 'emailVerified', 'projectDisabled'])

function withoutPerson(actor: Actor): Actor {
  return new Proxy(actor, {
    get(of, name) {
      if (name in of && !equalForAll.has(name))
        throw new Error(`What a subscription selects is sent to all who ask for it: it cannot depend on \`actor.${String(name)}\``)
      return Reflect.get(of, name)
    },
  })
}

// A source that can be continued knows where: it throws what says so.
async function interrupted(source: AsyncIterable<unknown>): Promise<unknown> {
  await source[Symbol.asyncIterator]().throw?.()
  return new Failure('SERVICE_UNAVAILABLE', 'Too many subscriptions of this project or person wait for what they select.', {
    suggestion: 'Subscribe again in a moment, fewer times or to less of each item.',
    headers: { 'Retry-After': '5' },
  })
}

const selections = new WeakMap<object, Map<string, Selected>>()

// What is selected of an item, as it is executed already, or else begins to be.
function selectedOf(item: unknown, same: string, execute: (askers: Ctx[]) => Promise<Result>): Selected {
  const known = typeof item === 'object' && item !== null ? selectionsOf(item) : new Map<string, Selected>()
  const before = known.get(same)
  if (before) return before
  const askers: Ctx[] = []
  const result = execute(askers)
  const selected: Selected = { askers, result }
  known.set(same, selected)
  result.then(
    (settled) => known.set(same, { askers: [], result: settled }),
    () => known.delete(same),
  )
  return selected
}

function selectionsOf(item: object): Map<string, Selected> {
  const known = selections.get(item) ?? new Map<string, Selected>()
  selections.set(item, known)
  return known
}

// All that the result depends on besides the item: the document, the variables in what it selects, and the rights of the caller. The
// arguments of the field itself choose the items, such as the cursor to continue after.
function whatDecides({ document, operationName, variableValues, contextValue }: ExecutionArgs): string {
  const { projectId, actor } = contextValue as Ctx
  const rights = actor.kind === 'user' ? ['user', actor.role, actor.emailVerified] : [actor.kind, actor.kind === 'key' && actor.key]
  const { number, selected } = knownOf(document)
  const values = [...selected].map((name) => [name, variableValues?.[name]])
  return JSON.stringify([number, operationName ?? null, projectId, rights, values])
}

// Documents are parsed once and cached.
const known = new WeakMap<DocumentNode, { number: number; selected: Set<string> }>()
let lastNumber = 0

function knownOf(document: DocumentNode): { number: number; selected: Set<string> } {
  const before = known.get(document)
  if (before) return before
  const made = { number: ++lastNumber, selected: selectedVariables(document) }
  known.set(document, made)
  return made
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
