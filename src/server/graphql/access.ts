import {
  type DocumentNode,
  type FragmentSpreadNode,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  type InlineFragmentNode,
  isInputObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import { requireVerified } from '../../kit/access.ts'
import type { Ctx } from '../../kit/context.ts'
import { Failure } from '../../kit/errors.ts'
import { accessOf, authorizeAhead } from '../../kit/field-access.ts'

/**
 * Refuses a whole operation before it runs when its caller may not use one of its root fields, or when a mutation that may end
 * rights of its caller (`extensions: { endsRights: true }`) has others beside it, which would run with the rights from before; and a
 * mutation with an Idempotency-Key that is for several fields, or for one that takes none.
 */
export function checkAccess(
  schema: GraphQLSchema,
  document: DocumentNode,
  { operation, selectionSet }: OperationDefinitionNode,
  ctx: Ctx,
): void {
  const fields = schema.getRootType(operation)?.getFields() ?? {}
  const uses = rootFields(document, selectionSet, new Map())
  for (const name of uses.keys()) {
    if (name === '__schema' || name === '__type') requireIntrospection(ctx)
    if (name.startsWith('__')) continue
    const access = fields[name] && accessOf(fields[name])
    if (!access) throw new Error(`The field ${name} of ${operation} does not declare who may use it`)
    authorizeAhead(ctx, access)
  }
  const alone = [...uses.keys()].find((name) => fields[name]?.extensions.endsRights)
  const total = [...uses].reduce((sum, [name, count]) => (name.startsWith('__') ? sum : sum + count), 0)
  if (operation === 'mutation' && ctx.idempotency) {
    if (total > 1)
      throw new Failure('BAD_REQUEST', 'A request with an Idempotency-Key must have one mutation: the key stands for one answer.', {
        suggestion: 'Send each mutation in a request of its own, or give `idempotencyKey` in the inputs that take one.',
      })
    for (const name of uses.keys()) if (fields[name]) requireKeyed(fields[name], fields)
  }
  if (alone && total > 1)
    throw new Failure('BAD_REQUEST', `${alone} changes what the caller may do, so it must be the only field of its mutation.`)
}

// Whoever sends a key relies on it when they repeat the call: without it everything would be done twice.
function requireKeyed(field: GraphQLField<unknown, unknown>, mutations: Record<string, GraphQLField<unknown, unknown>>): void {
  if (takesKey(field)) return
  const keyed = Object.values(mutations).filter(takesKey)
  throw new Failure('BAD_REQUEST', `${field.name} takes no Idempotency-Key, so it was not done.`, {
    suggestion: `Send it without the header. These mutations take one: ${keyed.map(({ name }) => name).join(', ')}.`,
  })
}

function takesKey({ args }: GraphQLField<unknown, unknown>): boolean {
  return args.some(({ type }) => {
    const input = getNamedType(type)
    return isInputObjectType(input) && 'idempotencyKey' in input.getFields()
  })
}

// In production only people who are signed in, with a verified address where that is required, may read the schema.
function requireIntrospection({ config, actor }: Ctx): void {
  if (!config.production) return
  if (actor.kind !== 'user')
    throw new Failure('FORBIDDEN', 'In production only people who are signed in may use introspection.', {
      suggestion: 'Sign in, or read schema.graphql of the release.',
    })
  requireVerified({ config }, actor.emailVerified)
}

type Uses = Map<string, number>

// How often each root field is used. A fragment is read once, however often it is spread: 30 that each spread the next one twice
// would take hours. Fragments cannot contain cycles here: the document has been validated.
function rootFields(document: DocumentNode, { selections }: SelectionSetNode, ofFragments: Map<string, Uses>): Uses {
  const uses: Uses = new Map()
  const add = (name: string, count: number): void => void uses.set(name, (uses.get(name) ?? 0) + count)
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD) add(selection.name.value, 1)
    else for (const [name, count] of usesBelow(document, selection, ofFragments)) add(name, count)
  }
  return uses
}

function usesBelow(document: DocumentNode, selection: InlineFragmentNode | FragmentSpreadNode, ofFragments: Map<string, Uses>): Uses {
  if (selection.kind === Kind.INLINE_FRAGMENT) return rootFields(document, selection.selectionSet, ofFragments)
  const name = selection.name.value
  const known = ofFragments.get(name)
  if (known) return known
  const fragment = document.definitions.find((one) => one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === name)
  const uses: Uses = fragment?.kind === Kind.FRAGMENT_DEFINITION ? rootFields(document, fragment.selectionSet, ofFragments) : new Map()
  ofFragments.set(name, uses)
  return uses
}
